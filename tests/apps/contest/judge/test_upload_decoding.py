"""Files from strangers: everything hostile is refused with one clear fault."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.contest.judge.upload_decoding_helpers import LIMIT, refused, upload_text
from apps.contest.judge.uploaded import rules_of, zipped
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.judge.upload_decoding import UploadLimits, read_upload_texts
from tokumei.core.errors import InputError

NAMES = ["F25.csv", "F50.csv"]


@pytest.mark.parametrize(
    "packed",
    [
        lambda text: text,
        gzip.compress,
        lambda text: zipped({"any.csv": text}),
        lambda text: b"\xef\xbb\xbf" + text,
    ],
)
def test_text_comes_out_of_every_packing(packed):
    assert upload_text(Upload("A.csv", packed(b"a,b\nc,d\n")), LIMIT) == b"a,b\nc,d\n"


def test_text_may_be_shift_jis():
    data = "顧客,商品\n".encode("cp932")
    assert upload_text(Upload("A.csv", data), LIMIT).decode() == "顧客,商品\n"


def test_a_zip_bomb_is_refused_by_what_it_declares():
    assert refused(zipped({"a.csv": b"0" * 10_000_000})) == "size"


def test_a_zip_bomb_that_lies_about_its_size_is_refused_while_unpacking():
    data = bytearray(zipped({"a.csv": b"0" * 10_000_000}))
    real = (10_000_000).to_bytes(4, "little")
    assert data.count(real) == 2
    assert refused(bytes(data).replace(real, (500).to_bytes(4, "little"))) in ("size", "zip")


def test_a_gzip_bomb_is_refused():
    assert refused(gzip.compress(b"0" * 10_000_000)) == "size"


def test_a_zip_that_lists_very_many_files_is_refused_before_they_are_read():
    assert refused(b"PK\x03\x04" + b"PK\x01\x02" * 400_000, UploadLimits(2**30, 50)) == "zip"


def test_nested_archives_are_refused():
    inner = zipped({"a.csv": b"a"})
    assert refused(zipped({"b.zip": inner})) == "zip"
    assert refused(gzip.compress(inner)) == "gzip"
    assert refused(gzip.compress(gzip.compress(b"a"))) == "gzip"


@pytest.mark.parametrize(
    "name", ["../a.csv", "/etc/passwd", "x/../a.csv", "a\\b.csv", " ", ".hidden", "a\nb.csv"]
)
def test_names_that_leave_a_zip_or_hide_are_refused(name):
    assert refused(zipped({name: b"a"})) == "zip"


def test_named_files_may_lie_in_a_folder():
    packed = zipped({"guess/F50.csv": b"2", "guess/F25.csv": b"1", "guess/.DS_Store": b"?"})
    assert read_upload_texts(Upload("g.zip", packed), NAMES, LIMIT) == {
        "F25.csv": b"1",
        "F50.csv": b"2",
    }


def test_two_folders_with_one_name_are_no_choice():
    assert refused(zipped({"a/A.csv": b"a", "b/A.csv": b"b"})) == "zip"


def test_a_file_may_come_with_another_beside_it():
    packed = zipped({"my/Y.csv": b"y", "my/Link.CSV": b"l"})
    found = read_upload_texts(Upload("A.zip", packed), ["A.csv"], LIMIT, besides=["link.csv"])
    assert found == {"A.csv": b"y", "link.csv": b"l"}
    packed = zipped({"Y.csv": b"y", "Z.csv": b"z", "link.csv": b"l"})
    with pytest.raises(InputError, match=r"besides link\.csv"):
        read_upload_texts(Upload("A.zip", packed), ["A.csv"], LIMIT, besides=["link.csv"])


def test_an_encrypted_zip_is_refused():
    data = bytearray(zipped({"a.csv": b"a"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    assert refused(bytes(data)) == "zip"


def test_a_zip_with_two_files_is_no_single_file():
    assert refused(zipped({"a.csv": b"a", "b.csv": b"b"})) == "zip"


def test_two_members_of_one_name_are_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.csv", b"a")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.csv", b"b")
    assert refused(stream.getvalue()) == "zip"


def test_too_many_members_are_refused():
    assert refused(zipped({f"{number}.csv": b"" for number in range(51)})) == "zip"


def test_a_nul_byte_is_told_with_its_line():
    with pytest.raises(InputError) as err:
        upload_text(Upload("A.csv", b"a\nb\0\n"), LIMIT)
    assert (err.value.faults[0].rule, err.value.faults[0].line) == ("nul", 2)


def test_millions_of_lines_are_refused_before_they_are_split():
    limit = UploadLimits(max_bytes=2**30, lines=44_917)
    assert refused(b"\n" * 10_000_000, limit) == "rows"


def test_one_enormous_line_is_refused():
    with pytest.raises(InputError) as err:
        upload_text(Upload("A.csv", b"a\n" + b"x" * 20_000 + b"\nb"), LIMIT)
    assert (err.value.faults[0].rule, err.value.faults[0].line) == ("line-length", 2)


def test_bytes_that_are_no_text_are_refused():
    assert refused(b"\xff\x80\xa0\xfd" * 10) == "encoding"


def test_several_files_come_in_one_zip_of_just_these():
    given = {"F50.csv": b"2", "F25.csv": b"1"}
    found = read_upload_texts(Upload("g.zip", zipped(given)), NAMES, LIMIT)
    assert found == {"F25.csv": b"1", "F50.csv": b"2"}


@pytest.mark.parametrize(
    "files", [{"F25.csv": b"1"}, {"F25.csv": b"1", "F50.csv": b"2", "more.csv": b"3"}]
)
def test_lacking_and_further_files_are_named(files):
    with pytest.raises(InputError) as err:
        read_upload_texts(Upload("g.zip", zipped(files)), NAMES, LIMIT)
    assert err.value.faults[0].message.show("en").startswith(("F50.csv", "more.csv"))


def test_several_files_do_not_come_as_one_csv():
    with pytest.raises(InputError):
        read_upload_texts(Upload("F25.csv", b"1"), NAMES, LIMIT)


def test_limits_hold_for_all_files_of_a_zip_together():
    files = {name: b"1\n" * 20_000 for name in NAMES}
    with pytest.raises(InputError) as err:
        read_upload_texts(Upload("g.zip", zipped(files)), NAMES, UploadLimits(60_000, 100_000))
    assert err.value.faults[0].rule == "size"


SOUND = zipped({"a.csv": b"a,b\n" * 20})


@given(
    place=st.integers(0, len(SOUND) - 1), value=st.integers(0, 255), cut=st.integers(1, len(SOUND))
)
def test_damaged_zips_are_refused_or_read_but_never_crash(place, value, cut):
    data = bytearray(SOUND)
    data[place] = value
    with suppress(InputError):
        assert len(upload_text(Upload("a.zip", bytes(data[:cut])), LIMIT)) <= LIMIT.max_bytes


PACKED = gzip.compress(b"a,b\n" * 20)


@given(place=st.integers(2, len(PACKED) - 1), value=st.integers(0, 255))
def test_damaged_gzips_are_refused_or_read_but_never_crash(place, value):
    data = bytearray(PACKED)
    data[place] = value
    with suppress(InputError):
        assert len(upload_text(Upload("a.csv.gz", bytes(data)), LIMIT)) <= LIMIT.max_bytes


@given(st.binary(max_size=300))
def test_no_bytes_crash_a_judge(periods, histories, tables, data):
    for contest in (periods, histories, tables):
        verdict = contest.judge.check(Upload("A.csv", data))
        assert not verdict.accepted
        assert verdict.total >= len(verdict.faults) > 0
        assert rules_of(verdict)


def test_a_raw_deflate_stream_is_no_text():
    assert refused(b"\x1f\x8b" + zlib.compress(b"a")) == "gzip"
