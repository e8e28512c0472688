"""Z3 and cvc5: the same SMT-LIB 2 text to each, one word or a model back, and never longer than the seconds that are given.

cvc5 is an extra of the package; without it its answer is a refusal that says what to install.

>>> z3_answer("(set-logic QF_LRA)(declare-const x Real)(assert (< (* 2.0 x) 1.0 x))(check-sat)", 10).word
'unsat'
>>> z3_answer("(set-logic QF_LRA)(declare-const |$x| Real)(assert (= (* 2.0 |$x|) 1.0))(check-sat)", 10).values
{'$x': Fraction(1, 2)}
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import z3

try:
    import cvc5
except ImportError:
    cvc5 = None

Z3 = f"z3 {z3.get_version_string()}"
CVC5 = f"cvc5 {cvc5.__version__}" if cvc5 is not None else "cvc5"
MISSING = "cvc5, the second solver, is not installed; install ahdp-verify[cvc5]"
LONGEST = 10**6  # seconds that a solver is given at most: its limit is a whole number of milliseconds
# What is nonlinear is left to cylindrical coverings, restricted to what a candidate model needs, and if they cannot, to linearisation as
# well; measured on 293 obligations of the proofs folder in 2 s each, cvc5's own settings leave 35 open, these 8.
COVERINGS = (("nl-cov", "true"), ("nl-rlv", "always"), ("nl-ext", "none"))
BOTH = (("nl-cov", "true"), ("nl-rlv", "always"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver said: "unsat", "sat" or "unknown", the reason of an unknown, and for sat the values of the constants (rounded if irrational)."""

    word: str
    reason: str = ""
    values: dict[str, Fraction] = field(default_factory=dict)


def z3_answer(text: str, seconds: float) -> Answer:
    """Z3's answer to an SMT-LIB text within so many seconds."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", _milliseconds(seconds))
    try:
        solver.from_string(text)
        word = str(solver.check())
        return Answer(word, _plain(solver.reason_unknown()) if word == "unknown" else "", _values(solver.model()) if word == "sat" else {})
    except z3.Z3Exception as error:
        return Answer("unknown", _plain(str(error)))


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * min(seconds, LONGEST)))


def _plain(reason: str) -> str:
    short = " ".join(reason.split())[:100]
    return "out of time" if re.search("timeout|cancel|resource", short, re.IGNORECASE) else short or "it gave up"


def _values(model: Any) -> dict[str, Fraction]:
    found = {}
    for declaration in model.decls():
        value = model[declaration]
        if z3.is_algebraic_value(value):
            value = value.approx(30)
        if z3.is_int_value(value) or z3.is_rational_value(value):
            found[str(declaration.name())] = Fraction(value.as_fraction()) if z3.is_rational_value(value) else Fraction(value.as_long())
    return found


def cvc5_answer(text: str, seconds: float) -> Answer:
    """cvc5's answer to an SMT-LIB text within so many seconds."""
    if cvc5 is None:
        return Answer("unknown", MISSING)
    start = time.monotonic()
    answer = _cvc5(text, seconds, COVERINGS)
    left = seconds - (time.monotonic() - start)
    return answer if answer.word != "unknown" or left <= 0 else _cvc5(text, left, BOTH)


def _cvc5(text: str, seconds: float, options: tuple[tuple[str, str], ...]) -> Answer:
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("tlimit-per", str(_milliseconds(seconds))), *options):
        solver.setOption(option, value)
    parser, said = cvc5.InputParser(solver), ""
    try:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
    except RuntimeError as error:
        return Answer("unknown", _plain(str(error)))
    word, _, reason = said.partition(" ")
    return Answer(word, _plain(reason) if word == "unknown" else "") if word in ("unsat", "sat", "unknown") else Answer("unknown", _plain(said))
