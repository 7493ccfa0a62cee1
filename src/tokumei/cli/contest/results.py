"""`tokumei contest results`: the leaderboard and the matrix of attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from tokumei.cli.contest.remote import Contest, Server, chosen_contest, connected, found_text
from tokumei.cli.options import Json
from tokumei.core.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

RESULTS = Text(
    "The leaderboard, the best attackers and who found what in whose release. Needs no account.\n\n"
    "Example:  tokumei contest results --server URL",
    "順位表、攻撃の順位、攻撃者 × 防御者の表を表示します。アカウントは要りません。\n\n"
    "例:  tokumei contest results --server URL",
)


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("results", help=RESULTS.show())(results)


def results(server: Server, contest: Contest = None, json: Json = False) -> None:
    """Show the results, as far as they are public."""
    from tokumei.cli.console import print_json
    from tokumei.cli.options import require_extra

    require_extra("httpx")
    from tokumei.contest.client.keys import token_for

    with connected(server, known=token_for(server) is not None) as client:
        slug = chosen_contest(client, contest)
        board, matrix = client.leaderboard(slug), client.matrix(slug)
    if json:
        print_json({"ok": True, "leaderboard": board, "matrix": matrix})
        return
    _show_board(board)
    if any(cell for row in matrix["cells"] for cell in row):
        _show_matrix(matrix)


def _show_board(board: dict[str, Any]) -> None:
    from tokumei.cli.console import note, print_table

    if board["hidden"] is not None:
        note(Text(board["hidden"]["en"], board["hidden"]["ja"]))
    rows = [
        [
            f"{row['rank'] or '–'} {row['team']}{' *' if row['mine'] else ''}",
            *(_number(row[name]) for name in ("utility", "suite")),
            found_text(row["attacks"]) or "–",
            *(_number(row[name]) for name in ("safety", "total")),
        ]
        for row in board["rows"]
    ]
    print_table(
        Text("Leaderboard (lower is better)", "順位表 (小さいほど良い)"),
        [Text("team", "チーム").show(), "U", *_safety_names(), "S", "total"],
        rows,
    )


def _safety_names() -> Sequence[str]:
    return [Text("suite", "主催者の攻撃").show(), Text("attacks", "チームの攻撃").show()]


def _show_matrix(matrix: dict[str, Any]) -> None:
    from tokumei.cli.console import print_table

    rows = [
        [attacker, *(_cell(cell) for cell in cells)]
        for attacker, cells in zip(matrix["attackers"], matrix["cells"], strict=True)
    ]
    title = Text("Attackers (rows) × defenders", "攻撃者 (行) × 防御者")
    print_table(title, ["", *matrix["defenders"]], rows)


def _cell(cell: dict[str, Any] | None) -> str:
    return "–" if cell is None else found_text(cell["found"]) or "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"
