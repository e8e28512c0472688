"""Domains, mechanisms, claims and counterexamples as LaTeX: one formula each, in dollar signs.

>>> from ahdp_verify.kernel.terms.expression import number
>>> print(domain_latex(Domain([(0, 1), ("a_b", number(1) / 2)])))
$\\left\\{\\left(0,\\ 1\\right),\\ \\left(\\text{"a\\_b"},\\ \\frac{1}{2}\\right)\\right\\}$
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ahdp_verify.datasets import Multiset
from ahdp_verify.display.markup import latex, upright_latex
from ahdp_verify.display.program_text import INDENT, program_lines
from ahdp_verify.display.tables import latex_table, without_middle_rows
from ahdp_verify.display.verdict_latex import claim_formula
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.composite import AbstractMechanism, AnyClaim, Composite
from ahdp_verify.kernel.model.declarations import Value
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import TRUE, Expression, name
from ahdp_verify.kernel.terms.printing import display_name

COMMA = r",\ "
SIGNS = {" ~ ": r" \sim ", " >= ": r" \ge ", " <= ": r" \le ", " > ": " > ", " < ": " < "}
SIGN = re.compile(f"({'|'.join(SIGNS)})")


def domain_latex(domain: Domain) -> str:
    """The set of records."""
    if not domain.is_universal:
        return f"${set_formula(record_formula(r) for r in domain.records)}$"
    record = tuple_formula([name(key) for key in domain.bound])
    return f"${set_formula([record], [c for _, c in (*domain.unknowns, *domain.parameters)])}$"


def set_formula(members: Iterable[str], conditions: Iterable[Expression] = ()) -> str:
    """A set of formulas, perhaps those that satisfy conditions; the middle of many is left out."""
    rows = without_middle_rows([(member,) for member in members])
    listed = COMMA.join(r"\ldots" if row.startswith("...") else row for (row,) in rows)
    such = COMMA.join(latex(c) for c in conditions if c != TRUE)
    after = rf"\ :\ {such}" if such else ""
    return rf"\left\{{{listed}{after}\right\}}"


def record_formula(record: Record) -> str:
    """A value, in parts, and a demand."""
    return tuple_formula((value_formula(record.value), record.demand))


def value_formula(value: Value) -> Expression | str:
    """A value of one part or several."""
    return tuple_formula(value) if isinstance(value, tuple) else value


def tuple_formula(parts: Iterable[Expression | str]) -> str:
    """Formulas in parentheses."""
    listed = (part if isinstance(part, str) else latex(part) for part in parts)
    return rf"\left({COMMA.join(listed)}\right)"


def record_latex(record: Record) -> str:
    """A pair."""
    return f"${record_formula(record)}$"


def dataset_latex(dataset: Multiset) -> str:
    """The records with their counts."""
    held = (
        record_formula(r) if count == 1 else rf"{count} \times {record_formula(r)}"
        for r, count in dataset.held
    )
    return f"${set_formula(held)}$"


def queries_latex(queries: Queries) -> str:
    """The answers."""
    return rf"$\left(q_{{1}}, \ldots, q_{{{queries.n}}}\right) \in \mathbb{{R}}^{{{queries.n}}}$"


def values_latex(values: Values) -> str:
    """The set of values."""
    shown = map(value_formula, values.values)
    return f"${set_formula(v if isinstance(v, str) else latex(v) for v in shown)}$"


def mechanism_latex(mechanism: Mechanism) -> str:
    """The distribution of the output on a dataset (or answers, or a value): its density or
    probability, and the probabilities of single points.
    """
    given = {Domain: "D", Queries: "q", Values: "v"}[type(mechanism.inputs)]
    outputs = COMMA.join(latex(o.symbol) for o in mechanism.outputs)
    laws = [rf"p\left({outputs} \mid {given}\right) &= {latex(mechanism.density)}"]
    laws += [
        rf"P\left({latex(at)} \mid {given}\right) &= {latex(mass)}" for at, mass in mechanism.atoms
    ]
    lines = r" \\ ".join(laws)
    return rf"$\begin{{aligned}}{lines}\end{{aligned}}$"


def composite_latex(mechanism: Composite | AbstractMechanism) -> str:
    """The name."""
    return f"${upright_latex(display_name(mechanism.name))}$"


def claim_latex(claim: AnyClaim | ProgramClaim | Inequality) -> str:
    """What is claimed."""
    return f"${claim_formula(claim)}$"


def program_latex(program: Program) -> str:
    """The statements, one below the other."""
    rows = []
    for line in program_lines(program):
        said = line.lstrip()
        depth = (len(line) - len(said)) // len(INDENT)
        parts = (SIGNS.get(part) or upright_latex(part) for part in SIGN.split(said) if part)
        rows.append(r"\quad " * depth + "".join(parts))
    lines = r" \\ ".join(rows)
    return rf"$\begin{{array}}{{l}}{lines}\end{{array}}$"


def counterexample_latex(example: Counterexample | ProgramCounterexample) -> str:
    """The inputs and the event, as a table."""
    return latex_table(
        [
            ("counterexample", "to be checked with its claim"),
            *((key, str(value)) for key, value in example.parameters),
            ("first input", ", ".join(map(str, example.first))),
            ("second input", ", ".join(map(str, example.second))),
            ("event", str(example.event)),
        ]
    )
