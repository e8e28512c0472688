"""Queries on vectors of n numbers in [0, 1] of which one entry may change, with their
sensitivities.

They are those of a public benchmark of questions on which language models are examined
(DPriv-Bench, category 1), 33 functions whose stated sensitivity is known; the median of an even
number of entries is a line of its own, because it moves half as far as that of an odd number.

>>> median = next(query for query in VECTOR_QUERIES if query.id == "median")
>>> print(median.sensitivity())
the sensitivity of ordered(x, k + 1) is at most 1
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import Expression, multiply, number
from ahdp_verify.kernel.terms.grammar import parse

UNIT = "0 <= x <= 1"
Named = tuple[tuple[str, str], ...]
FROM_1, FROM_2 = (("n", "n >= 1"),), (("n", "n >= 2"),)
PAIRS = (("h", "h >= 1"),)


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """A query on vectors of entries in [0, 1].

    id          its name in the table
    text        the query, in the grammar of queries on entries
    bound       by how much its answer is stated to move where one entry changes
    parameters  names with conditions, those of the number of entries among them
    size        the number of entries
    """

    id: str
    text: str
    bound: str
    parameters: Named = FROM_1
    size: str = "n"

    @property
    def inputs(self) -> Entries:
        """The vectors."""
        return Entries(self.size, UNIT, dict(self.parameters))

    @property
    def query(self) -> Expression:
        """The query as a tree."""
        return parse(self.text, nested=True)

    @property
    def stated(self) -> Expression:
        """The stated sensitivity as a tree."""
        return parse(self.bound)

    def sensitivity(
        self, part: Fraction = Fraction(1), inputs: Entries | None = None
    ) -> SensitivityClaim:
        """The claim that the answer moves by at most this part of the stated sensitivity."""
        bound = self.stated if part == 1 else multiply(number(part), self.stated)
        return SensitivityClaim(inputs or self.inputs, self.query, bound)


VECTOR_QUERIES = (
    VectorQuery("sum", "sum(x)", "1"),
    VectorQuery("product", "product(x)", "1"),
    VectorQuery("max", "maximum(x)", "1"),
    VectorQuery("min", "minimum(x)", "1"),
    VectorQuery("mean", "sum(x)/n", "1/n"),
    VectorQuery("steps", "total(abs(x[k] - x[k + 1]), k, 1, n - 1)", "2", FROM_2),
    VectorQuery("deviation", "sum(abs(x - sum(x)/n))", "2*(n - 1)/n", FROM_2),
    VectorQuery("squares-from-m", "sum((x - m)^2)", "1", (*FROM_1, ("m", "0 <= m <= 1"))),
    VectorQuery("squares", "sum(x^2)", "1"),
    VectorQuery("cubes", "sum(x^3)", "1"),
    VectorQuery("log", "sum(log(x + 1))", "log(2)"),
    VectorQuery("exp", "sum(exp(x))", "exp(1) - 1"),
    VectorQuery("sine", "sum(sin(pi*x))", "1"),
    VectorQuery("arctan", "sum(atan(x))", "pi/4"),
    VectorQuery("variance-of-bits", "sum(x*(1 - x))", "1/4"),
    VectorQuery("median", "ordered(x, k + 1)", "1", (("k", "k >= 0"),), "2*k + 1"),
    VectorQuery("median-even", "(ordered(x, h) + ordered(x, h + 1))/2", "1", PAIRS, "2*h"),
    VectorQuery("above-half", "count(x > 1/2)", "1"),
    VectorQuery(
        "between",
        "count(a <= x and x <= b)",
        "1",
        (*FROM_1, ("a", "0 < a"), ("b", "a < b and b < 1")),
    ),
    VectorQuery("above-7/10", "count(x > 7/10)", "1"),
    VectorQuery("products-in-a-row", "total(x[k]*x[k + 1], k, 1, n - 1)", "2", FROM_2),
    VectorQuery("pairs", "total(x[2*k - 1] - x[2*k], k, 1, h)", "1", PAIRS, "2*h"),
    VectorQuery("positions", "sum(i*x)", "n"),
    VectorQuery("majority", "indicator(sum(x) > n/2)", "1"),
    VectorQuery("all-above", "product(indicator(x > t))", "1", (*FROM_1, ("t", "0 < t < 1"))),
    VectorQuery("first-above-second", "indicator(x[1] > x[2])", "1", FROM_2),
    VectorQuery("parity", "mod(count(x > 1/2), 2)", "1"),
    VectorQuery(
        "cycle",
        "sqrt(total((x[k] - x[k + 1])^2, k, 1, n - 1) + (x[n] - x[1])^2)",
        "sqrt(2)",
        FROM_2,
    ),
    VectorQuery("cauchy", "sum(1/(1 + x^2))", "1/2"),
    VectorQuery("logistic", "sum(1/(1 + exp(-x)))", "(1 - exp(-1))/(2*(1 + exp(-1)))"),
    VectorQuery("from-half", "sum(abs(x - 1/2))", "1/2"),
    VectorQuery("reversed", "total(x[n + 1 - k], k, 1, n)", "1"),
    VectorQuery("even-places", "total(x[2*k], k, 1, h)", "1", PAIRS, "2*h"),
    VectorQuery("harmonic", "sum(x/i)", "1"),
)
