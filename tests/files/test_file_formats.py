"""Tests of tokumei.files.file_formats."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from files.reading_helpers import PEOPLE, error_of
from tokumei.core.errors import InputError, UsageError
from tokumei.files.file_formats import read_ahead, sha256_of_file
from tokumei.files.reading import read_frame


class TestFiles:
    def test_missing(self, tmp_path):
        assert "no such file" in error_of(tmp_path / "no.csv").message.show("en")
        assert "no such file" in error_of(tmp_path / "no.parquet").message.show("en")
        assert "no such file" in error_of(tmp_path / "no.xlsx").message.show("en")

    def test_directory(self, tmp_path):
        (tmp_path / "d.csv").mkdir()
        assert "it is a folder" in error_of(tmp_path / "d.csv").message.show("en")

    def test_unknown_name(self, make):
        with pytest.raises(UsageError, match=r"\.parquet"):
            read_frame(make(PEOPLE, "a.doc"))

    def test_name_in_capitals(self, make):
        assert read_frame(make(PEOPLE, "A.CSV")).height == 2
        assert read_frame(make(PEOPLE, "a.b.txt")).height == 2

    def test_permission(self):
        code = (
            "import os, sys\n"
            "from tokumei.files.reading import read_frame\n"
            "from tokumei.core.errors import InputError\n"
            "os.getuid() or os.setuid(65534)\n"
            "try: read_frame(sys.argv[1])\n"
            "except InputError as err: print(err)\n"
        )
        # Not in pytest's own folder: only its owner can reach into that.
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            path = Path(folder) / "a.csv"
            path.write_text(PEOPLE)
            path.chmod(0)
            command = [sys.executable, "-c", code, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "no permission to read" in done.stdout

    def test_sha256(self, make, tmp_path):
        assert sha256_of_file(make("x")) == hashlib.sha256(b"x").hexdigest()
        with pytest.raises(InputError, match="no such file"):
            sha256_of_file(tmp_path / "none")

    def test_what_is_read_ahead_is_what_is_digested(self, make):
        plain, packed = make(PEOPLE), make(gzip.compress(PEOPLE.encode()), "a.csv.gz")
        with ThreadPoolExecutor(2) as beside:
            content, digest = read_ahead(plain, beside)
            assert content() == PEOPLE.encode()
            assert digest.result() == sha256_of_file(plain)
            with pytest.raises(IndexError):  # it is held no longer than its reader holds it
                content()
            content, digest = read_ahead(packed, beside)
            assert content is None
            assert digest.result() == sha256_of_file(packed)
            assert read_ahead(os.devnull, beside) == (None, None)

    def test_size_limit(self, make):
        assert "limit of 10 bytes" in error_of(make(PEOPLE), max_bytes=10).message.show("en")

    def test_gzip_bomb_stops_at_the_limit(self, make):
        path = make(gzip.compress(b"a,b\n" + b"1,2\n" * 5_000_000), "a.csv.gz")
        assert "limit" in error_of(path, max_bytes=1_000_000).message.show("en")

    def test_gzip_cut_and_damaged(self, make):
        whole = gzip.compress(os.urandom(5000))
        assert "too early" in error_of(make(whole[:-100], "a.csv.gz")).message.show("en")
        hurt = whole[:-6] + b"\0\1\2\3\4\5"
        assert "damaged" in error_of(make(hurt, "b.csv.gz")).message.show("en")

    def test_parquet(self, tmp_path):
        frame = pl.DataFrame({"a": [1, 2], "名": ["x", None], "d": [date(2024, 1, 1)] * 2})
        frame.with_columns(c=pl.Series(["u", "v"], dtype=pl.Categorical)).write_parquet(
            tmp_path / "a.parquet"
        )
        read = read_frame(tmp_path / "a.parquet")
        assert read.drop("c").equals(frame)
        assert read["c"].dtype == pl.String

    def test_parquet_bomb_stops_at_the_limit(self, tmp_path):
        pl.DataFrame({"a": np.zeros(10**7)}).write_parquet(tmp_path / "a.parquet")
        assert "limit" in error_of(tmp_path / "a.parquet", max_bytes=5_000_000).message.show("en")

    def test_parquet_damaged_empty_nested(self, tmp_path, make):
        pl.DataFrame({"a": range(1000)}).write_parquet(tmp_path / "a.parquet")
        whole = (tmp_path / "a.parquet").read_bytes()
        assert "damaged" in error_of(make(whole[:-50], "b.parquet")).message.show("en")
        assert "damaged" in error_of(make(b"PAR1", "b.parquet")).message.show("en")
        pl.DataFrame({"a": [[1]]}).write_parquet(tmp_path / "n.parquet")
        assert error_of(tmp_path / "n.parquet").faults[0].column == "a"
        pl.DataFrame({"a": []}).write_parquet(tmp_path / "e.parquet")
        assert "no rows" in error_of(tmp_path / "e.parquet").message.show("en")

    def test_xlsx(self, tmp_path):
        frame = pl.DataFrame(
            {
                "氏名": ["山田", "鈴木", None],
                "age": [34, 28, 51],
                "income": [1.5, 2.0, -0.25],
                "code": ["007", "012", "100"],
                "day": [date(2024, 1, 1), date(2024, 2, 29), None],
            }
        )
        frame.write_excel(tmp_path / "a.xlsx")
        assert read_frame(tmp_path / "a.xlsx").equals(frame)

    def test_xlsx_header_and_rows(self, tmp_path):
        assert error_of(_sheet(tmp_path, [["a", "a", None], [1, 2, 3]])).total == 2
        assert "no rows" in error_of(_sheet(tmp_path, [["a", "b"]])).message.show("en")
        assert "empty" in error_of(_sheet(tmp_path, [])).message.show("en")

    def test_xlsx_damaged(self, tmp_path, make):
        whole = _sheet(tmp_path, [["a"], [1]]).read_bytes()
        assert "damaged" in error_of(make(whole[:300], "b.xlsx")).message.show("en")
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("x.txt", "not a workbook")
        assert "damaged" in error_of(make(stream.getvalue(), "c.xlsx")).message.show("en")

    def test_xlsx_bomb_stops_at_the_limit(self, tmp_path):
        path = _sheet(tmp_path, [["a"]] + [[1]] * 5000)
        assert "limit" in error_of(path, max_bytes=path.stat().st_size + 1).message.show("en")

    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet", "a.xlsx"])
    @pytest.mark.parametrize("content", ["csv", "gz", "parquet", "xlsx", "pdf", "png"])
    def test_content_behind_another_name(self, make, tmp_path, name, content):
        frame = pl.DataFrame({"a": [1]})
        frame.write_parquet(tmp_path / "made")
        contents = {
            "csv": b"a,b\n1,2\n",
            "gz": gzip.compress(b"a,b\n1,2\n"),
            "parquet": (tmp_path / "made").read_bytes(),
            "xlsx": _sheet(tmp_path, [["a"], [1]]).read_bytes(),
            "pdf": b"%PDF-1.7\n%...",
            "png": b"\x89PNG\r\n\x1a\n\0\0\0",
        }
        path = make(contents[content], name)
        if name.endswith("." + content):
            assert read_frame(path).height == 1
        else:
            error = error_of(path)
            assert "not what its name says" in error.message.show("en")
            assert "ファイル名と合いません" in error.message.show("ja")

    def test_parquet_inside_gzip(self, make):
        path = make(gzip.compress(b"PAR1....PAR1"), "a.csv.gz")
        assert "not what its name says" in error_of(path).message.show("en")


def _sheet(folder: Path, rows: list[list[object]]) -> Path:
    import xlsxwriter

    path = folder / "sheet.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate(rows):
            sheet.write_row(i, 0, row)
    return path
