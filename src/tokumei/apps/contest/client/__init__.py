"""Client of the REST API, used by the command line."""
