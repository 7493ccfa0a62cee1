"""Rules about histories released period by period: the contest's of 2017, and a release's own."""
