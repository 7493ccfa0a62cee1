"""What all kinds of data share: text, errors, progress, registries, randomness, releases, flows."""
