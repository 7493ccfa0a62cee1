"""Contests: teams anonymize the same data, then attack each other's releases.

A contest is a file (`spec`); what an upload is worth is a pure function (`judge`). Around these two
stand the store, the jobs, what people may do (`desk`), the pages (`web`), the interface for
programs (`api`) and its client.
"""
