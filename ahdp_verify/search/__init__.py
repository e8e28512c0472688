"""Proof search and counterexample search: proposes, and is never believed."""
