"""Domains, mechanisms, claims and counterexamples as HTML: formulas as MathML, records as a table.

>>> from ahdp_verify.kernel.terms.expression import log, number
>>> page = domain_html(Domain([("<b>", log(2)), (1, 0)]))
>>> "<b>" in page, "&lt;b&gt;" in page, page.count("<tr>")
(False, True, 3)
"""

from __future__ import annotations

from collections.abc import Iterable

from ahdp_verify.datasets import Multiset
from ahdp_verify.display.formulas import formula_html
from ahdp_verify.display.markup import escape_html, latex
from ahdp_verify.display.program_text import program_inputs_text, program_lines
from ahdp_verify.display.short_repr import counted
from ahdp_verify.display.tables import table_of_html, without_middle_rows
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.composite import AbstractMechanism, AnyClaim, AnyMechanism, Composite
from ahdp_verify.kernel.model.declarations import Value, value_text
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.terms.expression import TRUE, Expression
from ahdp_verify.kernel.terms.printing import display_name

SEVERAL = 6  # values of an output that are listed


def expression_html(e: Expression) -> str:
    """A formula."""
    return formula_html(latex(e), str(e))


def law_html(e: Expression) -> str:
    """A formula on a line of its own, in the size of a displayed one; a wide one scrolls."""
    shown = expression_html(e).replace("<math ", '<math displaystyle="true" ', 1)
    return f'<div style="overflow-x: auto; font-size: 115%; padding: 0.4em 0">{shown}</div>'


def value_html(value: Value) -> str:
    """A value of a record: a number as a formula, anything else as a text."""
    if isinstance(value, Expression) and value.head == "number":
        return expression_html(value)
    return escape_html(value_text(value))


def paragraph(*parts: str) -> str:
    """A paragraph of lines that are HTML."""
    return f"<p>{'<br>'.join(parts)}</p>"


# Inputs.


def domain_html(domain: Domain) -> str:
    """The records of a domain as a table, or the unknowns of its one generic record."""
    if not domain.is_universal:
        return paragraph(
            f"a dataset holds any number of each of {counted(len(domain.records), 'record')}"
        ) + records_html((record, ()) for record in domain.records)
    return (
        paragraph("a dataset holds any records whose unknowns satisfy the conditions")
        + conditions_html("unknown", domain.unknowns)
        + (conditions_html("parameter", domain.parameters) if domain.parameters else "")
    )


def records_html(listed: Iterable[tuple[Record, tuple[int, ...]]], *more: str) -> str:
    """A table of records, each with its counts."""
    rows = [
        (value_html(r.value), expression_html(r.demand), *map(str, counts)) for r, counts in listed
    ]
    return table_of_html([("value", "demand", *more), *without_middle_rows(rows)])


def conditions_html(kind: str, conditions: Iterable[tuple[str, Expression]]) -> str:
    """A table of names with their conditions."""
    rows = [
        (escape_html(name), "any" if condition == TRUE else expression_html(condition))
        for name, condition in conditions
    ]
    return table_of_html([(kind, "condition"), *rows])


def dataset_html(dataset: Multiset) -> str:
    """The records of a dataset, with their counts."""
    if not dataset.held:
        return paragraph("the empty dataset")
    return records_html(((record, (count,)) for record, count in dataset.held), "count")


def queries_html(queries: Queries) -> str:
    """The answers of queries."""
    return paragraph(
        f"{counted(queries.n, 'real query answer')}: {', '.join(queries.bound[:3])}"
        + (", ..." if queries.n > 3 else "")
    )


def values_html(values: Values) -> str:
    """The values of one person."""
    shown = [value_text(value) for value in values.values[:SEVERAL]]
    more = [f"... {len(values.values) - SEVERAL} more"] if len(values.values) > SEVERAL else []
    return paragraph(f"one person's value: {escape_html(', '.join((*shown, *more)))}")


def inputs_html(inputs: Inputs) -> str:
    """The input of a mechanism."""
    if isinstance(inputs, Domain):
        return domain_html(inputs)
    if isinstance(inputs, Values):
        return values_html(inputs)
    if isinstance(inputs, Queries):
        return queries_html(inputs)
    if isinstance(inputs, RealValues):
        return paragraph("one person's value") + conditions_html("value", inputs.conditions)
    return paragraph(f"one of all {inputs.noun}")


# Mechanisms.


def mechanism_html(mechanism: Mechanism) -> str:
    """The name, outputs, distribution and input of a mechanism."""
    kind = "density" if any(o.kind == "real" for o in mechanism.outputs) else "probability"
    laws = [f"{paragraph(title_html(mechanism), f'with the {kind}')}{law_html(mechanism.density)}"]
    laws += [
        f"{paragraph(f'and {expression_html(at)} with the probability')}{law_html(mass)}"
        for at, mass in mechanism.atoms
    ]
    if mechanism.defined != TRUE:
        laws.append(paragraph(f"defined if {expression_html(mechanism.defined)}"))
    of_domain = mechanism.inputs.parameters if isinstance(mechanism.inputs, Domain) else ()
    own = [pair for pair in mechanism.parameters if pair not in of_domain]
    listed = conditions_html("parameter", own) if own else ""
    return "".join(laws) + listed + inputs_html(mechanism.inputs)


def title_html(mechanism: AnyMechanism) -> str:
    """The name of a mechanism and its outputs."""
    name = escape_html(display_name(mechanism.name) or "a mechanism")
    outputs = ", ".join(map(output_html, mechanism.outputs))
    return f"<b>{name}</b>" + (f" publishes {outputs}" if outputs else "")


def output_html(output: Output) -> str:
    """An output with its kind or its values."""
    if not output.values:
        kind = {"real": "a real number", "integer": "a whole number"}[output.kind]
        return f"{expression_html(output.symbol)}, {kind}"
    shown = [str(value) for value in output.values[:SEVERAL]]
    more = [f"... {len(output.values) - SEVERAL} more"] if len(output.values) > SEVERAL else []
    return f"{expression_html(output.symbol)}, one of {escape_html(', '.join((*shown, *more)))}"


def composite_html(composite: Composite) -> str:
    """The rule by which a mechanism is composed, what is claimed of its parts, and its input."""
    head = paragraph(title_html(composite), f"by the rule {escape_html(composite.rule)} from")
    parts = "".join(f"<li>{escape_html(str(claim))}</li>" for claim in composite.parts)
    return f"{head}<ol>{parts}</ol>{inputs_html(composite.inputs)}"


def abstract_html(mechanism: AbstractMechanism) -> str:
    """What is assumed of a mechanism, and its input."""
    return paragraph(f"<b>{escape_html(str(mechanism))}</b>") + inputs_html(mechanism.inputs)


# Claims.


def claim_html(claim: AnyClaim) -> str:
    """A claim, which is not decided yet, and its mechanism."""
    mechanism = claim.mechanism
    if isinstance(mechanism, Mechanism):
        about = mechanism_html(mechanism)
    elif isinstance(mechanism, Composite):
        about = composite_html(mechanism)
    else:
        about = abstract_html(mechanism)
    return f"{paragraph(f'<b>Claim</b>, not decided: {escape_html(str(claim))}')}{about}"


def program_html(program: Program) -> str:
    """The name, parameters and inputs of a noise program, and its statements."""
    name = escape_html(display_name(program.name) or "a noise program")
    inputs = program.inputs
    listed = conditions_html("parameter", program.parameters) if program.parameters else ""
    data = domain_html(inputs.domain) if isinstance(inputs, RecordAnswers) else ""
    head = paragraph(f"<b>{name}</b>", f"run on {escape_html(program_inputs_text(inputs))}")
    return f"{head}{code_html(program_lines(program))}{listed}{data}"


def code_html(lines: Iterable[str]) -> str:
    """Lines of a program, which scroll where they are wide."""
    return f'<pre style="overflow-x: auto">{"<br>".join(map(escape_html, lines))}</pre>'


def program_claim_html(claim: ProgramClaim) -> str:
    """A claim about a noise program, which is not decided yet, and the program."""
    head = paragraph(f"<b>Claim</b>, not decided: {escape_html(str(claim))}")
    return f"{head}{program_html(claim.program)}"


def inequality_html(statement: Inequality) -> str:
    """A statement, which is not decided yet, and the conditions of its unknowns."""
    left, right = map(expression_html, (statement.left, statement.right))
    name = f" {escape_html(display_name(statement.name))}" if statement.name else ""
    head = f"<b>Claim{name}</b>, not decided: {left} {escape_html(statement.relation)} {right}"
    unknowns = conditions_html("unknown", statement.parameters) if statement.parameters else ""
    return paragraph(head) + unknowns


def counterexample_html(example: Counterexample | ProgramCounterexample) -> str:
    """The inputs and the event of a counterexample, which only the checker makes a refutation."""
    instances = example.instances if isinstance(example, Counterexample) else ()
    rows = [
        *((escape_html(name), expression_html(value)) for name, value in example.parameters),
        *(
            (f"record {i}", escape_html(", ".join(f"{k} = {v}" for k, v in record)))
            for i, record in enumerate(instances, 1)
        ),
        ("first input", escape_html(", ".join(map(str, example.first)))),
        ("second input", escape_html(", ".join(map(str, example.second)))),
        ("event", escape_html(str(example.event))),
    ]
    return table_of_html([("counterexample", "to be checked with its claim"), *rows])
