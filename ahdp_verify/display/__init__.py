"""Formulas, claims, mechanisms and verdicts as text, LaTeX and HTML."""
