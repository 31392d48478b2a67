"""Topics as files, and what they say of texts and forms."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid
from dowse.model import Page
from dowse.topic import Topic, list_shipped, load_topic
from dowse.topic.model import SHIPPED, EvidenceCurve, StemWeights, find_rivals, match_terms, write_topic
from dowse.topic.text import PageStems, Stems, read_stems

NAMES = [
    "airfares", "books", "car rentals", "cars", "government data", "hotels", "jobs", "movies", "music", "publications", "real estate",
    "recipes",
]  # fmt: skip
MAX_BYTES = 300_000


def test_twelve_topics_come_with_dowse() -> None:
    assert list_shipped() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_shipped_topics_are_small_and_named(name: str) -> None:
    assert load_topic(name).name == name
    assert (SHIPPED / f"{name.replace(' ', '-')}.json").stat().st_size < MAX_BYTES


PAGES = {
    "recipes": ("Lemon cake", "Ingredients: 200 g flour, 3 eggs, sugar, butter. Preheat the oven, whisk the eggs, bake for 40 minutes. Serves 8."),
    "jobs": ("Vacancies", "Find your next job: full time and part time positions, salary, apply now, upload your resume, employers post jobs."),
    "cars": ("Used cars", "Used cars for sale: make, model, mileage, engine, transmission, horsepower, dealer, sedan, price, test drive."),
    "hotels": ("Grand Hotel", "Book a room in our hotel: check in, check out, rooms, guests, suites, breakfast, spa, amenities, stay with us."),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_plain_page_of_a_topic_is_on_it_more_than_on_any_other(name: str) -> None:
    said = {topic: load_topic(topic).page_probability(*PAGES[name]) for topic in NAMES}
    assert max(said, key=said.__getitem__) == name


def test_a_form_is_judged_by_its_own_words_before_the_page_around_it() -> None:
    rentals, hotels = load_topic("car rentals"), load_topic("hotels")
    form = "Pick-up location drop-off location pick-up date return date car class driver age rental company"
    page = PAGES["hotels"][1]
    assert rentals.form_probability(form, page) > hotels.form_probability(form, page)
    box = "search"
    assert hotels.form_probability(box, page) > rentals.form_probability(box, page)


def test_a_form_of_another_topic_is_not_taken_for_that_of_its_page() -> None:
    page = PAGES["cars"][1]
    cars, hotels = load_topic("cars"), load_topic("hotels")
    form = "hotel name check in check out nights rooms guests adults children star rating breakfast"
    assert cars.form_probability("search", page) > 0.5
    assert cars.form_probability(form, page) < 0.2
    assert hotels.form_probability(form, page) > 0.5


def test_the_more_words_of_a_form_are_not_known_the_less_its_page_says() -> None:
    page = PAGES["recipes"][1]
    said = [
        load_topic("recipes").form_probability(f"search {words}", page)
        for words in ("", "petal sepal stamen corolla calyx pistil")
    ]
    assert said[0] > said[1]


def test_a_topic_about_the_same_is_no_rival() -> None:
    assert "cars" not in find_rivals("mine", ("used car", "dealer"))
    assert find_rivals("cars", load_topic("cars").words) == set(NAMES) - {"cars"}


def topic_by_host_and_terms(**more: Any) -> Topic:
    """Return a topic about boats that words of the body say little of."""
    curve = EvidenceCurve(-2.0, {"body": 1.0, "head": 4.0, "host": 4.0, "words": 2.0, "terms": 4.0})
    return Topic(
        name="boats", words=("boat",),
        page=StemWeights(0, Sigmoid(1.0, -2.0), {"boat": 1000}),
        head=StemWeights(0, Sigmoid(1.0, 0.0), {"boat": 2000}),
        host=StemWeights(0, Sigmoid(1.0, 0.0), {"boat": 3000}),
        form=StemWeights(0, Sigmoid(1.0, 0.0), {}),
        terms={"en": {"boat": 1000}, "de": {"schiff": 2000}},
        curves=dict.fromkeys(("", "head", "host", "head host"), curve),
        **more,
    )  # fmt: skip


SAYS = {
    "its title": Page("http://localhost/", "Boats", "contact us"),
    "its host": Page("http://www.used-boats.example/", "Login", "password"),
    "its main address, where it is a file": Page("http://localhost/", "Login", "password", canonical="http://boats.example/"),
    "terms in its language": Page("http://localhost/", "Anmelden", "Schiffe kaufen", language="de"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAYS)
def test_a_page_is_told_by_each_kind_of_evidence(what: str) -> None:
    topic = topic_by_host_and_terms()
    nothing = topic.judge_page(Page("http://localhost/", "Login", "password", language=SAYS[what].language))
    assert topic.judge_page(SAYS[what]) > nothing + 0.1


def test_terms_of_another_language_say_nothing() -> None:
    topic = topic_by_host_and_terms()
    assert topic.judge_page(Page("http://localhost/", "", "schiff", language="sv")) < 0.2


def test_a_declared_type_adds_to_what_a_page_says() -> None:
    topic = topic_by_host_and_terms(types=("Boat",), type_odds=2.0)
    page = Page("http://localhost/", "Boats", "contact us")
    assert topic.judge_page(replace(page, types=("WebPage", "Boat"))) > topic.judge_page(page)
    assert topic.judge_page(replace(page, types=("WebPage",))) == topic.judge_page(page)


def test_a_topic_comes_back_from_its_file(tmp_path: Path) -> None:
    topic = load_topic("cars")
    path = tmp_path / "mine.json"
    write_topic(topic, path)
    assert load_topic(path) == topic


BROKEN = {
    "another program": ({"name": "cars", "weights": {}}, "is not the file of a topic of Dowse"),
    "another version": (
        {"format": "dowse topic", "version": 99, "name": "x"},
        "version 99; this Dowse reads version 2",
    ),
    "a part is missing": ({"format": "dowse topic", "version": 2, "name": "x"}, "damaged"),
    "a list": ([1, 2], "is not the file of a topic"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_is_no_topic_is_one_clear_line(case: str, tmp_path: Path) -> None:
    content, line = BROKEN[case]
    path = tmp_path / "topic.json"
    path.write_text(json.dumps(content))
    with pytest.raises(BadInput, match=line):
        load_topic(path)


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(BadInput, match="there are airfares, books"):
        load_topic("unicorns")


def test_a_topic_that_nobody_measured_says_so() -> None:
    topic = load_topic("cars")
    assert Topic(name="new", words=(), page=topic.page, form=topic.form).measured == "not measured"


def test_terms_match_a_page_as_they_match_its_stems() -> None:
    stems = PageStems(read_stems("", "boats boating sails hotel"), Stems({}, 0), Stems({}, 0))
    topic = topic_by_host_and_terms()
    assert topic.weigh_evidence(stems)["words"] == pytest.approx(match_terms(topic.terms["en"], stems.body.strengths))
