"""`tokumei price`: what a release is worth, and the k-anonymous recoding worth most."""

from __future__ import annotations

import typer

from tokumei.core.text import Text


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from tokumei.cli.price import explore, optimize, serve

    group = typer.Typer(
        help=Text(
            "What data is worth, and the most valuable recoding.", "データの価値と最適な加工。"
        ).show(),
        no_args_is_help=True,
    )
    for part in (optimize, explore, serve):
        part.register(group)
    app.add_typer(group, name="price")
