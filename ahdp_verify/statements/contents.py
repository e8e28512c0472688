"""The statements in the paper's order: the module of each row, by section."""

from __future__ import annotations

BACKGROUND = ("pure_dp",)  # sections 1 to 3, composition and post-processing
POWER = (
    "power_homogeneous", "power_guess", "power_bayes", "claim_1_a", "claim_1_b", "claim_2_a1", "claim_2_a2", "claim_2_b1", "claim_2_b2", "claim_2_proof_m",
    "claim_2_proof_rest", "after_claim_2", "fig_cap", "fig_cap_2", "power_heterogeneous", "least_demand", "claim_3_a1", "claim_3_a2", "claim_3_b1",
    "claim_3_b2", "claim_3_proof_m", "claim_3_proof_rest", "claim_4_a", "claim_4_b", "claim_4_proof", "power_remark",
)  # section 4: hypothesis tests and what an adversary learns
MECHANISMS = ("sample_mechanism",)  # section 5 on: universal mechanisms, regression, experiments
ERRATA = ("erratum_1", "erratum_2", "erratum_3", "erratum_4", "erratum_5")
BEYOND = (
    "exact_limit", "one_value", "power_bounds", "ball_bound_attained", "ball_bound_missed", "reduction", "extension_is_free", "overshoot",
    "powers_homogeneous", "powers_weighted",
)

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Background and AHDP", BACKGROUND),
    ("What an adversary learns", POWER),
    ("Mechanisms and experiments", MECHANISMS),
    ("Errata", ERRATA),
    ("Beyond the paper", BEYOND),
)
MODULES = tuple(name for _, names in SECTIONS for name in names)
