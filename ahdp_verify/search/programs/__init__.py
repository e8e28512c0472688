"""Searching for proofs and refutations of claims about noise programs."""
