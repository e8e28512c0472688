"""Procedures: obligation -> evidence, point or refusal.  Nothing here is believed;
`ahdp_verify.checker` decides.
"""
