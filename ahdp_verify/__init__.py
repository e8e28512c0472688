"""Machine-checked proofs and refutations of heterogeneous differential privacy claims.

Say what a mechanism is (`Mechanism`) and what it claims (`ahdp`, `hdp`, `dp`), and ask (`verify`).
The answer is `Proved`, `Refuted` or `Unknown`; the first two can be saved and checked again.
Everything is exact: numbers are ints, Fractions or texts, never floats.

What only some readers need has a place of its own: `ahdp_verify.analysis.moments` (means,
variances, limits), `.analysis.testing` (error rates, odds), `.analysis.power` (best mechanisms,
tables), `.analysis.arguments`, `.search.compose` (further rules), `.catalogue`,
`.testing.assertions`.

>>> from ahdp_verify import Abs, Domain, Mechanism, ahdp, exp, real, verify
>>> W, s = Domain([(0, 1), (1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: eps * x))) / 2, name="weighted sum")
>>> print(verify(ahdp(M)))
Proved: weighted sum is AHDP at level eps; scope: all datasets; trusts: the checker alone
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ahdp_verify import start as start  # before anything that takes long to load

# The public names, with all that they need, are loaded when the first of them is asked for: a
# command that imports what it needs itself does not wait for the rest.
if TYPE_CHECKING:
    from ahdp_verify.public import *  # noqa: F403 - what type checkers and editors see
    from ahdp_verify.public import __all__ as __all__
else:

    def load_public_names() -> None:
        """The public names, and `__all__`, are in this module from now on."""
        import ahdp_verify.public as public  # noqa: PLC0415 - the one import that is deferred

        found = {key: getattr(public, key) for key in ("__all__", *public.__all__)}
        globals().update(found)

    def __getattr__(wanted: str) -> object:
        """A name that is not here yet; those with an underscore are never public."""
        if "__all__" not in globals() and (wanted == "__all__" or not wanted.startswith("_")):
            load_public_names()
        if wanted in globals():
            return globals()[wanted]
        raise AttributeError(f"module {__name__!r} has no attribute {wanted!r}")

    def __dir__() -> list[str]:
        """Every name, the public ones too."""
        if "__all__" not in globals():
            load_public_names()
        return sorted(globals())
