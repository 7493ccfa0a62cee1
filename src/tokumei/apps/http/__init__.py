"""Shared by the servers: errors, middleware, limits, timeouts, addresses, start-up.

Nothing here knows what is served. Modules need FastAPI or uvicorn only where they say so by
importing them; `errors` needs neither.
"""
