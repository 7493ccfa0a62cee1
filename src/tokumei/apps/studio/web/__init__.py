"""Pages, which show results of jobs and compute nothing."""
