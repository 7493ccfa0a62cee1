"""Tables in files: read with clear errors, written whole or not at all."""
