"""Five papers: every table and figure that they print beside what Tokumei computes."""
