"""Programs that use the installed package are checked strictly, and what they get has a type."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSUMER = Path(__file__).with_name("consumer.py")
pytestmark = pytest.mark.long


def run(*args, cwd):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ran = subprocess.run(
        [*map(str, args)], cwd=cwd, env=clean | {"MYPYPATH": ""}, capture_output=True, text=True
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The package as it is handed out."""
    if find_spec("Cython") is None:
        pytest.skip("no Cython: pip install -r requirements/build.txt")
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel")
    code, said = run(*pip, "--no-deps", "--no-build-isolation", "-w", folder, ROOT, cwd=folder)
    assert code == 0, said
    (found,) = folder.glob("tokumei-*.whl")
    return found


@pytest.fixture(scope="module")
def consumer(wheel, tmp_path_factory):
    """A new environment with the wheel; what it depends on comes from this environment."""
    folder = tmp_path_factory.mktemp("consumer")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    code, said = run(*pip, "install", "--no-deps", "--no-index", "-q", wheel, cwd=folder)
    assert code == 0, said
    return python


def checked(consumer, text, folder):
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", consumer)
    return run(*mypy, "--cache-dir", consumer.parents[1] / "cache", program, cwd=folder)


def test_the_wheel_says_that_it_is_typed(wheel):
    with zipfile.ZipFile(wheel) as inside:
        assert "tokumei/py.typed" in inside.namelist()


def test_the_environment_has_the_wheel(consumer, tmp_path):
    code, said = run(consumer, "-c", "import tokumei; print(tokumei.__file__)", cwd=tmp_path)
    assert code == 0, said
    assert Path(said.strip()).is_relative_to(consumer.parents[1])


def test_a_program_is_checked_strictly(consumer, tmp_path):
    code, said = checked(consumer, CONSUMER.read_text(encoding="utf-8"), tmp_path)
    assert code == 0, said


def test_a_wrong_program_is_told(consumer, tmp_path):
    wrong = "import tokumei as tk\ntk.anonymise\ntk.sample_table(10).nothing\n"
    code, said = checked(consumer, wrong, tmp_path)
    assert code == 1
    assert 'Module has no attribute "anonymise"' in said
    assert '"Table" has no attribute "nothing"' in said
