"""The release gate: reads what is about to be published, and refuses what nobody consented to."""
