"""Classification: how well a column can still be predicted from the released QI.

score = ClassificationAccuracy("occupation", model="tree").score(case)
score.value, score.baseline

Models learn from the released rows and are tried on the true values of rows they have not seen: a
class of a release may give its own target away, and that must not count as worth. Needs
scikit-learn: pip install "tokumei[learn]".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.measure import Goal, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import ColumnSpans, Hierarchies, build_column_spans
from tokumei.tables.measures.protocol import Measure

ModelName = Literal["tree", "logistic"]
SKLEARN_MODULES = ("linear_model", "model_selection", "pipeline", "preprocessing", "tree")


@dataclass(frozen=True)
class ClassificationAccuracy(Measure):
    """Cross-validated accuracy of a model that learns `target` from the released QI.

    The baseline of the score is the share of the commonest value, which needs no model.
    """

    name: ClassVar[str] = "classification"
    compares_linked_rows: ClassVar[bool] = True
    title: ClassVar[Message] = Message("Accuracy of a classifier")
    sentence: ClassVar[Message] = Message(
        "How often a model that learns from the release predicts a column rightly."
    )
    formula: ClassVar[str] = "right / rows, learnt from Y, tried on X"
    says: ClassVar[Message] = Message(
        "A model that learns from the release is right for {value} of the rows{beside}."
    )
    beside: ClassVar[Message] = Message(" (always naming the commonest value: {baseline})")
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("share of rows")
    on_request: ClassVar[bool] = True

    target: str
    model: ModelName = "tree"
    folds: int = 5
    seed: int = 1
    hierarchies: Hierarchies = field(default_factory=dict)

    def score(self, case: Comparison) -> Score:
        """Accuracy learnt from the release, over the rows that were released.

        A generalized cell is the mean of its leaves: of numbers, or of indicators of categories.
        """
        case.original.schema.require([self.target])
        spans = zip(case.qi, build_column_spans(case, self.hierarchies), strict=True)
        feature_columns = [column for name, column in spans if name != self.target]
        if not feature_columns:
            raise UsageError("a classifier needs at least one QI beside its target")
        labels = (
            canonicalize_column(case.original.frame[self.target])
            .fill_null("")
            .to_numpy()[case.link]
        )
        true_features = np.column_stack(
            [_leaf_features(column)[column.original[case.link]] for column in feature_columns]
        )
        released_features = np.column_stack(
            [_span_features(column)[column.released] for column in feature_columns]
        )
        accuracy = self._cross_validate(released_features, true_features, labels)
        commonest = float(np.unique(labels, return_counts=True)[1].max() / len(labels))
        return Score(accuracy, baseline=commonest, sample=len(labels))

    def _cross_validate(self, learnt: np.ndarray, true: np.ndarray, labels: np.ndarray) -> float:
        """Share of true rows predicted right by a model that learnt from the other rows."""
        learn, rows = _import_scikit_learn(), len(labels)
        if self.folds < 2 or rows < self.folds:
            raise InputError(
                "{rows} rows cannot be split into {folds} folds (at least 2 are needed)",
                rows=rows,
                folds=self.folds,
            )
        folding = learn.model_selection.KFold(self.folds, shuffle=True, random_state=self.seed)
        right = 0
        for train, test in folding.split(true):
            if len(set(labels[train])) == 1:
                right += int((labels[test] == labels[train][0]).sum())
                continue
            if self.model == "tree":
                model = learn.tree.DecisionTreeClassifier(
                    min_samples_leaf=10, random_state=self.seed
                )
            else:
                regression = learn.linear_model.LogisticRegression(max_iter=500)
                scaler = learn.preprocessing.StandardScaler()
                model = learn.pipeline.make_pipeline(scaler, regression)
            predicted = model.fit(learnt[train], labels[train]).predict(true[test])
            right += int((predicted == labels[test]).sum())
        return right / rows


def _leaf_features(column: ColumnSpans) -> np.ndarray:
    """A leaf as a row of features: its number, or 0 and 1 for every leaf."""
    return np.eye(column.leaves) if column.places is None else column.places[:, None]


def _span_features(column: ColumnSpans) -> np.ndarray:
    """A span as a row of features: the mean over its leaves (all of them if it covers none)."""
    values = _leaf_features(column)
    return np.stack(
        [(values[leaves] if len(leaves) else values).mean(0) for leaves in column.spans]
    )


def _import_scikit_learn() -> ModuleType:
    """scikit-learn, imported only here: it is large, and only this measure needs it."""
    try:
        for module in SKLEARN_MODULES:
            import_module(f"sklearn.{module}")
    except ImportError:
        raise UsageError(
            'classification needs scikit-learn: pip install "tokumei[learn]"'
        ) from None
    return import_module("sklearn")
