"""One Spark cluster for all tests of a run; all its tests stay in one process (xdist_group)."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from conftest import missing
from spark_cluster import SETTINGS, SparkCluster
from tokumei.engine.spark_session import spark_session


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A master and two workers, each a process of its own."""
    if find_spec("pyspark") is None or shutil.which("java") is None:
        missing("spark", "no Spark: pip install pyspark, and install Java 17")
    with SparkCluster.started(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="session")
def spark(cluster):
    """A session on the cluster."""
    with spark_session(cluster.master, settings=SETTINGS) as session:
        yield session
