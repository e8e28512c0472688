"""SMT solvers as a second opinion, and their models as counterexamples."""
