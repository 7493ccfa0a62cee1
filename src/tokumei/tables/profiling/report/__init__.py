"""Reports of a profile: page, preview and text."""
