"""The statements in the paper's order: the module of each row, by section."""

from __future__ import annotations

BACKGROUND = (  # sections 1 to 3, composition and post-processing
    "notation", "pure_dp", "neighbours", "add_remove_to_swap", "swap_to_add_remove", "eq_alt_dp", "def_het_dp", "asu22", "ex_swap_dp_coin", "ex_swap_dp_other",
    "publish_demands", "d_alpha", "def_new_dp", "single_steps", "ex_ahdp", "ex_ahdp_via_homo", "composition_of_w_ahdp", "prop_bc", "prop_pp", "remark_local_dp",
)
POWER = (  # section 4: hypothesis tests and what an adversary learns
    "thm_ht", "power_homogeneous", "power_guess", "power_bayes", "claim_1_a", "claim_1_b", "claim_2_a1", "claim_2_a2", "claim_2_b1", "claim_2_b2", "claim_2_proof_m",
    "claim_2_proof_rest", "after_claim_2", "fig_cap", "fig_cap_2", "power_heterogeneous", "least_demand", "claim_3_a1", "claim_3_a2", "claim_3_b1",
    "claim_3_b2", "claim_3_proof_m", "claim_3_proof_rest", "claim_4_a", "claim_4_b", "claim_4_proof", "power_remark", "odds_display", "hdp_fails",
)
MECHANISMS = (  # section 5 on: universal mechanisms, regression, experiments
    "wider_domain", "def_uahdp", "prop_bias", "sample_mechanism", "sample_mechanism_proof", "exponential_mechanism", "prop_newdp_privacy", "prop_newdp_utility", "count_as_query",
    "weights", "ex_sum", "histogram", "prop_newdp_mean_privacy", "prop_newdp_mean_utility", "prop_newdp_mean_moments", "ex_mean", "ex_mean_half_demand", "rem_bias", "lr_text",
    "weighted_least_squares", "alg_lr", "size_estimate", "frequency_bins", "exp_1", "exp_2", "exp_2_p_value", "exp_3", "fig_lr", "conclusion",
)
ERRATA: tuple[str, ...] = ("e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9", "e10", "e11", "e12")
BEYOND: tuple[str, ...] = (
    "exact_limit", "one_value", "power_bounds", "ball_bound_attained", "ball_bound_missed", "reduction", "extension_is_free",
    "exact_levels", "sampling_factors", "upper_triangle", "no_unbiased", "exponential_half", "exponential_free", "exponential_unbounded", "exponential_deletions",
    "exponential_vacuous", "overshoot", "powers_homogeneous", "powers_weighted", "ex_mean_moments", "sampling_probabilities", "demand_moments",
)

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Background and AHDP", BACKGROUND),
    ("What an adversary learns", POWER),
    ("Mechanisms and experiments", MECHANISMS),
    ("Errata", ERRATA),
    ("Beyond the paper", BEYOND),
)
MODULES = tuple(name for _, names in SECTIONS for name in names)
