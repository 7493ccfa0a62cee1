"""Page frame, charts and shared parts of reports."""
