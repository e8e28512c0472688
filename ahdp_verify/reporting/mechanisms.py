"""The part of a report on the mechanism: its inputs, and its distribution as a formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ahdp_verify.display.markup import latex
from ahdp_verify.display.program_text import program_inputs_text, program_lines
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.composite import (
    AbstractMechanism,
    AnyMechanism,
    Composite,
)
from ahdp_verify.kernel.model.declarations import NamedConditions, value_text
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.rules.scope import nontrivial_conditions
from ahdp_verify.kernel.terms.expression import TRUE, Expression, conjuncts, walk
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.reporting.blocks import (
    Block,
    Code,
    Formula,
    Paragraph,
    Piece,
    Pieces,
    Statements,
    Strong,
    spelled_exponents,
)

SHOWN = 12  # records, values or outcomes that are listed
LONGEST_NAME = 60  # characters of a record, value or outcome in a list
LONGEST = 1500  # characters of a formula that is shown
RULES = {
    "compose": "The parts run one after the other on the same input; a part may read what earlier "
    "parts released.",
    "product": "The parts run on the same input; none reads what another released.",
    "post_process": "The output of the first part is processed further, without looking at the input "
    "again.",
    "subsample": "The part runs on a random sample, which keeps each record independently with the "
    "stated probability.",
    "mixture": "One of the parts, chosen at random with the stated probabilities, runs; which one is "
    "not released.",
    "normalised": "The probability of an output is proportional to exp(score).",
    "pull_back": "Each record is first replaced by another one, then the part runs.",
    "group": "This is the part itself, claimed for any two datasets.",
}
DEEPEST = 4  # levels of parts inside parts that are listed


def mechanism_blocks(mechanism: AnyMechanism) -> Iterator[Block]:
    """The inputs and the distribution of a mechanism."""
    yield from input_blocks(mechanism.inputs)
    if isinstance(mechanism, Mechanism):
        yield from law_blocks(mechanism)
    elif isinstance(mechanism, Composite):
        yield from part_blocks(mechanism, 0)
    else:
        yield Paragraph.of(abstract_text(mechanism))
    if symbols := symbols_text(mechanism):
        yield Paragraph.of(symbols, kind="note")
    conditions = nontrivial_conditions(mechanism.parameters)
    if conditions:
        yield Paragraph.of("Parameters: all values with ", *separated(conditions), ".")
    if mechanism.defined != TRUE:
        yield Paragraph.of(
            "It is defined for inputs with ", Formula.of(mechanism.defined), " only."
        )


def program_text_blocks(claim: ProgramClaim) -> Iterator[Block]:
    """The inputs and the statements of a noise program."""
    program = claim.program
    if isinstance(program.inputs, RecordAnswers):
        yield from input_blocks(program.inputs.domain)
    yield Paragraph.of(f"It runs on {one_line(program_inputs_text(program.inputs), LONGEST)}.")
    yield Statements(tuple(program_lines(program)))
    if conditions := nontrivial_conditions(program.parameters):
        yield Paragraph.of("Parameters: all values with ", *separated(conditions), ".")


def separated(conditions: Iterable[Expression]) -> Pieces:
    """Formulas with commas between them; what is joined by "and" is listed, what is true is not."""
    found: list[Piece] = []
    for condition in conditions:
        for part in conjuncts(condition):
            if part != TRUE:
                found += [", "] * bool(found) + [Formula.of(part)]
    return tuple(found)


def input_blocks(inputs: Inputs) -> Iterator[Block]:
    """What the input is."""
    if isinstance(inputs, Queries):
        many = "one query" if inputs.n == 1 else f"{inputs.n} queries"
        yield Paragraph.of(f"The input is the exact answer to {many}: any real numbers.")
    elif isinstance(inputs, Values):
        listed = some_of([value_text(v) for v in inputs.values])
        yield Paragraph.of(f"The input is the value of one person: {listed}.")
    elif isinstance(inputs, RealValues):
        names = separated(tuple(Expression("name", (key,)) for key in inputs.bound))
        known = conditions_of(inputs.conditions)
        yield Paragraph.of("The input is the value of one person, any ", *names, *known, ".")
    elif not isinstance(inputs, Domain):
        yield Paragraph.of(f"The input is one of all {inputs.noun}.")
    elif inputs.is_universal:
        yield Paragraph.of(
            "The input is a dataset: any number of records, each with any values of ",
            *separated(tuple(Expression("name", (key,)) for key, _ in inputs.unknowns)),
            *conditions_of(inputs.unknowns),
            ".",
        )
    else:
        listed = some_of([str(r) for r in inputs.records])
        yield Paragraph.of(
            "The input is a dataset: each of these records (value, demand) any number of times: "
            f"{listed}."
        )


def conditions_of(named: NamedConditions) -> Pieces:
    """The conditions of the unknowns of a universal domain, or of the parts of a value."""
    kept = separated(dict.fromkeys(condition for _, condition in named))
    return (" with ", *kept) if kept else ()


def some_of(texts: list[str]) -> str:
    """All texts, or the first ones and how many there are."""
    few = [one_line(text, LONGEST_NAME) for text in texts[:SHOWN]]
    if len(texts) <= SHOWN:
        return ", ".join(few)
    return f"{', '.join(few[:-2])}, ... ({len(texts)} in all)"


def kind_text(output: Output) -> str:
    """What an output is."""
    if output.kind == "finite":
        return f"one of {some_of([str(v) for v in output.values])}"
    return {"real": "a real number", "integer": "a whole number"}[output.kind]


def law_blocks(m: Mechanism) -> Iterator[Block]:
    """The distribution of a mechanism as a formula."""
    what = law_word(m.outputs)
    given = given_latex(m.inputs)
    of = ", ".join(latex(o.symbol) for o in m.outputs)
    each = "Its" if len(m.outputs) == 1 else "Their joint"
    yield Paragraph.of(
        "The output is " if len(m.outputs) == 1 else "The outputs are ",
        *output_pieces(m.outputs),
        f". {each} {what}, given the input:",
    )
    density = spelled_exponents(latex(m.density))
    yield display(rf"p({of} \mid {given}) = {density}", str(m.density))
    for at, mass in m.atoms:
        yield Paragraph.of("The single point ", Formula.of(at), " has a probability of its own:")
        yield display(rf"P({latex(at)} \mid {given}) = {spelled_exponents(latex(mass))}", str(mass))


def law_word(outputs: tuple[Output, ...]) -> str:
    """What the formula of a law of these outputs is called."""
    kinds = {o.kind for o in outputs}
    if "real" not in kinds:
        return "probability"
    return "density" if kinds == {"real"} else "density in the real ones, probability in the others"


def output_pieces(outputs: tuple[Output, ...]) -> Pieces:
    """The outputs with their kinds."""
    found: list[Piece] = []
    for output in outputs[:SHOWN]:
        found += [", "] * bool(found) + [Formula.of(output.symbol), f", {kind_text(output)}"]
    return (*found, f", and {len(outputs) - SHOWN} more") if len(outputs) > SHOWN else tuple(found)


def given_latex(inputs: Inputs) -> str:
    """The name of the input in the formula."""
    return "D" if isinstance(inputs, Domain) else "q" if isinstance(inputs, Queries) else "v"


def display(formula: str, plain: str) -> Block:
    """A formula on a line of its own, or the beginning of its text if it is very long."""
    if len(formula) > LONGEST:
        return Paragraph.of(Code(one_line(plain, LONGEST)))
    return Paragraph.of(Formula(formula, plain), kind="display")


def symbols_text(mechanism: AnyMechanism) -> str:
    """What the symbols of the formulas stand for."""
    if not isinstance(mechanism.inputs, Domain):
        return ""
    nodes = [node for law in laws(mechanism) for node in walk(law)]
    if not nodes:
        return ""
    if not any(node.head in ("sum", "maximum", "minimum") for node in nodes):
        return "D is the dataset."
    record = (
        "its records"
        if mechanism.inputs.is_universal
        else "its records (x, ε), where x is the value and ε the demand"
    )
    return (
        f"D is the dataset; sums, maxima and counts run over {record}, each record as often as it "
        "occurs."
    )


def laws(mechanism: AnyMechanism) -> Iterator[Expression]:
    """The formulas of a mechanism and its parts."""
    if isinstance(mechanism, Mechanism):
        yield from (mechanism.density, mechanism.defined, *(mass for _, mass in mechanism.atoms))
    elif isinstance(mechanism, Composite):
        for part in mechanism.parts:
            yield from laws(part.mechanism)


def abstract_text(mechanism: AbstractMechanism) -> str:
    """An assumed mechanism."""
    return f"{one_line(str(mechanism))}: any mechanism that satisfies this assumption."


def part_blocks(composite: Composite, depth: int) -> Iterator[Block]:
    """The parts of a mechanism, with the claim of each; equal ones once."""
    yield Paragraph.of(f"{RULES[composite.rule]} ", *formula_pieces(composite))
    counted = Counter(composite.parts)
    if len(counted) > SHOWN:
        yield Paragraph.of(f"It has {len(counted)} different parts, which are not listed here.")
        return
    for part, times in counted.items():
        often = f"Part ({times} times): " if times > 1 else "Part: "
        yield Paragraph.of(Strong(often), one_line(str(part)), ".")
        inner = part.mechanism
        if isinstance(inner, Mechanism):
            yield from law_blocks(inner)
        elif isinstance(inner, Composite) and depth < DEEPEST:
            yield from part_blocks(inner, depth + 1)


def formula_pieces(composite: Composite) -> Pieces:
    """The formulas of a rule."""
    if not composite.formulas:
        return ()
    what = {
        "subsample": "Probability of keeping a record: ",
        "mixture": "Probabilities: ",
        "post_process": "Released: ",
        "normalised": "Score, and the least and largest change of it: ",
        "pull_back": "The parts of a record become: ",
    }.get(composite.rule, "")
    return (what, *separated(composite.formulas), ".")
