"""The price search over HTTP, with a live page."""
