"""`python -m ahdp_verify` is the command `ahdp-verify`."""

from ahdp_verify.cli.app import main

if __name__ == "__main__":
    main()
