"""The composition rules: how claims about parts imply claims about the whole.

    the premises, each proved on all inputs of its own      the side conditions
    ---------------------------------------------------------------------------
                         the claim about the whole

A rule states which premises and which side conditions it needs; if all hold, the claim holds.
Premises are claims with proofs of their own; side conditions are inequalities dominated <=
exp(level) * dominating.  Every rule is proved once, in general form, in the file
proofs/laws/NAME.toml (with hyphens for underscores).  In all of them P and Q are the distributions
at two neighbouring inputs, before and after one move, and L is the level of that move.

    assumed        an abstract mechanism satisfies what is assumed of it
    compose        loss at most the sum of the levels of the parts, whatever earlier outputs were
                   (prop:BC); deltas add
    product        the same for independent releases
    post_process   the level of the part (prop:pp); plus that of a second mechanism that reads the
                   output, if there is one
    subsample      adding a record that is kept with probability k: at most log(1 + k (exp(L) - 1)),
                   in both directions (Sec. Sample Mechanism)
    mixture        at most the largest of the levels
    normalised     if a move changes the score by an amount in [low, high], at most high - low
    pull_back      the level of a record is that of the record that it becomes
    group          along a path of single moves losses add up to at most the distance (def:newDP(A))
    weaken         a level that is nowhere smaller
    open_level     one of the levels at which a claim with its level left open holds
                   (ahdp_verify.kernel.rules.open_level)
    to_ahdp        add-remove privacy at L is AHDP at the constant level L (ex:ahdp)
    to_swap        a swap is a removal and an addition, in either order
    written_out    what is proved of the distribution of the whole as one expression
                   (ahdp_verify.kernel.rules.joint_law)

A level oo imposes nothing, and a sum with it is oo.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import AnyCertificate, ByRule, StatedPremise
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    AbstractMechanism,
    AnyClaim,
    AnyMechanism,
    Composite,
    composite_context,
    is_downward_closed,
    is_upward_closed,
    output_labels,
)
from ahdp_verify.kernel.model.declarations import value_bindings, value_text
from ahdp_verify.kernel.model.domain import Domain, Values, value_at_bindings
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    assume_all,
    contributions_at_infinite_demand,
    frame,
    infinite_demand_context,
    known_value_at_record,
    substitute_nodes,
)
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.replacements import dataset_moves, known_equal, level_between_values
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.rules.accepting import Acceptance, noting, rely_on
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.everywhere import require_number
from ahdp_verify.kernel.rules.interchangeable import with_fewer_values
from ahdp_verify.kernel.rules.joint_law import explicit_claim
from ahdp_verify.kernel.rules.obligations import finite_parts
from ahdp_verify.kernel.rules.open_level import claim_at_open_level, delta_at_level
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    Max,
    add,
    aggregates,
    conjuncts,
    exp,
    log,
    multiply,
    name,
    names,
    negative,
    number,
    oo,
    substitute,
    walk,
)

OF_RECORDS = ("ahdp", "hdp", PAIRS)  # relations whose level is of one record


@dataclass(frozen=True, slots=True)
class SideCondition:
    """A side condition: dominated <= exp(level) * dominating for all names in `here`."""

    text: str
    here: Context
    dominated: Dominated
    dominating: Dominating
    level: Expression


@dataclass(frozen=True, slots=True)
class RuleConditions:
    """What a rule needs: the premises, and the side conditions that do not hold trivially."""

    premises: tuple[AnyClaim | NotionClaim, ...]
    sides: tuple[SideCondition, ...]


@dataclass(frozen=True, slots=True)
class MoveKind:
    """One kind of move: what is known about it, and the values of the names in a level (none, where
    they stay names).
    """

    text: str
    here: Context
    at: Callable[[Expression], Expression]
    bound: Mapping[str, Expression] | None = None  # the parts of the one record that it is about

    def part(self, f: Expression) -> Expression:
        """The value of a formula that may also be a label or oo."""
        if f.head == "name" and self.bound is not None and f.args[0] in self.bound:
            return self.bound[f.args[0]]
        return f if f.head in ("label", "oo") else self.at(f)


def rule_conditions(
    claim: AnyClaim, rule: str, version: int, stated: StatedPremise | None
) -> RuleConditions:
    """The premises and side conditions under which the rule gives the claim; Rejected if the rule
    does not apply to such a claim.
    """
    check_rule(rule, version, stated)
    return COMPOSITION_RULES[rule].rule(claim, stated)


def check_rule(rule: str, version: int, stated: StatedPremise | None) -> None:
    """Nothing if there is such a rule, and it takes a stated premise exactly if there is one."""
    if (
        rule not in COMPOSITION_RULES
        or type(version) is not int
        or version != COMPOSITION_RULES[rule].version
    ):
        raise Rejected(f"there is no rule {rule!r} of version {version}")
    if (stated is not None) != (rule in FOR_STATED):
        raise Rejected(
            f"the rule {rule} is {'not ' if stated is not None else ''}about another claim of the "
            f"same mechanism"
        )


def move_kinds(claim: AnyClaim) -> Iterator[MoveKind]:
    """The kinds of moves between which a level may differ: records, pairs of values, or all
    moves at once.
    """
    inputs, here = claim.mechanism.inputs, composite_context(claim.mechanism)
    if claim.relation in OF_RECORDS and isinstance(inputs, Domain):
        yield from (
            _listed_record_kinds(inputs, here)
            if not inputs.is_universal
            else _universal_record_kinds(inputs, here)
        )
    elif isinstance(inputs, Values):
        for old, new in itertools.permutations(inputs.values, 2):
            values = {**value_bindings(old, "v"), **value_bindings(new, "other")}
            yield MoveKind(
                f"{value_text(old)} becomes {value_text(new)}",
                here,
                partial(_level_between, values=values, here=here),
            )
    else:
        yield MoveKind("every move", here, lambda e: e)


def _listed_record_kinds(domain: Domain, here: Context) -> Iterator[MoveKind]:
    """One kind of move for each listed record."""
    for r in domain.records:
        yield MoveKind(
            f"the record {r}", here, partial(known_value_at_record, record=r, here=here), r.bindings
        )


def _universal_record_kinds(domain: Domain, here: Context) -> Iterator[MoveKind]:
    """One kind of move for all records of finite demand, and one for those of demand oo if there
    are any.
    """
    finite = assume_all((condition for _, condition in domain.unknowns), here)
    yield MoveKind("every record", finite, lambda e: e)
    if contributions_at_infinite_demand(domain, (), here) is not None:
        endless = infinite_demand_context(domain, here)
        yield MoveKind(
            "every record of demand oo",
            endless,
            lambda e: value_at_bindings(e, {"eps": oo}, endless) if "eps" in names(e) else e,
        )


def _level_between(
    level: Expression, values: Mapping[str, Expression], here: Context
) -> Expression:
    """A level between two values of the local model."""
    return level_between_values(substitute(level, values), here)


def is_infinite(e: Expression) -> bool:
    """Whether a level is oo; Rejected if oo is only a part of it, so that its value is not
    known.
    """
    if e == oo:
        return True
    if any(node == oo for node in walk(e)):
        raise Rejected(f"the level {e} is not known to be finite")
    return False


def _total_level(levels: list[Expression]) -> Expression:
    """The sum of levels in [0, oo]."""
    return oo if any([is_infinite(e) for e in levels]) else add(*levels)


def _largest_level(levels: list[Expression]) -> Expression:
    """The largest of levels in [0, oo]."""
    if any([is_infinite(e) for e in levels]):
        return oo
    return Max(*levels) if len(levels) > 1 else levels[0]


def _level_condition(
    text: str, here: Context, bound: Expression, spent: Expression
) -> tuple[SideCondition, ...]:
    """The side condition that a level is at least what is spent; none where it is oo, or the
    same.
    """
    if is_infinite(bound) or (not is_infinite(spent) and bound == spent):
        return ()
    said = f"it gives {_shorter(spent, here)} at {text}, but {_shorter(bound, here)} is claimed"
    if spent == oo:
        raise Rejected(said)
    return (
        SideCondition(said, here, Dominated(ONE), Dominating(ONE), add(bound, negative(spent))),
    )


def _shorter(e: Expression, here: Context) -> Expression:
    """An expression for display: in canonical form if that is shorter."""
    try:
        return min(e, to_expression(normal(e, here)), key=lambda form: len(str(form)))
    except (Undecided, Unsupported, ZeroDivisionError):
        return e


def nonnegative_condition(what: str, here: Context, e: Expression) -> tuple[SideCondition, ...]:
    """The side condition that an expression is >= 0, written so that no form of an inequality takes
    its sign from the mass of a law.
    """
    return (SideCondition(f"it needs {what}", here, Dominated(ONE), Dominating(add(e, ONE)), ZERO),)


_LevelSpent = Callable[[MoveKind], Expression]


def covering_conditions(
    claim: AnyClaim, spent: _LevelSpent, delta: _LevelSpent = lambda p: ZERO
) -> tuple[SideCondition, ...]:
    """The side conditions that the level of a claim is at least the spent level for every kind of
    move, and its delta at least the spent delta.
    """
    sides = _level_conditions(claim, move_kinds(claim), spent)
    return (*sides, *_delta_condition(claim, delta))


def _level_conditions(
    claim: AnyClaim, kinds: Iterable[MoveKind], spent: _LevelSpent
) -> tuple[SideCondition, ...]:
    """The side conditions that the level of a claim is at least the spent one for these moves."""
    return tuple(
        side
        for p in kinds
        for side in _level_condition(p.text, p.here, p.at(claim.level), spent(p))
    )


def _delta_condition(claim: AnyClaim, spent: _LevelSpent) -> tuple[SideCondition, ...]:
    """The side conditions that the delta of a claim is at least the spent one, for every kind of
    move if one of them depends on the record; none where it is the same.
    """
    every = MoveKind("every move", composite_context(claim.mechanism), lambda e: e)
    known = {key for key, _ in claim.mechanism.parameters}
    alike = names(claim.delta) | names(spent(every)) <= known
    sides: list[SideCondition] = []
    for p in (every,) if alike else move_kinds(claim):
        most, least = p.at(claim.delta), spent(p)
        if most != least:
            said = f"a delta of at least {least}, but {most} is claimed"
            sides += nonnegative_condition(said, p.here, add(most, negative(least)))
    return tuple(sides)


def _checked_composite(claim: AnyClaim, rule: str) -> Composite:
    """The composite that a claim is about; Rejected if the rule does not construct it, or one of
    its parts is about other moves.
    """
    m = claim.mechanism
    if not isinstance(m, Composite) or m.rule != rule:
        raise Rejected(f"the mechanism is not made by {rule}")
    if rule in SAME_MOVES and any(
        part.relation != claim.relation or part.public != claim.public for part in m.parts
    ):
        raise Rejected(f"a part of the {rule} is not {claim.relation}")
    return m


SAME_MOVES = ("compose", "product", "post_process", "mixture")


def assumed_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """An abstract mechanism satisfies its claim.

    C is assumed of A
    -----------------
        A has C
    """
    m = claim.mechanism
    if not isinstance(m, AbstractMechanism) or m.relation != claim.relation or claim.public:
        raise Rejected("this is not what is assumed about the mechanism")
    return RuleConditions(
        (), covering_conditions(claim, lambda p: p.at(m.level), lambda p: p.at(m.delta))
    )


def compose_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """The parts run one after the other on the same input.

    P1 <= exp(L1) Q1      P2(. | y) <= exp(L2) Q2(. | y) for every y
    ----------------------------------------------------------------
                    P1 P2 <= exp(L1 + L2) Q1 Q2
    """
    return _parts_and_spent(claim, _checked_composite(claim, "compose"))


def product_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """The same, for a P2 that does not read y.

    P1 <= exp(L1) Q1      P2 <= exp(L2) Q2
    --------------------------------------
         P1 P2 <= exp(L1 + L2) Q1 Q2
    """
    return _parts_and_spent(claim, _checked_composite(claim, "product"))


def _parts_and_spent(claim: AnyClaim, m: Composite) -> RuleConditions:
    """The parts as premises, and the sums of their levels and deltas as what is spent."""
    sides = covering_conditions(
        claim,
        lambda p: _total_level([p.at(part.level) for part in m.parts]),
        lambda p: add(*(p.at(part.delta) for part in m.parts)),
    )
    return RuleConditions(m.parts, sides)


def post_process_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """Post-processing keeps the level; a second mechanism that reads the output adds its own.

        P(y in f^-1(S)) <= exp(L) Q(y in f^-1(S)) for every S      f(y) has a value for every y
        ---------------------------------------------------------------------------------------
                          P(f(y) in S) <= exp(L) Q(f(y) in S) for every S

    A second mechanism is a second part, of which only the outputs are seen.
    """
    m = _checked_composite(claim, "post_process")
    check_formula_values(m)
    return _parts_and_spent(claim, m)


def check_formula_values(m: Composite) -> None:
    """Nothing if each formula of a post_process has a value whatever the outputs of its part are;
    Rejected if that is not shown.
    """
    part, here = m.parts[0].mechanism, composite_context(m)
    here = replace(
        here, integers=here.integers | {o.name for o in part.outputs if o.kind == "integer"}
    )
    for f in m.formulas:
        read = [o for o in part.outputs if o.name in names(f)]
        for chosen in itertools.product(*(tuple(_output_alternatives(part, o)) for o in read)):
            seen = {o.name: v for o, v in zip(read, chosen, strict=True)}
            value = substitute(f, seen)
            try:
                if value.head != "label":
                    require_number(value, here)
            except Rejected as why:
                at = "".join(f" at {key} = {v}" for key, v in seen.items() if v != name(key))
                raise Rejected(
                    f"the formula {f} is not known to have a value{at}: {why}; give its value there with piecewise or max"
                ) from None


def _output_alternatives(part: AnyMechanism, output: Output) -> Iterator[Expression]:
    """What an output may be: its values, or any number (the name itself) and the labels of its
    atoms.
    """
    if output.kind == "finite":
        yield from output.values
    else:
        yield name(output.name)
        yield from output_labels(part, output.name)


def subsample_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """Subsampling amplifies privacy: the record w is kept with probability k.

        P <= exp(L) Q      Q <= exp(L) P      0 <= k <= 1      R = (1 - k) P + k Q
        --------------------------------------------------------------------------
         (1 - k (1 - exp(-L))) P  <=  R  <=  (1 + k (exp(L) - 1)) P

    P and Q are the distributions without and with w, R that of the sampled mechanism with w.
    """
    m = _checked_composite(claim, "subsample")
    (part,), keep = m.parts, m.formulas[0]
    if claim.relation not in ("ahdp", "add-remove") or (
        claim.relation == "add-remove" and part.relation != "add-remove"
    ):
        raise Rejected("subsampling is about adding records")
    kinds = list(move_kinds(replace(claim, relation="ahdp", level=ZERO)))
    kept = [side for p in kinds for side in _probability_conditions(p, p.at(keep))]

    def spent(p: MoveKind) -> Expression:
        k, level = p.at(keep), p.at(part.level)
        if is_infinite(level):
            return ZERO if k == ZERO else oo
        return log(add(ONE, multiply(k, add(exp(level), number(-1)))))

    slack = _delta_condition(claim, lambda p: p.at(part.delta))
    return RuleConditions((part,), (*kept, *_level_conditions(claim, kinds, spent), *slack))


def _probability_conditions(p: MoveKind, k: Expression) -> tuple[SideCondition, ...]:
    """The side conditions that an expression lies in [0, 1]."""
    text = f"a probability at {p.text}, but {k} is given"
    return (
        *nonnegative_condition(text, p.here, k),
        *nonnegative_condition(text, p.here, add(ONE, negative(k))),
    )


def mixture_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """One part runs, chosen with given probabilities.

    P_i <= exp(L_i) Q_i for every i      w_i >= 0, with sum 1
    ---------------------------------------------------------
    sum of w_i P_i  <=  exp(max L_i) (sum of w_i Q_i)
    """
    m = _checked_composite(claim, "mixture")
    here = composite_context(m)
    if not (normal(add(*m.formulas), here) - normal(ONE, here)).is_zero:
        raise Rejected("the probabilities of a mixture were not shown to add up to 1")
    weights = [
        side
        for w in m.formulas
        for side in nonnegative_condition(f"probabilities, but {w} is given", here, w)
    ]
    pairs = list(zip(m.formulas, m.parts, strict=True))
    return RuleConditions(
        m.parts,
        (
            *weights,
            *covering_conditions(
                claim,
                lambda p: _largest_level([p.at(part.level) for part in m.parts]),
                lambda p: add(*(multiply(w, p.at(part.delta)) for w, part in pairs)),
            ),
        ),
    )


def normalised_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """Outputs of probability proportional to exp(score).

        low <= g' - g <= high at every output
        -------------------------------------------------------------
        exp(g) / sum exp(g)  and  exp(g') / sum exp(g')  differ by a
        factor in [exp(low - high), exp(high - low)]

    g, g' are the scores at the two inputs of a move: exp(g) changes by a factor in [exp(low),
    exp(high)], and so does the sum.
    """
    m = _checked_composite(claim, "normalised")
    if (
        claim.relation not in ("ahdp", "add-remove")
        or m.domain is None
        or not isinstance(m.domain, Domain)
    ):
        raise Rejected("a normalised mechanism is about adding records")
    score, low, high = m.formulas
    law = Mechanism(m.domain, outputs=m.released, density=exp(score), parameters=m.parameters)
    parts = tuple(part.law for part in finite_parts(law)) or (law.density,)
    if any(n.head != "sum" for n in dataset_nodes(law)):
        raise Rejected("the score of a normalised mechanism uses sums over records only")
    here = composite_context(m)
    f = frame(m.domain, dataset_nodes(law), here)
    sides = []
    for bound, up in ((high, True), (negative(low), False)):
        for move in dataset_moves(claim.relation, bound, f, here, ()):
            there = assume_all(move.conditions, here.with_integers(move.integers))
            small, large = (move.after, move.before) if up else (move.before, move.after)
            text = f"it needs {'an upper' if up else 'a lower'} bound of the score's change, but {bound if up else low} is given ({move.text})"
            sides += [
                SideCondition(
                    text,
                    there,
                    substitute_nodes(p, DominatedInput(small)),
                    substitute_nodes(p, DominatingInput(large)),
                    move.level,
                )
                for p in parts
            ]
    return RuleConditions(
        (),
        (*sides, *covering_conditions(claim, lambda p: finite_difference(p.at(low), p.at(high)))),
    )


def finite_difference(low: Expression, high: Expression) -> Expression:
    """high - low, finite."""
    if is_infinite(low) or is_infinite(high):
        raise Rejected("the bounds of a score are finite")
    return add(high, negative(low))


def pull_back_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """Each record is replaced by a record of the part's domain.

    the part has level L(f(w))      adding w to D adds f(w) to the part's dataset
    -----------------------------------------------------------------------------
                       the whole has level L(f(w)) for w
    """
    m = _checked_composite(claim, "pull_back")
    (part,) = m.parts
    if (
        part.relation != claim.relation
        or claim.relation not in ("ahdp", "add-remove")
        or m.domain is None
    ):
        raise Rejected("only a claim about adding records can be pulled back")
    check_limits_kept(m)
    kinds = move_kinds(replace(claim, relation="ahdp", level=ZERO))
    moved = [(p, _mapped_record(m, p)) for p in kinds]
    sides = [
        side
        for p, bound in moved
        for side in _level_conditions(claim, (p,), partial(_level_at_record, part, bound))
    ]
    place = {p.text: bound for p, bound in moved}

    def lost(p: MoveKind) -> Expression:
        of_delta = replace(part, level=part.delta)
        return _level_at_record(of_delta, place[p.text], p) if p.text in place else part.delta

    return RuleConditions((part,), (*sides, *_delta_condition(claim, lost)))


def _mapped_record(m: Composite, p: MoveKind) -> dict[str, Expression]:
    """The record to which the record of a move is mapped; Rejected unless that is a record of the
    part's domain.
    """
    old = m.parts[0].mechanism.inputs
    if not isinstance(old, Domain):
        raise Rejected("the part is not about datasets")
    bound = {key: p.part(f) for key, f in zip(old.bound, m.formulas, strict=True)}
    if old.is_universal:
        inside = all(
            _is_finite_number(bound[key], p.here) or (key == "eps" and bound[key] == oo)
            for key in old.bound
        )
        inside = inside and all(
            truth(substitute(c, bound), p.here)
            for _, condition in old.unknowns
            for c in conjuncts(condition)
        )
    else:
        inside = any(
            all(known_equal(bound[key], value, p.here) for key, value in r.bindings.items())
            for r in old.records
        )
    if not inside:
        raise Rejected(f"{p.text} does not become a record of the part's domain")
    return bound


def check_limits_kept(m: Composite) -> None:
    """Nothing if `defined` of the part, after substitution of the formulas, has the same meaning
    for a record of demand oo as for the record that it becomes.

    Rejected if a sum in it may take its limit along a formula in the demand: for 1/eps that of
    indicator(eps > 0) is 1, and at 0 it is 0.
    """
    part, new = m.parts[0].mechanism, m.domain
    if not isinstance(new, Domain) or not isinstance(part.inputs, Domain):
        raise Rejected("the part is not about datasets")
    endless = (
        contributions_at_infinite_demand(new, (), composite_context(m)) is not None
        if new.is_universal
        else any(r.demand == oo for r in new.records)
    )
    computed = {
        key
        for key, f in zip(part.inputs.bound, m.formulas, strict=True)
        if f != name("eps") and any(node == name("eps") or node == oo for node in walk(f))
    }
    bodies = [node.args[0] for node in aggregates(part.defined)]
    read = {key for body in bodies for key in names(body)}
    if (
        endless
        and computed
        and (computed & read or any(node.head == "index" for body in bodies for node in walk(body)))
    ):
        raise Rejected(f"where {part.defined} for what a record of demand oo becomes is not known")


def check_well_formed(mechanism: AnyMechanism) -> None:
    """Nothing if, wherever a part is pulled back in a tree, every record becomes one of the part's
    domain, and formulas have values; Rejected otherwise.
    """
    if not isinstance(mechanism, Composite):
        return
    if mechanism.rule == "post_process" and mechanism.formulas:
        check_formula_values(mechanism)
    if mechanism.rule == "pull_back" and isinstance(mechanism.domain, Domain):
        check_limits_kept(mechanism)
        listed = _universal_record_kinds if mechanism.domain.is_universal else _listed_record_kinds
        for p in listed(mechanism.domain, composite_context(mechanism)):
            _mapped_record(mechanism, p)
    for part in mechanism.parts:
        check_well_formed(part.mechanism)


def _is_finite_number(e: Expression, here: Context) -> bool:
    """True for a finite number; raises Undecided or the like if that is not known."""
    if any(node.head in ("label", "oo") for node in walk(e)) and e.head != "piecewise":
        return False
    normal(e, here)
    return True


def _level_at_record(part: AnyClaim, bound: Mapping[str, Expression], p: MoveKind) -> Expression:
    """The level of a part at the record that has these values."""
    alike = part.relation == "add-remove"
    return part.level if alike else value_at_bindings(part.level, bound, p.here)


def group_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """Any two datasets, joined by a path of single moves.

        each single addition of a record w has level L(w), in both directions
        a shortest path from D to D' by single moves stays where the mechanism is defined
        ---------------------------------------------------------------------------------
                  P(D) <= exp(d) P(D'), where d = sum of L(w) |h(w) - h'(w)|

    The path leads from D to what D and D' share (or to both together) and on to D', one record at a
    time.
    """
    m = _checked_composite(claim, "group")
    (part,) = m.parts
    if claim.relation != PAIRS:
        raise Rejected(
            "a group claim compares any two datasets; for single moves, claim this of its part"
        )
    if part.relation not in ("ahdp", "add-remove") or part.delta != ZERO:
        raise Rejected("a group claim rests on single additions, without delta")
    _check_connected(m.defined)
    return RuleConditions((part,), covering_conditions(claim, lambda p: p.at(part.level)))


def _check_connected(defined: Expression) -> None:
    """Nothing if any two datasets on which a mechanism is defined are joined by single moves along
    a shortest path; Rejected otherwise.
    """
    if not is_downward_closed(defined) and not is_upward_closed(defined):
        raise Rejected(
            f"two datasets with {defined} need not be joined by moves between such datasets"
        )


def _stated_premise(stated: StatedPremise | None) -> StatedPremise:
    if stated is None or not isinstance(stated, StatedPremise):
        raise Rejected("the rule needs its premise to be stated")
    return stated


def _other_premise(claim: AnyClaim, stated: StatedPremise | None) -> AnyClaim:
    """The premise that claims something else of the same mechanism."""
    said = _stated_premise(stated)
    return replace(claim, relation=said.relation, level=said.level, delta=said.delta)


def weaken_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """A level, and a delta, that is nowhere smaller.

    P <= exp(L) Q      L <= L'
    --------------------------
         P <= exp(L') Q
    """
    before = _other_premise(claim, stated)
    if before.relation != claim.relation:
        raise Rejected("weakening keeps the relation")
    return RuleConditions(
        (before,),
        covering_conditions(claim, lambda p: p.at(before.level), lambda p: p.at(before.delta)),
    )


def to_ahdp_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """One level for all records is a level for each.

    add-remove privacy at level L
    -----------------------------
    AHDP at the constant level L
    """
    before = _other_premise(claim, stated)
    if (before.relation, claim.relation) != ("add-remove", "ahdp"):
        raise Rejected("this rule derives ahdp from add-remove")
    return RuleConditions(
        (before,), covering_conditions(claim, lambda p: before.level, lambda p: before.delta)
    )


def to_swap_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """A swap is a removal and an addition: from D with x to D without it, and on to D with y.

    x has level L(x), y has level L(y), in both directions
    ------------------------------------------------------
        replacing x by y has level L(x) + L(y)
    """
    before = _other_premise(claim, stated)
    if (
        before.relation not in ("add-remove", "ahdp")
        or claim.relation != "swap"
        or before.delta != ZERO
    ):
        raise Rejected("this rule derives swap from add-remove or ahdp, without delta")
    _check_connected(claim.mechanism.defined)
    here, level = composite_context(claim.mechanism), claim.level
    slack, inputs = _delta_condition(claim, lambda p: ZERO), claim.mechanism.inputs
    pairs = [("every swap", [before.level] * 2)]
    if before.relation == "ahdp":
        if isinstance(inputs, Domain) and inputs.is_universal:
            raise Rejected("a swap in a universal domain needs the same level for all records")
        both = itertools.combinations(list(move_kinds(before)), 2)
        pairs = [(f"{p.text} and {q.text}", [k.at(before.level) for k in (p, q)]) for p, q in both]
    spent = ((text, _total_level(levels)) for text, levels in pairs)
    sides = [s for text, sum_ in spent for s in _level_condition(text, here, level, sum_)]
    once = {s.level: s for s in reversed(sides)}
    return RuleConditions((before,), (*(s for s in sides if once[s.level] is s), *slack))


def written_out_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """A composite and the mechanism whose density is its distribution are the same mechanism.

    the mechanism with the distribution of M as one expression has the claim
    ------------------------------------------------------------------------
                           M has the claim
    """
    if not isinstance(claim.mechanism, Composite) or claim.relation == PAIRS:
        raise Rejected(
            "the distribution of a composite is written as one expression, for moves of single "
            "records"
        )
    check_well_formed(claim.mechanism)
    same_law = explicit_claim(claim)
    if same_law.mechanism.defined != claim.mechanism.defined:
        raise Rejected(
            f"the distribution is one expression where {same_law.mechanism.defined} only"
        )
    return RuleConditions((same_law,), ())


def interchangeable_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """A few values stand for all, see `ahdp_verify.kernel.rules.interchangeable`.

    the claim holds for the mechanism with fewer values
    ---------------------------------------------------
                    the claim holds
    """
    if not isinstance(claim, Claim):
        raise Rejected("the rule is about a mechanism given by its density")
    return RuleConditions((with_fewer_values(claim),), ())


def open_level_rule(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    """One of many levels, see `ahdp_verify.kernel.rules.open_level`.

    at every level L that satisfies c(L) the claim holds with delta d(L)      c(l)      d(l) <= d
    ---------------------------------------------------------------------------------------------
                              the claim holds at level l with delta d
    """
    if not isinstance(claim, Claim):
        raise Rejected("the rule is about a mechanism given by its density")
    before = _stated_premise(stated)
    premise = claim_at_open_level(claim, before)
    return RuleConditions(
        (premise,), _delta_condition(claim, lambda p: delta_at_level(claim, before))
    )


def _not_of_levels(claim: AnyClaim, stated: StatedPremise | None) -> RuleConditions:
    raise Rejected("this rule is about a notion")


CONVERTED = ("pure_to_zcdp", "gdp_to_zcdp", "zcdp_to_renyi", "zcdp_to_delta", "gdp_to_delta")
OF_NOTIONS = (*CONVERTED, "scores_to_zcdp")  # see `ahdp_verify.kernel.rules.notions`
FOR_STATED = ("weaken", "to_ahdp", "to_swap", "open_level", *CONVERTED)


@dataclass(frozen=True, slots=True)
class CompositionRule:
    """A composition rule: its function, its version, and where it comes from."""

    rule: Callable[[AnyClaim, StatedPremise | None], RuleConditions]
    source: str
    version: int = 1


COMPOSITION_RULES: dict[str, CompositionRule] = {
    "assumed": CompositionRule(assumed_rule, "the assumption"),
    "compose": CompositionRule(compose_rule, "prop:BC, def:newDP(B)"),
    "product": CompositionRule(product_rule, "prop:BC for independent mechanisms"),
    "post_process": CompositionRule(post_process_rule, "prop:pp"),
    "subsample": CompositionRule(subsample_rule, "Sec. Sample Mechanism: Proof of Privacy"),
    "mixture": CompositionRule(mixture_rule, "convexity of the bound"),
    "normalised": CompositionRule(normalised_rule, "McSherry and Talwar 2007"),
    "pull_back": CompositionRule(
        pull_back_rule, "def:newDP(C), restriction of W and projection to values"
    ),
    "group": CompositionRule(group_rule, "def:newDP(A), eq:altDP-def"),
    "weaken": CompositionRule(weaken_rule, "monotonicity of exp"),
    "open_level": CompositionRule(open_level_rule, "a parameter is any number that it may be"),
    "to_ahdp": CompositionRule(to_ahdp_rule, "ex:ahdp, ex:ahdp-via-homo"),
    "written_out": CompositionRule(written_out_rule, "definition"),
    "interchangeable": CompositionRule(interchangeable_rule, "symmetry of the values"),
    "to_swap": CompositionRule(to_swap_rule, "Sec. 2, add-remove eps gives swap 2 eps"),
    **{rule: CompositionRule(_not_of_levels, "Bun and Steinke 2016") for rule in OF_NOTIONS},
}


CheckPremise = Callable[[AnyClaim | NotionClaim, AnyCertificate], Acceptance]
Conditions = Callable[
    [AnyClaim | NotionClaim, str, int, StatedPremise | None], RuleConditions
]  # of every rule


@dataclass(frozen=True, slots=True)
class _OpenPremise:
    """The premise of an open level, its proof, and what checks it."""

    claim: AnyClaim | NotionClaim
    proof: AnyCertificate = field(hash=False)  # one claim has few proofs, and each is long
    check: CheckPremise = field(compare=False)


@lru_cache(maxsize=8)  # the claims at several levels have one premise
def _rules_of_open_premise(premise: _OpenPremise) -> frozenset[str]:
    """The rules beyond the core that accept the premise on all inputs, with nothing to trust."""
    with noting() as used:
        if premise.check(premise.claim, premise.proof) != Acceptance():
            raise Rejected("with an open level, the premise is not shown by the checker alone")
    return frozenset(used)


def _accept_open_premise(
    claim: AnyClaim | NotionClaim, proof: AnyCertificate, check_premise: CheckPremise
) -> Acceptance:
    for rule in _rules_of_open_premise(_OpenPremise(claim, proof, check_premise)):
        rely_on(rule)
    return Acceptance()


def accept_by_rule(
    claim: object, certificate: ByRule, check_premise: CheckPremise, conditions: Conditions
) -> Acceptance:
    """Accepted, if the composition rule derives the claim from its premises, each proved on all
    inputs of its own, and its side conditions hold.
    """
    if not isinstance(claim, AnyClaim | NotionClaim):
        raise Rejected("a composition rule does not prove a claim of this kind")
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    law = conditions(claim, certificate.rule, certificate.version, certificate.stated)
    if len(law.premises) != len(certificate.premises) or len(law.sides) != len(
        certificate.evidence
    ):
        raise Rejected(
            f"{certificate.rule} asks for {len(law.premises)} premises and {len(law.sides)} side "
            f"conditions"
        )
    rely_on("the composition rules")
    if certificate.rule == "written_out":
        rely_on("the joint-distribution rule")
    trusts: set[str] = set()
    if certificate.rule == "open_level":
        check_premise = partial(_accept_open_premise, check_premise=check_premise)
    for premise, proof in zip(law.premises, certificate.premises, strict=True):
        shown = check_premise(premise, proof)
        if shown.size is not None and isinstance(premise.mechanism.inputs, Domain):
            raise Rejected(f"a premise is shown for datasets of at most {shown.size} records only")
        trusts.update(shown.trusts)
    for side, evidence in zip(law.sides, certificate.evidence, strict=True):
        check_cases(
            evidence, side.here, inequality_check(side.dominated, side.dominating, side.level)
        )
    return Acceptance(None, tuple(sorted(trusts)))
