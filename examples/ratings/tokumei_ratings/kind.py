"""The kind `ratings`: one object, registered by one line of the package's entry points."""

from __future__ import annotations

from tokumei import Message
from tokumei.extending import DataKind, LazyObject, Registry

RATINGS = DataKind(
    name="ratings",
    noun="ratings",
    title=Message("Film ratings", "映画の評価"),
    home="tokumei_ratings",
    services=LazyObject("tokumei_ratings.flow", "SERVICES"),
    anonymizers=Registry(
        "ratings.anonymizers",
        Message("method for ratings", "評価データの匿名加工手法"),
        {"drop-rare": "tokumei_ratings.methods:DropRare"},
    ),
    attackers=Registry(
        "ratings.attackers",
        Message("attack on ratings", "評価データへの攻撃"),
        {"same-films": "tokumei_ratings.methods:SameFilms"},
    ),
    measures=Registry(
        "ratings.measures",
        Message("measure of ratings", "評価データの指標"),
        {"rows_lost": "tokumei_ratings.methods:RowsLost"},
    ),
    claim_checks=Registry(
        "ratings.rules",
        Message("rule", "規則"),
        {"film-raters": "tokumei_ratings.methods:FilmRaters"},
    ),
    formats=Registry(
        "ratings.formats",
        Message("format", "形式"),
        {"ratings": "tokumei_ratings.data:RatingsFile"},
    ),
    sources=(
        LazyObject("tokumei_ratings.data", "Ratings"),
        LazyObject("tokumei_ratings.data", "RatingsRelease"),
    ),
)
