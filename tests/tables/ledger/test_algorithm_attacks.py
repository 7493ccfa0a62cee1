"""Tests of tokumei.tables.ledger.algorithm_attacks."""

from ledger.defences_helpers import QI, drawn
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.ledger.algorithm_attacks import attack_algorithm
from tokumei.tables.ledger.cell_widening import CellWidening
from tokumei.tables.verification.claims import claim_violations


def test_slack_leaves_no_exact_record():
    table = drawn(400, 1)
    method = build_method("mondrian", {"k": 2})
    plain, loose = (
        one.anonymize(table, rng=Randomness(1)) for one in (method, CellWidening(method, 0.3))
    )
    found = []
    for release in (plain, loose):
        frame, public = table.frame, release.public.frame
        readers = {name: ColumnReader.of(frame[name], public[name]) for name in QI}
        found.append(attack_algorithm(frame, public, release.link, QI, ["ill"], readers).exact)
    assert claim_violations(loose.public, loose.claims, loose.written) == []
    assert found[0].right == found[0].claimed > 50
    assert found[1].right == 0
