"""Random mechanisms with finitely many outputs: tables, responses, normalised and withheld
counts.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from fuzz.generate.ingredients import SCALES, Made, records


def table(rng: Random) -> Made:
    """The local model: a table of probabilities, zeros and ties among them."""
    n, m = rng.choice((2, 2, 3, 4)), rng.choice((2, 2, 3, 4))
    rows = [weights(rng, m) for _ in range(n)]
    if rng.random() < 0.15:
        rows[1] = rows[0]
    inputs, outputs = names_of(rng, n), names_of(rng, m)
    data = {
        "domain": {"values": inputs},
        "mechanism": {
            "outputs": [{"name": "r", "kind": "finite", "values": outputs}],
            "density": table_text(inputs, outputs, rows),
        },
    }
    ratios = [a / b for x in rows for y in rows for a, b in zip(x, y, strict=True) if b and a]
    infinite = any(a and not b for x in rows for y in rows for a, b in zip(x, y, strict=True))
    levels = ["oo"] if infinite else []
    levels += [f"log({max(ratios)})"]
    if not infinite and rng.random() < 0.3:
        levels = [pairs_level(inputs, rows)]
    return Made(data, {"any": levels}, ("any",), finite=True)


def weights(rng: Random, m: int) -> list[Fraction]:
    most = rng.choice((3, 9, 60))
    w = [rng.randint(0 if rng.random() < 0.2 else 1, most) for _ in range(m)]
    if not sum(w):
        w[0] = 1
    return [Fraction(x, sum(w)) for x in w]


def names_of(rng: Random, n: int) -> list[str]:
    pool = rng.choice(
        (
            ("0", "1", "2", "3"),
            ("yes", "no", "maybe", "none"),
            ("1/2", "-1", "7", "0"),
            ("1", "2", "3", "4"),
        )
    )
    return list(pool[:n])


def written(word: str) -> str:
    return word if word.lstrip("-")[0].isdigit() else f'"{word}"'


def table_text(inputs: list[str], outputs: list[str], rows: list[list[Fraction]]) -> str:
    cells = [
        f"({p}, v == {written(i)} and r == {written(o)})"
        for i, row in zip(inputs, rows, strict=True)
        for o, p in zip(outputs, row, strict=True)
    ]
    last = cells.pop()
    return f"piecewise({', '.join(cells)}, {last.partition(', v')[0]}, true))"


def pairs_level(inputs: list[str], rows: list[list[Fraction]]) -> str:
    """The exact level of every ordered pair."""
    cells = []
    for i, x in enumerate(rows):
        for j, y in enumerate(rows):
            if i != j:
                worst = max([a / b for a, b in zip(x, y, strict=True) if b] + [Fraction(1)])
                cells.append(
                    f"(log({worst}), v == {written(inputs[i])} and other == {written(inputs[j])})"
                )
    return f"piecewise({', '.join(cells)}, (0, true))"


def response(rng: Random) -> Made:
    """Randomised response with a parameter."""
    k = rng.choice((2, 3, 4, 5))
    values = [str(i) for i in range(k)]
    style = rng.randrange(3)
    condition = rng.choice(
        (
            "e > 0",
            "e >= 0",
            "0 < e and e <= 1",
            "e > 0 and e < 1/1000",
            "e >= log(2)",
            "e > 1 and e < 1001/1000",
        )
    )
    if style == 0:
        density = f"piecewise((exp(e)/(exp(e) + {k - 1}), r == v), (1/(exp(e) + {k - 1}), true))"
        level = "e"
    elif style == 1:
        density = (
            f"piecewise((1/(1 + {k - 1}*exp(-e)), r == v), (exp(-e)/(1 + {k - 1}*exp(-e)), true))"
        )
        level = "e"
    else:
        density = (
            f"piecewise(((exp(e) - 1)/(exp(e) + {k - 1}) + 1/(exp(e) + {k - 1}), r == v), "
            f"(1/(exp(e) + {k - 1}), true))"
        )
        level = "e"
    data = {
        "parameters": {"e": condition},
        "domain": {"values": values},
        "mechanism": {
            "outputs": [{"name": "r", "kind": "finite", "values": values}],
            "density": density,
        },
    }
    return Made(
        data,
        {"any": [level, "e + 1/1000", "e^2", "e/2 + 1/2", "log(1 + e)"]},
        ("any",),
        finite=True,
    )


def normalised(rng: Random) -> Made:
    """The exponential mechanism on counts."""
    k = rng.choice((2, 2, 3))
    a = rng.choice(("1", "1/2", "2", "log(2)", "1/1000"))
    c = rng.choice(
        ("indicator(x == {})", "indicator(x >= {})", "indicator(x == {})*min(eps, 1)", "x*{}/2")
    )
    scores = [f"({a})*sum({c.format(i)})" for i in range(k)]
    top = ", ".join(f"(exp({s}), r == {i})" for i, s in enumerate(scores[:-1]))
    bottom = " + ".join(f"exp({s})" for s in scores)
    density = f"piecewise({top}, (exp({scores[-1]}), true))/({bottom})"
    data = {
        "domain": {"records": records(rng, positive=True)},
        "mechanism": {
            "outputs": [{"name": "r", "kind": "finite", "values": [str(i) for i in range(k)]}],
            "density": density,
        },
    }
    return Made(
        data,
        {"ahdp": [f"({a})", f"2*({a})", f"({a})/2"]},
        ("ahdp", "add-remove", "swap", "hdp"),
        finite=True,
    )


def clamped(rng: Random) -> Made:
    """Laplace noise clamped to an interval: points of mass at the ends, also with a value that
    is left out.
    """
    b, c, high = (
        rng.choice(("1", "2", "1/2")),
        rng.choice(("x", "1", "indicator(x == 1)")),
        rng.choice(("1", "2", "3")),
    )
    low = rng.choice(("0", "-1"))
    m = f"sum({c})"
    tail_low = (
        f"piecewise((exp(({low} - {m})/({b}))/2, {m} >= {low}), (1 - exp(({m} - "
        f"({low}))/({b}))/2, true))"
    )
    tail_high = (
        f"piecewise((exp(({m} - {high})/({b}))/2, {m} <= {high}), (1 - exp(({high} - "
        f"{m})/({b}))/2, true))"
    )
    density = (
        f"piecewise((exp(-abs(s - {m})/({b}))/(2*({b})), {low} < s and s < {high}), (0, true))"
    )
    data = {
        "domain": {"records": records(rng, positive=True)},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": density,
            "atoms": [{"at": low, "mass": tail_low}, {"at": high, "mass": tail_high}],
        },
    }
    return Made(data, {"ahdp": [f"abs({c})/({b})"]}, ("ahdp", "ahdp", "add-remove", "swap"))


def labels(rng: Random) -> Made:
    """Counts of labels, finite answers."""
    rows = records(rng, labels=True)
    b, word = rng.choice(SCALES[:6]), written(rng.choice(rows)[0])
    data = {
        "domain": {"records": rows},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - count(x == {word}))/({b}))/(2*({b}))",
        },
    }
    return Made(
        data,
        {"ahdp": [f"indicator(x == {word})/({b})", f"1/({b})"]},
        ("ahdp", "hdp", "swap", "add-remove"),
    )
