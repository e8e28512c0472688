"""The least levels at which a mechanism is private, record by record, and as a table."""
