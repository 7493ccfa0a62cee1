"""The same tests for every engine: frequencies against a Counter and each other, and recoding."""

from __future__ import annotations

from collections import Counter
from itertools import count

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.files.spark.files import SparkTable, plain_frame
from tokumei.tables.data.counted import COUNT
from tokumei.tables.engines.counted import CountedEngine, engine_of
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.spark import SparkEngine
from tokumei.tables.engines.stream import StreamingEngine
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

    engine = LocalEngine()

    def put(self, frame):
        return frame

    def get(self, frame):
        return frame


class CountedSide:
    """Every row for itself, and once more for no row at all."""

    engine = CountedEngine()

    def put(self, frame):
        parts = [frame.with_columns(pl.lit(count).alias(COUNT)) for count in (0, 1)]
        return pl.concat(parts)

    def get(self, frame):
        return frame.filter(pl.col(COUNT) > 0).drop(COUNT)


class SparkSide:
    """Rows on a cluster, in three partitions."""

    engine = SparkEngine()

    def __init__(self, session):
        self.session = session

    def put(self, frame):
        rows = self.session.createDataFrame(frame.to_arrow()).repartition(3)
        return SparkTable(plain_frame(rows))

    def get(self, table):
        return pl.DataFrame(pl.from_arrow(table.frame.toArrow()))


class StreamSide:
    """Rows in a file, of which Polars sees a few at a time; it is its own engine."""

    def __init__(self, folder):
        self.folder, self.files = folder, count()

    @property
    def engine(self):
        return self

    def put(self, frame):
        path = self.folder / f"{next(self.files)}.parquet"
        frame.write_parquet(path)
        return open_stream(path)

    def get(self, rows):
        return pl.concat(rows.in_order(2))

    def frequencies(self, source, columns):
        self.tuples = StreamingEngine().tuples(source, columns)
        return CountedEngine().frequencies(self.tuples, columns)

    def recode(self, source, found, cells):
        tuples = self.tuples.drop(COUNT)
        new = tuples.with_columns(cell.gather(found.rows).alias(n) for n, cell in cells.items())
        return StreamingEngine().give(source.scan(), tuples, tuples, new)


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


def test_frequencies_are_those_of_a_counter_and_of_the_local_engine(side):
    @settings(max_examples=examples(side))
    @given(ROWS)
    def check(rows):
        frame = frame_of(rows)
        found = side.engine.frequencies(side.put(frame), COLUMNS)
        counted = Counter(frame.select(COLUMNS).rows())
        assert Counter(dict(zip(tuples(found), found.counts.tolist(), strict=True))) == counted
        local = LocalEngine().frequencies(frame, COLUMNS)
        assert found.columns == local.columns
        assert np.array_equal(found.codes, local.codes)
        assert found.codes.dtype == local.codes.dtype
        assert np.array_equal(found.counts, local.counts)
        assert found.counts.dtype == local.counts.dtype
        for ours, theirs in zip(found.values, local.values, strict=True):
            assert ours.dtype == theirs.dtype
            assert ours.equals(theirs, null_equal=True)

    check()


def test_recode_gives_every_row_the_cell_of_its_tuple(side):
    @settings(max_examples=examples(side))
    @given(ROWS)
    def check(rows):
        frame = frame_of(rows)
        table = side.put(frame)
        found = side.engine.frequencies(table, COLUMNS)
        names = {row: f"cell {number}" for number, row in enumerate(tuples(found))}
        cells = pl.Series([None, *list(names.values())[1:]], dtype=pl.String)
        changed = side.get(side.engine.recode(table, found, {"t": cells, "d": cells + "!"}))
        assert changed.columns == frame.columns
        cell = dict(zip(names, cells, strict=True))
        new = [cell[row] for row in frame.select(COLUMNS).rows()]
        marked = [text and text + "!" for text in new]
        wanted = frame.with_columns(t=pl.Series(new, dtype=pl.String), d=pl.Series(marked))
        assert changed.sort("n").rows() == wanted.rows()

    check()


@given(ROWS)
def test_a_row_may_stand_for_many(rows):
    frame = frame_of(rows)
    few = frame.group_by(COLUMNS).len(COUNT)
    found, wanted = (
        engine_of(one).frequencies(one, ["t", "i"]) for one in (few, frame.select(COLUMNS))
    )
    assert np.array_equal(found.codes, wanted.codes)
    assert np.array_equal(found.counts, wanted.counts)


def test_a_counted_frame_has_an_engine_of_its_own():
    frame = pl.DataFrame({"a": [1, 2]})
    assert engine_of(frame) == LocalEngine()
    assert engine_of(frame.with_columns(pl.lit(3).alias(COUNT))) == CountedEngine()


def test_the_frequencies_of_another_engine_are_refused():
    found = LocalEngine().frequencies(pl.DataFrame({"a": [1]}), ["a"])
    with pytest.raises(ValueError, match="not the frequencies"):
        SparkEngine().recode(None, found, {})
