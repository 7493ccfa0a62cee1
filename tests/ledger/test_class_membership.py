"""Tests of tokumei.ledger.class_membership."""

from ledger.figures_samples import checked


def test_a_leaver_alone_in_a_class_is_told():
    first = [(f"p{i}", i // 5, "v", {0}) for i in range(10)]
    found = checked([first, [line for line in first if line[0] != "p3"]])
    assert (found.absent[0].leavers, found.absent[0].leavers_exposed) == (1, 1)
