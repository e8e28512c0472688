"""The least delta of a mechanism at given levels, and its curve."""
