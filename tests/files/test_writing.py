"""Writing: whole or not at all, the same bytes every time, secrets for the owner only."""

from __future__ import annotations

import errno
import gzip
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import OutputError, UsageError
from tokumei.files import atomic_write
from tokumei.files.atomic_write import Output, write_all
from tokumei.files.reading import read_frame
from tokumei.files.writing import (
    bytes_output,
    frame_output,
    link_output,
    read_link,
    text_output,
    write_bytes,
    write_frame,
    write_text,
)

FRAME = pl.DataFrame(
    {"名": ["山田", 'a"b', "x,y\nz", None], "n": [1, 2, 3, 4], "r": [0.1 + 0.2, 1e20, -0.5, None]}
)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def run(code: str, *args: object, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", "-c", textwrap.dedent(code), *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=True, **options)


class TestFrames:
    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.tsv", "a.parquet"])
    def test_round_trip(self, tmp_path, name):
        sep = "\t" if name == "a.tsv" else ","
        write_frame(FRAME, tmp_path / name, sep=sep)
        assert read_frame(tmp_path / name).equals(FRAME)
        assert names_in(tmp_path) == [name]

    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
    def test_equal_frames_give_equal_bytes(self, tmp_path, name, monkeypatch):
        write_frame(FRAME, tmp_path / name)
        monkeypatch.setattr(time, "time", lambda: 4e9)  # another second is not in the bytes
        write_frame(pl.concat([FRAME[:1], FRAME[1:]]), tmp_path / f"b{name}")
        assert (tmp_path / name).read_bytes() == (tmp_path / f"b{name}").read_bytes()

    def test_gzip_holds_neither_name_nor_time(self, tmp_path):
        write_frame(FRAME, tmp_path / "a.csv.gz")
        head = (tmp_path / "a.csv.gz").read_bytes()[:10]
        assert head[3] == 0
        assert head[4:8] == bytes(4)

    def test_csv_text(self, tmp_path):
        write_frame(FRAME, tmp_path / "a.csv", sep=";")
        text = (tmp_path / "a.csv").read_bytes().decode()
        assert text.startswith('名;n;r\n山田;1;0.30000000000000004\n"a""b";2;')

    def test_unknown_name_lists_valid_ones(self, tmp_path):
        for name in ("a.xls", "a.json", "a"):
            with pytest.raises(UsageError, match=r"\.csv\.gz.*\.parquet"):
                write_frame(FRAME, tmp_path / name)
        assert names_in(tmp_path) == []

    def test_impossible_separator(self, tmp_path):
        with pytest.raises(UsageError):
            write_frame(FRAME, tmp_path / "a.csv", sep='"')

    def test_nested_cells_are_refused(self, tmp_path):
        with pytest.raises(UsageError, match="'a'"):
            write_frame(pl.DataFrame({"a": [[1]]}), tmp_path / "a.csv")

    def test_mode_follows_the_umask(self, tmp_path):
        code = """
            import os, sys, polars as pl
            from tokumei.files.writing import write_frame
            os.umask(0o027)
            write_frame(pl.DataFrame({"a": [1]}), sys.argv[1])
        """
        run(code, tmp_path / "a.csv")
        assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o640


class TestLinks:
    def test_round_trip_and_mode(self, tmp_path):
        link = np.array([5, 0, 3])
        for name in ("l.csv", "l.csv.gz", "link"):
            write_all([link_output(link, tmp_path / name)])
            assert read_link(tmp_path / name, 3, 6).tolist() == [5, 0, 3]
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert (tmp_path / "l.csv").read_text() == "released,original\n0,5\n1,0\n2,3\n"

    def test_secret_from_creation_on(self, tmp_path):
        seen: list[int] = []

        def write(stream) -> None:
            seen.append(stat.S_IMODE(os.fstat(stream.fileno()).st_mode))

        write_all([Output(tmp_path / "s", write, secret=True)])
        assert seen == [0o600]

    def test_an_open_file_is_replaced_by_a_closed_one(self, tmp_path):
        (tmp_path / "l.csv").write_text("old")
        (tmp_path / "l.csv").chmod(0o644)
        write_all([link_output(np.array([0]), tmp_path / "l.csv")])
        assert stat.S_IMODE((tmp_path / "l.csv").stat().st_mode) == 0o600

    def test_text_and_bytes(self, tmp_path):
        write_text("匿名", tmp_path / "t.html")
        write_bytes(b"\0\1", tmp_path / "b.bin", secret=True)
        assert (tmp_path / "t.html").read_text(encoding="utf-8") == "匿名"
        assert (tmp_path / "b.bin").read_bytes() == b"\0\1"
        assert stat.S_IMODE((tmp_path / "b.bin").stat().st_mode) == 0o600


class TestRefusals:
    def test_missing_folder(self, tmp_path):
        with pytest.raises(OutputError, match="does not exist") as caught:
            write_frame(FRAME, tmp_path / "no" / "a.csv")
        assert str(tmp_path / "no" / "a.csv") in caught.value.message.show("ja")
        assert "フォルダがありません" in caught.value.message.show("ja")

    def test_path_is_a_folder(self, tmp_path):
        (tmp_path / "a.csv").mkdir()
        with pytest.raises(OutputError, match="it is a folder"):
            write_frame(FRAME, tmp_path / "a.csv")

    def test_folder_is_a_file(self, tmp_path):
        (tmp_path / "f").write_text("x")
        with pytest.raises(OutputError, match="does not exist"):
            write_text("x", tmp_path / "f" / "a.txt")

    def test_devices_are_left_alone(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "pipe", Path("/dev/null")):
            with pytest.raises(OutputError, match="regular file"):
                write_text("x", path)
        assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)

    def test_a_link_is_written_through(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "a.txt").symlink_to(tmp_path / "real" / "b.txt")
        write_text("x", tmp_path / "a.txt")
        assert (tmp_path / "a.txt").is_symlink()
        assert (tmp_path / "real" / "b.txt").read_text() == "x"

    def test_long_name(self, tmp_path):
        write_text("x", tmp_path / ("a" * 250 + ".txt"))
        with pytest.raises(OutputError, match="too long"):
            write_text("x", tmp_path / ("a" * 300 + ".txt"))
        assert len(names_in(tmp_path)) == 1

    def test_no_permission(self):
        code = """
            import os, sys
            from tokumei.files.writing import write_text
            from tokumei.core.errors import OutputError
            os.getuid() or os.setuid(65534)
            try: write_text("x", sys.argv[1])
            except OutputError as err: print(err)
        """
        # Not in pytest's own folder: only its owner can reach into that.
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o555)
            assert "no permission" in run(code, Path(folder) / "a.txt").stdout
            assert names_in(Path(folder)) == []


class TestDiskFull:
    CODE = """
        import resource, sys
        import numpy as np, polars as pl
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output, text_output
        from tokumei.core.errors import OutputError
        first, second, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        rng = np.random.default_rng(0)
        frame = pl.DataFrame({"a": rng.random(100_000), "b": rng.random(100_000)})
        try:
            write_all([text_output("new", first), frame_output(frame, second)])
        except OutputError as err:
            print(err.message.show("en"), err.message.show("ja"))
        else:
            print("written")
    """

    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
    def test_size_limit(self, tmp_path, name):
        (tmp_path / "first.txt").write_text("old")
        done = run(self.CODE, tmp_path / "first.txt", tmp_path / name, 100_000)
        assert "too large" in done.stdout
        assert str(tmp_path / name) in done.stdout
        assert names_in(tmp_path) == ["first.txt"]
        assert (tmp_path / "first.txt").read_text() == "old"

    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
    def test_real_full_disk(self, tmp_path, name):
        disk = tmp_path / "disk"
        disk.mkdir()
        mount = shutil.which("mount")
        command = [mount or "mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
        if not mount or os.getuid() or subprocess.run(command, capture_output=True).returncode:
            pytest.skip("a tmpfs cannot be mounted here")
        try:
            (disk / name).write_text("old")
            done = run(self.CODE, disk / "first.txt", disk / name, 0)
            assert "disk is full" in done.stdout
            assert "空きがありません" in done.stdout
            assert names_in(disk) == [name]
            assert (disk / name).read_text() == "old"
        finally:
            subprocess.run(["umount", str(disk)], check=True)


class TestAll:
    def test_several(self, tmp_path):
        write_all(
            [
                frame_output(FRAME, tmp_path / "p.csv"),
                link_output(np.arange(4), tmp_path / "s.csv"),
                text_output("{}", tmp_path / "m.json"),
            ]
        )
        assert names_in(tmp_path) == ["m.json", "p.csv", "s.csv"]

    def test_nothing_to_write(self):
        write_all([])

    def test_the_same_path_twice(self, tmp_path):
        (tmp_path / "x").mkdir()
        twice = [text_output("1", tmp_path / "a"), text_output("2", tmp_path / "x" / ".." / "a")]
        with pytest.raises(UsageError, match="same file"):
            write_all(twice)
        assert names_in(tmp_path) == ["x"]

    def test_all_are_complete_before_the_first_rename(self, tmp_path, monkeypatch):
        order: list[str] = []
        rename, sync = Path.replace, os.fsync
        monkeypatch.setattr(Path, "replace", lambda s, t: (order.append("name"), rename(s, t))[1])
        monkeypatch.setattr(os, "fsync", lambda fd: (order.append("sync"), sync(fd))[1])
        write_all([text_output("1", tmp_path / "a"), text_output("2", tmp_path / "b")])
        assert order == ["sync", "sync", "name", "name", "sync"]

    @pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "x"), ValueError("x")])
    def test_a_failing_writer_leaves_everything(self, tmp_path, failure):
        def fail(stream) -> None:
            stream.write(b"half")
            raise failure

        (tmp_path / "a").write_text("old")
        with pytest.raises((OutputError, ValueError)):
            write_all([text_output("new", tmp_path / "a"), Output(tmp_path / "b", fail)])
        assert names_in(tmp_path) == ["a"]
        assert (tmp_path / "a").read_text() == "old"

    def test_interrupted(self, tmp_path):
        def fail(stream) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_all([bytes_output(b"1", tmp_path / "a"), Output(tmp_path / "b", fail)])
        assert names_in(tmp_path) == []

    @pytest.mark.parametrize("linkable", [True, False])
    def test_a_failing_rename_is_undone(self, tmp_path, monkeypatch, linkable):
        for name in ("a", "c"):
            (tmp_path / name).write_text("old")
        rename = Path.replace

        def replace(source: Path, target: Path) -> Path:
            if Path(target).name == "c":
                raise PermissionError(errno.EPERM, "no")
            return rename(source, target)

        def refuse(old: Path, target: Path) -> None:
            raise OSError(errno.EPERM, "no")

        monkeypatch.setattr(Path, "replace", replace)
        if not linkable:
            monkeypatch.setattr(Path, "hardlink_to", refuse)
        with pytest.raises(OutputError, match="no permission"):
            write_all([text_output("new", tmp_path / name) for name in "abc"])
        assert names_in(tmp_path) == ["a", "c"]
        assert (tmp_path / "a").read_text() == "old"

    def test_unsyncable_folder_is_no_failure(self, tmp_path, monkeypatch):
        def refuse(*_: object) -> int:
            raise OSError(errno.EINVAL, "no")

        real = os.open
        monkeypatch.setattr(
            atomic_write.os, "open", lambda p, f, *m: real(p, f, *m) if m else refuse()
        )
        write_text("x", tmp_path / "a")
        assert (tmp_path / "a").read_text() == "x"


@pytest.mark.long
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_killed_writers_leave_old_or_new(tmp_path, name):
    code = """
        import sys
        import numpy as np, polars as pl
        from tokumei.files.writing import write_frame
        frame = pl.DataFrame({"a": np.random.default_rng(0).random(300_000)})
        print("ready", flush=True)
        while True:
            write_frame(frame, sys.argv[1])
            print("done", flush=True)
    """
    target = tmp_path / name
    wanted = pl.DataFrame({"a": np.random.default_rng(0).random(300_000)})
    wait = random.Random(0)
    for old in (False, True, True, True):
        if old:
            target.write_text("old")
        command = [sys.executable, "-B", "-c", textwrap.dedent(code), str(target)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(wait.uniform(0.0, 0.3))
            process.send_signal(signal.SIGKILL)
        if not target.exists():
            assert not old
        elif target.read_bytes() != b"old":
            assert read_frame(target).equals(wanted)


texts = st.one_of(
    st.none(), st.text(st.sampled_from('a,;\t"\n\r 日本1.-e匿'), min_size=1, max_size=6)
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(texts, texts), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["a.csv", "a.csv.gz"]),
)
def test_texts_come_back(tmp_path_factory, rows, sep, name):
    path = tmp_path_factory.mktemp("t") / name
    columns = {
        "k": ["x"] * len(rows),
        '見,"出;し': [r[0] for r in rows],
        "b\nc": [r[1] for r in rows],
    }
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    write_frame(frame, path, sep=sep)
    read = read_frame(path, sep=sep)
    for column in frame.columns:
        if read[column].dtype == pl.String:
            assert read[column].to_list() == frame[column].to_list()
        else:
            wanted = frame[column].cast(pl.Float64)
            assert read[column].cast(pl.Float64).to_list() == wanted.to_list()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-(2**63), 2**63 - 1),
            st.floats(allow_nan=False, allow_infinity=False),
            st.dates(date(1000, 1, 1), date(9999, 12, 31)),
            st.one_of(st.none(), st.sampled_from(["x", "匿名"])),
        ),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from(["a.csv", "a.csv.gz", "a.parquet"]),
)
def test_values_come_back_exactly(tmp_path_factory, rows, name):
    path = tmp_path_factory.mktemp("t") / name
    schema = {"i": pl.Int64, "r": pl.Float64, "d": pl.Date, "s": pl.String}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    write_frame(frame, path)
    assert read_frame(path).equals(frame)


def test_gzip_content_is_the_csv(tmp_path):
    write_frame(FRAME, tmp_path / "a.csv")
    write_frame(FRAME, tmp_path / "a.csv.gz")
    packed = gzip.decompress((tmp_path / "a.csv.gz").read_bytes())
    assert packed == (tmp_path / "a.csv").read_bytes()
