"""Running the command line as a user does, inside this process."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tokumei.apps.cli.app import main


@dataclass
class Ran:
    """What a command printed and returned."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def tokumei(capsys, tmp_path, monkeypatch):
    """Run `tokumei …` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*args):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(arg) for arg in args])
        printed = capsys.readouterr()
        return Ran(int(stop.value.code or 0), printed.out, printed.err)

    return run


PAPER = {
    "x": "2,1,1,100,100\n2,1,1,200,400\n1,1,2,300,200\n1,1,2,400,500\n",
    "b": "2,1,1,110,90\n2,1,1,220,390\n1,1,2,280,210\n1,1,2,390,520\n",
    "d": "2,1,1,100,100\n2,1,1,200,400\n1,1,1,300,200\n1,1,1,400,500\n",
    "f": "2,1,1,150,250\n2,1,1,150,250\n1,1,2,350,350\n1,1,2,350,350\n",
}


@pytest.fixture
def paper(tokumei):
    """The paper's tables as files x.csv, b.csv, d.csv, f.csv in the current folder."""
    for name, rows in PAPER.items():
        Path(f"{name}.csv").write_text("QI1,QI2,QI3,SA1,SA2\n" + rows)
    return ["--qi", "QI1,QI2,QI3", "--sa", "SA1,SA2"]
