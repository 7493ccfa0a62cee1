"""Saving an experiment: all its files or none, its secrets apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tokumei.core.errors import OutputError
from tokumei.core.options import spare_sources
from tokumei.core.recipe import SECRET, Experiment
from tokumei.files.atomic import write_all
from tokumei.files.containers import AnyPath


def save_experiment(experiment: Experiment, out: AnyPath) -> Path:
    """Write report, figures, releases and their secrets into a folder; the report's path.

    Secrets go to `secret/`, which only the owner may enter. No file that was read is replaced.
    """
    folder = Path(out)
    outputs = list(experiment.outputs(folder))
    paths = [Path(output.path) for output in outputs]
    spare_sources(experiment.recipe.files, paths)
    with _folders({path.parent for path in paths}, folder):
        write_all(outputs)
    return folder / experiment.report


@contextmanager
def _folders(places: Iterable[Path], out: Path) -> Iterator[None]:
    """The folders, while files are written into them; those made are gone again if that fails."""
    missing = {one for place in places for one in (place, *place.parents) if not one.exists()}
    made = sorted(missing, key=lambda place: len(place.parts))
    try:
        for place in made:
            place.mkdir(mode=0o700 if place == out / SECRET else 0o777, exist_ok=True)
        if (out / SECRET).is_dir():
            (out / SECRET).chmod(0o700)
        yield
    except BaseException as err:
        for place in reversed(made):
            with suppress(OSError):
                place.rmdir()
        if not isinstance(err, OSError):
            raise
        raise OutputError(
            f"{out}: {err.strerror}", f"{out}: 作成できません ({err.strerror})"
        ) from None
