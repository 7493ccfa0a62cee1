"""Shared by all kinds of data: messages, errors, progress, registries, randomness, verification."""
