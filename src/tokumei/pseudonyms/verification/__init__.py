"""Checks the rules of the 2017 contest and the claims of releases."""
