"""What a site shows about its own addresses."""

from __future__ import annotations

from dowse.crawl.sameness import Sameness


def learn(*seen: tuple[str, str]) -> Sameness:
    sameness = Sameness()
    for tail, content in seen:
        sameness.learn(f"http://e.com{tail}", hash(content))
    return sameness


def test_a_parameter_that_changes_nothing_is_noise() -> None:
    sameness = learn(("/a?z=1", "A"), ("/a?z=2", "A"), ("/b?z=3", "B"), ("/b?z=4", "B"))
    assert sameness.key("http://e.com/c?z=9&id=1") == "http://e.com/c?id=1"
    assert sameness.key("http://e.com/c?z=9") == "http://e.com/c"


def test_one_equal_pair_is_no_proof() -> None:
    sameness = learn(("/a?z=1", "same"), ("/a?z=2", "same"))
    assert sameness.key("http://e.com/c?z=9") == "http://e.com/c?z=9"


def test_a_parameter_that_ever_changed_a_page_is_data() -> None:
    sameness = learn(
        ("/a?id=1", "one"),
        ("/a?id=2", "two"),
        ("/a?id=8", "one"),
        ("/b?id=8", "none"),
        ("/b?id=9", "none"),
        ("/c?id=8", "none"),
        ("/c?id=9", "none"),
    )
    assert sameness.key("http://e.com/a?id=5") == "http://e.com/a?id=5"


def test_order_matters_until_shown_otherwise() -> None:
    sameness = learn(("/a?x=1&y=2", "same"))
    assert sameness.key("http://e.com/b?y=1&x=2") == "http://e.com/b?y=1&x=2"
    sameness.learn("http://e.com/a?y=2&x=1", hash("same"))
    assert sameness.key("http://e.com/b?y=1&x=2") == "http://e.com/b?x=2&y=1"
