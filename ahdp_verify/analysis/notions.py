"""Claims of zCDP, Rényi DP and GDP in words: `zcdp`, `renyi_dp` and `gdp`.

The neighbouring inputs are those of a claim with a level: of a dataset, by default, those that
differ by one record, and the bound may be a function of that record; of the local model any two
values; of query answers those that differ in one answer.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> law = parse("exp(-(s - sum(x))^2/2)/sqrt(2*pi)")
>>> M = Mechanism(Domain([(1, 1), (2, 2)]), outputs=[real("s")], density=law, name="noisy sum")
>>> print(zcdp(M, lambda x, eps: x**2 / 2))
noisy sum is zCDP with rho = x^2/2, as AHDP
"""

from __future__ import annotations

from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.terms.expression import Expression, expression
from ahdp_verify.kernel.terms.grammar import parse


def zcdp(mechanism: object, rho: Body | str, neighbours: str = "") -> NotionClaim:
    """The claim of rho-zCDP: for every order a > 1, the Rényi divergence of order a between the
    outputs at neighbouring inputs is at most a * rho (Bun and Steinke 2016).
    """
    return _claim(mechanism, "zcdp", rho, neighbours)


def renyi_dp(
    mechanism: object, order: object, bound: Body | str, neighbours: str = ""
) -> NotionClaim:
    """The claim of (order, bound)-Rényi DP, for one order > 1 and a bound in nats (Mironov
    2017).
    """
    return _claim(mechanism, "renyi", bound, neighbours, _read(order))


def gdp(mechanism: object, mu: Body | str, neighbours: str = "") -> NotionClaim:
    """The claim of mu-GDP: no test of the output tells neighbouring inputs apart better than it
    tells N(0, 1) from N(mu, 1) (Dong, Roth and Su 2022).
    """
    return _claim(mechanism, "gdp", mu, neighbours)


def _read(value: object) -> Expression:
    return parse(value, "order") if isinstance(value, str) else expression(value)


def _claim(
    mechanism: object,
    notion: str,
    bound: Body | str,
    neighbours: str,
    order: Expression | None = None,
) -> NotionClaim:
    inputs = getattr(getattr(mechanism, "mechanism", mechanism), "inputs", None)
    usual = (
        "ahdp" if isinstance(inputs, Domain) else "one" if isinstance(inputs, Queries) else "any"
    )
    given = parse(bound, "bound") if isinstance(bound, str) else record_expression(bound)
    bounds = dp(mechanism, given, neighbours or usual)
    return NotionClaim(bounds, notion, order)
