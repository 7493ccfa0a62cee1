"""One command runs a contest's server: a web process and workers, restarted when they die."""
