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
    print_json_if,
    print_note,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.option_parsing import parse_pairs, split_names
from tokumei.core.shared_options import refuse_unused_options

name_option = partial(option, "the account's name", positional=True)
label_option = partial(option, "name by which you recognize the token")


@dataclass(frozen=True, kw_only=True)
class RegisterAccount(PrintingCommand):
    """Register, then keep a token."""

    about: ClassVar = Message(
        "Open an account on a server and keep a token for it. The password is asked for, or taken "
        "from TOKUMEI_PASSWORD."
    )
    examples: ClassVar = ("tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",)

    name: str = name_option()
    server: str = server_option()
    invite: str | None = option("invite code", default=None)
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
        "Get a new token for an account and store it, so that the other commands can use it."
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
    print_note(Message("{name}: token kept in {path}", name=name, path=path))


def _read_password(*, twice: bool) -> str:
    from_environment = os.environ.get("TOKUMEI_PASSWORD")
    if from_environment is not None:
        return from_environment
    try:
        return _prompt_password(twice=twice)
    except EOFError:
        raise UsageError("no password was given; type it, or set TOKUMEI_PASSWORD") from None


def _prompt_password(*, twice: bool) -> str:
    """Ask on the terminal until a password is typed, and typed again alike if it is a new one."""
    while True:
        password = getpass(f"{Message('Password')}: ", stream=sys.stderr)
        if not password:
            continue
        repeat_prompt = f"{Message('Repeat the password')}: "
        if not twice or getpass(repeat_prompt, stream=sys.stderr) == password:
            return password
        print_note(Message("The two passwords differ."))


@dataclass(frozen=True, kw_only=True)
class JoinTeam(PrintingCommand):
    """Join or make a team."""

    about: ClassVar = Message(
        "Join a team by its code, or make a new one with --team. Its captain gets a code for "
        "others with --invite."
    )
    examples: ClassVar = ("tokumei contest join --team 'Night flight' --invite --server URL",)

    server: str = server_option()
    code: str | None = option("the team's code", positional=True, default=None)
    team: str | None = option("name of a new team", default=None)
    invite: bool = option("make a code for others", default=False)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        if self.team is None and self.code is None and not self.invite:
            raise UsageError("give a code, --team or --invite")
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
        members = join_messages(member["name"] for member in team_reply["members"])
        print(f"{team_reply['name']}: {members}")
        if invite_code is not None:
            print(Message("code for others: {code}", code=invite_code))
        return 0


@dataclass(frozen=True, kw_only=True)
class InitContest(PrintingCommand):
    """Write a contest's folder."""

    about: ClassVar = Message(
        "Write a folder with a commented contest.yaml and generated data, or your own."
    )
    examples: ClassVar = (
        "tokumei contest init spring --preset pws2017",
        "tokumei contest init spring --preset pws2017 --data original=T.csv --data master=M.csv",
        "tokumei contest init spring --preset pws2017-edition --retail online_retail.parquet "
        "--customers 500",
    )

    folder: str = option("folder to write", positional=True)
    preset: str = option(
        "pws2017, pws2018 or table; pws2017-edition: a preliminary and a final round",
        default="pws2017",
    )
    slug: str = option("its address on a server", default="sample")
    data: list[str] | None = option("own data: original=T.csv", default=None)
    qi: str | None = option("own table: its QI, a,b", default=None)
    sa: str | None = option("own table: its SA, x,y", default=None)
    id: str | None = option("own table: columns that no release may have", default=None)
    retail: str | None = option(
        "pws2017: draw the customers from UCI Online Retail, as in the contest", default=None
    )
    rows: int | None = option("generated rows", default=None)
    customers: int | None = option("generated or drawn customers", default=None)
    seed: int = option("seed of the generated or drawn data", least=0, default=1)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.contest.judge.contest_judge import load_judge
        from tokumei.apps.contest.spec.folder import read_contest_folder

        paths = self._write_folders()
        written = []
        for path in paths:
            contest = read_contest_folder(path)
            version = load_judge(contest, path.parent).version
            written.append({"contest": str(path), "slug": contest.slug, "version": version})
        if print_json_if(as_json, written[0] if len(written) == 1 else {"contests": written}):
            return 0
        for path in paths:
            print_note(
                Message(
                    "{path}: written; its data was checked. Edit it as you like, then run\n  "
                    "tokumei contest check {folder} --release A.csv",
                    path=path,
                    folder=path.parent,
                )
            )
        return 0

    def _write_folders(self) -> list[Path]:
        """The folder, or those of both rounds."""
        from tokumei.apps.contest.spec.edition import (
            EDITION_PRESET,
            PRESET,
            write_edition,
            write_retail_contest,
        )

        if self.retail is None:
            return [self._write_sample()]
        refuse_unused_options(
            "--retail", data=self.data, rows=self.rows, qi=self.qi, sa=self.sa, id=self.id
        )
        if self.preset not in (PRESET, EDITION_PRESET):
            raise UnknownNameError(Message("preset"), self.preset, (PRESET, EDITION_PRESET))
        if self.preset == EDITION_PRESET:
            return write_edition(
                self.folder,
                retail=self.retail,
                customers=self.customers,
                seed=self.seed,
                slug=self.slug,
            )
        path = write_retail_contest(
            self.folder,
            retail=self.retail,
            customers=self.customers,
            seed=self.seed,
            slug=self.slug,
        )
        return [path]

    def _write_sample(self) -> Path:
        """A folder of generated data, or one's own."""
        from tokumei.apps.contest.spec.edition import EDITION_PRESET
        from tokumei.apps.contest.spec.sample_folder import write_sample_contest

        if self.preset == EDITION_PRESET:
            raise UsageError("--preset {preset} needs --retail", preset=self.preset)
        roles = {"qi": self.qi, "sa": self.sa, "id": self.id}
        return write_sample_contest(
            self.folder,
            preset=self.preset,
            data=parse_pairs(self.data or [], "--data"),
            schema={role: split_names(names or "") for role, names in roles.items()},
            rows=self.rows,
            customers=self.customers,
            seed=self.seed,
            slug=self.slug,
        )


@dataclass(frozen=True, kw_only=True)
class CreateContest(PrintingCommand):
    """Create a contest."""

    about: ClassVar = Message(
        "Create a contest on a server from a folder with contest.yaml and its data, or a zip of it "
        "(organisers). --codes makes an invite code for so many people."
    )
    examples: ClassVar = ("tokumei contest create spring --codes 30 --server URL",)

    source: Path = option("folder or zip", positional=True)
    server: str = server_option()
    codes: int = option("people to invite", least=0, most=10_000, default=0)
    draft: bool = option("only organisers can see it for now", default=False)

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
            print(Message("invite code: {code}", code=code))
        return 0
