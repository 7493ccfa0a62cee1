"""`python -m tokumei`."""

from tokumei.cli.app import main

if __name__ == "__main__":
    main()
