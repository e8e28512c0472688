"""Section 6: refutations, of a claim about a mechanism or a composite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recheck.claims import Claim
from recheck.evidence import PROOF, one_of, truth_value
from recheck.examples import require_example
from recheck.images import processed_part
from recheck.limits import cover, need
from recheck.moves import need_datasets_with_records
from recheck.rules import require_meaning, require_proof
from recheck.shapes import digest, fields, listed
from recheck.totals import require_mass
from recheck.trees import is_true
from recheck.written import LARGEST_SAMPLE, written_out


def require_refutation(claim: Claim, data: Any, mass: Any) -> None:
    """each instance satisfies what is assumed
    the same claim about the law with the instances substituted has the counterexample
    ----------------------------------------------------------------------------------
    the claim is refuted

    With an image, the law is that of the part that formulas process.
    """
    if not claim.rule:
        require_example(claim, claim, data, None)
        if mass is not None:
            require_total_mass(claim, mass)
        return
    image = data.get("image") if isinstance(data, dict) else None
    wanted = "instances size counterexample" + (" image" if image is not None else "")
    instances, size, example, *_ = fields(data, wanted, "the counterexample")
    sampled = any(m.rule == "subsample" for m in members(claim))
    need(
        (type(size) is int and size >= 1) == sampled,
        "`size` does not fit: it is given exactly if a sample is taken",
    )
    need(sampled or size is None, "`size` does not fit: it is given exactly if a sample is taken")
    concrete = Claim(instantiated(claim.data, read_instances(claim, instances)))
    require_meaning(concrete)
    processed = None
    if image is not None:
        processed, concrete = (concrete, image), processed_part(concrete)
    require_example(claim, concrete, example, size, processed)
    cover(size is None or size <= LARGEST_SAMPLE, f"a sample of more than {LARGEST_SAMPLE} records")
    if mass is not None:
        require_total_mass(written_out(concrete), mass)


def require_total_mass(claim: Claim, data: Any) -> None:
    """Raises unless the law is nowhere negative and has total 1 at every input."""
    counts, shown = fields(data, "counts mass", "the mass")
    need_datasets_with_records(claim)
    require_mass(claim, one_of("mass")(shown), truth_value(counts))


def members(claim: Claim) -> Iterator[Claim]:
    """The claim and all its parts, each before the next."""
    yield claim
    for part in claim.parts:
        yield from members(part)


def read_instances(claim: Claim, data: Any) -> dict[str, Claim]:
    """One mechanism for each different abstract one; each satisfies what is assumed."""
    abstract = {digest(m.mechanism): m for m in members(claim) if m.rule == "assumed"}
    rows = listed(data, len(abstract))
    out = {}
    for (key, m), row in zip(abstract.items(), rows, strict=True):
        said, proof = fields(row, "claim certificate", "an instance")
        one = Claim(said)
        need_instance(claim, m, one)
        words = set[tuple[str, ...]]()
        require_proof(one, PROOF(proof), words)
        need(not words, "the proof of an instance has a solver word")
        out[key] = one
    return out


def instantiated(data: Any, instances: Mapping[str, Claim]) -> Any:
    """The JSON of a claim with the instances substituted; it is read like any other."""
    mechanism = data["mechanism"]
    if "assumed" in mechanism:
        return {**data, "mechanism": instances[digest(mechanism)].mechanism}
    if "rule" not in mechanism:
        return data
    parts = [instantiated(p, instances) for p in mechanism["parts"]]
    return {**data, "mechanism": {**mechanism, "parts": parts}}


def need_instance(claim: Claim, abstract: Claim, one: Claim) -> None:
    """Raises unless the claim of an instance is the one that is assumed."""
    need(not one.rule, "an instance is a composite")
    need(one.inputs == abstract.inputs, "an instance has other inputs")
    need(is_true(one.defined), "an instance is not defined on all inputs")
    need(all(p in claim.parameters for p in one.parameters), "an instance has other parameters")
    assumed = listed(abstract.mechanism["assumed"], 3)
    said = [one.relation, one.data["level"], one.data["delta"]]
    need(said == assumed, "an instance has another claim than the assumed one")
    need(not one.public, "an instance has public parts")
