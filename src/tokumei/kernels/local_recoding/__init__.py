"""Local recoding: boxes around tuples, moved and exchanged while that loses less.

    class_of = cheapest_first(codes, counts, ups, vectors, k)   # -1: fewer than k rows were left
    enter(state, class_of, np.full(classes, -1))
    anneal(state, k, moves, hot, cold, mean)

A *slot* is a class under construction: its box is one node per column, its rows the tuples linked
to it. Arguments are checked here; the sources of the compiled functions stand beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.loading import load
from tokumei.kernels.local_recoding.column_blocks import ColumnBlocks
from tokumei.kernels.local_recoding.shortlists import Shortlists, build_shortlists, empty_shortlists
from tokumei.kernels.threads import interruptible_ranges
from tokumei.kernels.validation import require_array, require_arrays, require_that

ROOMS = 8
"""How many boxes a step works on (see `room`)."""
MOVES_PER_STRETCH = 4096
"""Moves at a stretch, a multiple of 256: in between, Ctrl-C is heard."""
VISITS_PER_STRETCH = 100_000
"""How often a tuple is looked at in a stretch of vectors."""
FIRST_VECTORS = 256
"""Level vectors visited before it is seen how many tuples still wait."""
MANY_WAITING, STUCK_SHARE = 2000, 0.75
"""Shortlists pay where so many wait, and more than this share of all."""
LOG_PER_TUPLE, LOG_RESERVE = 10, 1000
"""How many changes a step may need to note."""
CROWD_FACTOR = 4
"""So few tuples share a place of the small table that k rows seldom meet there by chance: k / 4."""


class State(NamedTuple):
    """Arrays over tuples (t), slots (s), columns (j), nodes (g, numbered through all columns)."""

    ancestors: Annotated[np.ndarray, "int64[t, j, levels] 0..g"]
    """The node of a tuple in a column on a level; levels above the top repeat the top."""
    counts: Annotated[np.ndarray, "int64[t] 0.."]
    """Rows."""
    node_cost: Annotated[np.ndarray, "float64[g]"]
    """A node's share of the NCP of a row."""
    node_tuples: Annotated[np.ndarray, "uint64[g, tuple_words]"]
    """The tuples under a node, as bits."""
    node_words: Annotated[np.ndarray, "uint64[g, spans]"]
    """Which words of them are not 0."""
    leaf_slots: Annotated[np.ndarray, "uint64[g, slot_words]"]
    """The slots whose box covers a leaf in its column."""
    under_at: Annotated[np.ndarray, "int64[g+1] 0..leaves+1"]
    """Where the leaves of a node start in `under`."""
    under: Annotated[np.ndarray, "int64[leaves] 0..g"]
    height: Annotated[np.ndarray, "int64[j] 0..levels"]
    """The highest level."""
    slot: Annotated[np.ndarray, "int64[t] -1..s"]
    after: Annotated[np.ndarray, "int64[t] -1..t"]
    """The next tuple of the slot, or -1."""
    before: Annotated[np.ndarray, "int64[t] -1..t"]
    first: Annotated[np.ndarray, "int64[s] -1..t"]
    """The first tuple of a slot, or -1."""
    rows: Annotated[np.ndarray, "int64[s]"]
    cost: Annotated[np.ndarray, "float64[s]"]
    """The NCP of one row in the box."""
    level: Annotated[np.ndarray, "int64[s, j] 0..levels"]
    node: Annotated[np.ndarray, "int64[s, j] -1..g"]
    open_slots: Annotated[np.ndarray, "uint64[slot_words]"]
    free: Annotated[np.ndarray, "int64[s] 0..s"]
    """A stack of unused slots."""
    sizes: Annotated[np.ndarray, "int64[3] 0.."]
    """Free slots, touched slots, log entries."""
    touched: Annotated[np.ndarray, "int64[s] 0..s"]
    """The slots that lost a tuple in this step."""
    log: Annotated[np.ndarray, "int64[log, 3]"]
    """A kind of change, what was changed, where from."""
    log_level: Annotated[np.ndarray, "int64[log, j]"]
    change: Annotated[np.ndarray, "float64[1]"]
    """The change of the loss in this step."""
    random: Annotated[np.ndarray, "uint64[1]"]
    tuple_bits: Annotated[np.ndarray, "uint64[tuple_words]"]
    """The answer of the last query for tuples, in words whose bit in `word_bits` is set."""
    word_bits: Annotated[np.ndarray, "uint64[spans]"]
    slot_bits: Annotated[np.ndarray, "uint64[slot_words]"]
    """The answer of the last query for slots."""
    found: Annotated[np.ndarray, "int64[t]"]
    """Tuples a slot could take in, or -1 where already taken."""
    gain: Annotated[np.ndarray, "float64[t]"]
    """What each would gain per row."""
    room: Annotated[np.ndarray, f"int64[{ROOMS}, j]"]
    """Levels or nodes that a step works on."""


class Search(NamedTuple):
    """Tuples in codes of blocks, hashes, and room: tuples not yet in a class, groups."""

    codes: Annotated[np.ndarray, "int32[t, b] 0.."]
    counts: Annotated[np.ndarray, "int64[t] 0.."]
    hashes: Annotated[np.ndarray, "uint64[places]"]
    """Of code c of block b on level l: at `starts[b, l] + c` (see `blocks.py`)."""
    starts: Annotated[np.ndarray, "int64[b, levels] 0..places"]
    waiting: Annotated[np.ndarray, "int64[t] 0..t"]
    """The tuples in no class yet come first."""
    at: Annotated[np.ndarray, "int64[b]"]
    """The start of the level at hand."""
    key: Annotated[np.ndarray, "uint64[t]"]
    """The hashes of the tuples at hand, then of those that are crowded."""
    crowd: Annotated[np.ndarray, "int32[crowds]"]
    """Rows by the last bits of their hash."""
    crowded: Annotated[np.ndarray, "int64[t]"]
    """The tuples that may be in groups of k rows."""
    place: Annotated[np.ndarray, "int64[t]"]
    """The group of each."""
    keys: Annotated[np.ndarray, "uint64[groups]"]
    """Groups, in a hash table: hash, the vector last used for, rows, class once it is one."""
    visit: Annotated[np.ndarray, "int64[groups]"]
    rows: Annotated[np.ndarray, "int64[groups]"]
    name: Annotated[np.ndarray, "int64[groups]"]
    some: Annotated[np.ndarray, "int64[t]"]
    """Room for a list of tuples."""
    tally: Annotated[np.ndarray, "int64[2]"]
    """Groupings and classes so far."""


def fill_state(state: State, class_of: np.ndarray, slot_of: np.ndarray) -> None:
    """Fill an empty state with given classes, each in the smallest box around its tuples.

    `slot_of` (-1 for every class) becomes the slots of the classes.
    """
    sizes = _require_state(state)
    require_array("slot_of", slot_of, "int64[classes] -1..0", sizes)
    require_array("class_of", class_of, "int64[t] 0..classes", sizes)
    require_that(sizes["classes"] <= state.sizes[0] <= sizes["s"], "more classes than free slots")
    kernel = load("local_recoding")
    kernel.fill_from_classes(kernel.State(*state), class_of, slot_of)


def anneal(state: State, k: int, moves: int, hot: float, cold: float, mean: float) -> None:
    """Try so many steps while the temperature falls from hot to cold.

    `change` is then that of the loss in all of them.
    `mean` is about the mean NCP of a row: it gives the scale for what is costly and what is near.
    """
    _require_tuples_in_boxes(state)
    kernel = load("local_recoding")
    compiled = kernel.State(*state)
    state.change[0] = 0.0
    for begin, end in interruptible_ranges(moves, MOVES_PER_STRETCH):
        kernel.anneal(compiled, k, begin, end, moves, hot, cold, mean)


def gain_of_leaving(state: State, k: int, gains: np.ndarray) -> None:
    """Write down what each tuple's leaving for good would gain per row of it.

    It itself then costs all. `gains` is -inf before, and where a tuple cannot leave.
    """
    sizes = _require_tuples_in_boxes(state)
    require_array("gains", gains, "float64[t]", sizes)
    kernel = load("local_recoding")
    kernel.gain_of_leaving(kernel.State(*state), k, gains)


def cheapest_first(
    codes: np.ndarray, counts: np.ndarray, ups: Sequence[np.ndarray], vectors: np.ndarray, k: int
) -> np.ndarray:
    """The class of every tuple when groups of ≥ k open rows are closed in the vectors' order.

    Groups are found by a 64-bit hash of their nodes. Two groups that collide would only share a
    class, whose box is computed from its tuples: the result is valid whatever the hash does.
    """
    vectors = np.ascontiguousarray(vectors, np.int64)
    leaves, heights = [up.shape[1] for up in ups], [len(up) for up in ups]
    for places, end in ((codes, leaves), (vectors, heights)):
        require_that((places >= 0).all() and (places < end).all(), "no such leaf or level")
    require_that(k > 0, "k: at least 1")
    blocks, tuples = ColumnBlocks.of(codes, ups), len(counts)
    groups = _hash_table_size(2 * tuples)
    class_of = np.full(tuples, -1)
    search = Search(
        blocks.codes,
        np.ascontiguousarray(counts, np.int64),
        blocks.hashes,
        blocks.starts,
        waiting=np.arange(tuples),
        at=np.zeros(len(blocks.starts), dtype=np.int64),
        key=np.zeros(tuples, dtype=np.uint64),
        crowd=np.zeros(_hash_table_size(CROWD_FACTOR * tuples // k), dtype=np.int32),
        crowded=np.zeros(tuples, dtype=np.int64),
        place=np.zeros(tuples, dtype=np.int64),
        keys=np.zeros(groups, dtype=np.uint64),
        visit=np.full(groups, -1),
        rows=np.zeros(groups, dtype=np.int64),
        name=np.zeros(groups, dtype=np.int64),
        some=np.zeros(tuples, dtype=np.int64),
        tally=np.zeros(2, dtype=np.int64),
    )
    require_arrays(search)
    _visit_vectors(search, blocks, vectors, k, class_of)
    return class_of


def _hash_table_size(least: int) -> int:
    """The size of a hash table: a power of two, at least so many and 64."""
    return int(1 << max(6, (least - 1).bit_length()))


def _visit_vectors(
    search: Search, blocks: ColumnBlocks, vectors: np.ndarray, k: int, class_of: np.ndarray
) -> None:
    """All vectors in order; with shortlists if few tuples find a class on the first ones."""
    kernel = load("local_recoding")
    compiled, tuples = kernel.Search(*search), len(class_of)
    room = np.empty(tuples, np.int64)

    def hopeful(vector: np.ndarray, some: np.ndarray) -> np.ndarray:
        count = kernel.list_tuples_in_full_groups(compiled, blocks.levels(vector), some, k, room)
        return room[:count].copy()

    def close(some: np.ndarray, lists: Shortlists, left: int) -> int:
        list_of, *content = lists
        for begin, end in interruptible_ranges(len(some), 1 + VISITS_PER_STRETCH // max(tuples, 1)):
            part = blocks.levels(some[begin:end]), list_of[begin:end], *content
            left = kernel.close_groups(compiled, *part, left, k, class_of)
        return left

    left = close(vectors[:FIRST_VECTORS], empty_shortlists(FIRST_VECTORS), tuples)
    rest = vectors[FIRST_VECTORS:]
    lists = empty_shortlists(len(rest))
    if left >= MANY_WAITING and left > STUCK_SHARE * tuples:
        lists = build_shortlists(rest, search.waiting[:left].copy(), hopeful)
    close(rest, lists, left)


def _require_state(state: State) -> dict[str, int]:
    """Beyond the arrays' forms: bits of no tuple or slot are 0, every column has one top."""
    sizes = require_arrays(state)
    for number, words in (("t", "tuple_words"), ("s", "slot_words"), ("tuple_words", "spans")):
        require_that(sizes[words] == -(-sizes[number] // 64), f"{words}: wrong number of words")
    bounded = (state.node_tuples, "t"), (state.node_words, "tuple_words"), (state.open_slots, "s")
    for bits, number in bounded:
        spare = np.uint64(sizes[number] % 64)
        require_that(not spare or not (bits[..., -1] >> spare).any(), "bits beyond the last one")
    top = state.ancestors[:, :, -1]
    require_that((top == top[:1]).all(), "ancestors: a column has two tops")
    least = LOG_PER_TUPLE * sizes["t"] + LOG_RESERVE
    require_that(sizes["log"] >= least, f"log: needs {least} lines")
    return sizes


def _require_tuples_in_boxes(state: State) -> dict[str, int]:
    """Every tuple is in a slot that has a box."""
    sizes = _require_state(state)
    require_array("slot", state.slot, "int64[t] 0..s", sizes)
    good = (state.node[state.slot] >= 0).all() and (state.first[state.slot] >= 0).all()
    require_that(good, "a tuple's slot has no box")
    return sizes
