"""A claim on all datasets of at most n records, decided by exact enumeration with arrays; part of
the trusted code.

arrays               integers in NumPy arrays with bounds that cannot overflow; floats with a
                     proven error bound
linear_values        exact linear combinations of constants as arrays
grid                 expressions computed for all rows (inputs) and columns (outputs) at once
factors              laws as products of exponentials, integers and constants
distribution_table   laws over finite outputs and the comparison of their rows
one_output           laws of one real or integer output and their comparison
datasets             the datasets of at most n records as rows, each distinct one once
enumerate            the claim, size by size
violation            what it raises where the claim fails
"""
