"""A crawler like ACHE: a linear SVM over words of links, learned again every 500 pages, ranks all links of pages on the topic.

As far as papers 2 and 5 and its documentation describe it: 150 words of anchors, 150 of addresses and 100 from around links; links that
led to wanted forms against links that did not, at most 5,000 of each.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random

import numpy as np
from sklearn.svm import LinearSVC

from dowse.model import Link, Page
from dowse.strategy.contexts import CONTEXTS, LinkWords, link_words
from dowse.strategy.levels import PageRanker

FEATURES = {"url": 150, "anchor": 150, "around": 100}
EVERY_PAGES = 500
MOST_SAMPLES = 5_000  # of a class


@dataclass(slots=True)
class AcheRanker(PageRanker):
    """Ranks links by a margin that is learned while crawling."""

    good: deque[LinkWords] = field(default_factory=lambda: deque(maxlen=MOST_SAMPLES))
    bad: deque[LinkWords] = field(default_factory=lambda: deque(maxlen=MOST_SAMPLES))
    weights: dict[str, float] = field(default_factory=dict)
    pages: int = 0

    def rank(self, link: Link, page: Page, topic: float, depth: int) -> tuple[int, float] | None:
        """Rank a link by its words; before anything is learned by the page it stands on."""
        if not self.weights:
            return 1, topic
        named = zip(CONTEXTS, link_words(link), strict=True)
        return 1, sum(self.weights.get(f"{context} {word}", 0.0) for context, counted in named for word in counted)

    def learn(self, link: Link, topic: float, forms: int) -> None:
        """Keep what a link led to; every so many pages, learn again."""
        (self.good if forms else self.bad).append(link_words(link))
        self.pages += 1
        if self.pages % EVERY_PAGES == 0 and self.good:
            self._fit()

    def _fit(self) -> None:
        names = self._choose_features()
        place = {name: number for number, name in enumerate(names)}
        bad = list(self.bad)
        Random(self.pages).shuffle(bad)
        samples = [*self.good, *bad[: max(len(self.good) * 5, 200)]]
        matrix = np.zeros((len(samples), len(names)))
        for row, words in enumerate(samples):
            for context, counted in zip(CONTEXTS, words, strict=True):
                for word in counted:
                    column = place.get(f"{context} {word}")
                    if column is not None:
                        matrix[row, column] = 1.0
        labels = np.array([1] * len(self.good) + [0] * (len(samples) - len(self.good)))
        model = LinearSVC(class_weight="balanced").fit(matrix, labels)
        self.weights = dict(zip(names, model.coef_[0], strict=True))

    def _choose_features(self) -> list[str]:
        """Return the words of each context that stand in most links that led to forms."""
        names = []
        for context, most in FEATURES.items():
            place = CONTEXTS.index(context)
            counts = Counter(word for words in self.good for word in words[place])
            names += [f"{context} {word}" for word, _ in counts.most_common(most)]
        return names
