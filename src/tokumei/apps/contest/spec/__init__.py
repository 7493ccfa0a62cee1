"""Definition of a contest: contest.yaml, presets, and the organiser's own code."""
