"""Its tests: they fail with a counterexample when a mechanism changes."""

from noisy_clinic import noisy_count, weighted_sum

from ahdp_verify import ahdp, compose, dp
from ahdp_verify.testing.assertions import assert_proved


def test_the_count_costs_everybody_the_same(ahdp_cache):
    assert_proved(dp(noisy_count(), 1), cache=ahdp_cache)


def test_the_sum_costs_at_most_the_demand():
    assert_proved(ahdp(weighted_sum()))


def test_both_together():
    both = compose(dp(noisy_count(), 1), dp(weighted_sum(), 1))
    assert_proved(both)
