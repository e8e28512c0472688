"""Draws of a running program, held against the verified law; needs numpy and scipy."""

from __future__ import annotations

from ahdp_verify.auditing.audit import audit
from ahdp_verify.auditing.results import Audit

__all__ = ("Audit", "audit")
