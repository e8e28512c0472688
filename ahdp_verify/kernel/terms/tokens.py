"""The tokens of a text, and a position in them: the input of the grammar.

Positions count characters from 1.  Every token that is read is counted, repeated reading included,
so that the work on a text is bounded.

>>> [token.text for token in tokens("2*x[10] <= eps", "level")]
['2', '*', 'x', '[', '10', ']', '<=', 'eps', '']
>>> TokenReader("x $ y", "level")
Traceback (most recent call last):
ahdp_verify.kernel.errors.GrammarError: level: at character 3, '$' cannot begin a part of an expression; remove it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import GrammarError

LENGTH = 200_000  # characters of one text; guards the time to read it
# most words read, those of repeated terms included, plus nodes of substituted let names
SIZE = 200_000

TOKEN = re.compile(
    r'(?P<number>\d+(?:\.\d*)?|\.\d+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<label>"(?:[^"\\]|\\.)*")'
    r"|(?P<sign>==|!=|<=|>=|\*\*|[-+*/^<>()\[\],])",
    re.ASCII,
)
CURES = {
    '"': "close the label with a second double quote",
    "'": "write labels in double quotes",
    "=": "write == to compare",
    "&": "write and",
    "|": "write abs(...), or the word or",
    "!": "write not, or != to compare",
    "%": "write mod(a, b)",
    "**": "write ^ for a power",
    "\u2212": "write the plain minus -",
    "\u00b7": "write *",
    "\u00d7": "write *",
    "\u2264": "write <=",
    "\u2265": "write >=",
    "\u2260": "write !=",
    "\u221e": "write oo",
    "\u03b5": "write eps",
    "{": "use ( and )",
}


class Token(NamedTuple):
    """A word of the text: its kind (number, name, label, sign or end), its characters and where
    it begins, from 1.
    """

    kind: str
    text: str
    position: int


def tokens(text: str, where: str) -> Iterator[Token]:
    """The words of a text, closed by one of kind end; raises GrammarError at the first character
    that cannot begin a word.
    """
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        spend()
        found = TOKEN.match(text, at)
        if found is None:
            raise GrammarError(
                where,
                at + 1,
                f"{text[at]!r} cannot begin a part of an expression",
                CURES.get(text[at], "remove it"),
            )
        yield Token(str(found.lastgroup), found[0], at + 1)
        at = found.end()
    yield Token("end", "", len(text) + 1)


class TokenReader:
    """The words of one text and the reading position: `at` is the index of the next one, `size`
    counts the words read.
    """

    def __init__(self, text: str, where: str) -> None:
        if len(text) > LENGTH:
            raise GrammarError(
                where,
                LENGTH + 1,
                f"the text is longer than {LENGTH} characters",
                "split it with let names",
            )
        self.where, self.tokens = where, tuple(tokens(text, where))
        self.at = self.size = 0

    @property
    def next(self) -> Token:
        """The next word; always of kind end once all are read."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next word, read."""
        token = self.tokens[self.at]
        self.at += 1
        self.spend(token, 1)
        return token

    def spend(self, token: Token, amount: int) -> None:
        """Counts `amount` more words; raises GrammarError if there are too many."""
        self.size += amount
        spend(amount)
        if self.size > SIZE:
            self.fail(
                token,
                f"more than {SIZE} parts are reached after let names and totals are expanded",
                "use fewer terms",
            )

    def fail(self, token: Token, reason: str, cure: str = "") -> NoReturn:
        """Raises the GrammarError of a word."""
        raise GrammarError(self.where, token.position, reason, cure)

    def unexpected(self, wanted: str) -> NoReturn:
        """Raises the GrammarError of a next word that cannot stand where it does."""
        token = self.next
        if token.kind == "end":
            self.fail(
                token,
                "the text is empty" if len(self.tokens) == 1 else "the text ends too early",
                f"write {wanted}",
            )
        self.fail(
            token,
            f"{token.text[:40]!r} is not expected here",
            CURES.get(token.text, f"write {wanted} before it"),
        )

    def close(self, opened: Token) -> None:
        """Reads the parenthesis or bracket that closes `opened`."""
        sign, word = ("]", "bracket") if opened.text == "[" else (")", "parenthesis")
        if self.next.kind == "end":
            self.fail(opened, f"this {word} is never closed", f"write {sign} where it ends")
        if self.next.text != sign:
            self.unexpected(f"an operator or {sign}")
        self.take()

    def comma(self, what: str) -> None:
        """Reads a comma, after which `what` must follow."""
        if self.next.text != ",":
            self.unexpected(f"a comma and {what}")
        self.take()

    def end(self) -> None:
        """Nothing if all words are read; raises GrammarError otherwise."""
        if self.next.text in (")", "]"):
            self.fail(self.next, f"{self.next.text!r} closes nothing", "remove it")
        if self.next.kind != "end":
            self.unexpected("an operator")

    def spans(self) -> list[tuple[int, int]]:
        """The positions at which each argument of the call just opened begins and ends; nothing is
        read.
        """
        begin, depth, found = self.at, 0, []
        opened = self.tokens[self.at - 1]
        for at in range(self.at, len(self.tokens) - 1):
            sign = self.tokens[at].text
            if depth == 0 and sign in (",", ")"):
                found.append((begin, at))
                begin = at + 1
            if depth == 0 and sign == ")":
                self.spend(opened, at - self.at)
                return found
            depth += (sign in ("(", "[")) - (sign in (")", "]"))
        self.fail(opened, "this parenthesis is never closed", "write ) where it ends")
