"""What a command says on stderr of bad input: one sentence, and perhaps the place in an
expression.
"""

from __future__ import annotations


def only_sentence(stderr: str) -> str:
    """The one sentence on stderr; below it only a line of an expression with a caret under it."""
    sentence, *excerpt = stderr.splitlines()
    assert sentence.startswith("ahdp-verify: "), stderr
    if excerpt:
        line, caret = excerpt
        assert line.startswith("    ") and caret.strip() == "^", stderr
        assert len(caret) <= len(line) + 1 <= 81, stderr
    return sentence
