"""The three answers, and how each prints, saves and loads.

A verdict has no truth value: match it.  `Proved` and `Refuted` are made by `ahdp_verify.kernel.checker`
alone.  A verdict prints as one line of fixed shape: its word, the claim, then the scope or the
witness or the reasons, then what had to be believed.  The line stays one line whatever a mechanism
is called, since characters that move the cursor or hide are written as escapes.

>>> from ahdp_verify.kernel.terms.expression import ONE, ZERO
>>> from ahdp_verify.kernel.model.mechanism import Mechanism, finite
>>> from ahdp_verify.kernel.model.domain import Values
>>> claim = Claim(Mechanism(Values(["a", "b"]), outputs=[finite("s", [0])], density=ONE, name="constant"), "any", ZERO)
>>> print(Unknown(claim, (Declined("linear", "nobody asked it"),)))
Unknown: constant is local DP at level 0; reasons: linear: nobody asked it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence import certificate, counterexample
from ahdp_verify.kernel.evidence.certificate import (
    BestTest,
    ByLaw,
    Certificate,
    Declined,
    Mass,
    Optimum,
    Proven,
)
from ahdp_verify.kernel.evidence.counterexample import (
    OF_INSTANCE,
    Counterexample,
    OfInstance,
    side_text,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    WORDS_OF_ALL,
    AnyClaim,
    CompositeClaim,
    assumptions,
    claim_from_json,
)
from ahdp_verify.kernel.model.inequality import Statement, Values
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import VERSIONS, enclose, scientific
from ahdp_verify.kernel.numbers.context import Context, normal, to_expression
from ahdp_verify.kernel.rules.best_power import SENSES, BestClaim
from ahdp_verify.kernel.rules.joint_law import abstracts, written
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.scope import (
    NOTHING,
    SOMETHING,
    Claimed,
    Compared,
    Nothing,
    Pair,
    Scope,
    compared_from_json,
    compared_to_json,
    scope_of,
)
from ahdp_verify.kernel.scope_text import (
    influence_text,
    not_found_text,
    scope_text,
    total_text,
    vacuous_text,
)
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.expression import ZERO, Expression, substitute
from ahdp_verify.kernel.terms.expression import from_json as expression_from_json
from ahdp_verify.kernel.terms.expression import to_json as expression_json
from ahdp_verify.kernel.terms.printing import LINE as LINE
from ahdp_verify.kernel.terms.printing import latex, markup, named, upright
from ahdp_verify.kernel.terms.printing import one_line as one_line
from ahdp_verify.kernel.version import VERSION

FORMAT = 2
CURE = "use a file that ahdp-verify saved"
MADE_BY = {"ahdp_verify": VERSION, **VERSIONS}
OF_VERSION = re.compile(r"[0-9A-Za-z.+_-]{1,40}")
COLOURS = {
    "proved": "#1a7f37",
    "refuted": "#b3261e",
    "unknown": "#9a6700",
    "vacuous": "#9a6700",
}  # legible on white and on black
PRECISIONS = (
    64,
    256,
    1024,
    4096,
)  # bits; the first at which a decimal of 18 digits is right is taken
SIGNS = {"<=": r"\le", "<": "<", "==": "=", "=": "=", ">=": r"\ge", ">": ">"}
SHORT = 14  # characters of a constant that is read at a glance
PART = 160  # characters of one part of a witness; the rest is in the stored record


def decimal(r: Ratio, digits: int = 6) -> str:
    """A decimal of a constant for people, from an enclosure; never used in a decision."""
    if (far := scientific(r, digits)) is not None:
        return far
    value = middle(r)
    with localcontext() as context:
        context.prec = digits
        rounded = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    return f"{rounded:f}" if -5 <= rounded.adjusted() < max(digits, 9) else f"{rounded:e}"


def apart(r: Ratio, other: Ratio) -> tuple[str, str]:
    """Decimals of two different constants with as many digits as tell them apart (at most 18)."""
    pairs = ((decimal(r, digits), decimal(other, digits)) for digits in (6, 9, 12, 15, 18))
    return next(
        (pair for pair in pairs if pair[0] != pair[1]), (decimal(r, 18), decimal(other, 18))
    )


def middle(r: Ratio) -> Fraction:
    """A rational number inside the enclosure of a constant, for decimals, plots and sorting."""
    for bits in PRECISIONS:
        low, high = enclose(r, bits)
        if (high - low) * 10**20 <= abs(low + high):
            break
    return (low + high) / 2


def shown(e: Expression, r: Ratio) -> str:
    """An exact constant as it is, with a decimal beside it when it is not a short number, and
    only that when it is long.
    """
    text = str(e)
    return (
        text
        if r.as_rational is not None and len(text) < SHORT
        else (_beside(text, decimal(r)) if len(text) < 3 * SHORT else decimal(r))
    )


def _beside(text: str, found: str) -> str:
    """A constant with its decimal, or with what is known of its size."""
    return f"{text} {'=' if found[0] in '-0123456789' else 'is'} {found}"


class _Verdict:
    """What the three share: no truth value, one line, two pictures of it, and a file."""

    __slots__ = ()
    claim: Claimed

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value; use isinstance(verdict, Proved) or match")

    @property
    def word(self) -> str:
        """The word of the verdict, with the solvers that were believed."""
        return type(self).__name__

    @property
    def outcome(self) -> str:
        """The answer in one word, as files expect it: proved, vacuous, refuted or unknown."""
        return type(self).__name__.lower().removesuffix("statement")

    @property
    def parts(self) -> tuple[str, ...]:
        """What follows the claim in the line."""
        return ()

    def to_json(self) -> Any:
        """The stored record."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "; ".join((f"{self.word}: {one_line(str(self.claim))}", *self.parts))

    def _repr_html_(self) -> str:
        colour = COLOURS[self.outcome]
        rest = "".join(f"<br>{markup(part)}" for part in self.parts)
        return (
            f'<p><b style="color:{colour}">{markup(self.word)}</b>: '
            f"{markup(one_line(str(self.claim)))}{rest}</p>"
        )

    def _repr_latex_(self) -> str:
        claim = self.claim
        if isinstance(claim, Statement):
            return (
                rf"$\textbf{{{self.word}}}:\ {latex(claim.left)} {SIGNS[claim.relation]} "
                rf"{latex(claim.right)}$"
            )
        if isinstance(claim, GuessClaim):
            said = (
                latex(claim.low)
                if claim.low == claim.high
                else rf"\in [{latex(claim.low)}, {latex(claim.high)}]"
            )
            return (
                rf"$\textbf{{{self.word}}}:\ {upright(named(claim.name) or 'power')} "
                rf"{'=' if claim.low == claim.high else ''} {said}$"
            )
        if isinstance(claim, BestClaim):
            return (
                rf"$\textbf{{{self.word}}}:\ "
                rf"{upright(named(claim.name) or SENSES[claim.sense])} {SIGNS[claim.bound]} "
                rf"{latex(claim.value)}$"
            )
        name = (
            "the mechanism"
            if isinstance(claim, Claim) and not claim.mechanism.name
            else str(claim.mechanism)
        )
        slack = "" if claim.delta == ZERO else rf",\ \delta = {latex(claim.delta)}"
        said = (
            rf"{upright(name)}\ \text{{is {WORDS_OF_ALL[claim.relation]} at level}}\ "
            rf"{latex(claim.level)}{slack}"
        )
        return rf"$\textbf{{{self.word}}}:\ {said}$"

    def save(self, path: str | Path) -> None:
        """The file at `path` holds the stored record, which `recheck` accepts; BadInput where it
        cannot be written, and for an Unknown.
        """
        record = self.to_json()
        stored(record)
        jsonfile.write(record, path)


@dataclass(frozen=True, slots=True)
class Proved(_Verdict):
    """The claim holds in its scope: `certificate` was accepted; `trusts` lists what was believed
    beyond the checker.

    `compared` is two inputs to which the claim applies, or a proof that there are none; None where
    neither was found.
    """

    claim: Claimed
    certificate: Proven
    scope: Scope
    trusts: tuple[str, ...] = ()
    compared: Compared | None = None

    @property
    def vacuous(self) -> bool:
        """Whether nothing is compared, as far as is known: then the claim says nothing about the
        mechanism.
        """
        return self.scope.compared != SOMETHING

    @property
    def outcome(self) -> str:
        """ "proved", or "vacuous" where no two inputs are known to which the claim applies."""
        return "vacuous" if self.vacuous else "proved"

    @property
    def word(self) -> str:
        """The word of the verdict, with the solvers that were believed."""
        vacuously = ", vacuously" if self.scope.compared == NOTHING else ""
        return f"Proved{vacuously}" + (
            f", on the word of {' and '.join(self.trusts)}" if self.trusts else ""
        )

    @property
    def said_of_inputs(self) -> tuple[str, ...]:
        """What is compared, or why nothing is, and whether the input has an influence on the
        output.
        """
        if isinstance(self.compared, Nothing):
            return (vacuous_text(self.scope, self.claim, self.compared),)
        found = () if self.compared is not None else (not_found_text(self.claim),)
        return f"scope: {self.scope_text}", *found, *_influences(self.claim)

    @property
    def scope_text(self) -> str:
        """Which inputs the proof speaks of, in words."""
        return scope_text(self.scope, self.claim)

    @property
    def parts(self) -> tuple[str, ...]:
        """The scope, what is assumed of mechanisms that are not written out, and what is
        believed.
        """
        assumed = (
            ()
            if isinstance(self.claim, Statement | BestClaim | GuessClaim)
            else assumptions(self.claim.mechanism)
        )
        said = (one_line(f"assumes: {'; '.join(assumed)}"),) if assumed else ()
        trusted = (
            f"trusts: "
            f"{' and '.join(('the checker', *self.trusts)) if self.trusts else 'the checker alone'}"
        )
        return *map(one_line, self.said_of_inputs), *said, trusted

    def to_json(self) -> Any:
        """The stored record."""
        return jsonfile.seal(
            {
                "format": FORMAT,
                "verdict": "proved",
                "claim": self.claim.to_json(),
                "fingerprint": self.claim.fingerprint,
                "scope": self.scope.to_json(),
                "compared": compared_to_json(self.compared),
                "trusts": list(self.trusts),
                "certificate": certificate.to_json(self.certificate),
                "made_by": dict(MADE_BY),
            }
        )


def _influences(claim: Claimed) -> tuple[str, ...]:
    """What is known of the influence of the inputs on the output."""
    said = "" if isinstance(claim, Statement | BestClaim | GuessClaim) else influence_text(claim)
    return (said,) if said else ()


@dataclass(frozen=True, slots=True)
class Total:
    """A proof that a law is nowhere negative and has total 1 at all inputs, and the state in
    which it is written.
    """

    counts: bool
    mass: Mass


@dataclass(frozen=True, slots=True)
class Refuted(_Verdict):
    """The claim fails: the event has probability `before` on one input and `after` on the other,
    and before > exp(level) after + delta.

    For a mechanism that is made of others, `of` says which law the counterexample is about: that of
    `written`.  `mass` shows that this law has total 1 at all inputs; without it, that is shown at
    the two inputs only.
    """

    claim: AnyClaim
    counterexample: Counterexample
    before: Ratio
    after: Ratio
    level: Expression
    of: OfInstance | None = None
    mass: Total | None = None

    @property
    def written(self) -> Claim:
        """The claim about the law, as one expression, that the counterexample is about."""
        if isinstance(self.claim, CompositeClaim):
            of = self.of or OfInstance((), None, self.counterexample)
            return written(
                self.claim,
                of.size,
                dict(
                    zip(
                        abstracts(self.claim.mechanism),
                        (claim for claim, _ in of.instances),
                        strict=True,
                    )
                ),
            )
        return self.claim

    @property
    def loss(self) -> Ratio | None:
        """log(before / after) of the event, in nats; None stands for infinity."""
        return None if self.after.is_zero else log_of(self.before / self.after)

    @property
    def delta(self) -> Ratio:
        """before - exp(level) after: no smaller delta makes the claim true of this event."""
        return self.before - exp_of(normal(self.level, Context.empty())) * self.after

    @property
    def text(self) -> str:
        """The witness in words: both inputs, the event, both probabilities, and how large the
        violation is.
        """
        example, claim = self.counterexample, self.written
        first, second = (
            one_line(side_text(claim, example, side), PART)
            for side in (example.before, example.after)
        )
        p, q = (shown(to_expression(r), r) for r in (self.before, self.after))
        given = "".join(f"{k} = {v}, " for k, v in example.parameters)
        return (
            f"{one_line(self.instead)}{one_line(given)}{first} against {second}, event "
            f"{one_line(str(example.event), PART)}: probability {p} against {q}, {self.excess}"
        )

    @property
    def instead(self) -> str:
        """Which mechanisms stand for the abstract ones."""
        pairs = zip(
            abstracts(self.claim.mechanism), self.of.instances if self.of else (), strict=True
        )
        said = " and ".join(f"{claim.mechanism} in place of {a}" for a, (claim, _) in pairs)
        return f"with {said}: " if said else ""

    @property
    def excess(self) -> str:
        """How far the event is beyond the level, or beyond the delta at that level."""
        level = normal(self.level, Context.empty())
        if self.claim.delta != ZERO:
            allowed = normal(
                substitute(self.claim.delta, dict(self.counterexample.parameters)), Context.empty()
            )
            return (
                f"delta {' > '.join(apart(self.delta, allowed))} at level "
                f"{shown(self.level, level)}"
            )
        loss, least = ("infinite", decimal(level)) if self.loss is None else apart(self.loss, level)
        if loss == least and self.loss is not None:
            return (
                f"loss larger than {shown(self.level, level)} by {decimal(self.loss - level)}, "
                f"delta {decimal(self.delta)}"
            )
        return (
            f"loss {loss} > {self.level if len(str(self.level)) < SHORT else least}, delta "
            f"{decimal(self.delta)}"
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, for which inputs the law is shown to be one, and what is believed."""
        return (
            f"witness: {self.text}",
            one_line(self.total),
            *_influences(self.claim),
            "trusts: the checker alone",
        )

    @property
    def total(self) -> str:
        """For which inputs it is shown that the law has total 1."""
        example = self.counterexample
        pair = Pair(example.parameters, example.instances, example.before, example.after)
        return total_text(None if self.mass is None else scope_of(self.written, None, pair))

    def to_json(self) -> Any:
        """The stored record."""
        return jsonfile.seal(
            {
                "format": FORMAT,
                "verdict": "refuted",
                "claim": self.claim.to_json(),
                "fingerprint": self.claim.fingerprint,
                "counterexample": counterexample.to_json(self.counterexample)
                if self.of is None
                else counterexample.of_instance_to_json(self.of),
                "mass": None
                if self.mass is None
                else {"counts": self.mass.counts, "mass": certificate.to_json(self.mass.mass)},
                "made_by": dict(MADE_BY),
            }
        )


@dataclass(frozen=True, slots=True)
class RefutedStatement(_Verdict):
    """The statement fails at these values of its unknowns, where its sides are `left` and
    `right`.
    """

    claim: Statement
    values: Values
    left: Ratio
    right: Ratio

    @property
    def word(self) -> str:
        """The word of the verdict."""
        return "Refuted"

    @property
    def text(self) -> str:
        """The values, and both sides there."""
        sides = " against ".join(shown(to_expression(r), r) for r in (self.left, self.right))
        return f"{', '.join(f'{k} = {v}' for k, v in self.values) or 'no unknowns'}: {sides}"

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, and what is believed."""
        return one_line(f"witness: {self.text}"), "trusts: the checker alone"

    def to_json(self) -> Any:
        """The stored record."""
        return jsonfile.seal(
            {
                "format": FORMAT,
                "verdict": "refuted",
                "claim": self.claim.to_json(),
                "fingerprint": self.claim.fingerprint,
                "counterexample": {
                    "values": [[k, {"e": expression_json(v)}] for k, v in self.values]
                },
                "mass": None,
                "made_by": dict(MADE_BY),
            }
        )


@dataclass(frozen=True, slots=True)
class Unknown(_Verdict):
    """No answer: `reasons` says who was asked and why each declined."""

    claim: Claimed
    reasons: tuple[Declined, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """Who was asked and why each declined."""
        return (
            one_line("reasons: " + "; ".join(f"{d.procedure}: {d.reason}" for d in self.reasons)),
        )

    def to_json(self) -> Any:
        """The record for --json; no file that `recheck` accepts, since there is nothing in it to
        check.
        """
        return {
            "format": FORMAT,
            "verdict": "unknown",
            "claim": self.claim.to_json(),
            "fingerprint": self.claim.fingerprint,
            "reasons": [[d.procedure, d.reason] for d in self.reasons],
        }


Verdict = Proved | Refuted | RefutedStatement | Unknown


@dataclass(frozen=True, slots=True)
class Stored:
    """What a saved file says: the claim and either a certificate or a counterexample, still to be
    checked.

    Beside a certificate stands what is compared, beside a counterexample perhaps a proof that the
    law has total 1 everywhere.
    """

    claim: Claimed
    evidence: Proven | Counterexample | OfInstance | Values
    compared: Compared | None = None
    mass: Total | None = None


def _values(data: Any) -> Values:
    """The values of unknowns in a record."""
    try:
        return tuple((str(key), expression_from_json(value["e"])) for key, value in data["values"])
    except (TypeError, ValueError, KeyError, AttributeError):
        raise BadInput("counterexample", "it does not say what the unknowns are", CURE) from None


OtherClaim = type[Statement] | type[BestClaim] | type[GuessClaim]
OTHER_CLAIMS: dict[str, OtherClaim] = {
    "statement": Statement,
    "best": BestClaim,
    "guess": GuessClaim,
}  # by the key that tells their JSON from that of a claim
COMMON = {"format", "verdict", "claim", "fingerprint", "made_by", jsonfile.SEAL}
FIELDS = {
    "proved": COMMON | {"scope", "compared", "trusts", "certificate"},
    "refuted": COMMON | {"counterexample", "mass"},
}
OLD = "it is a record of format 1, which does not say what it compares"


def stored(data: Any) -> Stored:
    """The claim and the evidence of a stored record; BadInput for another format, a broken seal
    and another claim's fingerprint.
    """
    if isinstance(data, dict) and type(data.get("format")) is int and data["format"] == 1:
        raise BadInput("certificate", OLD, "verify the claim again and save the record")
    if (
        not isinstance(data, dict)
        or type(data.get("format")) is not int
        or data["format"] != FORMAT
    ):
        raise BadInput("certificate", f"it is no stored record of format {FORMAT}", CURE)
    if data.get("verdict") == "unknown":
        raise BadInput(
            "certificate",
            "it says Unknown, so there is nothing in it to check",
            "save a proof or a refutation",
        )
    if FIELDS.get(str(data.get("verdict"))) != set(data):
        raise BadInput("certificate", "it has other fields than a stored proof or refutation", CURE)
    if not jsonfile.is_sealed(data):
        raise BadInput(
            "certificate", "it was changed after it was saved (its SHA-256 does not fit)", CURE
        )
    check_made_by(data["made_by"])
    about = data["claim"]
    claim = next(
        (
            kind.from_json(about)
            for key, kind in OTHER_CLAIMS.items()
            if isinstance(about, dict) and key in about
        ),
        None,
    ) or claim_from_json(about)
    if data["fingerprint"] != claim.fingerprint:
        raise BadInput("certificate", "its fingerprint is that of another claim", CURE)
    return Stored(
        claim, _evidence(data), compared_from_json(data.get("compared")), _total(data.get("mass"))
    )


def check_made_by(versions: Any) -> None:
    """BadInput unless the versions of what wrote a record are short texts; nothing else is asked
    of them.
    """
    right = isinstance(versions, dict) and set(versions) == set(MADE_BY)
    if not right or not all(
        isinstance(v, str) and OF_VERSION.fullmatch(v) for v in versions.values()
    ):
        raise BadInput("certificate", "it does not name the versions of what wrote it", CURE)


def _total(data: Any) -> Total | None:
    """The proof in a refutation that the law has total 1 everywhere."""
    if data is None:
        return None
    wrong = BadInput("mass", "it is no proof that the law has total 1", CURE)
    if (
        not isinstance(data, dict)
        or set(data) != {"counts", "mass"}
        or not isinstance(data["counts"], bool)
    ):
        raise wrong
    mass = certificate.from_json(data["mass"])
    if not isinstance(mass, Mass):
        raise wrong
    return Total(data["counts"], mass)


def _evidence(data: dict[str, Any]) -> Proven | Counterexample | OfInstance | Values:
    if data["verdict"] == "refuted" and "statement" in data["claim"]:
        return _values(data["counterexample"])
    if data["verdict"] == "refuted":
        example = data["counterexample"]
        return (
            counterexample.of_instance_from_json(example)
            if isinstance(example, dict) and set(example) == OF_INSTANCE
            else counterexample.from_json(example)
        )
    found = certificate.from_json(data["certificate"])
    if not isinstance(found, Certificate | ByLaw | Optimum | BestTest):
        raise BadInput("certificate", "there is no certificate in it", CURE)
    return found
