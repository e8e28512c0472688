"""How well an adversary can guess the input: against a mechanism, against the best one, and in
tables.
"""

from __future__ import annotations

from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.power.best import best_mechanism, best_power, best_powers
from ahdp_verify.analysis.power.table import power_table
from ahdp_verify.analysis.power.threat_models import (
    extra_records,
    known_record,
    one_more_record,
    these,
)

__all__ = (
    "best_mechanism",
    "best_power",
    "best_powers",
    "extra_records",
    "known_record",
    "one_more_record",
    "power",
    "power_table",
    "these",
)
