"""`tokumei contest register`, `token`, `join`, `init`, `create`: accounts, teams, contests."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import ClassVar

from tokumei.cli.contest.remote import (
    connected,
    contest_option,
    json_told,
    note,
    playing,
    server_option,
)
from tokumei.cli.options import PrintingCommand, told
from tokumei.core.ask import option
from tokumei.core.errors import UsageError
from tokumei.core.option_values import pairs, split
from tokumei.core.text import Text

name_option = partial(option, "the account's name", "アカウント名", positional=True)
label_option = partial(option, "tells tokens apart", "トークンの見分けに使う名前")


@dataclass(frozen=True, kw_only=True)
class RegisterAccount(PrintingCommand):
    """Register, then keep a token."""

    about: ClassVar = Text(
        "Open an account on a server and keep a token for it. The password is asked for, or taken "
        "from TOKUMEI_PASSWORD.",
        "サーバーにアカウントを作り、トークンを保存します。パスワードは入力するか、"
        "TOKUMEI_PASSWORD で渡します。",
    )
    examples: ClassVar = ("tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",)

    name: str = name_option()
    server: str = server_option()
    invite: str | None = option("invite code", "招待コード", default=None)
    label: str = label_option(default="tokumei contest")

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        password = _password(twice=True)
        with connected(self.server, known=False) as client:
            client.register(self.name, password, self.invite)
        _keep(self.server, self.name, password, self.label, as_json)
        return 0


@dataclass(frozen=True, kw_only=True)
class RenewToken(PrintingCommand):
    """Get and keep a token."""

    about: ClassVar = Text(
        "Get a new token for an account and store it, so that the other commands can use it.",
        "アカウントの新しいトークンを取得して保存します。他のコマンドはこれを使います。",
    )
    examples: ClassVar = ("tokumei contest token aoi --server URL",)

    name: str = name_option()
    server: str = server_option()
    label: str = label_option(default="tokumei contest")

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        _keep(self.server, self.name, _password(twice=False), self.label, as_json)
        return 0


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
    try:
        return _ask_password(asked, twice=twice)
    except EOFError:
        raise UsageError(
            "no password was given; type it, or set TOKUMEI_PASSWORD",
            "パスワードがありません。入力するか、TOKUMEI_PASSWORD を設定してください",
        ) from None


def _ask_password(label: str, *, twice: bool) -> str:
    """Ask on the terminal until a password is typed, and typed again alike if it is a new one."""
    while True:
        password = getpass(f"{label}: ", stream=sys.stderr)
        if not password:
            continue
        again = told("Repeat the password", "パスワード (確認)")
        if not twice or getpass(f"{again}: ", stream=sys.stderr) == password:
            return password
        note("The two passwords differ.", "パスワードが一致しません。")


@dataclass(frozen=True, kw_only=True)
class JoinTeam(PrintingCommand):
    """Join or make a team."""

    about: ClassVar = Text(
        "Join a team by its code, or make a new one with --team. Its captain gets a code for "
        "others with --invite.",
        "招待コードでチームに参加するか、--team で新しいチームを作ります。"
        "--invite でほかの人のための招待コードを作れます (キャプテン)。",
    )
    examples: ClassVar = ("tokumei contest join --team 'Night flight' --invite --server URL",)

    server: str = server_option()
    code: str | None = option(
        "the team's code", "チームの招待コード", positional=True, default=None
    )
    team: str | None = option("name of a new team", "新しいチームの名前", default=None)
    invite: bool = option("make a code for others", "招待コードを作る", default=False)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        if self.team is None and self.code is None and not self.invite:
            raise UsageError(
                "give a code, --team or --invite", "コード、--team、--invite のどれかが必要です"
            )
        with playing(self.server, self.contest) as (client, slug):
            if self.team is not None:
                found = client.create_team(slug, self.team, self.code)
            else:
                found = client.join(slug, self.code) if self.code is not None else client.team(slug)
            made = client.team_code(slug)["code"] if self.invite else None
        if json_told(as_json, {"ok": True, "team": found, "code": made}):
            return 0
        members = ", ".join(member["name"] for member in found["members"])
        print(f"{found['name']}: {members}")
        if made is not None:
            print(told(f"code for others: {made}", f"招待コード: {made}"))
        return 0


@dataclass(frozen=True, kw_only=True)
class InitContest(PrintingCommand):
    """Write a contest's folder."""

    about: ClassVar = Text(
        "Write a folder with a commented contest.yaml and generated data, or your own.",
        "説明つきの contest.yaml と、生成した (または手持ちの) データを入れたフォルダを作ります。",
    )
    examples: ClassVar = (
        "tokumei contest init spring --preset pws2017",
        "tokumei contest init spring --preset pws2017 --data original=T.csv --data master=M.csv",
    )

    folder: str = option("folder to write", "作るフォルダ", positional=True)
    preset: str = option("pws2017, pws2018 or table", "pws2017、pws2018、table", default="pws2017")
    slug: str = option("its address on a server", "サーバー上のアドレス", default="sample")
    data: list[str] | None = option(
        "own data: original=T.csv", "手持ちのデータ: original=T.csv", default=None
    )
    qi: str | None = option("own table: its QI, a,b", "表の準識別子: a,b", default=None)
    sa: str | None = option("own table: its SA, x,y", "表の機密属性: x,y", default=None)
    id: str | None = option(
        "own table: columns that no release may have", "表の ID 列", default=None
    )
    rows: int | None = option("generated rows", "生成する行数", default=None)
    customers: int | None = option("generated customers", "生成する顧客数", default=None)
    seed: int = option("of the generated data", "生成の乱数シード", least=0, default=1)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.contest.judge.contest_judge import judge_of
        from tokumei.contest.spec.folder import read_contest_folder
        from tokumei.contest.spec.sample_folder import write_sample

        roles = {"qi": self.qi, "sa": self.sa, "id": self.id}
        path = write_sample(
            self.folder,
            preset=self.preset,
            data=pairs(self.data or [], "--data"),
            schema={role: split(names or "") for role, names in roles.items()},
            rows=self.rows,
            customers=self.customers,
            seed=self.seed,
            slug=self.slug,
        )
        contest = read_contest_folder(path)
        version = judge_of(contest, path.parent).version
        if json_told(as_json, {"contest": str(path), "slug": contest.slug, "version": version}):
            return 0
        note(
            f"{path}: written; its data was checked. Edit it as you like, then run\n"
            f"  tokumei contest check {self.folder} --release A.csv",
            f"{path}: 作成しました (データも検査済みです)。必要に応じて書き換えてから\n"
            f"  tokumei contest check {self.folder} --release A.csv",
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class CreateContest(PrintingCommand):
    """Create a contest."""

    about: ClassVar = Text(
        "Create a contest on a server from a folder with contest.yaml and its data, or a zip of it "
        "(organisers). --codes makes an invite code for so many people.",
        "contest.yaml とデータのあるフォルダ (または zip) から、サーバーにコンテストを作ります "
        "(主催者)。--codes で、その人数分の招待コードを作ります。",
    )
    examples: ClassVar = ("tokumei contest create spring --codes 30 --server URL",)

    source: Path = option("folder or zip", "フォルダか zip", positional=True)
    server: str = server_option()
    codes: int = option("people to invite", "招待する人数", least=0, most=10_000, default=0)
    draft: bool = option(
        "only organisers see it yet", "主催者だけに見える下書きにする", default=False
    )

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        code = None
        with connected(self.server) as client:
            made = client.create_contest(self.source, draft=self.draft)
            if self.codes:
                body = {"kind": "register", "uses": self.codes}
                code = client.admin("POST", made["slug"], "invites", json=body)["code"]
        if json_told(as_json, {"ok": True, "contest": made, "code": code}):
            return 0
        print(f"{self.server.rstrip('/')}/c/{made['slug']}")
        if code is not None:
            print(told(f"invite code: {code}", f"招待コード: {code}"))
        return 0
