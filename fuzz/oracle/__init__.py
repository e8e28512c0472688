"""An oracle for verdicts, from the JSON of claims alone: it imports nothing of the package."""
