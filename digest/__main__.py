"""Run the command line by `python -m digest`."""

from digest.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
