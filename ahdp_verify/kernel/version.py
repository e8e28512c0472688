"""The version of the package, which stored records name."""

VERSION = "0.1.0"
