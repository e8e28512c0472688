"""Methods that come from a later module."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.extension import give, given


def test_a_method_is_what_was_given_last() -> None:
    give("a method of this test", lambda x: x + 1)
    assert given("a method of this test")(1) == 2
    give("a method of this test", lambda x: x + 2)
    assert given("a method of this test")(1) == 3


def test_a_method_that_was_not_given_is_bad_input() -> None:
    with pytest.raises(BadInput, match="another method: the package that has it is not loaded"):
        given("another method")
