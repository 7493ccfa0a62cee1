"""What all tests share: the same examples in every run, without a clock."""

from __future__ import annotations

import functools
import gc
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

from tokumei.apps.cli.app import main
from tokumei.core.language import use_language


def polars_with_one_thread():
    """Tests run one to a core, on small tables; the commands they start have all threads."""
    if "POLARS_MAX_THREADS" in os.environ:
        return
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars

    polars.thread_pool_size()
    del os.environ["POLARS_MAX_THREADS"]


polars_with_one_thread()
settings.register_profile(
    "tokumei",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tokumei")

TRACED_EXAMPLES = 10
QUICK_EXAMPLES = 4
QUICK_CASES = 3
LONG_EXAMPLES = 30


def pytest_collection_modifyitems(config, items):
    """Coverage is measured on small data: large real data would only repeat it, slowly.

    Tests of the cluster come first, so that one process has them all, and starts one cluster; then
    modules with long tests, so that the last thing a run waits for is short.
    TOKUMEI_TESTS=quick leaves out what is marked `long`, draws few examples of properties and takes
    few cases of a test with many; TOKUMEI_TESTS=long runs just that: the long tests, the other
    cases, and properties with more examples. Without it everything runs, with all examples.
    """
    slow = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (_turn(item), item.path not in slow))
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker("no_cover")
    asked = os.environ.get("TOKUMEI_TESTS", "")
    if asked == "quick":
        for item in filter(_is_property, items):
            _draw_few(item.obj, QUICK_EXAMPLES)
        few = _few_cases(items)
        _keep(config, items, lambda item: item in few)
    if asked == "long":
        for item in filter(_is_property, items):
            _draw_few(item.obj, LONG_EXAMPLES)
        few = _few_cases(items)
        _keep(config, items, lambda item: item not in few or _is_property(item))


def _few_cases(items):
    """Of each test that is not long at most so many of its cases, the first and the last too."""
    tests = defaultdict(list)
    for item in items:
        if not _is_long(item):
            tests[item.nodeid.partition("[")[0]].append(item)
    return {item for cases in tests.values() for item in _spread(cases)}


def _spread(cases):
    last, steps = len(cases) - 1, QUICK_CASES - 1
    return cases if last <= steps else [cases[place * last // steps] for place in range(steps + 1)]


def _is_long(item):
    """Marked as long, or a test of the cluster beside those that run on every engine."""
    far = item.get_closest_marker("cluster") and item.path.name != "test_local.py"
    return far or item.get_closest_marker("long")


def _keep(config, items, wanted):
    left_out = [item for item in items if not wanted(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if wanted(item)]


def _is_property(item):
    return hasattr(getattr(item, "obj", None), "hypothesis")


def _draw_few(test, most):
    """Fewer examples, whatever the test asks for; a run without TOKUMEI_TESTS draws them all."""
    given = getattr(test, "_hypothesis_internal_use_settings", None) or settings()
    few = settings(given, max_examples=min(given.max_examples, most))
    getattr(test, "__func__", test)._hypothesis_internal_use_settings = few


def _turn(item):
    """Commands that need the cluster's cores, tests with a session that holds them, the others."""
    mark = item.get_closest_marker("cluster")
    return 2 if mark is None else 0 if mark.kwargs.get("before_sessions") else 1


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What collecting makes is no garbage: nobody looks for any meanwhile, or in it afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Coverage sees a property's first examples: tracing all would take half of the tests' time."""
    tested = getattr(getattr(item, "obj", None), "hypothesis", None)
    if tested is None:
        return (yield)
    check, seen, paused = tested.inner_test, 0, None

    @functools.wraps(check)
    def example(*args, **kwargs):
        nonlocal seen, paused
        seen += 1
        if seen == TRACED_EXAMPLES + 1 and (paused := Coverage.current()):
            paused.stop()
        return check(*args, **kwargs)

    tested.inner_test = example
    try:
        return (yield)
    finally:
        tested.inner_test = check
        if paused:
            paused.start()


@pytest.fixture(autouse=True)
def english():
    """Messages in English, whatever the machine's locale or an earlier test chose."""
    use_language("en")
    yield
    use_language("en")


@pytest.fixture(scope="session")
def real_data():
    """The folder of real data: TOKUMEI_DATA, or shared/data beside the project."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TOKUMEI_DATA", beside))
    if folder.is_dir():
        return folder
    missing("data", "no real data: set TOKUMEI_DATA to its folder")


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium, one for all tests of a process: Playwright allows no second."""
    path = os.environ.get("TOKUMEI_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if path is None or not Path(path).exists():
        missing("chromium", "no Chromium found: install chromium or set TOKUMEI_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def spark_installed():
    """Skip where Spark is not installed."""
    if find_spec("pyspark") is None or shutil.which("java") is None:
        missing("spark", "no Spark: pip install pyspark, and install Java 17")


@pytest.fixture(scope="session")
def cluster(spark_installed, tmp_path_factory):
    """A master and two workers, each a process of its own; one cluster for all tests of a run."""
    from support.spark_cluster import SparkCluster

    with SparkCluster.started(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="session")
def spark(cluster):
    """A session on the cluster."""
    from support.spark_cluster import SETTINGS
    from tokumei.files.spark.session import spark_session

    with spark_session(cluster.master, settings=SETTINGS) as session:
        yield session


@pytest.fixture
def printed_twice(capsys):
    """What a program prints in this process, and in another one, whose sets have another order."""

    def run(program):
        other = subprocess.run(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": "1"},
            check=True,
        )
        exec(program, {})
        return [capsys.readouterr().out, other.stdout]

    return run


@pytest.fixture
def make(tmp_path):
    """Writes a file for a test, and tells where it is."""

    def write(content, name="a.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def missing(part, reason):
    """Skip with the reason; fail where the part is required (TOKUMEI_REQUIRE, as on CI)."""
    if part in os.environ.get("TOKUMEI_REQUIRE", "").split(","):
        pytest.fail(f"{part} is required here: {reason}")
    pytest.skip(reason)


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
