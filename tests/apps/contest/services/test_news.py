from __future__ import annotations

import pytest

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services.news import (
    MOST_QUESTIONS_PER_DAY,
    answer_question,
    ask_question,
    count_unanswered_questions,
    latest_announcement,
    list_news,
    post_announcement,
)
from tokumei.apps.http.errors import (
    Forbidden,
    NotFound,
    TooManyRequests,
    Unauthorized,
    UnprocessableContent,
)
from tokumei.core.messages import Message

BOTH = {"en": "Yes.", "ja": "はい。"}


def seen(played: Played) -> dict[str, list[str]]:
    return {
        who: [one.words.show("en") for one in list_news(played.place, viewer, SLUG)]
        for who, viewer in played.viewers.items()
    }


def test_a_question_is_seen_by_its_team_until_it_is_answered_to_all(opened_both: Played) -> None:
    played, people = opened_both, opened_both.viewers
    asked = ask_question(played.place, people["ant"], SLUG, "May we?\nReally?")
    alone = ask_question(played.place, people["cat"], SLUG, "And I?")
    assert count_unanswered_questions(played.place, people["organiser"], SLUG) == 2
    assert count_unanswered_questions(played.place, people["ant"], SLUG) == 0
    assert seen(played) == {
        "visitor": [],
        "organiser": ["And I?", "May we?\nReally?"],
        "ant": ["May we?\nReally?"],
        "ann": ["May we?\nReally?"],
        "bee": [],
        "cat": ["And I?"],
    }
    answer_question(played.place, people["organiser"], SLUG, alone.id, BOTH, public=False)
    assert seen(played)["bee"] == []
    answer_question(played.place, people["organiser"], SLUG, asked.id, BOTH, public=True)
    (told,) = list_news(played.place, people["bee"], SLUG)
    assert (told.answer, told.team, told.mine) == (Message.of_texts(BOTH), None, False)
    assert count_unanswered_questions(played.place, people["organiser"], SLUG) == 0


def test_the_last_announcement_is_for_every_page(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    assert latest_announcement(place, people["visitor"], SLUG) is None
    post_announcement(place, people["organiser"], SLUG, {"en": "One"})
    post_announcement(place, people["organiser"], SLUG, {"ja": "二"})
    ask_question(place, people["ant"], SLUG, "?")
    told = latest_announcement(place, people["visitor"], SLUG)
    assert told is not None
    assert told.words.texts() == {"en": "二", "ja": "二"}


def test_only_organisers_announce_and_answer(opened: Played) -> None:
    place, people = opened.place, opened.viewers
    asked = ask_question(place, people["ant"], SLUG, "May we?")
    for who, error in (("visitor", Unauthorized), ("ant", Forbidden)):
        with pytest.raises(error):
            post_announcement(place, people[who], SLUG, BOTH)
        with pytest.raises(error):
            answer_question(place, people[who], SLUG, asked.id, BOTH, public=True)
    with pytest.raises(Unauthorized):
        ask_question(place, people["visitor"], SLUG, "?")
    for number in (asked.id + 1, 2**40, -1):
        with pytest.raises(NotFound):
            answer_question(place, people["organiser"], SLUG, number, BOTH, public=True)


def test_questions_have_words_and_an_end(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    for empty in ("", " \n ", "\u200b"):
        with pytest.raises(UnprocessableContent):
            ask_question(place, ant, SLUG, empty)
    with pytest.raises(UnprocessableContent):
        ask_question(place, ant, SLUG, "x" * 4001)
    for number in range(MOST_QUESTIONS_PER_DAY):
        ask_question(place, ant, SLUG, f"question {number}")
    with pytest.raises(TooManyRequests):
        ask_question(place, ant, SLUG, "one more")
    opened.clock.forward(days=1, seconds=1)
    ask_question(place, ant, SLUG, "tomorrow")
