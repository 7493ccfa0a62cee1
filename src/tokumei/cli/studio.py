"""`tokumei studio`: from a dropped file to a release, in the browser, on this machine alone."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Json, about, argument, option, require_extra
from tokumei.core.text import Text

STUDIO = about(
    "Drop a file in the browser, say what it is for, choose among candidates, attack the one you "
    "like, and write it out with its evidence and the recipe that repeats it. Listens on this "
    "machine only; the printed address is for you alone. Nothing is sent anywhere.",
    "ブラウザーにファイルをドロップし、目的を答え、候補から選び、攻撃してみて、根拠と再現レシピとともに"
    "書き出します。この端末だけで待ち受け、表示されるアドレスは本人専用です。データは外部に送りません。",
    "tokumei studio customers.csv --home ~/releases",
)
HOME = "~/tokumei-studio"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("studio", help=STUDIO.show())(studio)


def studio(
    file: Annotated[str | None, argument("a file to begin with", "最初に開くファイル")] = None,
    home: Annotated[
        str, option("folder of projects and releases", "プロジェクトと公開データのフォルダ")
    ] = HOME,
    port: Annotated[int, option("0: any free port", "0: 空きポート", min=0, max=65535)] = 0,
    browser: Annotated[bool, option("open the browser", "ブラウザーを開く")] = True,
    seconds: Annotated[
        float, option("for one search of candidates", "候補の探索 1 回の時間 (秒)", min=1)
    ] = 60.0,
    json: Json = False,
) -> None:
    """Serve until stopped."""
    require_extra("fastapi", "uvicorn", "python_multipart", extra="studio")
    from tokumei.cli.console import note, print_json
    from tokumei.studio.serving import serve
    from tokumei.studio.store.home import Home, picked

    def tell(address: str) -> None:
        if json:
            print_json({"ok": True, "address": address})
        note(Text(f"Open {address} (Ctrl+C ends)", f"{address} を開いてください (Ctrl+C で終了)"))

    first = None if file is None else picked(file)
    serve(Home.open(home), port=port, first=first, browser=browser, seconds=seconds, tell=tell)
