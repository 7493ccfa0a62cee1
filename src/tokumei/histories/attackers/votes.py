"""Answers by the most votes, ties by lot."""

from __future__ import annotations

import numpy as np

from tokumei.core.randomness import Randomness


def most_votes(votes: np.ndarray, *, rng: Randomness) -> tuple[np.ndarray, np.ndarray]:
    """The customer with the most votes for every pseudonym (-1: no vote), and how many tie."""
    people = len(votes)
    if not votes.size:
        return np.full(people, -1, dtype=np.int64), np.ones(people)
    tied = votes == votes.max(axis=1, keepdims=True)
    lots = rng.child("ties").generator.random(votes.shape)
    places = np.where(tied, lots, -1.0).argmax(axis=1)
    return np.where(votes.max(axis=1) > 0, places, -1), tied.sum(axis=1)


def not_crowded(places: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """Confidence lowered where several pseudonyms name one customer: one of them is right."""
    _, which, times = np.unique(places, return_inverse=True, return_counts=True)
    return np.asarray(np.minimum(confidence, 1 / times[which]))
