"""Searches the pipeline that attacks find least, within bounds on utility."""
