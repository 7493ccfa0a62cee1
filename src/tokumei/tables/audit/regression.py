"""Logistic regression with a small ridge, and scores of rows by models that did not see them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import rankdata

FOLDS = 5
RIDGE = 1.0
STEPS = 25


def out_of_fold(
    features: np.ndarray, label: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """For every row the score of a model fitted on the other four fifths."""
    scores = np.zeros(len(label))
    for fit, judge in folds(label, generator):
        weights = fitted(features[fit], label[fit])
        scores[judge] = features[judge] @ weights[1:] + weights[0]
    return scores


def folds(
    label: np.ndarray, generator: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Five pairs of rows to fit on and rows to judge, both labels in each as in the whole."""
    part = np.empty(len(label), dtype=np.int64)
    for side in (True, False):
        rows = generator.permutation(np.flatnonzero(label == side))
        part[rows] = np.arange(len(rows)) % FOLDS
    for fold in range(FOLDS):
        yield np.flatnonzero(part != fold), np.flatnonzero(part == fold)


def fitted(features: np.ndarray, label: np.ndarray) -> np.ndarray:
    """The weights, the constant first, by Newton's method."""
    rows = np.column_stack([np.ones(len(label)), features])
    weights = np.zeros(rows.shape[1])
    ridge = np.full(len(weights), RIDGE)
    ridge[0] = 1e-9
    for _ in range(STEPS):
        chance = expit(rows @ weights)
        slope = rows.T @ (label - chance) - ridge * weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def rank_normal(scores: np.ndarray) -> np.ndarray:
    """Scores as quantiles of the normal distribution; equal ones stay equal."""
    return np.asarray(ndtri((rankdata(scores) - 0.5) / len(scores)))
