from __future__ import annotations

import pytest

from apps.contest.played import ANONYMIZING, OVER, SLUG, Played
from apps.contest.services.leaderboard_helpers import END
from tokumei.apps.contest.services.administration import set_team_status, withdraw_entry
from tokumei.apps.contest.services.contest_state import OutsidePhaseError
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.contest.services.entries import (
    get_entry_view,
    list_team_entries,
    publish_release,
    unpublish_release,
)
from tokumei.apps.contest.services.entry_views import AttackResultView
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.services.published_releases import get_target_view, list_targets
from tokumei.apps.http.errors import Conflict, NotFound, TooManyRequests


def ranks(played: Played, who: str = "visitor") -> list[tuple[int | None, str, float | None]]:
    rows = build_leaderboard(played.place, played.viewers[who], SLUG).rows
    return [(row.rank, row.team, row.total) for row in rows]


def test_safety_is_the_larger_of_suite_and_attacks(played: Played) -> None:
    bees, ants = build_leaderboard(played.place, VISITOR, SLUG).rows
    assert (bees.suite, bees.safety, bees.total) == (0.2, 0.3, 0.3)
    assert (ants.suite, ants.safety, ants.total) == (0.1, 0.42, 0.31)
    assert (bees.attacks, ants.attacks) == (
        AttackResultView(value=0.3, unsafe=False),
        AttackResultView(value=0.42, unsafe=False),
    )
    found = build_attack_matrix(played.place, VISITOR, SLUG)
    assert found.attackers == found.defenders == ("Bees", "Ants")  # by rank
    values = [[cell and cell.found.value for cell in row] for row in found.cells]
    assert values == [[None, 0.42], [0.3, None]]


def test_a_withdraw_and_a_ban_change_the_ranks(played: Played) -> None:
    place, organiser = played.place, played.viewers["organiser"]
    assert ranks(played) == [(1, "Bees", 0.3), (2, "Ants", 0.31)]
    withdraw_entry(place, organiser, SLUG, played.entries["attacked"], "wrong file")
    assert ranks(played)[0] == (1, "Ants", pytest.approx(0.15))
    withdraw_entry(place, organiser, SLUG, played.entries["published"], "copied")
    assert ranks(played) == [(1, "Bees", 0.3), (None, "Ants", None)]
    set_team_status(place, organiser, SLUG, 2, banned=True, reason="two accounts")
    assert ranks(played) == [(None, "Ants", None)]
    assert played.entries["target"] not in [t.id for t in list_targets(place, organiser, SLUG)]


def test_a_banned_teams_attacks_do_not_count_and_a_hidden_teams_do(played: Played) -> None:
    place, organiser = played.place, played.viewers["organiser"]
    set_team_status(place, organiser, SLUG, 2, hidden=True, reason="a test")
    assert ranks(played) == [(1, "Ants", 0.31)]
    assert build_attack_matrix(place, VISITOR, SLUG).attackers == ("Ants",)
    set_team_status(place, organiser, SLUG, 2, hidden=False, banned=True, reason="cheats")
    assert ranks(played) == [(1, "Ants", pytest.approx(0.15))]


def test_banded_feedback_tells_bands_to_all_but_organisers(played: Played) -> None:
    played.changed(feedback="banded")
    attack = get_entry_view(played.place, played.viewers["ant"], SLUG, played.entries["attack"])
    assert attack.score is None
    assert attack.history == ()
    assert attack.found == AttackResultView(low=0.2, high=0.5, until=OVER)
    for who in ("visitor", "ant", "bee"):
        rows = build_leaderboard(played.place, played.viewers[who], SLUG).rows
        assert {row.team: row.safety for row in rows} == {"Bees": 0.2, "Ants": 0.2}
        seen = build_attack_matrix(played.place, played.viewers[who], SLUG).cells[0][1]
        assert seen is not None
        assert seen.found == AttackResultView(low=0.2, high=0.5, until=OVER)
    own = get_entry_view(played.place, played.viewers["ant"], SLUG, played.entries["published"])
    assert own.attacked[0].found == AttackResultView(low=0.2, high=0.5, until=OVER)
    target = get_target_view(played.place, played.viewers["ant"], SLUG, played.entries["target"])
    assert target.best == AttackResultView(low=0.2, high=0.5, until=OVER)
    assert ranks(played, "organiser") == [(1, "Bees", 0.3), (2, "Ants", 0.31)]
    played.clock.to(OVER)
    assert ranks(played) == [(1, "Bees", 0.3), (2, "Ants", 0.31)]


def test_delayed_feedback_tells_nothing_before_the_phase_ends(played: Played) -> None:
    played.changed(feedback="delayed")
    for who in ("visitor", "ant", "bee"):
        board = build_leaderboard(played.place, played.viewers[who], SLUG)
        assert [(row.team, row.safety) for row in board.rows] == [("Ants", 0.1), ("Bees", 0.2)]
        assert all(row.attacks == AttackResultView(until=OVER) for row in board.rows)
        text = str(board.as_json()) + str(
            build_attack_matrix(played.place, played.viewers[who], SLUG).as_json()
        )
        assert "0.42" not in text
    mine = list_team_entries(played.place, played.viewers["bee"], SLUG, kind="attack")
    assert [(entry.found, entry.score) for entry in mine] == [(AttackResultView(until=OVER), None)]
    played.clock.to(OVER)
    assert ranks(played) == [(1, "Bees", 0.3), (2, "Ants", 0.31)]


def test_a_board_after_the_phase(played: Played) -> None:
    played.changed(leaderboard="after-phase")
    board = build_leaderboard(played.place, VISITOR, SLUG)
    assert [(row.team, row.safety, row.attacks) for row in board.rows] == [
        ("Ants", 0.1, None),
        ("Bees", 0.2, None),
    ]
    assert board.until == OVER
    assert build_attack_matrix(played.place, played.viewers["ant"], SLUG).hidden is not None
    own = get_entry_view(played.place, played.viewers["ant"], SLUG, played.entries["published"])
    assert own.attacked == ()
    played.clock.to(ANONYMIZING)
    hidden = build_leaderboard(played.place, played.viewers["ant"], SLUG)
    assert (hidden.rows, hidden.until) == ((), END)
    assert {
        point.team for point in list_score_points(played.place, played.viewers["ant"], SLUG)
    } == {"Ants"}
    assert list_score_points(played.place, VISITOR, SLUG) == ()
    played.clock.to(OVER)
    assert ranks(played) == [(1, "Bees", 0.3), (2, "Ants", 0.31)]


def test_a_board_after_the_contest(played: Played) -> None:
    played.changed(leaderboard="after-contest")
    assert build_leaderboard(played.place, played.viewers["bee"], SLUG).rows == ()
    assert len(build_leaderboard(played.place, played.viewers["organiser"], SLUG).rows) == 2
    played.clock.to(OVER)
    assert len(build_leaderboard(played.place, VISITOR, SLUG).rows) == 2


def test_publishing_is_the_teams_choice_until_the_phase_ends(opened: Played) -> None:
    place, ant = opened.place, opened.viewers["ant"]
    good = opened.scored("ant", b"good", utility=0.1, total=0.1)
    plain = opened.scored("ant", b"plain", utility=0.5, total=0.4)
    waiting = opened.submit("ant", b"waits").id
    assert ranks(opened)[0] == (1, "Ants", pytest.approx(0.1))  # the best so far
    assert build_leaderboard(place, VISITOR, SLUG).rows[0].entry is None
    publish_release(place, ant, SLUG, plain)
    assert ranks(opened)[0] == (1, "Ants", pytest.approx(0.3))
    with pytest.raises(TooManyRequests):
        publish_release(place, ant, SLUG, good)
    with pytest.raises(Conflict):
        publish_release(place, ant, SLUG, waiting)
    with pytest.raises(NotFound):
        publish_release(place, opened.viewers["bee"], SLUG, good)
    assert list_targets(place, ant, SLUG) == ()
    unpublish_release(place, ant, SLUG, plain)
    with pytest.raises(Conflict):
        unpublish_release(place, ant, SLUG, plain)
    opened.clock.to(END)
    with pytest.raises(OutsidePhaseError):
        publish_release(place, ant, SLUG, good)
