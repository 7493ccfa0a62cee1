"""`tokumei contest init` and `create`: a contest to begin with, and a contest on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tokumei.cli.contest.remote import Server, connected, json_told, note
from tokumei.cli.options import Json, about, argument, option, told
from tokumei.core.option_values import pairs, split
from tokumei.core.text import Text

EXAMPLE = "tokumei contest init spring --preset pws2017"
OWN = "tokumei contest init spring --preset pws2017 --data original=T.csv --data master=M.csv"

INIT = Text(
    "Write a folder with a commented contest.yaml and generated data, or your own.\n\n"
    f"Example:  {EXAMPLE}\n\nOwn data:  {OWN}",
    "説明つきの contest.yaml と、生成した (または手持ちの) データを入れたフォルダを"
    f"作ります。\n\n例:  {EXAMPLE}\n\n手持ちのデータ:  {OWN}",
)


def init(
    folder: Annotated[str, argument("folder to write", "作るフォルダ")],
    preset: Annotated[
        str, option("pws2017, pws2018 or table", "pws2017、pws2018、table")
    ] = "pws2017",
    slug: Annotated[str, option("its address on a server", "サーバー上のアドレス")] = "sample",
    data: Annotated[
        list[str] | None, option("own data: original=T.csv", "手持ちのデータ: original=T.csv")
    ] = None,
    qi: Annotated[str | None, option("own table: its QI, a,b", "表の準識別子: a,b")] = None,
    sa: Annotated[str | None, option("own table: its SA, x,y", "表の機密属性: x,y")] = None,
    id: Annotated[
        str | None, option("own table: columns that no release may have", "表の ID 列")
    ] = None,
    rows: Annotated[int | None, option("generated rows", "生成する行数")] = None,
    customers: Annotated[int | None, option("generated customers", "生成する顧客数")] = None,
    seed: Annotated[int, option("of the generated data", "生成の乱数シード", min=0)] = 1,
    json: Json = False,
) -> None:
    """Write a contest's folder."""
    from tokumei.contest.judge.contest_judge import judge_of
    from tokumei.contest.spec.folder import read_contest_folder
    from tokumei.contest.spec.sample_folder import write_sample

    roles = {"qi": qi, "sa": sa, "id": id}
    path = write_sample(
        folder,
        preset=preset,
        data=pairs(data or [], "--data"),
        schema={role: split(names or "") for role, names in roles.items()},
        rows=rows,
        customers=customers,
        seed=seed,
        slug=slug,
    )
    contest = read_contest_folder(path)
    version = judge_of(contest, path.parent).version
    if json_told(json, {"contest": str(path), "slug": contest.slug, "version": version}):
        return
    note(
        f"{path}: written; its data was checked. Edit it as you like, then run\n"
        f"  tokumei contest check {folder} --release A.csv",
        f"{path}: 作成しました (データも検査済みです)。必要に応じて書き換えてから\n"
        f"  tokumei contest check {folder} --release A.csv",
    )


CREATE = about(
    "Create a contest on a server from a folder with contest.yaml and its data, or a zip of it "
    "(organisers). --codes makes an invite code for so many people.",
    "contest.yaml とデータのあるフォルダ (または zip) から、サーバーにコンテストを作ります "
    "(主催者)。--codes で、その人数分の招待コードを作ります。",
    "tokumei contest create spring --codes 30 --server URL",
)


def create(
    source: Annotated[Path, argument("folder or zip", "フォルダか zip")],
    server: Server,
    codes: Annotated[int, option("people to invite", "招待する人数", min=0, max=10_000)] = 0,
    draft: Annotated[
        bool, option("only organisers see it yet", "主催者だけに見える下書きにする", "--draft")
    ] = False,
    json: Json = False,
) -> None:
    """Create a contest."""
    code = None
    with connected(server) as client:
        made = client.create_contest(source, draft=draft)
        if codes:
            body = {"kind": "register", "uses": codes}
            code = client.admin("POST", made["slug"], "invites", json=body)["code"]
    if json_told(json, {"ok": True, "contest": made, "code": code}):
        return
    print(f"{server.rstrip('/')}/c/{made['slug']}")
    if code is not None:
        print(told(f"invite code: {code}", f"招待コード: {code}"))
