"""The course: its ten notebooks (`lessons`), exercises that ask the toolkit whether an answer is
right (`exercises`, `proof_exercises`), and their figures (`pictures`).
"""
