"""Drawings as inline SVG: no script, no colours of their own, a table beside each."""
