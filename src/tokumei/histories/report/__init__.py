"""Pages and charts of released purchase histories and of sweeps."""
