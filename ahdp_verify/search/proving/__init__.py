"""Procedures: obligation -> evidence, point or refusal.  Nothing here is believed;
`ahdp_verify.kernel.checker` decides.
"""
