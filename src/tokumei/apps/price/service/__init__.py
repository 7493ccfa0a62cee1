"""The price search over HTTP: questions in, optima out, and a page that asks them live."""
