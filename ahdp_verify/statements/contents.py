"""The statements in the paper's order: the module of each row, by section."""

from __future__ import annotations

BACKGROUND = ("pure_dp",)  # sections 1 to 3, composition and post-processing
POWER = ("claim_2_b1",)  # section 4: hypothesis tests and what an adversary learns
MECHANISMS = (
    "sample_mechanism", "sample_mechanism_proof", "exponential_mechanism", "prop_newdp_privacy", "prop_newdp_utility", "count_as_query", "weights", "ex_sum", "histogram",
    "prop_newdp_mean_privacy", "prop_newdp_mean_utility", "prop_newdp_mean_moments", "ex_mean", "ex_mean_half_demand", "rem_bias", "lr_text", "weighted_least_squares", "alg_lr",
    "size_estimate", "frequency_bins", "exp_1", "exp_2", "exp_2_p_value", "exp_3", "fig_lr",
)  # section 5 on: universal mechanisms, regression, experiments
ERRATA = ()
BEYOND = ()

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Background and AHDP", BACKGROUND),
    ("What an adversary learns", POWER),
    ("Mechanisms and experiments", MECHANISMS),
    ("Errata", ERRATA),
    ("Beyond the paper", BEYOND),
)
MODULES = tuple(name for _, names in SECTIONS for name in names)
