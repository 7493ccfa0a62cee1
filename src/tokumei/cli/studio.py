"""`tokumei studio`: from a dropped file to a release, in the browser, on this machine alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.cli.options import PrintingCommand, require_extra
from tokumei.core.ask import option
from tokumei.core.text import Text

HOME = "~/tokumei-studio"


@dataclass(frozen=True, kw_only=True)
class OpenStudio(PrintingCommand):
    """Serve until stopped."""

    about: ClassVar = Text(
        "Drop a file in the browser, say what it is for, choose among candidates, attack the one "
        "you like, and write it out with its evidence and the recipe that repeats it. Listens on "
        "this machine only; the printed address is for you alone. Nothing is sent anywhere.",
        "ブラウザーにファイルをドロップし、目的を答え、候補から選び、攻撃してみて、根拠と再現レシピとともに"
        "書き出します。この端末だけで待ち受け、表示されるアドレスは本人専用です。データは外部に送りません。",
    )
    examples: ClassVar = ("tokumei studio customers.csv --home ~/releases",)

    file: str | None = option(
        "a file to begin with", "最初に開くファイル", positional=True, default=None
    )
    home: str = option(
        "folder of projects and releases", "プロジェクトと公開データのフォルダ", default=HOME
    )
    port: int = option("0: any free port", "0: 空きポート", least=0, most=65535, default=0)
    browser: bool = option("open the browser", "ブラウザーを開く", default=True, negatable=True)
    seconds: float = option(
        "for one search of candidates", "候補の探索 1 回の時間 (秒)", least=1, default=60.0
    )

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("fastapi", "uvicorn", "python_multipart", extra="studio")
        from tokumei.cli.console import note, print_json
        from tokumei.studio.serving import serve
        from tokumei.studio.store.home import Home, picked

        def tell(address: str) -> None:
            if as_json:
                print_json({"ok": True, "address": address})
            note(
                Text(f"Open {address} (Ctrl+C ends)", f"{address} を開いてください (Ctrl+C で終了)")
            )

        first = None if self.file is None else picked(self.file)
        serve(
            Home.open(self.home),
            port=self.port,
            first=first,
            browser=self.browser,
            seconds=self.seconds,
            tell=tell,
        )
        return 0
