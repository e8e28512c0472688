"""The examples and experiments of the paper, run with the mechanisms that are verified.

    examples     ex:sum and ex:mean: exact moments, and the histogram of fig:emp-dist beside the
                 exact distribution
    mean         section 6, experiment 1 (fig:MSE), on generated records
    frequency    section 6, experiment 2 (fig:li), on generated records
    regression   section 6, experiment 3 (fig:LR), on a data file that the user has

Weights and noise are read off the catalogue's `Mechanism` objects (`released`), so what is run is
what is verified.  Floats throughout: nothing here takes part in a verdict.  Needs numpy, figures
matplotlib.
"""

from __future__ import annotations

from ahdp_verify import Missing

try:
    import numpy as np
except ImportError:
    raise Missing("experiment", "numpy", "experiments") from None

__all__ = ("np",)
