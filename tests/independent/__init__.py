"""A verifier of releases that knows nothing of Tokumei: plain Python, cells as text.

python -m independent public.csv --original people.csv --link link.csv     # from tests/
"""
