"""The power of an adversary who names the true dataset: against one mechanism, and against the best
one.
"""

from __future__ import annotations

from ahdp_verify.analysis.power.against_mechanism import Power, power
from ahdp_verify.analysis.power.best import BestMechanism, best_mechanism, best_power, best_powers
from ahdp_verify.analysis.power.closed_forms import (
    ball_bound,
    known_record_power,
    limit_bound,
    limit_power,
    one_record_power,
    one_value_power,
    swap_power,
)
from ahdp_verify.analysis.power.table import PowerTable, power_table
from ahdp_verify.analysis.power.threat_models import (
    ThreatModel,
    extra_records,
    known_record,
    one_more_record,
    these,
)

__all__ = (
    "BestMechanism",
    "Power",
    "PowerTable",
    "ThreatModel",
    "ball_bound",
    "best_mechanism",
    "best_power",
    "best_powers",
    "extra_records",
    "known_record",
    "known_record_power",
    "limit_bound",
    "limit_power",
    "one_more_record",
    "one_record_power",
    "one_value_power",
    "power",
    "power_table",
    "swap_power",
    "these",
)
