"""Diagnoses which methods made a release, from original, release and claimed link."""
