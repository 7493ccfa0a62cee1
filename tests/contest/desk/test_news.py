from __future__ import annotations

import pytest

from contest.played import SLUG, Played
from tokumei.contest.desk.news import MOST_A_DAY, announce, answer, ask, newest, news, unanswered
from tokumei.http.refusals import LogInFirst, NotAllowed, NotFound, TooMany, Wrong

BOTH = {"en": "Yes.", "ja": "はい。"}


def seen(played: Played) -> dict[str, list[str]]:
    return {
        who: [one.words.en for one in news(played.place, viewer, SLUG)]
        for who, viewer in played.viewers.items()
    }


def test_a_question_is_seen_by_its_team_until_it_is_answered_to_all(opened_both: Played) -> None:
    played, people = opened_both, opened_both.viewers
    asked = ask(played.place, people["ant"], SLUG, "May we?\nReally?")
    alone = ask(played.place, people["cat"], SLUG, "And I?")
    assert unanswered(played.place, people["organiser"], SLUG) == 2
    assert unanswered(played.place, people["ant"], SLUG) == 0
    assert seen(played) == {
        "visitor": [],
        "organiser": ["And I?", "May we?\nReally?"],
        "ant": ["May we?\nReally?"],
        "ann": ["May we?\nReally?"],
        "bee": [],
        "cat": ["And I?"],
    }
    answer(played.place, people["organiser"], SLUG, alone.id, BOTH, public=False)
    assert seen(played)["bee"] == []
    answer(played.place, people["organiser"], SLUG, asked.id, BOTH, public=True)
    (told,) = news(played.place, people["bee"], SLUG)
    assert (told.answer, told.team, told.mine) == (("Yes.", "はい。"), None, False)
    assert unanswered(played.place, people["organiser"], SLUG) == 0


def test_the_last_announcement_is_for_every_page(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    assert newest(place, people["visitor"], SLUG) is None
    announce(place, people["organiser"], SLUG, {"en": "One"})
    announce(place, people["organiser"], SLUG, {"ja": "二"})
    ask(place, people["ant"], SLUG, "?")
    told = newest(place, people["visitor"], SLUG)
    assert told is not None
    assert told.words == ("二", "二")


def test_only_organisers_announce_and_answer(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    asked = ask(place, people["ant"], SLUG, "May we?")
    for who, error in (("visitor", LogInFirst), ("ant", NotAllowed)):
        with pytest.raises(error):
            announce(place, people[who], SLUG, BOTH)
        with pytest.raises(error):
            answer(place, people[who], SLUG, asked.id, BOTH, public=True)
    with pytest.raises(LogInFirst):
        ask(place, people["visitor"], SLUG, "?")
    for number in (asked.id + 1, 2**40, -1):
        with pytest.raises(NotFound):
            answer(place, people["organiser"], SLUG, number, BOTH, public=True)


def test_questions_have_words_and_an_end(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    for empty in ("", " \n ", "\u200b"):
        with pytest.raises(Wrong):
            ask(place, ant, SLUG, empty)
    with pytest.raises(Wrong):
        ask(place, ant, SLUG, "x" * 4001)
    for number in range(MOST_A_DAY):
        ask(place, ant, SLUG, f"question {number}")
    with pytest.raises(TooMany):
        ask(place, ant, SLUG, "one more")
    opened.clock.forward(days=1, seconds=1)
    ask(place, ant, SLUG, "tomorrow")
