"""Section 1: whether a claim compares anything, and for which inputs it is shown."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from recheck.applied import AppliedClaim
from recheck.claims import Claim
from recheck.evidence import Evidence, descend, many, maybe, one_of, truth_value, whole
from recheck.forms import constant_sign
from recheck.inequalities import InequalityClaim, values_of
from recheck.inputs import finite_level, need_small, read_setting
from recheck.limits import Rejected, need
from recheck.moves import frame, moves, state_context
from recheck.optima import Best, Guess
from recheck.places import Output
from recheck.programs import ProgramClaim
from recheck.rules import to_json
from recheck.shapes import Named, fields
from recheck.signs import Context, assume, known_truth, polynomial, truth
from recheck.trees import Tree, at_most, boolean, conjuncts, is_true, make, number, read, rebuild
from recheck.vectors import VectorClaim
from recheck.written import At, put_in

Said = Claim | InequalityClaim | VectorClaim | AppliedClaim | Best | Guess | ProgramClaim
SOMETHING, NOTHING, NOT_FOUND = "something", "nothing", "not found"


def compared_by(said: Said, data: Any, size: int | None) -> str:
    """Whether the claim is shown to compare something, nothing, or neither is shown."""
    if data is None:
        return NOT_FOUND
    need(isinstance(data, dict), "`compared` is of unknown form")
    if "before" in data and isinstance(said, Claim):
        require_pair(said, data, size)
        return SOMETHING
    if "values" in data and not isinstance(said, Claim):
        (values,) = fields(data, "values", "what is compared")
        at = values_of(unknowns_of(said), values)
        if isinstance(said, ProgramClaim):
            said.need_demands(Context(values={n: Context().form(v) for n, v in at.items()}))
        return SOMETHING
    require_nothing(said, data, size)
    return NOTHING


def unknowns_of(
    said: InequalityClaim | VectorClaim | AppliedClaim | Best | Guess | ProgramClaim,
) -> Named:
    return [] if isinstance(said, Guess) else said.unknowns


def require_pair(claim: Claim, data: Any, size: int | None) -> None:
    """Raises unless a move of finite level leads from one input to the other."""
    before, after, instances, parameters = fields(
        data, "before after instances parameters", "what is compared"
    )
    s = read_setting(claim, parameters, instances, before, after)
    for side in (s.before, s.after):
        defined = put_in(claim.defined, claim, At(s.here, s.records, side))
        need(truth(defined, s.here), "the mechanism is not defined at what is compared")
    finite_level(s)
    for one, two in itertools.combinations(s.records, 2) if claim.unknowns else ():
        need(any(differ(one[k], two[k]) for k in one), "two given records may be equal")
    if size is not None:
        need_small(s, size)


def differ(a: Tree, b: Tree) -> bool:
    """True only if two constants are known to differ."""
    if a.head == "oo" or b.head == "oo":
        return a is not b
    return constant_sign(Context().form(a) - Context().form(b)) in (1, -1)


# that nothing is compared


def require_nothing(said: Said, data: Any, size: int | None) -> None:
    """the facts of every comparison contradict each other, or one of its conditions does not hold
    ----------------------------------------------------------------------------------------------
    nothing is compared
    """
    counts, evidence, uses = fields(data, "counts evidence uses", "what is compared")
    counts = truth_value(counts)
    pieces = many(one_of("closed", "case split"))(evidence)
    places = many(maybe(whole))(uses)
    if isinstance(said, Guess):
        raise Rejected("a best test is never vacuous")
    found = list(comparisons(said, counts, size))
    need(len(found) == len(places), f"{len(found)} comparisons are possible")
    for (here, conditions), place in zip(found, places, strict=True):
        if place is None:
            known = [known_truth(c, here, Rejected) for c in conditions]
            broken = False in known or here.contradicts_itself()
            need(broken, "no condition of a comparison is known to fail")
        else:
            need(0 <= place < len(pieces), "there is no evidence with this index")
            descend(pieces[place], here, refuse)


def refuse(leaf: Evidence, here: Context) -> None:
    raise Rejected("a comparison is not shown to be impossible")


def comparisons(
    said: Claim | InequalityClaim | VectorClaim | AppliedClaim | Best | ProgramClaim,
    counts: bool,
    size: int | None,
) -> Iterator[tuple[Context, Sequence[Tree]]]:
    """(the facts, the conditions from which they come) of each comparison of the claim."""
    if not isinstance(said, Claim):
        need(not counts, "`counts` without records")
        conditions = [c for _, c in said.unknowns]
        yield assume(conditions, Context()), conditions
        return
    twin = without_law(said, size)
    f = frame(twin, counts)
    parameters = [c for _, c in twin.parameters]
    for m in moves(twin, f):
        here = state_context(twin, f, m.conditions, m.before, m.after)
        defined = [rebuild(twin.defined, nodes.get) for nodes in (m.before, m.after)]
        conditions = [*parameters, *m.conditions, *defined]
        if m.differences is None:
            yield here, conditions
        for d in m.differences or ():
            gap = here.form(d)
            for way in (gap, -gap):
                yield here.given(polynomial(way, here), ">"), conditions


def without_law(claim: Claim, size: int | None) -> Claim:
    """The same claim about a mechanism with the same inputs and a single outcome."""
    twin = copy.copy(claim)
    twin.rule, twin.parts, twin.formulas, twin.atoms = "", [], [], []
    twin.density, twin.outputs = number(1), [Output("@", "finite", (number(0),))]
    twin.relation = "ahdp" if claim.relation == "pairs" else claim.relation
    twin.base = assume([c for _, c in claim.parameters], Context())
    if size is not None:
        small = at_most(make("sum", number(1)), number(size))
        twin.defined = small if is_true(claim.defined) else make("and", claim.defined, small)
    return twin


# the scope


def require_scope(said: Said, scope: Any, size: int | None, compared: str) -> None:
    """Raises unless the scope is that of the claim."""
    wanted = "inputs conditions defined size compared"
    inputs, conditions, defined, most, found = fields(scope, wanted, "the scope")
    need(inputs == inputs_of(said), "its scope has other inputs")
    need(conditions == [to_json(c) for c in conditions_of(said)], "its scope has other conditions")
    need(found == compared, "its scope disagrees with `compared`")
    records = isinstance(said, Claim) and bool(said.bound)
    limit = size if records else None
    need(type(most) is type(limit) and most == limit, "its scope has another size")
    mine = said.defined if isinstance(said, Claim) else boolean(True)
    need(parts(read(defined)) == parts(mine), "its scope has another `defined`")


def parts(condition: Tree) -> set[Tree]:
    return {c for c in conjuncts(condition) if not is_true(c)}


def inputs_of(said: Said) -> str:
    if isinstance(said, InequalityClaim | VectorClaim | AppliedClaim):
        return "unknowns" if isinstance(said, InequalityClaim) else "vectors"
    if isinstance(said, Guess):
        return "tests of the listed inputs"
    if isinstance(said, ProgramClaim):
        if said.records:
            return "datasets"
        if said.count is not None:
            return "query answers"
        return "any number of answers" if said.is_contest else "any number of queries"
    if isinstance(said, Best):
        if not said.everywhere:
            return "mechanisms on the listed datasets"
        one = " of one size" if said.relation == "swap" else ""
        return f"mechanisms on all datasets{one}"
    if said.relation == "pairs":
        return "pairs of datasets"
    of_values = said.values or said.region
    return "datasets" if said.bound else "values" if of_values else "query answers"


def conditions_of(said: Said) -> list[Tree]:
    if isinstance(said, Guess):
        return said.conditions
    named = said.parameters if isinstance(said, Claim) else said.unknowns
    return [c for _, c in named if not is_true(c)]
