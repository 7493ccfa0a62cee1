"""Advice on a release, whatever the kind of data: a purpose, candidates, the front among them."""
