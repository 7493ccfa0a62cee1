"""Lists the files of a release: who may read each, which are public and which secret.

listed(folder)            # [{"path": "releases/01-release.csv", "reader": "publish", …}, …]
"""

from __future__ import annotations

from pathlib import Path

from tokumei.apps.studio.store.records import FileRecord
from tokumei.core.messages import Language, Message

READER_LABELS = {
    "publish": Message("May be given out", "提供・公開してよい"),
    "records": Message("For your records", "社内の記録"),
    "secret": Message("Keep secret", "秘密に保管"),
}
_FILE_DESCRIPTIONS = (
    (
        "releases/*.manifest.json",
        "publish",
        Message("claims and methods, to go with the data", "主張と手法。データに添える"),
    ),
    ("releases/*", "publish", Message("the released data", "公開用データ")),
    (
        "upload/*",
        "secret",
        Message(
            "for the contest's server alone: it says who is who",
            "コンテストのサーバー専用 (対応表を含む)",
        ),
    ),
    (
        "secret/*.key",
        "secret",
        Message("the key that repeats this release", "同じ公開を再現する鍵"),
    ),
    (
        "secret/*.provenance.json",
        "secret",
        Message("seed and hash of the source", "乱数シードと元データのハッシュ"),
    ),
    ("secret/*", "secret", Message("which released row is whose", "公開行と本人の対応表")),
    (
        "report.html",
        "records",
        Message("figures, attacks and what was done", "数値・攻撃・処理内容の報告書"),
    ),
    ("conformity.html", "records", Message("evidence by the law's items", "法令の項目ごとの根拠")),
    (
        "recipe.yaml",
        "records",
        Message("repeats everything, with the key", "鍵とともに全体を再現する"),
    ),
    ("hierarchies/*", "records", Message("groups of values", "値の階層")),
    ("README.md", "records", Message("what this folder holds", "このフォルダの説明")),
    ("*", "records", Message("figures", "数値")),
)


def list_release_files(folder: Path) -> list[FileRecord]:
    """Every file with its reader, those to be given out first."""
    files = [_describe_file(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    order = list(READER_LABELS)
    return sorted(files, key=lambda entry: (order.index(entry["reader"]), entry["path"]))


def _describe_file(path: Path, folder: Path) -> FileRecord:
    name = path.relative_to(folder)
    for pattern, reader, about in _FILE_DESCRIPTIONS:
        if name.match(pattern):
            return {
                "path": str(name),
                "reader": reader,
                "about": list(about),
                "size": path.stat().st_size,
            }
    raise AssertionError("the last pattern takes every name")


LEDGER_NOTE = """
The recipe names a ledger: run again, it is checked again and gets a line of its own there.
レシピは台帳を使います。再実行すると、あらためて検査され、台帳に新しい行が加わります。
"""


def format_readme(name: str, lang: Language, *, recorded: bool = False) -> str:
    """The text of the folder's README."""
    flag = f" --lang {lang}"
    ledger_note = LEDGER_NOTE if recorded else ""
    return f"""# {name}

## What may be given out / 提供・公開してよいもの

Only the files in `releases/`. Nothing else in this folder.
`releases/` の中のファイルだけです。ほかのファイルは渡さないでください。

## What must stay secret / 秘密に保管するもの

`secret/`: who is behind which row, and the key. Whoever has one of them can undo the release.
`secret/`: 行と本人の対応、鍵。これを持つ人は匿名加工を元に戻せます。

## For your records / 社内の記録

`report.html`, `conformity.html`, `recipe.yaml`: what was done, what attacks found, evidence.
No page here says that a release is lawful; that is for a person to decide.
処理の内容、攻撃の結果、根拠です。適法かどうかの判断は含みません。判断は人が行ってください。

## The same again / 再現

    tokumei run recipe.yaml --key secret/release.key --out again{flag}

In this folder, with the source where it was: every file that it writes has the same bytes.
このフォルダで、元のファイルが同じ場所にあるときに実行すると、同じバイト列のファイルができます。
{ledger_note}"""
