"""Services on purchase histories."""
