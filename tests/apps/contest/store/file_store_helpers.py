"""What the tests split from test_file_store share."""

from __future__ import annotations

ENTRY = "a" * 20
