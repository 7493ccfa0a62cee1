"""What tables bring to a ledger: classes of rows, what fits them, defences, and attacks."""
