"""The negation of an inequality between two distributions, and of a whole obligation, as SMT-LIB 2
text.

The certificate of the total shows that a density is nowhere negative, that its divisors are not 0
and that the arguments of roots and logarithms are positive. Where both sides are c exp(e)
with one c, or with numbers, their exponents are compared; otherwise exp(level + e - f) is one real
number, or, where c has exponentials of its own, a product of the same units as they. Branches are
split first, so that this applies in each of them.
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import outcome_count
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, substitute_nodes
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.obligations import Obligation, OutputPart, Task, output_parts
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Abs,
    Expression,
    add,
    log,
    multiply,
    number,
    walk,
)
from ahdp_verify.search.solvers.smtlib import Script, connective, decided_truth

Branch = tuple[
    tuple[Expression, ...], Expression, Expression
]  # conditions, c and e: the law is c exp(e) where they hold
MOST_BRANCHES = 16  # branches of a density that are split; with more, they stay inside it
MOST_OUTCOMES = 256  # combinations of finite outputs that are expanded in one text


def exponential_branches(law: Expression) -> list[Branch]:
    """The law as c exp(e) in every branch, or as itself in one."""
    found = _branches(law)
    return found if len(found) <= MOST_BRANCHES else [((), law, ZERO)]


def _branches(law: Expression) -> list[Branch]:
    if law.head == "exp":
        return [((), ONE, law.args[0])]
    if law.head == "*":
        found: list[Branch] = [((), ONE, ZERO)]
        for part in law.args:
            more = exponential_branches(part)
            more = more if len(found) * len(more) <= MOST_BRANCHES else [((), part, ZERO)]
            found = [((*g, *h), multiply(c, d), add(e, f)) for g, c, e in found for h, d, f in more]
        return found
    if law.head == "piecewise" and law.args[-1] == TRUE:
        return _of_piecewise(law)
    if law.head == "^":
        return _of_power(*law.args)
    return [((), law, ZERO)]


def _of_piecewise(law: Expression) -> list[Branch]:
    found: list[Branch] = []
    earlier: tuple[Expression, ...] = ()
    for value, condition in zip(law.args[::2], law.args[1::2], strict=True):
        truth = decided_truth(condition)
        if truth is not False:
            own = earlier if truth else (*earlier, condition)
            found += [((*own, *g), c, e) for g, c, e in exponential_branches(value)]
        if truth:
            break
        earlier = earlier if truth is False else (*earlier, ~condition)
    return found


def _of_power(base: Expression, exponent: Expression) -> list[Branch]:
    if exponent.head != "number":
        return [((), ONE, multiply(exponent, log(base)))]
    if exponent.args[0].denominator != 1 or any(
        c.head == "number" and c != ONE for _, c, _ in exponential_branches(base)
    ):
        return [((), base**exponent, ZERO)]
    return [
        (g, c if c == ONE else c**exponent, multiply(exponent, e))
        for g, c, e in exponential_branches(base)
    ]


def has_exponentials(e: Expression) -> bool:
    """True if an exponential or a power with a variable exponent stands anywhere in e."""
    return any(
        node.head == "exp" or (node.head == "^" and node.args[1].head != "number")
        for node in walk(e)
    )


def violation_condition(
    script: Script, dominated: Dominated, dominating: Dominating, level: Expression
) -> str:
    """The condition dominated > exp(level) * dominating, for densities that are nowhere negative
    (shown by their mass certificates).
    """
    cases = []
    for g, c, e in exponential_branches(dominating):
        for h, d, f in exponential_branches(dominated):
            guards = connective("and", [script.condition(condition) for condition in (*g, *h)])
            if guards != "false":
                cases.append(connective("and", [guards, _violation(script, (d, f), (c, e), level)]))
    return connective("or", cases)


def _violation(
    script: Script,
    above: tuple[Expression, Expression],
    below: tuple[Expression, Expression],
    level: Expression,
) -> str:
    """d exp(f) > exp(level) c exp(e): a comparison of exponents where c = d or both are numbers,
    else with exp(level + e - f) as one real.
    """
    (d, f), (c, e) = above, below
    gap = level + e - f
    assert_triangle_facts(script, e, f)
    if c.head == "number" and d.head == "number":
        if d.args[0] <= 0 or c.args[0] <= 0:
            return "false" if d.args[0] <= 0 else "true"
        return (
            f"(< {script.term(gap)} "
            f"{script.term(log(number(d.args[0] / c.args[0]))) if c != d else '0.0'})"
        )
    if c == d:
        return connective("and", [f"(< {script.term(gap)} 0.0)", _nonzero(script, c)])
    together = ZERO == e == f or has_exponentials(c) or has_exponentials(d)
    factor = script.exponential(gap) if together else script.exponential_of(script.term(gap))
    script.nonlinear = True
    return f"(< (* {factor} {script.term(c)}) {script.term(d)})"


def assert_triangle_facts(script: Script, e: Expression, f: Expression) -> None:
    """The facts | |u| - |v| | <= |u - v| for absolute values of e and f, in order, while the text
    is linear.

    They spare a solver the cases of every pair: 20 outputs take it 0.1 s with them and more than 10
    s without.  Where the text is not linear they hindered as often as they helped.
    """
    first, second = ([n for n in dict.fromkeys(walk(g)) if n.head == "abs"] for g in (e, f))
    terms = [
        (script.term(a), script.term(b), script.term(Abs(a.args[0] - b.args[0])))
        for a, b in zip(first, second, strict=False)
    ]
    for u, v, w in terms if not script.nonlinear else ():
        script.add("<=", u, f"(+ {v} {w})")
        script.add("<=", v, f"(+ {u} {w})")


def _nonzero(script: Script, c: Expression) -> str:
    """That c is not 0; numbers, exponentials and divisors need not be mentioned."""
    factors = c.args if c.head == "*" else (c,)
    open_ = [
        f
        for f in factors
        if f.head not in ("number", "exp")
        and not (f.head == "^" and f.args[1].head == "number" and f.args[1].args[0] < 0)
    ]
    return f"(distinct {script.term(multiply(ONE, *open_))} 0.0)" if open_ else "true"


def assert_context(script: Script, here: Context) -> None:
    """The facts of a context as assertions."""
    for fact in here.facts:
        script.add(fact.relation, script.term(to_expression(algebra.Ratio(fact.polynomial))), "0.0")


def negated_obligation(task: Task, claim: Claim) -> str:
    """The facts of the obligation and that the inequality fails, as SMT-LIB 2 text; Unsupported
    where SMT-LIB cannot express it.
    """
    obligation = task.obligation
    script = Script(obligation.here.integers)
    assert_context(script, obligation.here)
    for condition in conditions_left_out(claim):
        script.holds(script.condition(condition))
    script.holds(failure_condition(script, claim, obligation, task.part))
    return script.text


def conditions_left_out(claim: Claim) -> list[Expression]:
    """The conditions of parameters that a context, which knows no alternatives, leaves out."""
    return [
        c
        for _, c in claim.mechanism.parameters
        if any(node.head in ("or", "not", "!=") for node in walk(c))
    ]


def failure_condition(script: Script, claim: Claim, o: Obligation, part: OutputPart | None) -> str:
    """That the obligation fails on a part, or (for None) on any of the finite outcomes, or by
    more than delta on all together.
    """
    if part is not None:
        return violation_condition(
            script,
            substitute_nodes(part.law, o.dominated),
            substitute_nodes(part.law, o.dominating),
            o.level,
        )
    if any(output.kind != "finite" for output in claim.mechanism.outputs):
        raise Unsupported(
            "a claim with delta about outputs that are not finite needs integrals, which the "
            "solvers do not support"
        )
    if outcome_count(claim.mechanism.outputs) > MOST_OUTCOMES:
        raise Unsupported(
            f"there are more than {MOST_OUTCOMES} outcomes; --procedure linear compares "
            f"independent outputs one by one"
        )
    if claim.delta != ZERO:
        return divergence_failure(script, claim, o)
    return connective(
        "or",
        [failure_condition(script, claim, o, outcome) for outcome in output_parts(claim.mechanism)],
    )


def divergence_failure(script: Script, claim: Claim, o: Obligation) -> str:
    """That what exceeds exp(level) * dominating, added up over all finite outcomes, is more than
    delta.
    """
    factor, terms = script.exponential(o.level), []
    script.nonlinear = True
    for part in output_parts(claim.mechanism):
        dominating, dominated = (
            script.term(substitute_nodes(part.law, o.dominating)),
            script.term(substitute_nodes(part.law, o.dominated)),
        )
        gap = script.real(f"(- {dominated} (* {factor} {dominating}))")
        terms.append(f"(ite (> {gap} 0.0) {gap} 0.0)")
    delta = to_expression(normal(o.delta, o.here)) if claim.delta_nodes else claim.delta
    return f"(> (+ 0.0 {' '.join(terms)}) {script.term(delta)})"
