"""The laws of outputs as texts, such as "clamp(laplace(sum(x), 1/eps), 0, 10)".

A law is one of the WORDS with its arguments: expressions of the file, another law, or the word
values.  The score of an exponential mechanism is read once for every candidate, which its output
stands for: exponential_mechanism(count(x == r), eps, 1).

>>> scope = ExpressionScope({}, ())
>>> print(LawText("clamp(laplace(sum(x), 1/e), 0, 10)", "law", scope).law())
clamp(laplace(sum(x), 1/e), 0, 10)
>>> LawText("laplac(0, 1)", "law", scope).law()
Traceback (most recent call last):
ahdp_verify.kernel.errors.GrammarError: law: at character 1, laplac is not a law; did you mean laplace?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import NoReturn

from ahdp_verify.display.short_repr import counted
from ahdp_verify.files.scope import NOTHING, ExpressionScope
from ahdp_verify.kernel.errors import BadInput, GrammarError, NotWorkedOut, with_location
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.tokens import Token, TokenReader
from ahdp_verify.laws import (
    Law,
    clamp,
    exponential_mechanism,
    geometric,
    laplace,
    randomised_response,
    rounded,
    staircase,
    truncate,
    uniform,
)

# Word -> what it makes, and its arguments in order; those with a question mark may be left out.
WORDS: Mapping[str, tuple[Callable[..., Law], tuple[str, ...]]] = {
    "laplace": (laplace, ("location", "scale")),
    "geometric": (geometric, ("location", "scale")),
    "staircase": (staircase, ("location", "sensitivity", "eps", "gamma")),
    "uniform": (uniform, ("low", "high")),
    "exponential_mechanism": (exponential_mechanism, ("score", "eps", "sensitivity")),
    "randomised_response": (randomised_response, ("values", "eps")),
    "clamp": (clamp, ("law", "low", "high")),
    "round": (rounded, ("law", "step?")),
    "truncate": (truncate, ("law", "low", "high")),
}


class LawText:
    """The text of the law of one output; `output` is its name, and `values` are its candidates or
    those of the input.
    """

    def __init__(
        self,
        text: str,
        where: str,
        scope: ExpressionScope,
        *,
        bound: Mapping[str, Expression] = NOTHING,
        output: str = "",
        values: tuple[Expression, ...] = (),
    ) -> None:
        self.text, self.where, self.scope, self.bound = text, where, scope, bound
        self.output, self.values = output, values
        self.tokens = TokenReader(text, where).tokens

    def law(self) -> Law:
        """The law; BadInput, with the position, for anything else."""
        try:
            return self._law(0, len(self.tokens) - 1)
        except GrammarError as error:
            error.found_in = (self.text, error.position)
            raise

    def _law(self, begin: int, end: int) -> Law:
        """The law that the tokens from `begin` to before `end` are."""
        word, arguments = self.tokens[begin], self._arguments(begin, end)
        make, names = WORDS[word.text]
        least = sum(not key.endswith("?") for key in names)
        if not least <= len(arguments) <= len(names):
            signature = f"{word.text}({', '.join(names)})".replace("?", "")
            self._fail(
                word, f"{word.text} has {counted(len(arguments), 'argument')}", f"write {signature}"
            )
        values = [
            self._argument(word, key, span) for key, span in zip(names, arguments, strict=False)
        ]
        try:
            return make(*values)
        except (BadInput, NotWorkedOut) as error:
            raise with_location(error, f"{self.where}, {error.where}") from None

    def _arguments(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The spans of the arguments of the word that begins there and closes at the end."""
        word = self.tokens[begin]
        if word.text not in WORDS:
            close = get_close_matches(word.text, WORDS, 1)
            self._fail(
                word,
                f"{word.text[:40]} is not a law" if word.text else "a law is missing",
                f"did you mean {close[0]}?" if close else f"the laws are {', '.join(WORDS)}",
            )
        depth, spans, at = 0, [], begin + 2
        if self.tokens[begin + 1].text != "(":
            self._fail(self.tokens[begin + 1], f"{word.text} has no arguments", "write them in ( )")
        for i in range(begin + 1, end):
            sign = self.tokens[i].text
            depth += (sign in ("(", "[")) - (sign in (")", "]"))
            if (depth == 1 and sign == ",") or depth == 0:
                spans.append((at, i))
                at = i + 1
            if depth == 0:
                if i + 1 < end:
                    self._fail(
                        self.tokens[i + 1],
                        f"{self.tokens[i + 1].text[:40]!r} follows the law",
                        "a law stands alone; compute inside its arguments",
                    )
                return spans
        self._fail(self.tokens[begin + 1], "this parenthesis is never closed", "write ) at its end")

    def _argument(self, word: Token, key: str, span: tuple[int, int]) -> object:
        if key == "law":
            return self._law(*span)
        if key == "values":
            return self._values(word, span)
        if key != "score":
            return self.scope.read(self._part(span), self.where, self.bound)
        if not self.values:
            raise BadInput(
                self.where,
                "its candidates are not listed",
                'add to this output values = ["red", "blue"], or values = "values of x"',
            )
        if self.output not in {t.text for t in self.tokens[span[0] : span[1]]}:
            self._fail(
                self.tokens[span[0]],
                f"the score does not mention {self.output}, so all candidates are alike",
                f"write for example count(x == {self.output})",
            )
        return {
            value: self.scope.read(self._part(span), self.where, {**self.bound, self.output: value})
            for value in self.values
        }

    def _values(self, word: Token, span: tuple[int, int]) -> tuple[Expression, ...]:
        if [t.text for t in self.tokens[span[0] : span[1]]] != ["values"]:
            self._fail(
                self.tokens[span[0]],
                "the first argument is the word values",
                f"write {word.text}(values, eps), and the values in the domain or the output",
            )
        if not self.values:
            raise BadInput(
                self.where,
                f"{word.text} reports the value of one person, and the input is none",
                'write values = ["yes", "no"] in [domain]',
            )
        return self.values

    def _part(self, span: tuple[int, int]) -> str:
        """The text of these tokens, in its place, so that positions in messages are right."""
        start, stop = (self.tokens[i].position - 1 for i in span)
        return " " * start + self.text[start:stop]

    def _fail(self, token: Token, reason: str, cure: str) -> NoReturn:
        raise GrammarError(self.where, token.position, reason, cure)
