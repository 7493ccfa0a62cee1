"""Reproductions of five papers: published values beside computed ones."""
