"""A remedy as plain data."""

from __future__ import annotations

from tokumei.assessment.remedy import Remedy
from tokumei.core.messages import Message


def test_the_keys_are_those_of_an_attacker_and_texts_are_in_every_language() -> None:
    document = Remedy(
        action="drop",
        parameters={"columns": ["age"]},
        what=Message("drop {column}", column="age"),
        verdict="fits",
        identified=0,
        share=0.2,
        low=0.1,
        high=0.3,
        smallest_class=5,
        kept=0.75,
    ).to_dict()
    texts = document.pop("what_texts")
    assert isinstance(texts, dict)
    assert texts["en"] == document["what"] == "drop age"
    assert texts["ja"] != texts["en"]
    assert (document["certain"], document["share"], document["kept"]) == (0, 0.2, 0.75)
