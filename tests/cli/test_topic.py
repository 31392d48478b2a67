"""`dowse topic`: lists, shows and makes topics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Dowse


def test_list_says_on_how_many_sites_each_was_measured(dowse: Dowse) -> None:
    shown = dowse("topic", "list").out
    assert len(shown.strip().splitlines()) == 12
    assert "recipes" in shown
    assert "measured on" in shown


def test_show_for_people_and_for_scripts(dowse: Dowse) -> None:
    assert "ingredi" in dowse("topic", "show", "recipes").out
    told = dowse("topic", "show", "recipes", "--json").json
    assert told["name"] == "recipes"
    assert told["figures"]


BAD = {
    "no such topic": (("show", "unicorns"), "there is no topic 'unicorns'"),
    "a file of another program": (("show", "other.json"), "is not the file of a topic of Dowse"),
    "nothing to learn from": (("new", "boats"), "a topic needs pages or words"),
    "no name": (("new", " ", "--words", "boat"), "a topic needs a name"),
    "an empty folder": (("new", "boats", "--examples", "pages"), "pages is a folder without HTML files"),
    "a list of nothing": (("new", "boats", "--examples", "nothing.txt"), "a topic needs pages or words"),
    "a file that ends in its middle": (("show", "cut.json"), "is not the file of a topic: Input data was truncated"),
    "words of no language that was trained": (
        ("new", "boats", "--words", "\u10dc\u10d0\u10d5\u10d8"),
        "none of the words stands on pages that Dowse knows",
    ),
    "an empty page": (("new", "boats", "--examples", "empty.html"), "none of its 1 examples has words to learn from"),
    "a page for and against": (
        ("new", "boats", "--examples", "page.html", "--not", "page.html"),
        "is given as an example of the topic and of what it is not",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_line(case: str, dowse: Dowse) -> None:
    arguments, line = BAD[case]
    Path("other.json").write_text('{"name": "cars"}')
    Path("pages").mkdir()
    Path("nothing.txt").write_text("# none yet\n")
    Path("cut.json").write_text('{"format": "dowse topic", "version": 2, "na')
    Path("empty.html").write_text("<html></html>")
    Path("page.html").write_text(
        "<p>boats yachts sails masts anchors harbours hulls keels decks crews berths marinas</p>"
    )
    ran = dowse("topic", *arguments)
    assert ran.code == 2
    assert line in ran.err
    assert len(ran.err.strip().splitlines()) <= 2


def test_a_topic_of_another_version_is_one_clear_line(dowse: Dowse) -> None:
    Path("old.json").write_text('{"format": "dowse topic", "version": 1, "name": "cars"}')
    ran = dowse("topic", "train", "old.json", "--words", "boat")
    assert ran.code == 2
    assert "is a topic of version 1; this Dowse reads version 2: make it again" in ran.err


def test_words_for_topics_that_come_with_dowse_are_refused(dowse: Dowse) -> None:
    ran = dowse("topic", "train", "cars", "--words", "boat", "-o", ".")
    assert ran.code == 2
    assert "are for a topic of your own" in ran.err


def test_topics_without_pages_say_what_they_were_measured_on(dowse: Dowse) -> None:
    lines = [line.strip() for line in dowse("topic", "list").out.splitlines()]
    publications, recipes = (next(line for line in lines if line.startswith(name)) for name in ("publ", "reci"))
    assert "measured on titles with abstracts of" in publications
    assert "not on pages" in publications
    assert "not on pages" not in recipes


def test_a_folder_of_pages_is_read(dowse: Dowse) -> None:
    Path("pages").mkdir()
    words = "boats yachts sails masts anchors harbours hulls keels decks crews berths marinas"
    for number in range(2):
        Path(f"pages/{number}.html").write_text(f"<title>Boats {number}</title><p>{words}</p>")
    told = dowse("topic", "new", "boats", "--examples", "pages", "--json").json
    assert told["pages"] == ["pages/0.html", "pages/1.html"]


@pytest.mark.slow
def test_a_topic_is_made_from_words_and_used(dowse: Dowse) -> None:
    dowse(
        "topic",
        "new",
        "bikes",
        "--words",
        "bicycle, bike, cycling, mountain bike, wheel, pedal, helmet",
        "-o",
        "bikes.json",
    )
    assert "not measured" in dowse("topic", "show", "bikes.json").out
    Path("page.html").write_text(
        "<title>Bikes</title><p>bicycles bikes pedals saddles wheels spokes chains helmets brakes tyres cranks frames</p>"
    )
    told = dowse("topic", "train", "bikes.json", "--examples", "page.html", "--json").json
    assert told["pages"] == ["page.html"]
    assert "bicycle" in told["words"]
