"""The kind `ratings`: one object, registered by one line of the package's entry points."""

from __future__ import annotations

from tokumei import Message
from tokumei.extending import DataKind, LazyObject, Registry

RATINGS = DataKind(
    name="ratings",
    noun="ratings",
    title=Message.of_texts({"en": "Film ratings", "ja": "映画の評価"}),
    home="tokumei_ratings",
    services=LazyObject("tokumei_ratings.flow", "SERVICES"),
    anonymizers=Registry(
        "ratings.anonymizers",
        Message.of_texts({"en": "method for ratings", "ja": "評価データの匿名加工手法"}),
        {"drop-rare": "tokumei_ratings.methods:DropRare"},
    ),
    attackers=Registry(
        "ratings.attackers",
        Message.of_texts({"en": "attack on ratings", "ja": "評価データへの攻撃"}),
        {"same-films": "tokumei_ratings.methods:SameFilms"},
    ),
    measures=Registry(
        "ratings.measures",
        Message.of_texts({"en": "measure of ratings", "ja": "評価データの指標"}),
        {"rows_lost": "tokumei_ratings.methods:RowsLost"},
    ),
    claim_checks=Registry(
        "ratings.rules",
        Message.of_texts({"en": "rule", "ja": "規則"}),
        {"film-raters": "tokumei_ratings.methods:FilmRaters"},
    ),
    formats=Registry(
        "ratings.formats",
        Message.of_texts({"en": "format", "ja": "形式"}),
        {"ratings": "tokumei_ratings.data:RatingsFile"},
    ),
    sources=(
        LazyObject("tokumei_ratings.data", "Ratings"),
        LazyObject("tokumei_ratings.data", "RatingsRelease"),
    ),
)
