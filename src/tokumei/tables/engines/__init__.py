"""Where rows live: in memory, counted, in a file larger than memory, on a cluster."""
