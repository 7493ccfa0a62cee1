"""Where rows live. Methods ask an engine for frequencies and hand back a recoding."""
