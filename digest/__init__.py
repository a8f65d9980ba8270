"""Digest: a weekly themed newsletter from a folder of Markdown summaries."""

__all__ = ["__version__"]

__version__ = "0.3.0"
