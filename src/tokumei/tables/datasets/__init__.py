"""Generated households and customer lists."""
