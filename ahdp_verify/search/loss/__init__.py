"""Where the privacy loss of a mechanism is largest, and how large it is there."""
