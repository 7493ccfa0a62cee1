"""Tests of tokumei.tables.profiling.column_cells."""

import random
import re

import polars as pl

from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.embedded_pii import MAYBE_PII_PATTERN, find_embedded_pii

PARTS = (
    "call", "電話", "090-1234-5678", "０９０－１２３４－５６７８", "（03）1234-5678",
    "٠٩٠ ١٢٣٤ ٥٦٧٨", "a@b.jp", "a＠b.jp", "MrSmith", "Mr. Smith", "Sig.ra Rossi",
    "Dott.ssa Bianchi", "Doña Inés", "Mr\u00a0Smith", "Ｍｒ Ｓｍｉｔｈ", "Prof. Weiß",
    "東京都千代田区丸の内", "大阪府大阪市北区", "北区王子1-2", "x12 Main Street",
    "12b High Road", "〒100-0001", "佐藤 健", "佐藤\u3000健", "田中さん", "髙橋様", "鈴木くん",
    "旧姓:山田", "担当佐藤", "James Smith", "192.168.1.1", "https://a.jp/x",
    "4111 1111 1111 1111", "1234 5678 9018", "㈱山田", "fine", "元気", "100", "A", " ",
    "\u3000", "\n", "、", "ー", "(", ")",
)  # fmt: skip


def test_every_cell_with_personal_data_is_asked_about():
    draw, found = random.Random(7), 0
    cells = list(PARTS) + ["".join(draw.choices(PARTS, k=draw.randint(2, 4))) for _ in range(400)]
    for cell in cells:
        if find_embedded_pii(ColumnCells.of(pl.Series([cell]))):
            found += 1
            assert pl.Series([cell]).str.contains(MAYBE_PII_PATTERN).item(), cell
            assert re.search(MAYBE_PII_PATTERN, cell), cell
    assert found > 200
