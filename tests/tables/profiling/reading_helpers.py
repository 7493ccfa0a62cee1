"""What the tests split from test_reading share."""

from __future__ import annotations

JAPANESE = "氏名,住所\n山田太郎,東京都千代田区\n"


ROWS = [["田中", "男", "1990-01-01"], ["佐藤", "女", "1985-05-05"], ["鈴木", "男", "1979-09-09"]]
