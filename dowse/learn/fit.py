"""Fits the models of `dowse.learn.linear`. Needs numpy and scipy, which nothing else does: they come with `dowse[train]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dowse.learn.linear import MAX_LOG_RATE, RATE_SCALE, SOFTMAX_SCALE, LogLinear, Softmax

MAX_ITERATIONS = 300  # of the optimiser


class FactTable:
    """Examples and how often facts hold for them, as a matrix that is built once; models are fitted on parts of it."""

    def __init__(self, facts: Sequence[Mapping[str, float]], sources: Sequence[str]) -> None:
        import numpy as np

        self.names = sorted({fact for each in facts for fact in each})
        self.matrix = _to_matrix(facts, self.names)
        known = {source: number for number, source in enumerate(dict.fromkeys(sources))}
        self.sources = np.array([known[source] for source in sources], dtype=int)

    def fit(
        self,
        rows: Sequence[int],
        labels: Sequence[str],
        given: Sequence[Sequence[float]],
        classes: Sequence[str],
        *,
        penalty: Callable[[str], float],
        min_sources: int,
        counting: Sequence[float],
    ) -> Softmax:
        """Return the weights that make the labels of some rows likely on top of what is given for each class.

        Examples count as much as is said. A weight costs half its square times the penalty of its fact. A fact that
        examples of fewer than `min_sources` sources have is not weighed.
        """
        import numpy as np
        from scipy.optimize import minimize

        columns = self._find_known(rows, min_sources)
        names = [self.names[column] for column in columns]
        matrix = self.matrix[rows][:, columns].tocsr()
        turned = matrix.T.tocsr()
        wanted = np.array([classes.index(label) for label in labels])
        offset, truth = np.array(given, dtype=float), np.eye(len(classes))[wanted]
        shares = np.array(counting, dtype=float)
        size = len(names), len(classes)
        prices = np.array([penalty(name) for name in names])[:, None]

        def cost(point: Any) -> tuple[float, Any]:
            weights, bias = point[: size[0] * size[1]].reshape(size), point[size[0] * size[1] :]
            scores = matrix @ weights + bias + offset
            scores -= scores.max(axis=1, keepdims=True)
            powers = np.exp(scores)
            odds = powers / powers.sum(axis=1, keepdims=True)
            wrong = (odds - truth) * shares[:, None]
            likely = np.log(odds[np.arange(len(wanted)), wanted] + 1e-12)
            loss = -(likely * shares).sum() + (prices / 2 * weights**2).sum()
            return loss, np.concatenate([(turned @ wrong + prices * weights).ravel(), wrong.sum(axis=0)])

        start = np.zeros(size[0] * size[1] + size[1])
        found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_ITERATIONS})
        whole = np.rint(found.x * SOFTMAX_SCALE).astype(int).tolist()
        width = len(classes)
        weights = {name: tuple(whole[place * width : (place + 1) * width]) for place, name in enumerate(names)}
        said = {name: row for name, row in weights.items() if any(row)}  # a fact without weight says nothing
        return Softmax(tuple(classes), tuple(whole[len(names) * width :]), said)

    def _find_known(self, rows: Sequence[int], min_sources: int) -> Any:
        """Return the columns of facts that examples of enough sources have."""
        import numpy as np
        from scipy.sparse import csr_matrix

        part = self.matrix[rows].tocoo()
        places = (self.sources[rows][part.row], part.col)
        having = csr_matrix((np.ones(len(part.col)), places), shape=(self.sources.max() + 1, len(self.names)))
        having.data[:] = 1.0
        return np.flatnonzero(np.asarray(having.sum(axis=0)).ravel() >= min_sources)


def _to_matrix(facts: Sequence[Mapping[str, float]], names: Sequence[str]) -> Any:
    from scipy.sparse import csr_matrix

    place = {name: number for number, name in enumerate(names)}
    cells = [
        (number, place[fact], float(count))
        for number, each in enumerate(facts)
        for fact, count in each.items()
        if fact in place
    ]
    rows, columns, values = zip(*cells, strict=True)
    return csr_matrix((values, (rows, columns)), shape=(len(facts), len(names)))


def fit_loglinear(
    facts: Sequence[Sequence[str]],
    counts: Sequence[float],
    weights: Sequence[float],
    *,
    penalty: float,
    min_examples: int,
) -> LogLinear:
    """Return the model under which counts are most likely (Poisson), each example weighed.

    A weight costs half its square times the penalty; a fact that fewer than `min_examples` examples have is not weighed.
    """
    import numpy as np
    from scipy.optimize import minimize

    often = Counter(fact for each in facts for fact in set(each))
    names = sorted(fact for fact, count in often.items() if count >= min_examples)
    matrix = _to_matrix([dict.fromkeys(each, 1) for each in facts], names)
    wanted, weigh = np.array(counts, dtype=float), np.array(weights, dtype=float)
    start = np.zeros(len(names) + 1)
    start[-1] = np.log(max(1e-6, float((wanted * weigh).sum() / weigh.sum())))

    def cost(point: Any) -> tuple[float, Any]:
        scores = np.clip(matrix @ point[:-1] + point[-1], -20, MAX_LOG_RATE)
        rates = np.exp(scores) * weigh
        loss = (rates - weigh * wanted * scores).sum() + penalty / 2 * (point[:-1] ** 2).sum()
        wrong = rates - weigh * wanted
        return loss, np.append(matrix.T @ wrong + penalty * point[:-1], wrong.sum())

    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_ITERATIONS})
    whole = np.rint(found.x * RATE_SCALE).astype(int).tolist()
    return LogLinear(whole[-1], {name: weight for name, weight in zip(names, whole[:-1], strict=True) if weight})
