"""`python -m dowse` is `dowse`."""

from dowse.cli import main

main()
