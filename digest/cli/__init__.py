"""The command line: parse, wire, print, exit. The only room that reads the clock."""

from digest.cli.main import main

__all__ = ["main"]
