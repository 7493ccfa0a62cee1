"""Page routes, one file per group of pages."""
