"""Counterexamples: inputs, events and values at which a claim may fail."""
