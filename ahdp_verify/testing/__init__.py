"""Claims in a test suite: `assert_proved`, and a plugin of pytest for mechanism files."""

from __future__ import annotations

from ahdp_verify.testing.assertions import NotProved, assert_proved

__all__ = ("NotProved", "assert_proved")
