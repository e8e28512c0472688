"""An oracle for verdicts, from the JSON of claims alone: it imports nothing from the package."""
