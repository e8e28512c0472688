"""A claim on all datasets of at most n records, decided by exact enumeration with arrays; part of
the trusted code.

arrays     whole numbers in numpy arrays with bounds that cannot overflow; floats with a proved
           error
linears    exact linear combinations of constants as arrays
grid       expressions worked out for all rows (inputs) and columns (outputs) at once
factors    laws as products of exponentials, whole numbers and constants
lawtable   laws over finite outputs and the comparison of their rows
lines      laws of one real or whole-number output and their comparison
space      the datasets of at most n records as rows, each distinct one once
sizes      the claim, size by size
"""
