"""Commands on purchase histories."""
