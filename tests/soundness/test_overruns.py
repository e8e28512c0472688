"""Inputs that once hung, aborted or took all memory, and others like them: an answer or one
sentence, in a process of 4 GB.

No test measures time: a search that does not stop fails by the limit of the test run, and the
reason says which limit it was. Right answers: a level that is the maximum of |e|, ..., |e - n| plus
1, and others, is at least 1, the loss of a noisy size of scale 1; a location that moves by c at
scale 1 has loss c > 1, at the event on which the one distribution has 1/2.
"""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.decimals import scientific_decimal
from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.kernel import effort
from ahdp_verify.kernel.errors import OutOfLimits, Unsupported
from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown
from tests.earlier_formats import in_this_format
from tests.forked import forked

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
NAME, RECORDS = "e > 0", 'records = [["1", "1"]]'
ANSWERS = ("Proved", "Refuted", "Unknown", "invalid", "not checked", "ahdp-verify: ")


def ran(*arguments: str) -> tuple[int, str]:
    """Exit code and everything that is printed; neither a traceback nor an abort."""
    end = forked(*arguments, limit=limit_resources)
    said = end.stdout + end.stderr
    assert "Traceback" not in said and "internal error" not in said, (end.code, said)
    assert 0 <= end.code <= 3, (end.code, said)
    assert said.startswith(ANSWERS) or end.code == 0, said
    return end.code, said


def limit_resources() -> None:
    """What the system gives a command: 4 GB and a minute of the processor."""
    resource.setrlimit(resource.RLIMIT_AS, (4_096_000_000,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def mechanism(
    level: str = "1",
    relation: str = "add-remove",
    density: str = "exp(-abs(s - size))/2",
    domain: str = RECORDS,
    parameters: str = "",
    delta: str = "0",
    kind: str = "real",
) -> str:
    """A mechanism file."""
    return "\n".join(
        [
            "format = 2",
            "[parameters]",
            parameters,
            "[domain]",
            domain,
            "[mechanism]",
            f'outputs = [{{name = "s", kind = "{kind}"}}]',
            f"density = '{density}'",
            "[[claim]]",
            f'relation = "{relation}"',
            f'level = "{level}"',
            f'delta = "{delta}"',
        ]
    )


def verified(tmp_path: Path, text: str, seconds: str = "2") -> tuple[int, str]:
    path = tmp_path / "m.toml"
    path.write_text(text)
    return ran("verify", "--seconds", seconds, str(path))


MIXTURE = {
    "relation": "any",
    "domain": 'values = ["0", "1"]',
    "density": "exp(-abs(s))/4 + exp(-abs(s - v))/4",
}
CRASHES = {
    "a tower of exponentials as level": (mechanism("exp(exp(1000000))"), 3, "not"),
    "an underflow of balls": (
        mechanism(density="exp(-abs(s - size*exp(exp(20))))/2"),
        1,
        "in size",
    ),
    "noise far too small": (
        mechanism(density="exp(-abs(s - size)*10^300)*10^300/2"),
        1,
        "loss 1e+300 > 1",
    ),
    "whole noise far too small": (
        mechanism(density="(1 - exp(-1))/(1 + exp(-1))*exp(-abs(s - 10^50*size))", kind="integer"),
        1,
        "loss 1e+50 > 1",
    ),
    "a level without a float": (mechanism("10^9", delta="1/1000", **MIXTURE), 0, "Proved"),
    "powers of wide numbers": (
        mechanism("((e*2^4000)^64)^64", parameters=f'e = "{NAME}"'),
        3,
        "Unknown",
    ),
    "a power that is not a number here": (mechanism("(1/2)^(10^12)"), 2, "more than 4096 bits"),
    "a level a hair too low": (mechanism("1 - 1/10^300"), 1, "by 1e-300"),
}
OVERRUNS = {
    "a minimum of many sizes in a density": mechanism(
        density=f"exp(-abs(s - min({','.join(f'abs(size-{i})' for i in range(40))})))/2"
    ),
    "very many parameters": mechanism(
        parameters="\n".join(f'p{i} = "p{i} > 0"' for i in range(1000))
    ),
    "a product of sums": mechanism(
        "*".join(f"(a{i}+b{i})" for i in range(14)),
        parameters="\n".join(f'{c}{i} = "{c}{i} > 0"' for c in "ab" for i in range(14)),
    ),
    "logarithms of logarithms": mechanism(
        "log(" * 90 + "e" + "+1)" * 90 + "+1", parameters=f'e = "{NAME}"'
    ),
    "very many cases": mechanism(
        f"piecewise({', '.join(f'({i + 1}, e < {i})' for i in range(1, 400))}, (1, true))",
        parameters=f'e = "{NAME}"',
    ),
    "a steep sum": mechanism(
        "+".join(f"e^{i}" for i in range(1, 300)) + "+1", parameters=f'e = "{NAME}"'
    ),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("what", CRASHES)
def test_an_extreme_number_is_a_number_like_others(tmp_path: Path, what: str) -> None:
    text, code, part = CRASHES[what]
    found, said = verified(tmp_path, text)
    assert (found, part in said) == (code, True), said


@pytest.mark.sweep(2)
@pytest.mark.parametrize("what", OVERRUNS)
def test_long_work_ends_with_an_answer_or_the_limit(tmp_path: Path, what: str) -> None:
    code, said = verified(tmp_path, OVERRUNS[what], "0.3")
    assert code == 0 or (code == 3 and "--seconds" in said), said


def test_many_maxima_are_decided_without_their_cases(tmp_path: Path) -> None:
    level = f"max({','.join(f'abs(e-{i})' for i in range(40))}) + 1"
    path, saved = tmp_path / "m.toml", tmp_path / "m.json"
    path.write_text(mechanism(level, parameters=f'e = "{NAME}"'))
    code, said = ran("verify", "--save", str(saved), str(path))
    assert code == 0 and said.startswith("Proved")
    assert ran("recheck", str(saved))[0] == 0
    path.write_text(mechanism(level.replace("+ 1", "- 100"), parameters=f'e = "{NAME}"'))
    assert ran("verify", "--seconds", "0.3", str(path))[0] != 0  # at e = 20 this level is -80


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("max({})", {1}),
        ("-1*max({})", {-1}),
        ("min({})", {-1, 0, 1}),
        ("min({}, 0 - e)", {-1}),
        ("max(min({}), e)", {1}),
        ("min(max({}), 0 - abs(e - 3))", {-1, 0}),
    ],
)
def test_a_long_maximum_has_the_sign_of_its_arguments(text: str, signs: set[int]) -> None:
    here = Context.empty().given(symbol("e").num, ">")
    many = ",".join(f"e - abs(e - {i}) + {i % 2}*e/{i + 1}" for i in range(2, 12)) + ", e"
    assert (
        normal(parse(text.format(many)), here).num.terms
        and here.ratio_signs(normal(parse(text.format(many)), here)) <= signs
    )


def test_constants_beyond_fractions_have_signs_ends_and_decimals() -> None:
    tiny = exp_of(constant(-(10**18)))
    assert (
        constant_sign(tiny) == 1
        and constant_sign(-tiny) == -1
        and constant_sign(exp_of(-exp_of(constant(10**6)))) == 1
    )
    low, high = enclose(tiny)
    assert low == 0 < high
    assert (
        scientific_decimal(tiny, 5) == "2.2329e-434294481903251828"
    )  # -10^18/log(10), worked out with mpmath at 60 digits
    assert (
        scientific_decimal(constant(3), 5) is None
        and scientific_decimal(exp_of(constant(3)), 5) is None
    )
    with pytest.raises(Unsupported, match="65536 bits"):
        enclose(exp_of(constant(10**18)))


def test_the_arithmetic_stops_inside_one_step() -> None:
    p = sum((symbol(f"a{i}") for i in range(100)), constant(1))
    with (
        pytest.raises(
            OutOfLimits, match=r"stopped after 0\.01 s while multiplying; give --seconds"
        ),
        enforce_limits(Limits(seconds=0.01), "multiplying"),
    ):
        while True:
            p * p
    p * p  # nobody is watching any more


def test_memory_has_a_limit() -> None:
    kept = []
    with (
        pytest.raises(OutOfLimits, match="stopped after 1 MB while keeping; give --megabytes"),
        enforce_limits(Limits(megabytes=1), "keeping"),
    ):
        while True:
            kept.append(bytearray(1 << 16))
            effort.spend(effort.EVERY)


def test_the_tighter_of_two_limits_holds() -> None:
    with (
        enforce_limits(Limits(seconds=0.01), "the outer"),
        pytest.raises(OutOfLimits, match="the outer"),
        enforce_limits(Limits(seconds=1000), "the inner"),
    ):
        while True:
            effort.spend()


def test_a_verdict_says_which_limit_it_was() -> None:
    claim = {"relation": "add-remove", "level": "1"}
    table = {
        "format": 2,
        "domain": {"records": [["1", "1"]]},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": "exp(-abs(s - size))/2",
        },
        "claim": [claim],
    }
    found = verify(read_mechanism_file(table, "n").claims[0], Limits(seconds=1e-6))
    assert isinstance(found, Unknown) and any("--seconds" in d.reason for d in found.reasons)


def test_a_record_that_is_not_a_record_is_one_sentence(tmp_path: Path) -> None:
    path, saved = tmp_path / "m.toml", tmp_path / "m.json"
    path.write_text(mechanism())
    assert ran("verify", "--save", str(saved), str(path))[0] == 0
    record = json.loads(saved.read_text())
    for cases in ("one", [[]], [["<", {}]], {"<": 1}):
        record["certificate"]["evidence"][0] = {
            "cases": cases,
            "guard": {"e": "1"},
            "is": "case split",
            "lemmas": [],
        }
        jsonfile.write_json(
            jsonfile.seal({k: v for k, v in record.items() if k != jsonfile.SEAL}), saved
        )
        assert ran("recheck", str(saved))[0] in (1, 2)
    saved.write_text("[" * 100_000 + "]" * 100_000)
    assert ran("recheck", str(saved))[0] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (("power", "--demands", "1,2", "--extra", "1" + "0" * 1000), 2, "too many"),
        (("power", "--demands", "1,2,3,4,5,6", "--extra", "8", "--seconds", "0.5"), 3, "--seconds"),
        (("tradeoff", "{}", "--first", "1000000000", "--second", "1000000001"), 0, "level 1\n"),
        (("tradeoff", "{}", "--first", "1" + "0" * 400, "--second", "1"), 2, "400 digits"),
        (("sample", "{}", "--dataset", "1" + "0" * 350), 2, "10^308"),
        (
            ("sample", "{}", "--dataset", "123456789012", "--size", "1", "--seed", "1"),
            0,
            "123456789",
        ),
    ],
)
def test_other_commands_stop_and_cut_nothing(
    tmp_path: Path, arguments: tuple[str, ...], code: int, part: str
) -> None:
    path = tmp_path / "m.toml"
    path.write_text(mechanism())
    found, said = ran(*(a.format(path) for a in arguments))
    assert (found, part in said) == (code, True), said


def test_keys_and_arrays_are_bounded_before_they_are_read(tmp_path: Path) -> None:
    for text, part in (
        (".".join("a" * 5000) + " = 1", "16 parts"),
        ("x = {" + ".".join("a" * 5000) + " = 1}", "16 parts"),
        ("x = " + "[" * 40 + "]" * 40, "32 levels"),
        ("x = " + "{a = " * 40 + "1" + "}" * 40, "32 levels"),
    ):
        code, said = verified(tmp_path, text)
        assert code == 2 and part in said
    dots = f'name = "{".".join("a" * 100)}" # {".".join("b" * 100)}\n'
    assert verified(tmp_path, mechanism().replace("format = 2\n", f"format = 2\n{dots}"))[0] == 0


@pytest.mark.skipif(not CORPUS.exists(), reason="the shared inputs are not here")
@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("robust/abort-tiny-probability.toml", (1,)),
        ("robust/abort-incomes.toml", (1,)),
        ("robust/hang-tiny-probability.toml", (1,)),
        ("robust/hang-exponent.toml", (3,)),
        ("robust/hang-exponent-2.toml", (1, 3)),
        ("robust/hang-max-abs-20.toml", (0,)),
        ("robust/memory-max-abs-40.toml", (0,)),
        ("robust/memory-minmax-30.toml", (0, 3)),
        ("robust/memory-dotted-key.toml", (2,)),
        ("robust/slow-records-4000.toml", (0, 3)),
        ("robust/slow-parameters-400.toml", (0, 3)),
        ("robust/slow-rr-1500.toml", (0, 3)),
        ("forged/02-crash-huge-level.toml", (0,)),
        ("forged/12-limit-overrun.toml", (0, 1, 3)),
        ("second/p2-33-min-60-states-numeric.toml", (0, 3)),
    ],
)
def test_the_inputs_of_the_corpus_end_as_they_should(
    name: str, codes: tuple[int, ...], tmp_path: Path
) -> None:
    file = in_this_format(CORPUS / name, tmp_path)
    assert ran("verify", "--seconds", "1", str(file))[0] in codes
