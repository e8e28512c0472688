"""Questions to the toolkit, as a row asks them: `claim_check`, `claim_checks`, `argument_check`,
`verdict_check`, `comparison_check`, `optimum_check`, `power_check`, `decimal_check`,
`refusal_check`.

There is no new search for a claim of a file whose record is stored: the checker reaches the verdict
from the record.  What the toolkit computes without a certificate (`BY_MOMENTS` and the like) is a
fact that a row cites, however exact it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from ahdp_verify import (
    BadInput,
    Claim,
    Domain,
    Expression,
    Inequality,
    Mechanism,
    Missing,
    Proved,
    Refuted,
    RefutedInequality,
    Unknown,
    Verdict,
    examine,
    name,
    number,
    tighten,
    verify,
)
from ahdp_verify.analysis import canonical_form
from ahdp_verify.analysis.moments import InfiniteMean, enclosure
from ahdp_verify.analysis.power import BestMechanism, Power, best_power, extra_records
from ahdp_verify.explanation import rounded_probabilities
from ahdp_verify.files import ArgumentFile, one_line, parse
from ahdp_verify.paper.statements.row import AnswerWord, Check, CheckAnswer, Role, Tell
from ahdp_verify.paper.statements.stored import (
    file_content,
    proofs_folder,
    recheck_stored,
    record_path,
)

LONGEST = 300  # characters of a finding
SAID = {
    "proved": "is right to all its digits",
    "refuted": "is not the value",
    "unknown": "may be the value",
}
BY_MOMENTS = ("moments that the toolkit computes without a certificate",)
BY_LIMITS = ("limits that the toolkit computes without a certificate",)
BY_ERRORS = ("error rates that the toolkit computes without a certificate",)
BY_ENCLOSURE = ("exponential integrals enclosed by balls",)


def verdict_answer(verdict: Verdict, **more: Any) -> CheckAnswer:
    """A verdict as an answer; a limited scope is stated."""
    only = (
        verdict.scope_text if isinstance(verdict, Proved) and verdict.scope.size is not None else ""
    )
    return CheckAnswer(
        verdict_word(verdict),
        one_line(str(verdict), LONGEST),
        only=only,
        probabilities=rounded_probabilities(verdict) if isinstance(verdict, Refuted) else (),
        **more,
    )


def verdict_word(verdict: Verdict) -> str:
    """The verdict in one word, in lower case."""
    match verdict:
        case Proved():
            return "proved"
        case Unknown():
            return "unknown"
    return "refuted"


def refused_answer(error: BadInput, file: str = "") -> CheckAnswer:
    """The answer to a question without a meaning; where only a library is missing, nothing is
    known.
    """
    return CheckAnswer(
        "unknown" if isinstance(error, Missing) else "refused",
        one_line(str(error), LONGEST),
        file=file,
    )


def claim_check(
    name: str,
    number: int = 1,
    expect: AnswerWord | Literal[""] = "",
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
    only: str = "",
    denies: bool = False,
) -> Check:
    """One claim of a file below proofs/, counted from 1."""

    def ask(tell: Tell) -> CheckAnswer:
        listed = file_content(name).claims
        if number > len(listed):
            return CheckAnswer(
                "unknown",
                f"{name} makes {len(listed)} claims, and none has the number {number}",
                file=name,
            )
        asked = listed[number - 1]
        if (stored := recheck_stored(name, number)) is not None:
            return verdict_answer(
                stored,
                file=name,
                record=record_path(name, number).relative_to(proofs_folder()).as_posix(),
            )
        try:
            return verdict_answer(
                found := verify(asked, progress=tell),
                file=name,
                records=() if isinstance(found, Unknown) else (found.to_json(),),
            )
        except BadInput as error:
            return refused_answer(error, name)

    return Check(ask, expect, role, says, given, only, denies)


def claim_checks(
    name: str,
    *expect: AnswerWord,
    role: Role = "printed",
    says: str = "",
    given: tuple[str, ...] = (),
    only: str = "",
) -> tuple[Check, ...]:
    """The first claims of a file in order, with one expectation each; what is refuted in a
    repaired file shows that its level cannot be lowered.
    """
    roles: tuple[Role, ...] = tuple(
        "more" if role == "repair" and word != "proved" else role for word in expect
    )
    return tuple(
        claim_check(name, i, word, r, says, given=given, only=only)
        for i, (word, r) in enumerate(zip(expect, roles, strict=True), 1)
    )


def argument_check(
    name: str,
    expect: AnswerWord,
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
    only: str = "",
) -> Check:
    """The argument in a file: proved if every step holds and they lead to the statement, given
    what they cite; refuted if a step fails.
    """

    def ask(tell: Tell) -> CheckAnswer:
        file = file_content(name)
        if not isinstance(file, ArgumentFile):
            raise BadInput(name, "it makes no argument", "use claim(...)")
        found = examine(file.argument, progress=tell)
        word = (
            "unknown"
            if found.valid is None or isinstance(found.verdict, Unknown)
            else "proved"
            if found.valid
            else "refuted"
        )
        if isinstance(found.verdict, RefutedInequality):
            word = "refuted"
        first = f"; {found.first}" if found.first else ""
        cited = tuple(step.step.reason for step in found.steps if step.step.cited)
        return CheckAnswer(
            word,
            one_line(f"{found.verdict}; {found.conclusion}{first}", LONGEST),
            given=cited,
            file=name,
        )

    return Check(ask, expect, role, says, given, only)


def verdict_check(
    make: Callable[[Tell], Verdict],
    expect: AnswerWord,
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
    only: str = "",
    denies: bool = False,
) -> Check:
    """What a call of the toolkit answers."""

    def ask(tell: Tell) -> CheckAnswer:
        try:
            found = make(tell)
        except BadInput as error:
            return refused_answer(error)
        return verdict_answer(
            found, records=() if isinstance(found, Unknown) else (found.to_json(),)
        )

    return Check(ask, expect, role, says, given, only, denies)


def comparison_check(
    left: object,
    relation: str,
    right: object,
    expect: AnswerWord = "proved",
    role: Role = "printed",
    says: str = "",
    *,
    unknowns: Mapping[str, object] | None = None,
    given: tuple[str, ...] = (),
    only: str = "",
    denies: bool = False,
) -> Check:
    """A comparison of two numbers, or of two formulas for all values of their unknowns; either
    side may be a function that works it out.
    """

    def make(tell: Tell) -> Verdict:
        sides = [side() if callable(side) else side for side in (left, right)]
        return verify(Inequality.of(unknowns or {}, sides[0], relation, sides[1]), progress=tell)

    return verdict_check(make, expect, role, says, given=given, only=only, denies=denies)


def optimum_check(
    make: Callable[[], BestMechanism],
    value: object,
    role: Role = "printed",
    says: str = "",
    *,
    relation: str = "==",
    expect: AnswerWord = "proved",
    given: tuple[str, ...] = (),
    only: str = "",
) -> Check:
    """That an optimum, found with its certificate, stands in this relation to a value: both the
    optimum and the comparison are verdicts of the checker.
    """

    def ask(tell: Tell) -> CheckAnswer:
        tell(says)
        best = make()
        compared = verify(
            Inequality.of(
                dict(best.claim.parameters),
                best.value,
                relation,
                value() if callable(value) else value,
            ),
            progress=tell,
        )
        if not all(isinstance(v, Proved) for v in best.verdicts):
            return CheckAnswer("unknown", one_line(str(best), LONGEST))
        records = tuple(
            v.to_json() for v in (*best.verdicts, compared) if not isinstance(v, Unknown)
        )
        return CheckAnswer(
            verdict_word(compared), one_line(f"{best}; {compared}", 2 * LONGEST), records=records
        )

    return Check(ask, expect, role, says, given, only)


def power_check(
    make: Callable[[], Power],
    value: object,
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
    only: str = "",
) -> Check:
    """That the power against one mechanism, found with its certificate, is this value."""

    def ask(tell: Tell) -> CheckAnswer:
        tell(says)
        found = make()
        compared = verify(Inequality.of({}, found.value, "==", value), progress=tell)
        records = (
            found.verdict.to_json(),
            *(() if isinstance(compared, Unknown) else (compared.to_json(),)),
        )
        return CheckAnswer(
            verdict_word(compared),
            one_line(f"{found.verdict}; {compared}", 2 * LONGEST),
            records=records,
        )

    return Check(ask, "proved", role, says, given, only)


def refusal_check(make: Callable[[], object], says: str, role: Role = "printed") -> Check:
    """That the toolkit refuses a question, since it has no meaning as it stands."""

    def ask(tell: Tell) -> CheckAnswer:
        try:
            make()
        except BadInput as error:
            return refused_answer(error)
        return CheckAnswer("unknown", "it was not refused")

    return Check(ask, "refused", role, says)


def least_level_check(
    name: str,
    level: str,
    role: Role = "more",
    says: str = "",
    *,
    downward: str = "",
    number: int = 1,
    only: str = "",
    given: tuple[str, ...] = (),
) -> Check:
    """That no lower level holds, for the mechanism of claim `number` of a file; `downward` is
    the largest loss that was found when a record is removed.
    """

    def ask(tell: Tell) -> CheckAnswer:
        asked = written_claim(name, number)
        found = tighten(asked.mechanism, asked.relation, progress=tell, public=asked.public)
        right = found.exact and found.matches(parse(level, "level"))
        if downward:
            right = right and found.matches_downward(parse(downward, "level"))
        line = f"{found.title}" + (
            f", when a record is removed {found.rows[0].downward}" if downward else ""
        )
        return CheckAnswer(
            "proved" if right else "unknown",
            one_line(line, LONGEST),
            only=only_sizes(asked),
            file=name,
        )

    return Check(ask, "proved", role, says or "no lower level holds", given, only)


def only_sizes(asked: Claim) -> str:
    """The datasets to which a mechanism is confined, "" for all."""
    return (
        ""
        if asked.mechanism.defined == parse("true")
        else f"datasets with {asked.mechanism.defined}"
    )


def decimal_check(
    make: Callable[[], Expression | str],
    printed: str,
    role: Role = "printed",
    says: str = "",
    *,
    expect: AnswerWord = "proved",
    given: tuple[str, ...] = (),
    only: str = "",
) -> Check:
    """That an exact constant rounds to the printed decimal."""
    places = len(printed.partition(".")[2])

    def ask(tell: Tell) -> CheckAnswer:
        tell(says)
        made = make()
        value = parse(made, "constant") if isinstance(made, str) else made
        found = at_most_answer(abs(value - number(printed)), Fraction(1, 2 * 10**places))
        return replace(
            found, line=f"{printed} {SAID[found.word]}: it is {enclosure(value, places + 3)}"
        )

    return Check(ask, expect, role, says, given, only)


def at_most_answer(gap: Expression, half: Fraction) -> CheckAnswer:
    """Whether a constant is at most a number: a verdict of the checker, or, where the constant
    holds exponential integrals, an enclosure.
    """
    try:
        verdict = verify(Inequality.of({}, gap, "<=", half))
    except BadInput:  # exponential integrals cannot occur in a statement
        found = enclosure(gap)
        return CheckAnswer(
            "proved" if found.high <= half else "refuted" if found.low > half else "unknown",
            "",
            given=BY_ENCLOSURE,
        )
    return CheckAnswer(
        verdict_word(verdict),
        "",
        records=() if isinstance(verdict, Unknown) else (verdict.to_json(),),
    )


def infinite_mean_check(
    make: Callable[[], InfiniteMean], says: str, role: Role = "printed"
) -> Check:
    """That a mean of which the statement speaks is infinite: this refutes it."""

    def ask(tell: Tell) -> CheckAnswer:
        return CheckAnswer("refuted", one_line(str(make()), LONGEST))

    return Check(ask, "refuted", role, says, BY_MOMENTS)


def mechanism_in_file(name: str, number: int = 1) -> Mechanism:
    """The mechanism that a claim of a file below proofs/ is about."""
    return written_claim(name, number).mechanism


def written_claim(name: str, number: int = 1) -> Claim:
    """A claim of a file below proofs/ about a mechanism given by its density."""
    asked = file_content(name).claims[number - 1]
    if not isinstance(asked, Claim):
        raise BadInput(name, "its mechanism is not given by a density", "use claim(...)")
    return asked


def identity_check(
    left: Callable[[], Expression],
    right: Callable[[], Expression],
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
) -> Check:
    """That two exact constants, which may hold exponential integrals, have one normal form; that
    they differ is shown by enclosures.
    """

    def ask(tell: Tell) -> CheckAnswer:
        gap = left() - right()
        if canonical_form(gap) == number(0):
            return CheckAnswer("proved", f"{says}: both sides have one normal form")
        found = enclosure(gap)
        return CheckAnswer(
            "unknown" if found.contains(0) else "refuted", f"{says}: the sides differ by {found}"
        )

    return Check(ask, "proved", role, says, given)


def optimum_formula_check(
    make: Callable[[], tuple[BestMechanism, ...]],
    condition: str,
    value: str,
    role: Role = "printed",
    says: str = "",
    *,
    given: tuple[str, ...] = (),
    only: str = "",
) -> Check:
    """That an optimum is this formula for all values of its one parameter: on each interval that
    was found, and the intervals leave nothing out.
    """

    def ask(tell: Tell) -> CheckAnswer:
        tell(says)
        pieces = make()
        compared = [
            verify(
                Inequality.of(dict(best.claim.parameters), best.value, "==", value, name=says),
                progress=tell,
            )
            for best in pieces
        ]
        words = {
            verdict_word(v) for v in (*compared, *(v for best in pieces for v in best.verdicts))
        }
        word = "unknown" if "unknown" in words else "refuted" if "refuted" in words else "proved"
        found = [dict(best.claim.parameters) for best in pieces]
        whole = (
            all(map(have_no_gap, found, found[1:]))
            and interval_end(found[0], 1)
            == interval_end({next(iter(found[0])): parse(condition)}, 1)
            and interval_end(found[-1], 0) is None
        )
        records = tuple(
            v.to_json()
            for v in (*(v for best in pieces for v in best.verdicts), *compared)
            if not isinstance(v, Unknown)
        )
        return CheckAnswer(
            word,
            one_line(
                f"{says + ': ' if says else ''}{value}, on {len(pieces)} "
                f"interval{'s' * (len(pieces) > 1)}",
                LONGEST,
            ),
            records=records,
            only="" if whole else "; ".join(str(c) for one in found for c in one.values()),
        )

    return Check(ask, "proved", role, says, given, only)


def interval_end(
    parameters: Mapping[str, Expression], which: int
) -> tuple[Expression, bool] | None:
    """An end of the interval that the condition of the one parameter describes, and whether it
    belongs to it: 1 is the lower, 0 the upper one; None for none.
    """
    ((key, condition),) = parameters.items()
    for part in condition.args if condition.head == "and" else (condition,):
        if part.head in ("<", "<=") and part.args[which] == name(key):
            return part.args[1 - which], part.head == "<="
    return None


def have_no_gap(before: Mapping[str, Expression], after: Mapping[str, Expression]) -> bool:
    """True if no value lies between two intervals."""
    high, low = interval_end(before, 0), interval_end(after, 1)
    return high is not None and low is not None and high[0] == low[0] and (high[1] or low[1])


def best_power_check(
    demands: str,
    t: int,
    value: object,
    role: Role = "printed",
    says: str = "",
    *,
    relation: str = "==",
    everywhere: bool = False,
    only: str = "",
) -> Check:
    """How the best power against at most t extra records, of one value for each demand,
    compares; `everywhere`: of mechanisms that are private on all datasets.
    """

    def make() -> BestMechanism:
        return best_power(
            Domain([(i, parse(d, "demand")) for i, d in enumerate(demands.split(","), 1)]),
            extra_records(t),
            everywhere=everywhere,
        )

    return optimum_check(
        make,
        value,
        role,
        says or f"demands {demands}, t = {t}{', all datasets' if everywhere else ''}",
        relation=relation,
        only=only,
    )


def level_in_file(name: str, number: int) -> Expression:
    """The level that a claim of a file states; BadInput for a statement, which has none."""
    found = file_content(name).claims[number - 1]
    if isinstance(found, Inequality):
        raise BadInput(name, "it states no level", "name the file of a mechanism")
    return found.level
