"""Topics from a few pages or words, told from a small background."""

from __future__ import annotations

import random

import pytest

from dowse.errors import BadInput
from dowse.topic.background import Background, pack_background
from dowse.topic.fit import TopicExample
from dowse.topic.make import TopicPage, make_topic
from dowse.topic.text import read_stems

SUBJECTS = {
    "boats": "boat yacht sail marina hull engine harbour deck keel anchor mast crew skipper berth".split(),
    "cakes": "cake flour sugar butter oven bake whisk dough icing recipe cream egg vanilla cocoa".split(),
    "chess": "chess king queen rook bishop pawn opening endgame mate board gambit castle knight draw".split(),
}
LETTERS = "bcdfghjklmnprst"
SUBJECTS |= {f"{first}ubject": [f"{first}a{second}o{first}u{second}" for second in LETTERS] for first in LETTERS}
ANYTHING = "contact home news page site about service company team search login help terms price offer".split()


def write_text(subject: str, rng: random.Random) -> str:
    return " ".join(rng.choices(SUBJECTS[subject], k=25) + rng.choices(ANYTHING, k=25))


@pytest.fixture(scope="module")
def background() -> Background:
    rng = random.Random(5)
    examples, topics = [], []
    for number in range(540):
        subject = list(SUBJECTS)[number % len(SUBJECTS)]
        kind = "form" if number % 5 == 4 else "page"
        examples.append(
            TopicExample(read_stems("", write_text(subject, rng)).strengths, f"site{number // 2}", False, kind)
        )
        topics.append([subject])
    return pack_background(examples, topics, {"en": 90, "fi": 1})


def make_pages(subject: str, count: int, language: str = "en") -> list[TopicPage]:
    rng = random.Random(subject)
    return [
        TopicPage(
            f"http://{subject}{number}.example/",
            f"{subject}{number}.example",
            subject,
            write_text(subject, rng),
            language,
        )
        for number in range(count)
    ]


def test_a_description_is_widened_by_what_matches_it(background: Background) -> None:
    topic = make_topic("boats", ["boat", "yacht", "sail"], [], [], background).topic
    assert topic.page_probability("", "keel mast anchor harbour crew hull") > 0.5  # none of these words was given
    assert topic.page_probability("", "flour sugar butter oven bake") < 0.3
    assert topic.measured == "not measured"
    assert topic.examples["found"] > 10


def test_a_few_pages_are_enough_and_are_measured_by_site(background: Background) -> None:
    topic = make_topic("boats", [], make_pages("boats", 6), [], background).topic
    figures = topic.figure("page")
    assert figures is not None
    assert figures.sites == 6
    assert figures.f1 > 0.8
    assert topic.page_probability("", "keel mast anchor harbour") > topic.page_probability("", "pawn rook bishop king")


def test_a_form_of_the_topic_is_told_by_its_words(background: Background) -> None:
    topic = make_topic("boats", ["boat", "yacht", "sail"], [], [], background).topic
    assert topic.form_probability("boat yacht hull engine") > topic.form_probability("cake flour sugar")


def test_no_example_at_all_is_one_line(background: Background) -> None:
    with pytest.raises(BadInput, match="a topic needs pages or words"):
        make_topic("nothing", [], [], [], background)


def test_examples_without_words_are_one_line(background: Background) -> None:
    page = TopicPage("http://empty.example/", "empty.example", "", "12 34")
    with pytest.raises(BadInput, match="none of its 1 examples has words to learn from"):
        make_topic("nothing", [], [page], [], background)


def test_contradicting_examples_are_one_line(background: Background) -> None:
    pages = make_pages("boats", 2)
    with pytest.raises(BadInput, match=r"boats1.example/ is given as an example of the topic and of what it is not"):
        make_topic("boats", [], pages, pages[1:], background)


def test_words_of_a_language_nobody_trained_are_one_line(background: Background) -> None:
    with pytest.raises(BadInput, match=r"none of the words stands on pages that Dowse knows .it knows en."):
        make_topic("boats", ["парусная яхта", "лодка"], [], [], background)


def test_pages_in_a_language_nobody_trained_are_noted(background: Background) -> None:
    made = make_topic("boats", ["boat"], make_pages("boats", 2, "fi"), [], background)
    assert any("'fi'" in note for note in made.notes)
