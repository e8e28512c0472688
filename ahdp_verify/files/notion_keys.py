"""The keys of a claim that bounds something else than the loss: `rho`, `mu`, and `renyi` with
`order`.

>>> from ahdp_verify.files.table import read_table
>>> key_of_bound(read_table({"relation": "ahdp", "rho": "eps^2/2"}, "claim[1]", None))
'rho'
>>> key_of_bound(read_table({"relation": "ahdp", "rho": "1", "mu": "1"}, "claim[1]", None))
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: claim[1].mu: rho is stated too; state one of them in each claim
"""

from __future__ import annotations

from ahdp_verify.files.scope import ExpressionScope
from ahdp_verify.files.table import FileTable
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.notion_claim import NotionClaim

KEYS_OF_NOTIONS = {"rho": "zcdp", "renyi": "renyi", "mu": "gdp"}
KEY_OF_NOTION = {notion: key for key, notion in KEYS_OF_NOTIONS.items()}


def key_of_bound(table: FileTable) -> str:
    """The key of a claim that bounds something: its level, or the bound of another notion."""
    found = [key for key in ("level", *KEYS_OF_NOTIONS) if key in table.content]
    if len(found) > 1:
        raise BadInput(
            table.at(found[1]), f"{found[0]} is stated too", "state one of them in each claim"
        )
    if "order" in table.content and "renyi" not in found:
        said = f"a claim with {found[0] if found else 'a level'} has no order"
        raise BadInput(table.at("order"), said, "write renyi for its bound, or leave order out")
    return found[0] if found else "level"


def notion_from_table(
    table: FileTable, bounds: AnyClaim, key: str, scope: ExpressionScope
) -> NotionClaim:
    """The claim of a notion: rho of zCDP, mu of GDP, or a bound of Rényi DP with its order."""
    if "delta" in table.content:
        raise BadInput(table.at("delta"), f"a claim with {key} has no delta", "leave it out")
    order = scope.parse(table, "order") if key == "renyi" else None
    return NotionClaim(bounds, KEYS_OF_NOTIONS[key], order)
