"""The checker: `check` (certificates) and `replay` (counterexamples), the only makers of `Proved`
and `Refuted`.

Both start from the expression tree of the claim and derive again what has to be shown
(`ahdp_verify.kernel.rules.obligations`); a certificate only says which facts to multiply, where to split and where
to integrate.  Everything fails closed: what is not shown is `Rejected`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BestTest,
    ByLaw,
    CaseSplit,
    Certificate,
    Choice,
    Closed,
    Divergence,
    Enumeration,
    Evidence,
    Mass,
    Optimum,
    Pieces,
    Proven,
    Separate,
    SolverWord,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    OfInstance,
    check_conditions,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.exhaustive.distribution_table import Tick
from ahdp_verify.kernel.exhaustive.enumerate import Job, silent, sizes
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Abstract, AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Statement, Values, sides_at
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism, Output, dataset_nodes
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, Nodes, place
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import sign
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor
from ahdp_verify.kernel.numbers.normal_form import normal, said, sentence, signs_of, truth
from ahdp_verify.kernel.rules.best_power import BestClaim, check_best
from ahdp_verify.kernel.rules.composition import has_meaning, nonnegative, rule
from ahdp_verify.kernel.rules.events import everything, joint, probability
from ahdp_verify.kernel.rules.inequalities import (
    NONNEGATIVE,
    cases,
    closes,
    extended,
    never,
    require,
)
from ahdp_verify.kernel.rules.integration import grouped, inside, integral, pieces, total_on
from ahdp_verify.kernel.rules.joint_law import abstracts, put_in, samples, written
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    Task,
    base,
    combinations,
    factor_laws,
    fillings,
    has_schema,
    parts,
    states,
    tasks,
    whole_law,
)
from ahdp_verify.kernel.rules.power import GuessClaim, check_guess
from ahdp_verify.kernel.rules.scope import Claimed, Compared, check_compared, scope_of
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    evaluate,
    multiply,
    names,
    oo,
    substitute,
    walk,
)
from ahdp_verify.kernel.verdict import Proved, Refuted, RefutedStatement, Total

MALFORMED = (
    TypeError,
    AttributeError,
    ValueError,
    KeyError,
    IndexError,
    ZeroDivisionError,
    RecursionError,
    OverflowError,
)
Leaf = Callable[[Evidence, Context], None]
Ask = Callable[[Claim, Task], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Shown:
    """What an accepted certificate shows: all inputs, or datasets of at most `size` records; and
    who was believed.
    """

    size: int | None = None
    trusts: tuple[str, ...] = ()


def check(
    claim: Claimed, certificate: Proven, ask: Ask | None = None, compared: Compared | None = None
) -> Proved:
    """Proved, if the certificate proves the claim; Rejected with the reason otherwise.

    `ask` puts an obligation to the solvers again and names those that agree; without it a
    `SolverWord` is rejected. `compared` is what the claim compares, or a proof that it compares
    nothing; without it the scope says that nothing was found.
    """
    with failing_closed():
        return proved(claim, certificate, accepted(claim, certificate, ask), compared)


def proved(claim: Claimed, certificate: Proven, shown: Shown, compared: Compared | None) -> Proved:
    """The verdict of an accepted certificate, once it is tested what the claim compares;
    Rejected if that is something else.
    """
    if compared is not None:
        check_compared(claim, shown.size, compared)
    return Proved(claim, certificate, scope_of(claim, shown.size, compared), shown.trusts, compared)


def accepted(claim: Claimed, certificate: Proven, ask: Ask | None) -> Shown:
    """What the certificate shows, if it proves the claim; Rejected with the reason otherwise."""
    if isinstance(claim, Statement):
        return _statement(claim, certificate)
    if isinstance(claim, BestClaim | GuessClaim):
        return _power(claim, certificate)
    if isinstance(certificate, ByLaw):
        return _by_law(claim, certificate, ask)
    if not isinstance(claim, Claim) or isinstance(certificate, Optimum | BestTest):
        raise Rejected(
            "a mechanism that is made of others is proved by a law, and an optimum is no proof of "
            "privacy"
        )
    if any(isinstance(e, Enumeration) for e in certificate.evidence):
        *_, last = _enumerated(claim, certificate, silent, 0, "")
        return last
    return _check(claim, certificate, ask)


@contextmanager
def failing_closed() -> Iterator[None]:
    """Whatever goes wrong inside is a Rejected."""
    try:
        yield
    except (Undecided, Unsupported, BadInput) as reason:
        raise Rejected(f"a step needs what is not shown: {sentence(reason)}") from None
    except MALFORMED as reason:
        raise Rejected(
            f"the certificate is malformed ({type(reason).__name__}: {reason})"
        ) from None


def _statement(statement: Statement, certificate: Proven) -> Shown:
    """Shown, if there is evidence that each gap is >= 0, or > 0 for a strict statement."""
    if not isinstance(certificate, Certificate) or certificate.claim != statement.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if (
        certificate.conditions
        or certificate.counts
        or certificate.mass != Mass((), ())
        or certificate.uses != tuple(range(len(statement.gaps)))
    ):
        raise Rejected("a statement has evidence for each of its gaps, and nothing else")
    for gap, evidence in zip(statement.gaps, certificate.evidence, strict=True):
        side = nonnegative("a gap", statement.here, gap)[0]
        descend(
            evidence,
            side.here,
            positive(gap)
            if statement.strict
            else inequality(side.dominated, side.dominating, side.level),
        )
    return Shown()


def _power(claim: BestClaim | GuessClaim, certificate: Proven) -> Shown:
    """Shown, if the certificate is primal and dual of the optimum."""
    if isinstance(claim, BestClaim) and isinstance(certificate, Optimum):
        check_best(claim, certificate)
        return Shown()
    if isinstance(claim, GuessClaim) and isinstance(certificate, BestTest):
        check_guess(claim, certificate)
        return Shown()
    raise Rejected(
        "an optimum is proved by a kernel and its prices, the power against one mechanism by a "
        "test and a prior"
    )


def positive(gap: Expression) -> Leaf:
    """The test of a leaf: gap > 0."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if (
            not isinstance(evidence, Closed)
            or evidence.form != "direct"
            or len(evidence.proofs) > 1
        ):
            raise Rejected("a strict inequality needs one proof")
        here = extended(evidence.lemmas, here)
        require(normal(gap, here), ">", evidence.proofs[0] if evidence.proofs else None, here)

    return leaf


def _by_law(claim: AnyClaim, certificate: ByLaw, ask: Ask | None) -> Shown:
    """Shown, if the law leads from its premises, each proved on all inputs of its own, to the
    claim, and its side conditions hold.
    """
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    law = rule(claim, certificate.law, certificate.version, certificate.stated)
    if len(law.premises) != len(certificate.premises) or len(law.sides) != len(
        certificate.evidence
    ):
        raise Rejected(
            f"{certificate.law} asks for {len(law.premises)} premises and {len(law.sides)} side "
            f"conditions"
        )
    trusts: set[str] = set()
    for premise, proof in zip(law.premises, certificate.premises, strict=True):
        shown = accepted(premise, proof, ask)
        if shown.size is not None and isinstance(premise.mechanism.inputs, Domain):
            raise Rejected(f"a premise is shown for datasets of at most {shown.size} records only")
        trusts.update(shown.trusts)
    for side, evidence in zip(law.sides, certificate.evidence, strict=True):
        descend(evidence, side.here, inequality(side.dominated, side.dominating, side.level))
    return Shown(None, tuple(sorted(trusts)))


Find = Callable[[int | None], Compared | None]


def enumerated(
    claim: Claim,
    certificate: Certificate,
    tick: Tick,
    *,
    done: int = 0,
    voice: str = "",
    find: Find | None = None,
) -> Iterator[Proved]:
    """One Proved for each size that is finished, the last one what `check` says; `tick` is told
    what is being done, and may raise.

    `find` proposes what the claim compares at a size.

    Sizes up to `done` are taken over on the word of `voice`, which the verdict then lists among
    what it trusts.
    """
    with failing_closed():
        try:
            for shown in _enumerated(claim, certificate, tick, done, voice):
                finished = replace(certificate, evidence=(Enumeration(shown.size or 0),))
                yield proved(claim, finished, shown, find(shown.size) if find is not None else None)
        except Unsupported as why:
            raise Rejected(why.reason) from None


def _enumerated(
    claim: Claim, certificate: Certificate, tick: Tick, done: int, voice: str
) -> Iterator[Shown]:
    belongs(claim, certificate)
    (evidence,) = certificate.evidence
    if not isinstance(evidence, Enumeration) or certificate.uses or certificate.conditions:
        raise Rejected("an enumeration stands alone in its certificate")
    massive = certificate.mass.evidence != ()
    if massive:
        check_mass(claim.mechanism, certificate.mass, certificate.counts)
    elif certificate.mass.values or certificate.counts:
        raise Rejected("the mass says something and shows nothing")
    if done and (not voice or not 0 < done < evidence.size):
        raise Rejected("sizes are taken over from nobody, or nothing is left to do")
    for size in sizes(claim, Job(evidence.size, massive, tick, done)):
        yield Shown(size, (voice,) if done else ())


def belongs(claim: Claim, certificate: Certificate) -> None:
    """Nothing if the certificate is one of this claim, and the law is one on all its inputs."""
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if not isinstance(certificate.counts, bool):
        raise Rejected("the certificate does not say in which state it is written")
    defined_where_used(claim.mechanism)


def _check(claim: Claim, certificate: Certificate, ask: Ask | None) -> Shown:
    belongs(claim, certificate)
    check_mass(claim.mechanism, certificate.mass, certificate.counts)
    if certificate.conditions:
        check_conditions_of_records(claim, certificate.conditions)
    wanted = list(tasks(claim, certificate.counts, certificate.conditions))
    if len(wanted) != len(certificate.uses):
        raise Rejected(
            f"the claim asks for {len(wanted)} inequalities, the certificate answers "
            f"{len(certificate.uses)}"
        )
    trusts: set[str] = set()
    for task, use in zip(wanted, certificate.uses, strict=True):
        if not 0 <= use < len(certificate.evidence):
            raise Rejected("an inequality has no evidence")
        trusts.update(check_task(claim, task, certificate.evidence[use], ask))
    return Shown(None, tuple(sorted(trusts)))


def check_conditions_of_records(claim: Claim, conditions: tuple[Expression, ...]) -> None:
    """Nothing if the claim has a schema and every record satisfies its conditions; Rejected
    otherwise.
    """
    if not has_schema(claim):
        raise Rejected("the claim is not one about adding records of a finite domain")
    here = base(claim.mechanism)
    for filling in fillings(claim):
        rational = {k: v.args[0] for k, v in filling.items() if v.head == "number"}
        for condition in conditions:
            simple = evaluate(condition, rational)
            if simple is None:
                require(normal(substitute(condition, filling), here), ">=", None, here)
            elif simple < 0:
                raise Rejected(f"a record does not satisfy {condition} >= 0")


def descend(evidence: Evidence, here: Context, leaf: Leaf) -> None:
    """Every leaf of the evidence accepted in the context of its case; Rejected otherwise."""
    if isinstance(evidence, CaseSplit):
        here = extended(evidence.lemmas, here)
        for case, rest in cases(evidence, here):
            descend(rest, case, leaf)
    elif isinstance(evidence, Closed) and evidence.form == "never":
        never(evidence.proofs, extended(evidence.lemmas, here))
    else:
        leaf(evidence, here)


def defined_where_used(mechanism: Mechanism) -> None:
    """Nothing unless the largest or smallest of the present records is used where no record need
    be present.
    """
    nodes = dataset_nodes(mechanism) if isinstance(mechanism.inputs, Domain) else ()
    if all(n.head == "sum" for n in nodes):
        return
    empty = {n: ZERO for n in nodes if n.head == "sum"}
    condition = place(mechanism.defined, empty)
    here = Context.empty()
    if any(n.head in ("maximum", "minimum") for n in walk(condition)) or truth(condition, here):
        raise Rejected(
            'the largest or smallest of no records is undefined; state defined = "size >= 1"'
        )


# the mass


def check_mass(mechanism: Mechanism, mass: Mass, counts: bool) -> None:
    """Nothing if the law is nowhere negative and has total 1 in every state; Rejected otherwise."""
    spaces = list(states(mechanism, counts))
    groups = 1 if whole_law(mechanism) else len(mechanism.outputs)
    if len(mass.evidence) != groups * len(spaces) or (
        groups > 1 and len(mass.values) != groups * len(spaces)
    ):
        raise Rejected("the mass does not cover every state and output")
    for i, state in enumerate(spaces):
        evidence = mass.evidence[i * groups : (i + 1) * groups]
        if groups == 1:
            descend(evidence[0], state.here, total_is_one(mechanism, state.nodes))
        else:
            check_product(
                mechanism,
                state.nodes,
                state.here,
                mass.values[i * groups : (i + 1) * groups],
                evidence,
            )


def total_is_one(mechanism: Mechanism, nodes: Nodes) -> Leaf:
    """The test of a leaf: density and atoms >= 0 and together of total 1."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, Pieces):
            raise Rejected("the mass needs points")
        here = extended(evidence.lemmas, here)
        total = constant(0)
        for _, mass in mechanism.atoms:
            total = total + _nonnegative(place(mass, nodes), here)
        total = total + total_of(
            mechanism.outputs, place(mechanism.density, nodes), evidence.points, here
        )
        if not (total - constant(1)).is_zero:
            raise Rejected(f"the total {said(total)} was not shown to be 1")

    return leaf


def total_of(
    outputs: tuple[Output, ...], law: Expression, points: tuple[Expression, ...], here: Context
) -> Ratio:
    """The total of a law that is shown to be >= 0: an integral over one output, or a sum over
    all finite outcomes.
    """
    if any(o.kind != "finite" for o in outputs):
        return integral(
            law, outputs[0].name, outputs[0].kind, tuple(normal(p, here) for p in points), here
        )
    for outcome in outcomes(outputs):
        _nonnegative(substitute(law, outcome), here)
    return joint(law, outputs, None, here)


def outcomes(outputs: tuple[Output, ...]) -> Iterator[dict[str, Expression]]:
    """Every combination of finite outputs as values of names."""
    if not outputs:
        yield {}
        return
    for rest in outcomes(outputs[1:]):
        for v in outputs[0].values:
            yield {outputs[0].name: v, **rest}


def _nonnegative(e: Expression, here: Context) -> Ratio:
    r = normal(e, here)
    if not here.ratio_signs(r) <= NONNEGATIVE and not signs_of(e, here) <= NONNEGATIVE:
        for p in (r.num, *(f for f, _ in r.den)):
            if not here.signs(p) <= NONNEGATIVE and not here.signs(p) <= {0, -1}:
                raise Undecided(open_factor(p, here))
        raise Rejected(f"that {said(r)} >= 0 was not shown")
    return r


def check_product(
    mechanism: Mechanism,
    nodes: Nodes,
    here: Context,
    values: tuple[Expression, ...],
    evidence: tuple[Evidence, ...],
) -> None:
    """Nothing if each output's factor has the stated total, whatever the earlier outputs are,
    and the totals multiply to 1.
    """
    law = place(mechanism.density, nodes)
    prefactor, groups = grouped(law, tuple(o.name for o in mechanism.outputs))
    known = here
    for output, group, value, piece in zip(
        mechanism.outputs, groups, values, evidence, strict=True
    ):
        descend(piece, here, total_is(output, group, value))
        known = with_facts(piece, here, known)
    total = normal(multiply(prefactor, *values), known)
    if not (total - constant(1)).is_zero or any(
        n in names(v) for v in values for n in (o.name for o in mechanism.outputs)
    ):
        raise Rejected(f"the total {said(total)} was not shown to be 1")


def with_facts(piece: Evidence, here: Context, known: Context) -> Context:
    """What is known, with the facts that the lemmas of a piece without cases show here: a total
    may divide by what they say is not 0.
    """
    shown = (
        extended(piece.lemmas, here).facts[len(here.facts) :] if isinstance(piece, Pieces) else ()
    )
    for fact in shown:
        known = known.given(fact.polynomial, fact.relation)
    return known


def total_is(output: Output, law: Expression, value: Expression) -> Leaf:
    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, Pieces):
            raise Rejected("the mass needs points")
        here = extended(evidence.lemmas, here)
        if not (total_of((output,), law, evidence.points, here) - normal(value, here)).is_zero:
            raise Rejected(f"the total over {output.name} was not shown to be as stated")

    return leaf


# the inequalities


def check_task(claim: Claim, task: Task, evidence: Evidence, ask: Ask | None) -> tuple[str, ...]:
    """What had to be trusted for a task, once its evidence is accepted."""
    here = task.obligation.here
    if isinstance(evidence, SolverWord):
        return _word(claim, task, evidence, ask)
    if claim.delta != ZERO:
        descend(evidence, here, divergence(claim, task.obligation))
    elif task.part is None:
        descend(evidence, here, separation(claim.mechanism, task.obligation))
    else:
        descend(evidence, here, inequality(*task.laws, task.obligation.level))
    return ()


def _word(claim: Claim, task: Task, evidence: SolverWord, ask: Ask | None) -> tuple[str, ...]:
    if ask is None:
        raise Rejected("it rests on the word of solvers, which were not asked again")
    voices = ask(claim, task)
    if len(set(voices)) < 2:
        raise Rejected("fewer than two solvers confirm the obligation")
    if tuple(sorted(set(voices))) != evidence.solvers:
        raise Rejected("other solvers confirm the obligation than the certificate names")
    return voices


def inequality(dominated: Dominated, dominating: Dominating, level: Expression) -> Leaf:
    """The test of a leaf: dominated <= exp(level) * dominating."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, Closed):
            raise Rejected("an inequality needs products")
        closes(evidence, dominated, dominating, level, here)

    return leaf


def separation(mechanism: Mechanism, obligation: Obligation) -> Leaf:
    """The test of a leaf: each coordinate keeps its own level at each of its values, and these
    levels add up to at most the claim's.
    """
    laws = list(zip(mechanism.outputs, factor_laws(mechanism), strict=True))

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, Separate) or len(evidence.levels) != len(laws):
            raise Rejected("independent coordinates need one level each")
        here = extended(evidence.lemmas, here)
        leaves, spent = list(evidence.leaves), constant(0)
        for (output, law), level in zip(laws, evidence.levels, strict=True):
            spent = spent + normal(level, here)
            for v in (
                output.values
            ):  # the value first: it may choose the part of the input that the law speaks of
                at_value = substitute(law, {output.name: v})
                closes(
                    leaves.pop(0),
                    place(at_value, obligation.dominated),
                    place(at_value, obligation.dominating),
                    level,
                    here,
                )
        if leaves:
            raise Rejected("there are more leaves than values")
        require(
            slack(normal(obligation.level, here), spent, evidence.form),
            ">=",
            evidence.proofs[0] if evidence.proofs else None,
            here,
        )

    return leaf


def slack(level: Ratio, spent: Ratio, form: str) -> Ratio:
    """What must be >= 0 for a level to cover what is spent: the difference, or that of the
    exponentials.
    """
    if form not in ("log", "direct"):
        raise Rejected(f"there is no form {form!r}")
    return level - spent if form == "log" else exp_of(level) - exp_of(spent)


def divergence(claim: Claim, obligation: Obligation) -> Leaf:
    """The test of a leaf: the excess dominated - exp(level) * dominating, summed over the pieces
    and parts where it counts, is at most delta.
    """
    listed = parts(claim.mechanism)
    outputs = claim.mechanism.outputs
    continuous = any(o.kind != "finite" for o in outputs)
    if not continuous and combinations(claim.mechanism) > JOINT:
        raise Unsupported(f"delta for more than {JOINT} outcomes")
    if continuous and len(outputs) > 1:
        raise Unsupported("delta for more than one output that is not finite")

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, Divergence):
            raise Rejected("a claim with delta needs the pieces where the excess counts")
        here = extended(evidence.lemmas, here)
        factor = exp_of(normal(obligation.level, here))
        choices, total = list(evidence.choices), constant(0)
        if continuous:
            points = tuple(normal(p, here) for p in evidence.points)
            laws = (
                place(listed[0].law, obligation.dominated),
                place(listed[0].law, obligation.dominating),
            )
            total = total + excess_of_density(
                outputs[0], laws, points, choices, factor, obligation.level, here
            )
        for part in listed[1 if continuous else 0 :]:
            dominated, dominating = (
                place(part.law, obligation.dominated),
                place(part.law, obligation.dominating),
            )
            choice = choices.pop(0)
            kind = counts(choice, dominated, dominating, obligation.level, here)
            if kind != "none":
                total = (
                    total
                    + normal(dominated, here)
                    - (factor * normal(dominating, here) if kind == "excess" else constant(0))
                )
        if choices:
            raise Rejected("there are more choices than parts")
        final = evidence.final
        require(
            normal(claim.delta, here) - total,
            ">=",
            final.proofs[0] if final.proofs else None,
            extended(final.lemmas, here),
        )

    return leaf


def counts(
    choice: Choice, dominated: Dominated, dominating: Dominating, level: Expression, here: Context
) -> str:
    """How the excess counts here, once it is shown that it is >= 0 ("excess") or <= 0 ("none");
    "whole" bounds it by all of the dominated law.
    """
    if (
        not isinstance(choice, Choice)
        or choice.counts not in ("excess", "none", "whole")
        or not isinstance(choice.why, Closed)
    ):
        raise Rejected("a choice says how the excess counts and why")
    if choice.counts != "whole":
        closes(choice.why, dominated, dominating, level, here, upper=choice.counts == "none")
    return choice.counts


def excess_of_density(
    output: Output,
    laws: tuple[Dominated, Dominating],
    points: tuple[Ratio, ...],
    choices: list[Choice],
    factor: Ratio,
    level: Expression,
    here: Context,
) -> Ratio:
    """The integral of the excess over the pieces where it counts; both laws are known to be >= 0
    by the mass.
    """
    dominated, dominating = laws
    integral(dominated, output.name, output.kind, points, here)
    total = constant(0)
    for _, _, upper in pieces(len(points)):
        kind = counts(
            choices.pop(0),
            dominated,
            dominating,
            level,
            inside(output.name, output.kind, points, upper, here),
        )
        if kind != "none":
            total = total + total_on(dominated, output.name, output.kind, points, upper, here)
        if kind == "excess":
            total = total - factor * total_on(
                dominating, output.name, output.kind, points, upper, here
            )
    return total


# refutations


def replay_statement(statement: Statement, values: Values) -> RefutedStatement:
    """RefutedStatement, if the statement fails at these values of its unknowns; Rejected with
    the reason otherwise.
    """
    with failing_closed():
        left, right = sides_at(statement, values)
        found = sign(right - left if statement.relation in ("<=", "<", "==") else left - right)
        fails = found is not None and (
            found == -1
            or (found == 0 and statement.strict)
            or (found == 1 and statement.relation == "==")
        )
        if not fails:
            raise Rejected("the statement was not shown to fail there")
        return RefutedStatement(statement, values, left, right)


def replay(
    claim: AnyClaim, example: Counterexample | OfInstance, mass: Total | None = None
) -> Refuted:
    """Refuted, if the counterexample refutes the claim; Rejected with the reason otherwise.

    `mass` shows that the law has total 1 at all inputs; without it that is shown at the two inputs
    of the counterexample only.
    """
    try:
        if isinstance(example, OfInstance):
            return _replay_instance(claim, example, mass)
        if not isinstance(claim, Claim):
            raise Rejected("a counterexample is one of a law that is written out")
        return _replay(claim, example, mass)
    except (Undecided, Unsupported) as reason:
        raise Rejected(f"a step of the counterexample is not decided: {sentence(reason)}") from None
    except MALFORMED as reason:
        raise Rejected(
            f"the counterexample is malformed ({type(reason).__name__}: {reason})"
        ) from None


def _replay_instance(claim: AnyClaim, example: OfInstance, mass: Total | None) -> Refuted:
    """Refuted, if instances keep what is assumed of the abstract mechanisms, and the claim about
    the law that results is refuted.
    """
    if not isinstance(claim, CompositeClaim):
        raise Rejected("the law of the mechanism is written out already")
    wanted = abstracts(claim.mechanism)
    if len(wanted) != len(example.instances):
        raise Rejected(
            f"there are {len(wanted)} abstract mechanisms and {len(example.instances)} instances"
        )
    for abstract, (kept, proof) in zip(wanted, example.instances, strict=True):
        is_instance(abstract, kept, proof)
    if samples(claim.mechanism) != (example.size is not None) or (
        example.size is not None and (type(example.size) is not int or example.size < 1)
    ):
        raise Rejected("a size from 1 is given if, and only if, a sample is taken")
    instances = dict(zip(wanted, (kept for kept, _ in example.instances), strict=True))
    has_meaning(put_in(claim.mechanism, instances))
    found = _replay(written(claim, example.size, instances), example.counterexample, mass)
    return Refuted(
        claim, example.counterexample, found.before, found.after, found.level, example, mass
    )


def is_instance(abstract: Abstract, kept: Claim, proof: Proven) -> None:
    """Nothing if a claim is what is assumed of an abstract mechanism, said of a mechanism on the
    same inputs, and is proved for all of them.
    """
    said = (
        kept.mechanism.inputs,
        kept.relation,
        kept.level,
        kept.delta,
        kept.public,
        kept.mechanism.defined,
    )
    if said != (abstract.inputs, abstract.relation, abstract.level, abstract.delta, (), TRUE):
        raise Rejected(f"{kept} is not what is assumed of {abstract}")
    with failing_closed():
        shown = accepted(kept, proof, None)
    if (shown.size is not None and isinstance(kept.mechanism.inputs, Domain)) or shown.trusts:
        raise Rejected(f"{kept} is shown for less than all inputs, or on the word of others")


def _replay(claim: Claim, example: Counterexample, mass: Total | None) -> Refuted:
    if mass is not None:
        is_law(claim.mechanism, mass)
    check_conditions(claim, example)
    level = level_of_move(claim, example)
    if level == oo:
        raise Rejected("a move of level oo is allowed everything")
    outputs = claim.mechanism.outputs
    chances = []
    for side, points in zip((example.before, example.after), example.points, strict=True):
        law, atoms = law_at(claim, example, side)
        total = everything(law, atoms, outputs, points)
        if not (total - constant(1)).is_zero:
            raise Rejected(
                f"the total at an input of the counterexample is {said(total)}, which was not "
                f"shown to be 1"
            )
        chances.append(probability(law, atoms, outputs, example.event, points))
    before, after = chances
    delta = normal(substitute(claim.delta, dict(example.parameters)), Context.empty())
    excess = before - exp_of(normal(level, Context.empty())) * after - delta
    if sign(excess) != 1 or sign(after) not in (0, 1):
        raise Rejected("the event was not shown to be too likely")
    return Refuted(claim, example, before, after, level, None, mass)


def is_law(mechanism: Mechanism, mass: Total) -> None:
    """Nothing if the law is nowhere negative and has total 1 at every input at which it is
    defined; Rejected otherwise.
    """
    if not isinstance(mass, Total) or not isinstance(mass.counts, bool):
        raise Rejected("what shows the total of the law is malformed")
    with failing_closed():
        defined_where_used(mechanism)
        check_mass(mechanism, mass.mass, mass.counts)
