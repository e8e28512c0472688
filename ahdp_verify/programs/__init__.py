"""Noise programs written as plain Python functions, and the words with which they draw.

`ahdp_verify.programs.noise_program` says how they are written; what comes out of it is a
`Program` of the kernel, which alone is verified.
"""

from __future__ import annotations

from ahdp_verify.programs.noise_program import NoiseProgram, noise_program
from ahdp_verify.programs.words import argmax, coin, exponential, gaussian, gumbel

__all__ = ("NoiseProgram", "argmax", "coin", "exponential", "gaussian", "gumbel", "noise_program")
