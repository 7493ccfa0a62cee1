"""A contest's own page: phases, how it is judged, data."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.contest.desk.contests import contest_of, data_file
from tokumei.contest.desk.views import ContestView
from tokumei.contest.web.contest_page import contest_page, send_file
from tokumei.contest.web.visit import Here
from tokumei.core.text import Text

router = APIRouter()
UTILITY = {
    "max": Text("the worst of all measures", "全指標のうち最も悪い値"),
    "mean": Text("the mean of all measures", "全指標の平均"),
    "min": Text("the best of all measures", "全指標のうち最も良い値"),
}
SAFETY = {
    "max": Text(
        "the strongest attack, the judge's or another team's",
        "審判と他チームの攻撃のうち最も強いもの",
    ),
    "mean": Text(
        "the mean of the judge's attacks, or another team's attack that finds more",
        "審判の攻撃の平均。他チームの攻撃がそれを上回ればその値",
    ),
}
TOTALS = {
    "mean": Text("mean of U and S", "U と S の平均"),
    "utility": Text("U alone", "U のみ"),
    "harmonic": Text("harmonic mean of U and S", "U と S の調和平均"),
    "product": Text("product of U and S", "U と S の積"),
    "max": Text("the larger of U and S", "U と S の大きい方"),
    "min": Text("the smaller of U and S", "U と S の小さい方"),
}
FEEDBACK = {
    "exact": Text("exact, at once", "正確な値をすぐに表示"),
    "banded": Text("as a band, at once", "範囲のみをすぐに表示"),
    "delayed": Text("when the phase ends", "フェーズ終了後に表示"),
}
VISIBLE = {
    "always": Text("always", "常に公開"),
    "after-phase": Text("when the phase ends", "フェーズ終了後に公開"),
    "after-contest": Text("when the contest ends", "コンテスト終了後に公開"),
}
QUOTAS = {
    "submissions": Text("Submissions in all", "提出回数（合計）"),
    "submissions_per_day": Text("Submissions in 24 hours", "提出回数（24 時間）"),
    "uploads_per_hour": Text(
        "Uploads in an hour, rejected ones too", "アップロード（1 時間、不受理を含む）"
    ),
    "published": Text("Published releases", "公開できる数"),
    "attempts_per_target": Text("Attempts per target", "攻撃回数（対象ごと）"),
    "megabytes": Text("Megabytes per file", "ファイルの大きさ（MB）"),
    "members": Text("Members", "メンバー数"),
}


@router.get("/c/{slug}")
def show_contest(visit: Here, slug: str) -> Response:
    """The contest's page."""
    contest = contest_of(visit.place, visit.viewer, slug)
    return contest_page(
        visit,
        slug,
        "home.html",
        here="home",
        title=contest.title,
        contest=contest,
        rules=_rules(contest),
        quotas=[(QUOTAS[name], f"{value:,}") for name, value in contest.quotas.items()],
    )


@router.get("/c/{slug}/data/{key}")
def send_data(visit: Here, slug: str, key: str) -> Response:
    """A data file, for members of teams."""
    return send_file(data_file(visit.place, visit.viewer, slug, key))


def _rules(contest: ContestView) -> list[tuple[Text, object]]:
    scoring = contest.scoring
    rows: list[tuple[Text, object]] = [
        (Text("Format", "形式"), contest.format),
        (Text("Utility U", "有用性 U"), UTILITY[scoring["combine_utility"]]),
        (Text("Safety S", "安全性 S"), SAFETY[scoring["combine_safety"]]),
        (Text("Total", "総合"), TOTALS[scoring["total"]]),
    ]
    if contest.knowledge:
        shares = ", ".join(f"{share:g}" for share in contest.knowledge)
        rows.append((Text("Knowledge α", "背景知識 α"), shares))
    if scoring.get("gate"):
        unsafe = Text("rank after all others", "基準を満たすものより下位")
        rows.append(
            (Text("Releases that fail the safety test", "安全性の基準を満たさないもの"), unsafe)
        )
    rows.append((Text("Attackers see results", "攻撃結果の表示"), FEEDBACK[contest.feedback]))
    rows.append((Text("Leaderboard", "順位表"), VISIBLE[contest.leaderboard]))
    return rows
