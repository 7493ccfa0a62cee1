"""Job handlers: each calls services in a child process and writes results."""
