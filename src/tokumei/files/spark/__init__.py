"""Files that a Spark cluster reads and writes."""
