"""The public surface is exactly `__all__`, and importing it is cheap."""

import subprocess
import sys

import tokumei as tk


def test_every_public_name_exists_and_has_a_docstring():
    for name in tk.__all__:
        found = getattr(tk, name)
        assert name == "__version__" or found.__doc__, name


def test_dir_is_all():
    assert dir(tk) == sorted(tk.__all__)
    assert list(tk.__all__) == sorted(tk.__all__)


def test_functions_are_not_hidden_by_modules():
    """Importing every sub-package must leave the functions of the same surface callable."""
    script = (
        "import pkgutil, importlib, tokumei as tk\n"
        "for m in pkgutil.walk_packages(tk.__path__, 'tokumei.'):\n"
        "    importlib.import_module(m.name)\n"
        "assert all(callable(getattr(tk, n)) for n in tk.__all__ if n != '__version__')\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(tk, "anonymise")


def test_import_and_help_load_no_heavy_library():
    script = (
        "import sys\n"
        "import tokumei\n"
        "from tokumei.cli.commands import build_app\n"
        "build_app()\n"
        "heavy = {'numpy', 'polars', 'scipy', 'pydantic', 'altair'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
