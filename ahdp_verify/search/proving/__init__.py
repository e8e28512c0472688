"""Proof search: obligation -> evidence, counterexample point or refusal. Nothing here is trusted;
`ahdp_verify.kernel.checker` decides.
"""
