"""Links drawn at random stand for all that were left: each for as many as one through the probability that it was drawn."""

from __future__ import annotations

from random import Random

import pytest

from dowse.crawl.queue import Audit
from dowse.model import Link, LinkChoice
from dowse.seeds.lists import read_seed
from dowse.strategy.learned import LearnedStrategy

WORDS = ("search", "catalogue", "about", "imprint", "news", "records", "help", "find books")
LEFT = [LinkChoice(Link(f"http://a.example/{word.replace(' ', '-')}/", word, depth=1)) for word in WORDS]
FORMS = {choice.link.url: place % 3 for place, choice in enumerate(LEFT)}
TRIALS = 3_000


@pytest.mark.parametrize(
    ("pages", "share"),
    [
        (1, 0.05),  # one link on every twentieth site
        (4, 0.3),  # one or two
        (9, 0.4),  # always six of the eight
        (50, 0.5),  # all of them
    ],
)
def test_forms_through_probabilities_are_all_forms_on_average(pages: int, share: float) -> None:
    observer = LearnedStrategy().open(read_seed("http://a.example/").site)
    rng, sums, squares = Random(4), 0.0, 0.0
    for _ in range(TRIALS):
        audit = Audit(share, observer, rng)
        drawn = audit.draw(LEFT, pages)
        assert set(audit.chances) == {choice.link.url for choice in drawn}
        estimate = sum(FORMS[url] / chance for url, chance in audit.chances.items())
        sums, squares = sums + estimate, squares + estimate**2
    mean = sums / TRIALS
    error = (max(0.0, squares / TRIALS - mean**2) / TRIALS) ** 0.5
    assert abs(mean - sum(FORMS.values())) <= 4 * error + 1e-9


def test_what_is_surely_drawn_stands_for_itself() -> None:
    audit = Audit(0.9, LearnedStrategy().open(read_seed("http://a.example/").site), Random(1))
    assert len(audit.draw(LEFT, 10)) == len(LEFT)
    assert set(audit.chances.values()) == {1.0}
