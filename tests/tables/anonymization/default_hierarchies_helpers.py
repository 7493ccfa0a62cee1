"""What the tests split from test_default_hierarchies share."""

from __future__ import annotations

PREFECTURES = ("東京都", "神奈川県", "大阪府", "京都府", "北海道", "福岡県")
