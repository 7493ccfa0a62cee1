"""`python -m tokumei`."""

from tokumei.apps.cli.app import main

if __name__ == "__main__":
    main()
