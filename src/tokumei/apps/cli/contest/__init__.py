"""`tokumei contest`: run a contest, or take part in one."""
