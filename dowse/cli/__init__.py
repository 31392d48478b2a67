"""The command line: one module per command, each a library function plus printing."""

from dowse.cli.run import main

__all__ = ["main"]
