"""The command line: one file per group of commands; heavy modules are imported when needed."""
