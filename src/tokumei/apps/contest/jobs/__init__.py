"""Durable jobs: the queue, the worker, and limits on judging."""
