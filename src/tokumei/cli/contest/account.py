"""`tokumei contest register`, `token`, `join`, `init`, `create`: accounts, teams, contests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.remote import Contest, Server, connected, json_told, note, playing
from tokumei.cli.options import Json, about, argument, option, told
from tokumei.core.errors import UsageError
from tokumei.core.option_values import pairs, split
from tokumei.core.text import Text

REGISTER = about(
    "Open an account on a server and keep a token for it. The password is asked for, or taken "
    "from TOKUMEI_PASSWORD.",
    "サーバーにアカウントを作り、トークンを保存します。パスワードは入力するか、"
    "TOKUMEI_PASSWORD で渡します。",
    "tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",
)
TOKEN = about(
    "Get a new token for an account and store it, so that the other commands can use it.",
    "アカウントの新しいトークンを取得して保存します。他のコマンドはこれを使います。",
    "tokumei contest token aoi --server URL",
)
Name = Annotated[str, argument("the account's name", "アカウント名")]
Label = Annotated[str, option("tells tokens apart", "トークンの見分けに使う名前")]


def register(
    name: Name,
    server: Server,
    invite: Annotated[str | None, option("invite code", "招待コード")] = None,
    label: Label = "tokumei contest",
    json: Json = False,
) -> None:
    """Register, then keep a token."""
    password = _password(twice=True)
    with connected(server, known=False) as client:
        client.register(name, password, invite)
    _keep(server, name, password, label, json)


def token(name: Name, server: Server, label: Label = "tokumei contest", json: Json = False) -> None:
    """Get and keep a token."""
    _keep(server, name, _password(twice=False), label, json)


def _keep(server: str, name: str, password: str, label: str, as_json: bool) -> None:
    from tokumei.contest.client.local import keep_token

    with connected(server, known=False) as client:
        made = client.new_token(name, password, label)
        path = keep_token(server, made["token"])
    json_told(as_json, {"ok": True, "name": name, "server": server, "token_file": str(path)})
    note(f"{name}: token kept in {path}", f"{name}: トークンを {path} に保存しました")


def _password(*, twice: bool) -> str:
    given = os.environ.get("TOKUMEI_PASSWORD")
    if given is not None:
        return given
    asked = told("Password", "パスワード")
    found: str = typer.prompt(asked, hide_input=True, confirmation_prompt=twice, err=True)
    return found


JOIN = Text(
    "Join a team by its code, or make a new one with --team. Its captain gets a code for others "
    "with --invite.\n\n"
    "Example:  tokumei contest join --team 'Night flight' --invite --server URL",
    "招待コードでチームに参加するか、--team で新しいチームを作ります。"
    "--invite でほかの人のための招待コードを作れます (キャプテン)。\n\n"
    "例:  tokumei contest join --team 夜間飛行 --invite --server URL",
)


def join(
    server: Server,
    code: Annotated[str | None, argument("the team's code", "チームの招待コード")] = None,
    team: Annotated[str | None, option("name of a new team", "新しいチームの名前")] = None,
    invite: Annotated[
        bool, option("make a code for others", "招待コードを作る", "--invite")
    ] = False,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Join or make a team."""
    if team is None and code is None and not invite:
        raise UsageError(
            "give a code, --team or --invite", "コード、--team、--invite のどれかが必要です"
        )
    with playing(server, contest) as (client, slug):
        if team is not None:
            found = client.create_team(slug, team, code)
        else:
            found = client.join(slug, code) if code is not None else client.team(slug)
        made = client.team_code(slug)["code"] if invite else None
    if json_told(json, {"ok": True, "team": found, "code": made}):
        return
    members = ", ".join(member["name"] for member in found["members"])
    print(f"{found['name']}: {members}")
    if made is not None:
        print(told(f"code for others: {made}", f"招待コード: {made}"))


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
