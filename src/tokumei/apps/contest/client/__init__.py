"""The other side of the interface: what the command line calls."""
