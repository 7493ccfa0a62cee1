"""Tests of tokumei.histories.services.ledger."""

import tokumei as tk
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.services.ledger import HistoryToRecord
from tokumei.ledger.services import (
    AddReleaseRequest,
    CheckLedgerRequest,
    LedgerLocation,
    add_release,
    check_releases,
    create_ledger,
)


def test_a_released_history_is_recorded_and_the_next_one_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    history = tk.sample_history(300, customers=20, seed=1)
    files = []
    for seed in (1, 2):
        release = tk.anonymize(history, "rank-match", k=4, seed=seed)
        paths = f"public{seed}.csv", f"people{seed}.csv"
        tk.save(release, paths[0], secret=paths[1], format="pws2018")
        files.append(HistoryToRecord(release=paths[0], secret=paths[1], layout=Pws2018()))
    location = LedgerLocation(folder="L", key_file="L.key")
    create_ledger(location)
    added = add_release(AddReleaseRequest(ledger=location, release=files[0], recipient="A", k=4))
    assert (added.entry.kind, added.entry.k) == ("histories", 4)
    assert added.check.linked.k_min >= 4
    request = CheckLedgerRequest(ledger=location, planned=files[1], recipient="B")
    assert [entry.recipient for entry in check_releases(request).check.entries] == ["A", "B"]
