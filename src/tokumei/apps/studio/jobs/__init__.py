"""Jobs: whatever reads data runs in child processes, under limits."""
