"""The same tests for every engine: tuples against a Counter and each other, cells, writing."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import ClaimError
from tokumei.core.randomness import Randomness
from tokumei.core.verification import verify_written
from tokumei.files.spark.table_files import SparkTable, require_plain_cells
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.engines.local import CountedEngine, LocalEngine, engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells, SidecarFiles
from tokumei.tables.engines.spark import SparkEngine
from tokumei.tables.engines.stream import ROW_NUMBER, StreamEngine, StreamSizes
from tokumei.tables.engines.stream_files import open_stream

SCHEMA = {"i": pl.Int64, "t": pl.String, "r": pl.Float64, "d": pl.Date}


COLUMNS = [*SCHEMA]


ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-2, 2),
        st.none() | st.sampled_from(["b", "a", "あ", "", " a", "1.0", "1"]),
        st.none() | st.sampled_from([0.5, -0.0, 0.0, 1e300, float("nan")]),
        st.none() | st.dates(),
    ),
    min_size=1,
)


class LocalSide:
    """Rows as they are."""

    def put(self, frame):
        return LocalEngine(frame)

    def get(self, engine):
        return engine.frame


class CountedSide:
    """Every row for itself, and once more for no row at all."""

    def put(self, frame):
        parts = [frame.with_columns(pl.lit(count).alias(COUNT_COLUMN)) for count in (0, 1)]
        return CountedEngine(pl.concat(parts))

    def get(self, engine):
        return engine.frame.filter(pl.col(COUNT_COLUMN) > 0).drop(COUNT_COLUMN)


class SparkSide:
    """Rows on a cluster, in three partitions."""

    def __init__(self, session):
        self.session = session

    def put(self, frame):
        rows = self.session.createDataFrame(frame.to_arrow()).repartition(3)
        return SparkEngine(SparkTable(require_plain_cells(rows)))

    def get(self, engine):
        return pl.DataFrame(pl.from_arrow(engine.table.frame.toArrow()))


class StreamSide:
    """Rows in a file, of which Polars sees a few at a time."""

    def __init__(self, folder):
        self.folder, self.files = folder, count()

    def put(self, frame):
        path = self.folder / f"{next(self.files)}.parquet"
        frame.write_parquet(path)
        return StreamEngine(open_stream(path))

    def get(self, engine):
        chunks = [*engine.rows(self.folder, StreamSizes(2, 1))]
        empty = pl.DataFrame(schema=[*engine.source.names, ROW_NUMBER])
        return (pl.concat(chunks) if chunks else empty).drop(ROW_NUMBER)


@pytest.fixture(
    params=["local", "counted", "stream", pytest.param("spark", marks=pytest.mark.cluster)],
    scope="module",
)
def side(request, tmp_path_factory):
    if request.param == "spark":
        return SparkSide(request.getfixturevalue("spark"))
    if request.param == "stream":
        return StreamSide(tmp_path_factory.mktemp("stream"))
    return {"local": LocalSide, "counted": CountedSide}[request.param]()


def frame_of(rows):
    """With a number for every row; NaN means missing."""
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row").fill_nan(None)
    return frame.with_columns(n=pl.Series(range(frame.height)))


def tuples(found):
    return [
        tuple(found.values[j][int(code)] for j, code in enumerate(codes)) for codes in found.codes
    ]


def examples(side):
    """A job on a cluster takes a while."""
    return 5 if isinstance(side, SparkSide) else 50


def test_tuples_are_those_of_a_counter_and_of_the_local_engine(side):
    @settings(max_examples=examples(side))
    @given(ROWS)
    def check(rows):
        frame = frame_of(rows)
        found = side.put(frame).tuples(COLUMNS)
        counted = Counter(frame.select(COLUMNS).rows())
        assert Counter(dict(zip(tuples(found), found.counts.tolist(), strict=True))) == counted
        local = LocalEngine(frame).tuples(COLUMNS)
        assert found.columns == local.columns
        assert np.array_equal(found.codes, local.codes)
        assert found.codes.dtype == local.codes.dtype
        assert np.array_equal(found.counts, local.counts)
        assert found.counts.dtype == local.counts.dtype
        for ours, theirs in zip(found.values, local.values, strict=True):
            assert ours.dtype == theirs.dtype
            assert ours.equals(theirs, null_equal=True)
        assert found.cells.rows() == [
            (*row, number) for row, number in zip(tuples(found), found.counts, strict=True)
        ]

    check()


@pytest.mark.parametrize("on", [(), ("i",)], ids=["all columns decide", "one decides"])
@pytest.mark.parametrize("drops", [False, True], ids=["all are kept", "some are dropped"])
def test_every_row_gets_the_cell_of_its_tuple(side, on, drops):
    @settings(max_examples=examples(side))
    @given(ROWS)
    def check(rows):
        frame = frame_of(rows)
        engine = side.put(frame)
        found = engine.tuples(COLUMNS)
        place = {name: COLUMNS.index(name) for name in on or COLUMNS}
        keys = [tuple(row[j] for j in place.values()) for row in tuples(found)]
        names = {key: f"cell {number}" for number, key in enumerate(dict.fromkeys(keys))}
        names[keys[0]] = None
        gone = {keys[-1]} if drops else set()
        kept = np.array([t for t, key in enumerate(keys) if key not in gone], dtype=np.int64)
        cells = pl.Series([names[keys[t]] for t in kept], dtype=pl.String)
        new = RecodedCells(found, {"t": cells, "d": cells + "!"}, kept if drops else None, on)
        changed = side.get(engine.give(new))
        assert changed.columns == frame.columns
        wanted = [
            (row[0], names[key], row[2], names[key] and names[key] + "!", row[4])
            for row in frame.rows()
            if (key := tuple(row[j] for j in place.values())) not in gone
        ]
        assert sorted(changed.rows(), key=lambda row: row[4]) == wanted

    check()


FAR = ["stream", pytest.param("spark", marks=pytest.mark.cluster)]


@pytest.mark.parametrize("side", FAR, indirect=True)
def test_what_is_written_is_verified_before_it_has_its_name(side, tmp_path):
    engine = side.put(frame_of([(1, "a", 0.5, None), (2, "b", 0.5, None)]))
    found = engine.tuples(["t"])
    given_rows = (
        engine.shuffled(Randomness(1))
        .without(["n"])
        .give(RecodedCells(found, {"t": pl.Series(["x", "y"])}))
    )
    seen = []

    def refuse(written):
        seen.append(sorted(rows_there(written)))
        raise ClaimError("no")

    def accept(written):
        return verify_written(None, VerificationResult([], 0, rows=2), 2)

    beside, out = SidecarFiles("{}", "{}", str(tmp_path / "secret")), tmp_path / "out.csv"
    with pytest.raises(ClaimError):
        given_rows.write(str(out), beside, rows=2, sep=",", verify=refuse)
    assert not list(tmp_path.iterdir())
    assert seen == [["x", "y"]]
    given_rows.write(str(out), beside, rows=2, sep=",", verify=accept)
    assert out.exists()
    manifest = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    assert manifest.keys() == ({"rows_sha256"} if out.is_file() else set())  # of one file alone
    assert (tmp_path / "secret.provenance.json").stat().st_mode & 0o777 == 0o600


def rows_there(written):
    """The column t of a file or table that was written."""
    if isinstance(written, SparkTable):
        return [row[0] for row in written.frame.select("t").collect()]
    return written.scan().collect()["t"].to_list()


@given(ROWS)
def test_a_row_may_stand_for_many(rows):
    frame = frame_of(rows)
    few = frame.group_by(COLUMNS).len(COUNT_COLUMN)
    found, wanted = (
        engine_for_frame(one).tuples(["t", "i"]) for one in (few, frame.select(COLUMNS))
    )
    assert np.array_equal(found.codes, wanted.codes)
    assert np.array_equal(found.counts, wanted.counts)


def test_a_counted_frame_has_an_engine_of_its_own():
    frame = pl.DataFrame({"a": [1, 2]})
    assert type(engine_for_frame(frame)) is LocalEngine
    assert (
        type(engine_for_frame(frame.with_columns(pl.lit(3).alias(COUNT_COLUMN)))) is CountedEngine
    )


def test_the_tuples_of_another_engine_are_refused(side):
    found = LocalEngine(pl.DataFrame({"i": [1]})).tuples(["i"])
    with pytest.raises(ValueError, match="not the tuples"):
        side.put(frame_of([(1, "a", 0.5, None)] * 3)).give(RecodedCells(found, {}))
