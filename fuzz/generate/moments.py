"""Means and variances that the package computes, against sums and integrals."""

from __future__ import annotations

from random import Random
from typing import Any

from mpmath import mp

from ahdp_verify.analysis.moments import mean, variance
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse
from fuzz import ask
from fuzz.case import Outcome
from fuzz.generate.analyses import asked, guarded
from fuzz.generate.error_rates import laws_of, plain, two_inputs
from fuzz.oracle import claims, values
from fuzz.oracle.trees import CannotTell, value


def moment(rng: Random) -> Outcome:
    out, file, m = asked(rng, "moments", plain)
    pair = two_inputs(m, rng)
    if file is None or pair is None:
        return out
    name, kind = (
        m.data["mechanism"]["outputs"][0]["name"],
        m.data["mechanism"]["outputs"][0]["kind"],
    )
    if kind == "finite" and any(
        not v.lstrip("-")[0].isdigit() for v in m.data["mechanism"]["outputs"][0]["values"]
    ):
        return out
    of = rng.choice(
        (
            name,
            name,
            f"{name}^2",
            f"2*{name} - 1",
            f"abs({name})",
            f"max({name}, 0)",
            f"exp(-abs({name}))",
            f"indicator({name} >= 1)",
        )
    )
    what = rng.choice((mean, variance))
    everywhere = rng.random() < 0.3
    out.source += f"# {what.__name__} of {of} at {'all' if everywhere else pair[0]}\n"
    found = ask.timed(
        out,
        "moments",
        lambda: what(file.mechanism, None if everywhere else pair[0], of=of, limits=ask.limits()),
    )
    if found is None:
        return out
    out.answers.append("value")
    guarded(out, lambda: check_moment(out, found, file.mechanism, pair, of, what is variance))
    return out


def check_moment(
    out: Outcome, found: Any, mechanism: Any, pair: Any, of: str, squared: bool
) -> None:
    one = laws_of(mechanism, pair)[0]
    wanted = to_json(parse(of, "of"))
    true = values.expectation(one, wanted)
    if squared:
        true = values.expectation(one, ["*", wanted, wanted]) - true**2
    m = mechanism.to_json()
    env, data = dict(pair[2].env), None
    if "counts" in env:
        listed = [claims.record_bindings(r, {}) for r in m["inputs"]["records"]]
        data, env = claims.dataset(listed, env["counts"]).data, {}
    if "Ei" in str(found):
        raise CannotTell("exponential integrals")
    said = value(to_json(found), env, data)
    if not values.near(said, true):
        out.wrong.append(
            f"a moment is {found} = {mp.nstr(said, 20)}, but should be {mp.nstr(true, 20)}"
        )


KINDS = {"moments": (7, moment)}
