"""What a proof covers, whether it compares anything, what the output depends on, and which
mechanisms a refutation is about.

The right answers are derived by hand: which neighbouring inputs satisfy the conditions, which
quantities a density mentions, and at which datasets a density has total 1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ahdp_verify.canonical_json as jsonfile
import ahdp_verify.display.notebook  # noqa: F401 - verdicts get their pictures
from ahdp_verify.canonical_json import SEAL, seal
from ahdp_verify.explanation import explain
from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import CaseSplit, InequalityLeaf
from ahdp_verify.kernel.evidence.counterexample import Total
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.compared import (
    Compared,
    ComparedPair,
    ComparedValues,
    NothingCompared,
    check_compared,
)
from ahdp_verify.kernel.rules.influence import NONE, SIZE, VALUES, influence
from ahdp_verify.kernel.terms.expression import name, number
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.compared_inputs import find_compared_inputs
from ahdp_verify.search.verify import verify
from ahdp_verify.testing.assertions import NotProved, assert_proved
from tests.earlier_formats import in_this_format

SHARED = Path(__file__).resolve().parents[4] / "shared" / "corpus"
REAL = [{"name": "s", "kind": "real"}]
BIT = [{"name": "y", "kind": "finite", "values": ["0", "1"]}]
BITS = {"records": [["0", "1"], ["1", "1"]]}
NOISY = "exp(-abs(s - sum(x)))/2"
COIN = "1/2"


def claim_of(domain: dict[str, Any], law: str, relation: str, level: str, **more: Any) -> AnyClaim:
    """The claim of a mechanism file."""
    rest = {key: more.pop(key) for key in ("defined", "atoms") if key in more}
    said = {"relation": relation, "level": level, "public": more.pop("public", [])}
    if not said["public"]:
        del said["public"]
    mechanism = {"outputs": more.pop("outputs", REAL), "density": law, **rest}
    return read_mechanism_file(
        {"format": 2, "domain": domain, "mechanism": mechanism, "claim": [said], **more}, "M"
    ).claims[0]


def of_values(defined: str, *values: str) -> AnyClaim:
    return claim_of({"values": list(values)}, COIN, "any", "0", outputs=BIT, defined=defined)


def of_answers(n: str, relation: str, defined: str) -> AnyClaim:
    return claim_of({"queries": n}, "exp(-abs(s - q[1]))/2", relation, "1", defined=defined)


def of_bits(relation: str, level: str, defined: str) -> AnyClaim:
    return claim_of(BITS, NOISY, relation, level, defined=defined)


ONE_VALUE = {"universal": True, "unknowns": {"x": "x == 1"}}
NO_VALUE = {"universal": True, "unknowns": {"x": "x > 1 and x < 0"}}
COUPLED = {"records": [["0", "1"], ["1", "2"]]}
PUBLIC = {"records": [[["0", "1"], "1"], [["1", "2"], "1"]]}
SCALED = "exp(-abs(s - sum(x))/e)/(2*e)"

VACUOUS = {
    "no record has the demand of another": lambda: claim_of(COUPLED, NOISY, "hdp", "eps"),
    "no record has the public part of another": lambda: claim_of(
        PUBLIC, "exp(-abs(s - sum(x[1])))/2", "hdp", "eps", public=["x[2]"]
    ),
    "every level is oo": lambda: claim_of(BITS, NOISY, "ahdp", "oo"),
    "every demand is oo": lambda: claim_of(
        {"records": [["0", "oo"], ["1", "oo"]]}, NOISY, "ahdp", "eps"
    ),
    "no parameter is positive and negative": lambda: claim_of(
        BITS, SCALED, "ahdp", "1/e", parameters={"e": "e > 0 and e < 0"}
    ),
    "two parameters contradict each other": lambda: claim_of(
        BITS, SCALED, "ahdp", "1/e", parameters={"e": "e > 0", "f": "f > e and f < e/2"}
    ),
    "one size has no additions": lambda: of_bits("ahdp", "1/10", "size == 3"),
    "no size is a half": lambda: of_bits("swap", "1/10", "size == 1/2"),
    "an addition changes the parity": lambda: of_bits("ahdp", "1/10", "mod(size, 2) == 0"),
    "an addition changes the balance": lambda: of_bits(
        "ahdp", "1/10", "count(x == 0) == count(x == 1)"
    ),
    "no record satisfies the domain": lambda: claim_of(
        NO_VALUE, "exp(-abs(s - size))/2", "ahdp", "1"
    ),
    "a record of one value and demand stays itself": lambda: claim_of(
        ONE_VALUE, "exp(-abs(s - sum(x)))/2", "hdp", "0"
    ),
    "one answer cannot move": lambda: of_answers("1", "one", "q[1] == 0"),
    "falling answers have a falling sum": lambda: of_answers("2", "decreasing", "q[1] + q[2] == 7"),
    "one value has no other": lambda: of_values("v == 1", "0", "1"),
    "one label has no other": lambda: of_values('v == "a"', "a", "b", "c"),
}

SOMETHING = {
    "records of equal demand": lambda: claim_of(BITS, NOISY, "hdp", "eps"),
    "one size has replacements": lambda: of_bits("swap", "1", "size == 3"),
    "large datasets": lambda: of_bits("ahdp", "1", "size >= 5000"),
    "a sum and a size": lambda: of_bits("ahdp", "1", "sum(x) >= 7 and size >= 20"),
    "the other record is added": lambda: of_bits("ahdp", "1", "count(x == 0) == 2"),
    "an unknown that another fixes": lambda: claim_of(
        {"universal": True, "unknowns": {"x": "0 <= x <= 1", "y": "y == 3*x + 1/7"}},
        NOISY,
        "ahdp",
        "1",
    ),
    "a parameter that another fixes": lambda: claim_of(
        BITS, SCALED, "ahdp", "1/e", parameters={"g": "g > 5", "e": "e == g/7 + 1/3"}
    ),
    "an interval of answers": lambda: of_answers("1", "one", "0 <= q[1] <= 1"),
    "a short interval far out": lambda: of_answers("1", "one", "1000 <= q[1] <= 1000 + 1/100"),
    "answers that move against each other": lambda: of_answers("2", "all", "q[1] + q[2] == 7"),
    "another answer moves": lambda: of_answers("2", "one", "q[1] == 0"),
    "two of three values": lambda: of_values("v <= 1", "0", "1", "2"),
}


@pytest.mark.parametrize("case", VACUOUS)
def test_that_nothing_is_compared_is_shown(case: str) -> None:
    claim = VACUOUS[case]()
    found = find_compared_inputs(claim)
    assert isinstance(found, NothingCompared)
    check_compared(claim, None, found)
    assert from_stored(Compared | None, to_stored(found)) == found


@pytest.mark.parametrize("case", SOMETHING)
def test_two_inputs_that_are_compared_are_shown(case: str) -> None:
    claim = SOMETHING[case]()
    found = find_compared_inputs(claim)
    assert isinstance(found, ComparedPair)
    check_compared(claim, None, found)
    assert from_stored(Compared | None, to_stored(found)) == found


@pytest.mark.parametrize(
    "case",
    [
        "one answer cannot move",
        "one size has no additions",
        "no parameter is positive and negative",
    ],
)
def test_a_vacuous_proof_says_so(case: str, tmp_path: Path) -> None:
    found = verify(VACUOUS[case]())
    assert isinstance(found, Proved) and found.vacuous and found.outcome == "vacuous"
    assert str(found).startswith(
        "Proved, vacuously: M is "
    ) and "; nothing is compared: no two neighbouring " in str(found)
    assert (
        "Proved, vacuously" in found._repr_html_() and "Proved, vacuously" in found._repr_latex_()
    )
    assert "The proof is vacuous: nothing is compared" in explain(found).text
    record = found.to_json()
    assert record["scope"]["compared"] == "nothing" and set(record["compared"]) == {
        "counts",
        "evidence",
        "uses",
    }
    found.save(tmp_path / "a.json")
    assert recheck(tmp_path / "a.json").to_json() == found.to_json()


def test_a_test_suite_is_reported() -> None:
    claim = VACUOUS["one value has no other"]()
    with pytest.raises(
        NotProved,
        match="it says nothing: nothing is compared: no two neighbouring values satisfy v == 1",
    ):
        assert_proved(claim)
    assert assert_proved(claim, vacuous=True).vacuous


def test_what_was_not_found_out_is_reported_and_counts_as_vacuous() -> None:
    """Digits of multiples of pi at two sizes in a row: there may be such sizes, and nobody here
    finds one or shows that there is none.
    """
    claim = of_bits("ahdp", "1", "mod(floor(size*pi*1000000), 1000) == 1")
    assert find_compared_inputs(claim) is None
    certificate = verify(of_bits("ahdp", "1", "size >= 0")).certificate  # type: ignore[union-attr]
    said = check(of_bits("ahdp", "1", "size >= 0"), certificate)
    assert said.vacuous and "no two inputs to which it applies were found" in str(said)


def test_statements_and_their_unknowns() -> None:
    empty = Inequality.of({"x": "x > 1 and x < 0"}, "x", "<=", "0")
    found = verify(empty)
    assert isinstance(found, Proved) and found.outcome == "vacuous"
    assert "nothing is compared: no values of the unknowns satisfy 1 < x and x < 0" in str(found)
    full = verify(Inequality.of({"x": "x > 1", "y": "y == 2*x"}, "x", "<=", "y"))
    assert (
        isinstance(full, Proved)
        and full.outcome == "proved"
        and isinstance(full.compared, ComparedValues)
    )
    assert full.scope_text == "all values of its unknowns, 1 < x, y == 2*x"


def test_a_size_is_part_of_what_is_compared() -> None:
    claim = of_bits("ahdp", "1", "size >= 5")
    small, larger = find_compared_inputs(claim, 5), find_compared_inputs(claim, 6)
    assert isinstance(small, NothingCompared) and isinstance(
        larger, ComparedPair
    )  # five records and six are the smallest neighbours
    with pytest.raises(Rejected, match="not defined there"):
        check_compared(claim, 5, larger)


# what the checker does not accept


def pair(claim: AnyClaim, before: tuple[int, ...], after: tuple[int, ...], **more: Any) -> None:
    check_compared(
        claim,
        None,
        ComparedPair(
            more.get("parameters", ()),
            more.get("instances", ()),
            tuple(map(number, before)),
            tuple(map(number, after)),
        ),
    )


def test_two_inputs_are_compared_only_where_the_claim_applies() -> None:
    pair(of_bits("swap", "1", "size == 3"), (3, 0), (2, 1))
    for claim, before, after, said in (
        (of_bits("swap", "1", "size == 3"), (2, 0), (1, 1), "not defined there"),
        (of_bits("swap", "1", "size == 3"), (3, 0), (3, 0), "do not differ by one replacement"),
        (of_bits("ahdp", "oo", "size >= 0"), (0, 0), (1, 0), "have level oo"),
        (of_answers("1", "one", "q[1] == 0"), (0,), (0,), "are not neighbouring \\(one\\)"),
        (of_answers("1", "one", "q[1] == 0"), (0,), (1,), "not defined there"),
        (of_values("v == 1", "0", "1"), (1,), (0,), "not defined there"),
        (of_values("v == 1", "0", "1"), (1,), (1,), "the same"),
        (claim_of(COUPLED, NOISY, "hdp", "eps"), (1, 0), (0, 1), "another demand"),
    ):
        with pytest.raises(Rejected, match=said):
            pair(claim, before, after)


def test_parameters_and_records_satisfy_their_conditions_and_differ() -> None:
    scaled = claim_of(BITS, SCALED, "ahdp", "1/e", parameters={"e": "e > 0"})
    pair(scaled, (0, 0), (1, 0), parameters=(("e", number(1)),))
    with pytest.raises(Rejected, match="does not hold"):
        pair(scaled, (0, 0), (1, 0), parameters=(("e", number(-1)),))
    with pytest.raises(Rejected, match="not those of the mechanism"):
        pair(scaled, (0, 0), (1, 0))
    one = claim_of(ONE_VALUE, "exp(-abs(s - sum(x)))/2", "swap", "0")
    same = (("eps", number(1)), ("x", number(1)))
    with pytest.raises(Rejected, match="may be equal"):
        pair(one, (1, 0), (0, 1), instances=(same, same))
    pair(one, (1, 0), (0, 1), instances=(same, (("eps", number(2)), ("x", number(1)))))


def test_two_records_of_one_value_differ_in_their_demands() -> None:
    """A swap may change the demand, so that a domain of one value has two records; with demands
    kept it has one.
    """
    assert isinstance(
        find_compared_inputs(claim_of(ONE_VALUE, "exp(-abs(s - sum(x)))/2", "swap", "0")),
        ComparedPair,
    )
    assert isinstance(
        find_compared_inputs(claim_of(ONE_VALUE, "exp(-abs(s - sum(x)))/2", "hdp", "0")),
        NothingCompared,
    )


NEVER = InequalityLeaf((), "never", ())


def test_nothing_is_said_to_be_compared_only_where_that_is_shown() -> None:
    some, fixed = of_bits("ahdp", "1", "size >= 0"), of_answers("1", "one", "q[1] == 0")
    right = find_compared_inputs(fixed)
    assert (
        isinstance(right, NothingCompared) and len(right.evidence) == 1 and right.uses == (0, 0)
    )  # up, and down
    halves = ("<", ">=")
    for claim, shown, said in (
        (some, NothingCompared(False, (), ()), "comparisons, and 0 are claimed"),
        (some, NothingCompared(False, (NEVER,), (0,)), "not shown to be empty"),
        (some, NothingCompared(False, (), (None,)), "may hold"),
        (fixed, NothingCompared(False, right.evidence, (0,)), "comparisons, and 1 are claimed"),
        (fixed, NothingCompared(False, (), right.uses), "has no evidence"),
        (fixed, NothingCompared(False, right.evidence, (0, True)), "has no evidence"),
        (
            fixed,
            NothingCompared(False, (*right.evidence, NEVER), right.uses),
            "evidence without a comparison",
        ),
        (
            fixed,
            NothingCompared(False, (InequalityLeaf((), "log", ()),), right.uses),
            "not shown to contradict",
        ),
        (fixed, NothingCompared(0, right.evidence, right.uses), "does not fit"),  # type: ignore[arg-type]
        (
            some,
            NothingCompared(
                False, (CaseSplit((), name("@1"), tuple((r, NEVER) for r in halves)),), (0,)
            ),
            "not shown to be empty",
        ),
        (fixed, ComparedValues(()), "compares two inputs"),
    ):
        with pytest.raises(Rejected, match=said):
            check_compared(claim, None, shown)
    split = CaseSplit((), name("q[1]"), tuple((r, right.evidence[0]) for r in halves))
    check_compared(fixed, None, NothingCompared(False, (split,), right.uses))


def test_values_of_unknowns_satisfy_their_conditions() -> None:
    claim = Inequality.of({"x": "x > 1"}, "x", ">=", "0")
    check_compared(claim, None, ComparedValues((("x", number(2)),)))
    for values, said in (
        ((("x", number(1)),), "does not hold"),
        ((), "not those"),
        ((("y", number(2)),), "not those"),
    ):
        with pytest.raises(Rejected, match=said):
            check_compared(claim, None, ComparedValues(values))
    with pytest.raises(Rejected, match="values of its unknowns"):
        check_compared(claim, None, ComparedPair((), (), (), ()))


# records


def stored(claim: AnyClaim) -> dict[str, Any]:
    record: dict[str, Any] = verify(claim).to_json()
    return record


def put(path: Path, record: dict[str, Any], **changes: Any) -> Path:
    jsonfile.write_json(
        seal({key: value for key, value in (record | changes).items() if key != SEAL}), path
    )
    return path


def test_a_scope_that_says_more_or_other_than_was_assumed_is_rejected(tmp_path: Path) -> None:
    record = stored(of_answers("1", "one", "0 <= q[1] <= 1"))
    recheck(put(tmp_path / "a.json", record))
    for changes in (
        {"defined": ["boolean", True]},
        {"inputs": "datasets"},
        {"size": 3},
        {"compared": "nothing"},
        {"conditions": [["<", "0", "1"]]},
        {"more": 1},
    ):
        with pytest.raises(Rejected, match="scope"):
            recheck(put(tmp_path / "a.json", record, scope=record["scope"] | changes))
    outside = record["compared"] | {"after": [{"e": "-1"}], "before": [{"e": "0"}]}
    with pytest.raises(Rejected, match="not defined there"):
        recheck(put(tmp_path / "a.json", record, compared=outside))
    with pytest.raises(Rejected, match="scope"):
        recheck(put(tmp_path / "a.json", record, compared=None))


def test_the_versions_are_not_believed_and_do_not_matter(tmp_path: Path) -> None:
    record = stored(of_answers("1", "one", "0 <= q[1] <= 1"))
    other = dict.fromkeys(record["made_by"], "99.1")
    assert recheck(put(tmp_path / "a.json", record, made_by=other)) == recheck(
        put(tmp_path / "b.json", record)
    )
    with pytest.raises(BadInput, match="versions"):
        recheck(put(tmp_path / "a.json", record, made_by=other | {"flint": "three four"}))


def test_names_among_the_trusts_are_checked(tmp_path: Path) -> None:
    claim = of_bits("ahdp", "1", "size >= 0")
    record: dict[str, Any] = verify(claim, size=3).to_json()
    for k in (2, 3):
        recheck(put(tmp_path / "a.json", record, trusts=[f"other.json (up to {k} records)"]))
    for trusts in (
        ["nobody"],
        ["other.json (up to 4 records)"],
        ["other.json (up to 0 records)"],
        ["a (up to 1 records)", "b (up to 1 records)"],
        [1],
    ):
        with pytest.raises(Rejected, match="trusts"):
            recheck(put(tmp_path / "a.json", record, trusts=trusts))


# influence

INFLUENCE = {
    "the records are not mentioned": (BITS, "exp(-abs(s))/2", NONE),
    "all values are 0": ({"records": [["0", "1"], ["0", "2"]]}, NOISY, NONE),
    "a constant extreme": (BITS, "exp(-abs(s - maximum(3)))/2", NONE),
    "no record has this label": (
        {"records": [["a", "1"], ["b", "1"]]},
        'exp(-abs(s - count(x == "a" and x == "b")))/2',
        NONE,
    ),
    "the size": (BITS, "exp(-abs(s - size))/2", SIZE),
    "all squares are 1": (
        {"records": [["1", "1"], ["-1", "1"]]},
        "exp(-abs(s - sum(x^2)))/2",
        SIZE,
    ),
    "the values": (BITS, NOISY, VALUES),
    "the demands": ({"records": [["0", "1"], ["0", "2"]]}, "exp(-abs(s - sum(eps)))/2", VALUES),
    "which records there are": (
        BITS,
        "exp(-abs(s - piecewise((1, sum(x) >= 2), (0, true))))/2",
        VALUES,
    ),
    "an unknown": ({"universal": True, "unknowns": {"x": "0 <= x <= 1"}}, NOISY, VALUES),
    "the number of unknown records": (
        {"universal": True, "unknowns": {"x": "0 <= x <= 1"}},
        "exp(-abs(s - 2*size))/2",
        SIZE,
    ),
    "an answer": ({"queries": "2"}, "exp(-abs(s - q[2]))/2", VALUES),
    "no answer": ({"queries": "2"}, "exp(-abs(s))/2", NONE),
    "a value": ({"values": ["0", "1"]}, "exp(-abs(s - v))/2", VALUES),
    "no value": ({"values": ["0", "1"]}, "exp(-abs(s))/2", NONE),
}


@pytest.mark.parametrize("case", INFLUENCE)
def test_what_has_an_influence(case: str) -> None:
    domain, law, wanted = INFLUENCE[case]
    relation = "one" if "queries" in domain else "any" if "values" in domain else "ahdp"
    more = {"defined": "size >= 1"} if "maximum" in law else {}
    assert influence(claim_of(domain, law, relation, "1", **more).mechanism) == wanted


def test_the_line_says_it() -> None:
    said = "; the distribution of the output does not depend on the records; trusts"
    assert said in str(verify(claim_of(BITS, "exp(-abs(s))/2", "ahdp", "0")))
    only = (
        "; the distribution of the output depends on the number of records only, not on their "
        "values or demands; trusts"
    )
    for level in ("1", "1/2"):
        assert only in str(verify(claim_of(BITS, "exp(-abs(s - size))/2", "ahdp", level)))
    assert "the output" not in str(verify(claim_of(BITS, NOISY, "ahdp", "1")))


# refutations


LAWLESS = {
    "mass 0 at the empty dataset": (
        "(size/8)^2*exp(-size/4*(abs(a - count(x == 0)) + abs(b - count(x == 1))))",
        "at the empty dataset the total is 0",
    ),
    "mass 2 at one size": (
        f"piecewise((2, size == 3), (1, true))*{NOISY}",
        "at {3 x (0, 1)} the total is 2",
    ),
    "mass 2 at a large size": (
        f"piecewise((2, size == 100), (1, true))*{NOISY}",
        "at {100 x (0, 1)} the total is 2",
    ),
    "mass 2 beyond a size": (
        f"piecewise((2, size > 6), (1, true))*{NOISY}",
        "at {8 x (0, 1)} the total is 2",
    ),
    "negative at 5": (
        "piecewise((1/2 + size/8, y == 1), (1/2 - size/8, true))",
        "at {5 x (0, 1)}, output y = 0 the probability is -1/8",
    ),
    "negative at 11": (
        "piecewise((1/2 + size/20, y == 1), (1/2 - size/20, true))",
        "at {12 x (0, 1)}, output y = 0 the probability is -1/10",
    ),
}


@pytest.mark.parametrize("case", LAWLESS)
def test_what_is_not_a_distribution_is_not_refuted_but_named(case: str) -> None:
    law, said = LAWLESS[case]
    outputs = (
        [{"name": key, "kind": "real"} for key in "ab"]
        if "abs(a " in law
        else BIT
        if "y == 1" in law
        else REAL
    )
    with pytest.raises(BadInput) as caught:
        verify(claim_of(BITS, law, "ahdp", "1/20", outputs=outputs))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (lambda: of_bits("ahdp", "1/2", "size >= 0"), "at all datasets inside 0 <= size"),
        (lambda: claim_of(BITS, NOISY, "ahdp", "1/2"), "at all datasets"),
        (
            lambda: claim_of(BITS, SCALED, "ahdp", "1/(2*e)", parameters={"e": "e > 0"}),
            "at all datasets, 0 < e",
        ),
        (
            lambda: claim_of(
                BITS,
                "piecewise((1/2 + size/20, y == 1), (1/2 - size/20, true))",
                "ahdp",
                "0",
                outputs=BIT,
                defined="size <= 10",
            ),
            "at all datasets inside size <= 10",
        ),
        (
            lambda: claim_of(
                {"values": ["0", "1"]},
                "piecewise((3/4, y == v), (1/4, true))",
                "any",
                "1",
                outputs=BIT,
            ),
            "at all inputs",
        ),
        (
            lambda: claim_of(BITS, SCALED, "ahdp", "1/(2*e)", parameters={"e": "e != 0"}),
            "only at the two inputs of the witness",
        ),  # no law at e < 0
    ],
)
def test_a_refutation_says_of_which_mechanism_it_speaks(
    claim: Any, said: str, tmp_path: Path
) -> None:
    found = verify(claim())
    assert isinstance(found, Refuted) and f"; total probability 1 is shown {said}; " in str(found)
    assert f"otal probability 1 is shown {said}." in explain(found).text
    found.save(tmp_path / "a.json")
    assert recheck(tmp_path / "a.json").to_json() == found.to_json()


def test_the_total_beside_a_refutation_is_checked(tmp_path: Path) -> None:
    found = verify(claim_of(BITS, NOISY, "ahdp", "1/2"))
    other = verify(claim_of(BITS, SCALED, "ahdp", "1/(2*e)", parameters={"e": "e != 0"}))
    assert (
        isinstance(found, Refuted)
        and isinstance(other, Refuted)
        and found.mass is not None
        and other.mass is None
    )
    with pytest.raises(Rejected):
        refute(other.claim, other.counterexample, found.mass)
    with pytest.raises(Rejected, match="malformed"):
        refute(found.claim, found.counterexample, Total(1, found.mass.mass))  # type: ignore[arg-type]
    bare = recheck(put(tmp_path / "a.json", found.to_json(), mass=None))
    assert "is shown only at the two inputs of the witness" in str(bare)


# files whose scope was reported wrongly


needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared corpus is not here")


@needs_shared
@pytest.mark.parametrize(
    "file",
    ["forged/01-defined-queries-scope", "forged/01-defined-values-scope", "second/f7_hdp_vacuous"],
)
def test_files_whose_scope_was_reported_wrongly(file: str, tmp_path: Path) -> None:
    """Their README: 01 speaks of inputs inside `defined` only, where no two are neighbours; f7
    has no move.
    """
    (claim,) = load(in_this_format(SHARED / f"{file}.toml", tmp_path)).claims
    assert isinstance(find_compared_inputs(claim), NothingCompared)
    found = verify(claim, Limits(seconds=20))
    assert found.outcome == "vacuous" and "all inputs" not in str(found)


@needs_shared
@pytest.mark.parametrize("file", ["forged/01-queries", "forged/01-values", "robust/refuted-no-law"])
def test_records_of_format_1_are_refused_with_the_cure(file: str) -> None:
    with pytest.raises(BadInput, match="verify the claim again"):
        recheck(SHARED / f"{file}.json")
