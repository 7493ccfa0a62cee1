"""Ledger parts of tables: contributions, methods that keep earlier classes, attacks."""
