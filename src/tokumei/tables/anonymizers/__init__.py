"""Methods that turn a table into a release: one file per method."""
