"""Judges are measured fairly: a form is found on its page however the page writes its base, and counts are right."""

from __future__ import annotations

import pytest

from bench.forms import _find_base, count_right


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ("<head></head>", ""),
        ('<base href="http://a.example/">', "http://a.example/"),
        ('<BASE HREF="http://a.example/x/">', "http://a.example/x/"),
        ("<base target=_top href=http://a.example/x/y>", "http://a.example/x/y"),
        ("<base href = '/x/' />", "/x/"),
        ('<basefont href="/no/">', ""),
    ],
)
def test_a_base_is_found_however_it_is_written(html: str, base: str) -> None:
    assert _find_base(html) == base


def test_counts_of_a_judge() -> None:
    pairs = [(True, True)] * 3 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 4
    wanted = {"accuracy": 0.7, "precision": 0.6, "recall": 0.75, "f1": 2 * 0.6 * 0.75 / 1.35}
    assert count_right(pairs) == pytest.approx(wanted)
