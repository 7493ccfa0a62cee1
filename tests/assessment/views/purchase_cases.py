"""Releases of purchase histories and of pseudonyms over time, made by commands."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.assessment.views.collectors import ReleasedCase, run_command

import tokumei as tk

RECIPIENTS = ("public", "partner", "inside")
HISTORY_METHODS = {
    "rank-match": ["--method", "rank-match", "--k", "3"],
    "aligned": ["--method", "aligned", "--k", "3"],
}
PERIOD_METHODS = {
    "monthly": ["--lifetime", "1", "--day", "15", "--price-noise", "0.1"],
    "yearly": ["--lifetime", "12"],
}


@dataclass(frozen=True)
class PurchaseForm:
    """What kind of purchases is released, how, and for whom."""

    kind: str
    method: str
    recipient: str

    @property
    def name(self) -> str:
        """The name of its test."""
        return f"{self.kind}-{self.method}-{self.recipient}"


def list_purchase_forms() -> list[PurchaseForm]:
    """Every method for every recipient."""
    histories = product(["history"], HISTORY_METHODS, RECIPIENTS)
    periods = product(["periods"], PERIOD_METHODS, RECIPIENTS)
    return [PurchaseForm(*form) for form in (*histories, *periods)]


def make_purchases(form: PurchaseForm, folder: Path) -> ReleasedCase:
    """Anonymize on the command line; its verdict is that for a partner, who is the default."""
    original, release = folder / "T.csv", folder / "A.csv"
    kind, methods = ["--format", "pws2018"], HISTORY_METHODS
    sample = ["sample", "history", "--rows", "240", "--seed", "1", "--out", str(original)]
    if form.kind == "periods":
        kind, methods = ["--format", "pws2017", "--master", str(folder / "M.csv")], PERIOD_METHODS
        sample += ["--customers", "12"]
    assert run_command(*sample, *kind)[0] == 0
    words = ["anonymize", "history", "--data", str(original), *kind, *methods[form.method]]
    words += ["--out", str(release), "--seed", "1"]
    code, text = run_command(*words)
    assert code == 0, text
    _, printed = run_command(*words, "--json")
    texts = {
        "anonymize text": text,
        "anonymize json": json.dumps(json.loads(printed)["assessment"]),
    }
    is_default = form.recipient == "partner"
    return ReleasedCase(
        form.name,
        folder,
        original,
        release,
        None,
        (),
        (),
        texts if is_default else {},
        kind=tuple(kind),
        recipient=form.recipient,
        in_memory=read_in_memory(form, original),
    )


def read_in_memory(form: PurchaseForm, original: Path) -> tuple[object, object]:
    """The same history and the same release in Python."""
    if form.kind == "history":
        history = tk.read_history(original, format="pws2018")
        return history, tk.anonymize(history, form.method, k=3, seed=1)
    history = tk.read_history(original, format="pws2017", master=original.with_name("M.csv"))
    words = PERIOD_METHODS[form.method]
    params = {
        name.removeprefix("--").replace("-", "_"): float(value) if "." in value else int(value)
        for name, value in zip(words[::2], words[1::2], strict=True)
    }
    return history, tk.anonymize(history, "pseudonyms", **params, seed=1)  # type: ignore[arg-type]
