"""Reports on tables: pages, charts and texts."""
