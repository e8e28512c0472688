"""A second opinion on stored proofs and refutations: standard library only, no code of the package.

    python3 proofs/recheck proofs/

FORMAT.md defines what a record is and what has to be shown for it.  Everything that has to be shown
is derived from the claim; the evidence only states where to split into cases, where to integrate
and which facts to multiply.  A check that fails raises an exception; no function returns whether a
record is right, so no result can be ignored.  The numbers are the sections of FORMAT.md.

    limits      refusals and bounds                    evidence     5  proofs, lemmas, leaves, cases
    records     1  one record                          exp_sign     5  functions of one number
    trees       2  expressions                         totals       5  integrals, mass, divergence
    meaning     1  names, values and kinds             certificates 5  proofs of one mechanism
    claims      1, 9  claims and mechanisms            enumerations 5  all small datasets
    moves       3  what a claim asks for               examples     6  counterexamples
    forms       4  normal forms                        rules        9  composites
    enclosures  4  intervals around constants          inequalities 10 inequalities
    signs       4  contexts and signs                  optima      11  optima
    programs   12  claims about noise programs         lines       12  linear values
    runs       12  their paths                         integrals   12  exact probabilities
    alignments 12  proofs of them                      outcomes    12  refutations of them
"""
