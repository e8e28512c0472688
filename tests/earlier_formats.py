"""Records of formats 1 and 2 converted to equivalent records of format 3, sealed again.

Tests write claims and certificates by hand, or take old ones from elsewhere; the other fields of a
record are added here.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

Record = dict[str, Any]
VERSIONS = {"ahdp_verify": "0.1.0", "flint": "3.3.1", "python-flint": "0.9.0"}
TRUE = ["boolean", True]


def canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest(data: object) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def sealed(record: Record) -> Record:
    """The record with recomputed fingerprints and seal, so that these do not reject it."""
    record = {**record, "fingerprint": digest(record["claim"])}
    if "certificate" in record:
        record["certificate"] = {**record["certificate"], "claim": record["fingerprint"]}
    record.pop("sha256", None)
    return {**record, "sha256": digest(record)}


def converted(record: Record) -> Record:
    """A record of format 1 or 2 as one of format 3; a record of format 3 as it is, with a fitting
    seal.
    """
    if record.get("format") == 3:
        return sealed(record)
    new = renamed(record)
    if record.get("format") != 2:
        new |= {"made_by": dict(VERSIONS)}
        if record["verdict"] == "proved":
            new |= {"compared": None, "scope": scope_of(new)}
        else:
            new |= {
                "mass": None,
                "counterexample": counterexample(new["claim"], new["counterexample"]),
            }
    return sealed({**new, "format": 3})


# the names of fields


def renamed(record: Record) -> Record:
    """The record with the names of fields that format 3 has, and the fingerprints of all claims in
    it.
    """
    digests = {digest(claim): digest(with_rules(claim)) for claim in claims_in(record)}
    new = {
        key: with_sides(with_rules(value)) if key == "counterexample" else with_rules(value)
        for key, value in record.items()
    }
    found: Record = replaced(new, digests)
    return found


def with_rules(data: Any) -> Any:
    """`rule` for `law` in composites and certificates by rule, `inequality` for
    `statement`.
    """
    if isinstance(data, list):
        return [with_rules(each) for each in data]
    if not isinstance(data, dict):
        return data
    made = "parts" in data or data.get("is") == "by law"
    names = {"statement": "inequality", **({"law": "rule"} if made else {})}
    new = {names.get(key, key): with_rules(value) for key, value in data.items()}
    return {**new, "is": "by rule"} if new.get("is") == "by law" else new


def with_sides(example: Any) -> Any:
    """`first` and `second` for the two inputs of a counterexample."""
    if not isinstance(example, dict):
        return example
    names = {"before": "first", "after": "second"}
    return {names.get(key, key): with_sides(value) for key, value in example.items()}


def claims_in(record: Any) -> list[Record]:
    """All claims in a record, and those about the same mechanisms that premises state."""
    found = [d for d in objects_in(record) if "relation" in d and "mechanism" in d]
    stated = [d for d in objects_in(record) if d.get("is") == "stated"]
    return found + [
        {
            **claim,
            "public": public,
            **{
                key: said[key]["e"] if isinstance(said[key], dict) else said[key]
                for key in ("relation", "level", "delta")
            },
        }
        for claim in found
        for said in stated
        for public in ([], claim.get("public", []))
    ]


def objects_in(data: Any) -> list[Record]:
    inside = (
        data if isinstance(data, list) else list(data.values()) if isinstance(data, dict) else []
    )
    found = [each for value in inside for each in objects_in(value)]
    return [data, *found] if isinstance(data, dict) else found


def replaced(data: Any, digests: dict[str, str]) -> Any:
    if isinstance(data, list):
        return [replaced(each, digests) for each in data]
    if isinstance(data, dict):
        return {key: replaced(value, digests) for key, value in data.items()}
    return digests.get(data, data) if isinstance(data, str) else data


# mechanism files


def in_this_format(path: Path, folder: Path) -> Path:
    """A copy, in the folder, of a mechanism file of format 1 as one of format 2."""
    copy = folder / path.name
    copy.write_text(converted_file(path.read_text()))
    return copy


def converted_file(text: str) -> str:
    """The text of a mechanism file of format 1 as one of format 2."""
    table, lines = "", []
    for line in text.splitlines():
        if line.startswith("["):
            table = line.strip("[] ")
        changed = re.sub(r"^format = 1\b", "format = 2", line)
        changed = re.sub(r"^\[statement\]", "[inequality]", changed)
        if table in ("", "part"):
            changed = re.sub(r"^law( *=)", r"rule\1", changed)
        if table == "part":
            changed = re.sub(r"^keep( *=)", r"inclusion_probability\1", changed)
        lines.append(changed)
    return "\n".join(lines) + "\n"


# scopes


def scope_of(record: Record) -> Record:
    claim = record["claim"].get("bounds", record["claim"])
    sizes = [
        e["size"] for e in record["certificate"].get("evidence", ()) if e["is"] == "enumeration"
    ]
    records = inputs_of(claim) in ("datasets", "pairs of datasets")
    return {
        "inputs": inputs_of(claim),
        "conditions": conditions_of(claim),
        "defined": defined_of(claim["mechanism"]) if "mechanism" in claim else TRUE,
        "size": sizes[0] if sizes and records else None,
        "compared": "not found",
    }


def domain_of(mechanism: Record) -> Any:
    if mechanism.get("domain") is not None:
        return mechanism["domain"]
    return (
        mechanism["inputs"]
        if "inputs" in mechanism
        else domain_of(mechanism["parts"][0]["mechanism"])
    )


def inputs_of(claim: Record) -> str:
    if "inequality" in claim:
        return "unknowns"
    if "sensitivity" in claim or "applied" in claim:
        return "vectors"
    if "guess" in claim:
        return "tests of the listed inputs"
    if "best" in claim:
        where = " of one size" if claim["best"]["relation"] == "swap" else ""
        return (
            f"mechanisms on all datasets{where}"
            if claim["everywhere"]
            else "mechanisms on the listed datasets"
        )
    if "program" in claim:
        return inputs_of_program(claim)
    if claim["relation"] == "pairs":
        return "pairs of datasets"
    domain = domain_of(claim["mechanism"])
    return (
        "query answers"
        if "queries" in domain
        else "values"
        if {"values", "reals"} & set(domain)
        else "datasets"
    )


def inputs_of_program(claim: Record) -> str:
    inputs = claim["program"]["inputs"]
    if not isinstance(inputs, dict) or "queries" not in inputs:
        return "datasets"
    fixed = inputs["queries"] != "n" or claim["queries"] is not None
    if fixed:
        return "query answers"
    contest = claim["program"]["start"][:1] == ["contest"]
    return "any number of answers" if contest else "any number of queries"


def conditions_of(claim: Record) -> list[Any]:
    if "guess" in claim:
        return [["==", ["name", n], v] for n, v in claim["guess"]["parameters"]]
    if "applied" in claim:
        of_mechanism = conditions_of(claim["applied"].get("bounds", claim["applied"]))
        return [*of_mechanism, *(c for c in conditions_of(claim["to"]) if c not in of_mechanism)]
    if "sensitivity" in claim:
        inputs = claim["inputs"]
        entry = ["and", inputs["each"], ["<=", "1", inputs["entries"]]]
        for n in sorted(names_in(inputs["entries"])):
            entry = ["and", entry, ["==", ["floor", ["name", n]], ["name", n]]]
        return [*(c for _, c in inputs["parameters"] if c != TRUE), entry]
    if "program" in claim:
        named = claim["program"]["parameters"]
    else:
        named = parameters_of(claim["mechanism"]) if "mechanism" in claim else claim["parameters"]
    return [c for _, c in named if c != TRUE]


def names_in(e: Any) -> set[str]:
    if not isinstance(e, list):
        return set()
    return {e[1]} if e[0] == "name" else {n for part in e[1:] for n in names_in(part)}


def parameters_of(mechanism: Record) -> list[Any]:
    """The parameters: of the domain, of the parts except outputs of earlier parts, and its own."""
    if "parts" not in mechanism:
        return list(mechanism["parameters"])
    found, earlier = list((domain_of(mechanism)).get("parameters", [])), set[str]()
    for part in mechanism["parts"]:
        found += [
            p for p in parameters_of(part["mechanism"]) if p[0] not in earlier and p not in found
        ]
        if mechanism["rule"] in ("compose", "post_process"):
            earlier |= outputs_of(part["mechanism"])
    return found + [p for p in mechanism["own"] if p not in found]


def outputs_of(mechanism: Record) -> set[str]:
    if "parts" not in mechanism:
        return {o[0] for o in mechanism["outputs"]}
    if mechanism["released"]:
        return {o[0] for o in mechanism["released"]}
    last = (
        mechanism["parts"]
        if mechanism["rule"] in ("compose", "product")
        else mechanism["parts"][-1:]
    )
    return {n for part in last for n in outputs_of(part["mechanism"])}


def defined_of(mechanism: Record) -> Any:
    """The conditions of all parts; no composite here pulls back a part that has conditions."""
    if "parts" not in mechanism:
        return mechanism.get("defined", TRUE)
    found: list[Any] = []
    for part in mechanism["parts"]:
        for c in conjuncts(defined_of(part["mechanism"])):
            found += [c] if c != TRUE and c not in found else []
    both = found[0] if found else TRUE
    for c in found[1:]:
        both = ["and", both, c]
    return both


def conjuncts(c: Any) -> list[Any]:
    return [p for part in c[1:] for p in conjuncts(part)] if c[0] == "and" else [c]


# events


def counterexample(claim: Record, example: Record) -> Record:
    if "counterexample" in example:
        return {**example, "counterexample": counterexample(claim, example["counterexample"])}
    if "event" not in example or "without" in example["event"]:
        return example
    event, atoms = example["event"], claim["mechanism"].get("atoms", [])
    points = [{"e": point} for point, _ in atoms]
    inside = [p for p in points if event["continuous"] and in_box(p["e"], event["intervals"])]
    return {
        **example,
        "event": {
            **event,
            "without": [p for p in inside if p not in event["atoms"]],
            "atoms": [p for p in event["atoms"] if p not in inside],
        },
    }


def in_box(point: Any, intervals: list[Any]) -> bool:
    if not intervals or not isinstance(point, str):
        return not intervals
    ((_, low, high),) = intervals
    return (low is None or Fraction(low["e"]) <= Fraction(point)) and (
        high is None or Fraction(point) < Fraction(high["e"])
    )
