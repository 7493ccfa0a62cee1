"""`tokumei contest register`, `token`, `join`, `init`, `create`: accounts, teams, contests."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import ClassVar

from tokumei.apps.cli.contest.common import (
    connect_client,
    connect_to_contest,
    contest_option,
    print_bilingual_note,
    print_json_if,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand, translate
from tokumei.core.command import option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import parse_pairs, split_names

name_option = partial(option, "the account's name", "アカウント名", positional=True)
label_option = partial(option, "tells tokens apart", "トークンの見分けに使う名前")


@dataclass(frozen=True, kw_only=True)
class RegisterAccount(PrintingCommand):
    """Register, then keep a token."""

    about: ClassVar = Message(
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
        password = _read_password(twice=True)
        with connect_client(self.server, known=False) as client:
            client.register(self.name, password, self.invite)
        _request_and_save_token(self.server, self.name, password, self.label, as_json)
        return 0


@dataclass(frozen=True, kw_only=True)
class RenewToken(PrintingCommand):
    """Get and keep a token."""

    about: ClassVar = Message(
        "Get a new token for an account and store it, so that the other commands can use it.",
        "アカウントの新しいトークンを取得して保存します。他のコマンドはこれを使います。",
    )
    examples: ClassVar = ("tokumei contest token aoi --server URL",)

    name: str = name_option()
    server: str = server_option()
    label: str = label_option(default="tokumei contest")

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        _request_and_save_token(
            self.server, self.name, _read_password(twice=False), self.label, as_json
        )
        return 0


def _request_and_save_token(
    server: str, name: str, password: str, label: str, as_json: bool
) -> None:
    from tokumei.apps.contest.client.local_files import save_token

    with connect_client(server, known=False) as client:
        token_reply = client.new_token(name, password, label)
        path = save_token(server, token_reply["token"])
    print_json_if(as_json, {"ok": True, "name": name, "server": server, "token_file": str(path)})
    print_bilingual_note(
        f"{name}: token kept in {path}", f"{name}: トークンを {path} に保存しました"
    )


def _read_password(*, twice: bool) -> str:
    from_environment = os.environ.get("TOKUMEI_PASSWORD")
    if from_environment is not None:
        return from_environment
    prompt = translate("Password", "パスワード")
    try:
        return _prompt_password(prompt, twice=twice)
    except EOFError:
        raise UsageError(
            "no password was given; type it, or set TOKUMEI_PASSWORD",
            "パスワードがありません。入力するか、TOKUMEI_PASSWORD を設定してください",
        ) from None


def _prompt_password(label: str, *, twice: bool) -> str:
    """Ask on the terminal until a password is typed, and typed again alike if it is a new one."""
    while True:
        password = getpass(f"{label}: ", stream=sys.stderr)
        if not password:
            continue
        repeat_prompt = translate("Repeat the password", "パスワード (確認)")
        if not twice or getpass(f"{repeat_prompt}: ", stream=sys.stderr) == password:
            return password
        print_bilingual_note("The two passwords differ.", "パスワードが一致しません。")


@dataclass(frozen=True, kw_only=True)
class JoinTeam(PrintingCommand):
    """Join or make a team."""

    about: ClassVar = Message(
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
        with connect_to_contest(self.server, self.contest) as (client, slug):
            if self.team is not None:
                team_reply = client.create_team(slug, self.team, self.code)
            else:
                team_reply = (
                    client.join(slug, self.code) if self.code is not None else client.team(slug)
                )
            invite_code = client.team_code(slug)["code"] if self.invite else None
        if print_json_if(as_json, {"ok": True, "team": team_reply, "code": invite_code}):
            return 0
        members = ", ".join(member["name"] for member in team_reply["members"])
        print(f"{team_reply['name']}: {members}")
        if invite_code is not None:
            print(translate(f"code for others: {invite_code}", f"招待コード: {invite_code}"))
        return 0


@dataclass(frozen=True, kw_only=True)
class InitContest(PrintingCommand):
    """Write a contest's folder."""

    about: ClassVar = Message(
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
        from tokumei.apps.contest.judge.contest_judge import load_judge
        from tokumei.apps.contest.spec.folder import read_contest_folder
        from tokumei.apps.contest.spec.sample_folder import write_sample_contest

        roles = {"qi": self.qi, "sa": self.sa, "id": self.id}
        path = write_sample_contest(
            self.folder,
            preset=self.preset,
            data=parse_pairs(self.data or [], "--data"),
            schema={role: split_names(names or "") for role, names in roles.items()},
            rows=self.rows,
            customers=self.customers,
            seed=self.seed,
            slug=self.slug,
        )
        contest = read_contest_folder(path)
        version = load_judge(contest, path.parent).version
        if print_json_if(as_json, {"contest": str(path), "slug": contest.slug, "version": version}):
            return 0
        print_bilingual_note(
            f"{path}: written; its data was checked. Edit it as you like, then run\n"
            f"  tokumei contest check {self.folder} --release A.csv",
            f"{path}: 作成しました (データも検査済みです)。必要に応じて書き換えてから\n"
            f"  tokumei contest check {self.folder} --release A.csv",
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class CreateContest(PrintingCommand):
    """Create a contest."""

    about: ClassVar = Message(
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
        with connect_client(self.server) as client:
            contest_reply = client.create_contest(self.source, draft=self.draft)
            if self.codes:
                body = {"kind": "register", "uses": self.codes}
                code = client.admin("POST", contest_reply["slug"], "invites", json=body)["code"]
        if print_json_if(as_json, {"ok": True, "contest": contest_reply, "code": code}):
            return 0
        print(f"{self.server.rstrip('/')}/c/{contest_reply['slug']}")
        if code is not None:
            print(translate(f"invite code: {code}", f"招待コード: {code}"))
        return 0
