"""`tokumei contest init`: a contest to begin with."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import Json
from tokumei.core.options import pairs, split
from tokumei.core.text import Text

EXAMPLE = "tokumei contest init spring --preset pws2017"
OWN = "tokumei contest init spring --preset pws2017 --data original=T.csv --data master=M.csv"


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        name="init",
        help=Text(
            "Write a folder with a commented contest.yaml and generated data, or your own.\n\n"
            f"Example:  {EXAMPLE}\n\nOwn data:  {OWN}",
            "説明つきの contest.yaml と、生成した (または手持ちの) データを入れたフォルダを"
            f"作ります。\n\n例:  {EXAMPLE}\n\n手持ちのデータ:  {OWN}",
        ).show(),
    )(init)


def init(
    folder: Annotated[str, typer.Argument(help=Text("folder to write", "作るフォルダ").show())],
    preset: Annotated[
        str, typer.Option(help=Text("pws2017, pws2018 or table", "pws2017、pws2018、table").show())
    ] = "pws2017",
    slug: Annotated[
        str, typer.Option(help=Text("its address on a server", "サーバー上のアドレス").show())
    ] = "sample",
    data: Annotated[
        list[str] | None,
        typer.Option(
            help=Text("own data: original=T.csv", "手持ちのデータ: original=T.csv").show()
        ),
    ] = None,
    qi: Annotated[
        str | None, typer.Option(help=Text("own table: its QI, a,b", "表の準識別子: a,b").show())
    ] = None,
    sa: Annotated[
        str | None, typer.Option(help=Text("own table: its SA, x,y", "表の機密属性: x,y").show())
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(help=Text("own table: columns that no release may have", "表の ID 列").show()),
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help=Text("generated rows", "生成する行数").show())
    ] = None,
    customers: Annotated[
        int | None, typer.Option(help=Text("generated customers", "生成する顧客数").show())
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help=Text("of the generated data", "生成の乱数シード").show())
    ] = 1,
    json: Json = False,
) -> None:
    """Write a contest's folder."""
    from tokumei.cli.console import note, print_json
    from tokumei.contest.judge.choose import judge_of
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
    if json:
        print_json({"contest": str(path), "slug": contest.slug, "version": version})
        return
    note(
        Text(
            f"{path}: written; its data was checked. Edit it as you like, then run\n"
            f"  tokumei contest check {folder} --release A.csv",
            f"{path}: 作成しました (データも検査済みです)。必要に応じて書き換えてから\n"
            f"  tokumei contest check {folder} --release A.csv",
        )
    )
