"""What people see instead of a page that cannot be: why, and where to go on."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tokumei.contest.web.render import page, page_headers, refused
from tokumei.contest.web.visit import open_visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import LogInFirst, status_of

TITLES = {
    403: Text("Not allowed", "この操作はできません"),
    404: Text("Nothing here", "ページが見つかりません"),
    405: Text("Not this way", "この方法では使えません"),
    409: Text("Not now", "今はできません"),
    413: Text("Too large", "大きすぎます"),
    429: Text("Too many", "回数の上限です"),
    500: Text("Something broke", "エラーが発生しました"),
    503: Text("Busy", "混み合っています"),
}
OTHER = Text("This did not work", "処理できませんでした")


async def answer(request: Request, error: TokumeiError) -> Response:
    """A page for an error; visitors who could do it after logging in are led there."""
    return await run_in_threadpool(_answer, request, error)


def _answer(request: Request, error: TokumeiError) -> Response:
    visit = open_visit(request)
    if visit.by_script:
        return refused(visit, error)
    if isinstance(error, LogInFirst):
        return RedirectResponse("/login?" + urlencode({"next": request.url.path}), 303)
    status = status_of(error)
    return page(
        visit,
        "error.html",
        title=TITLES.get(status, OTHER),
        status=status,
        headers=page_headers(error),
        code=status,
        message=error.message,
        faults=error.faults,
        back=request.url.path if request.method == "POST" else None,
    )
