"""Attributes of records: their names, found by what comes back, and their values."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.records.attributes import (
    AttributeSamples,
    drop_redundant,
    find_constant_pieces,
    find_header,
    learn_attributes,
    name_title,
    read_record_values,
)
from dowse.records.labels import LabelledPiece, LabelPlaces, label_pieces, learn_labels
from dowse.records.pieces import TextPiece
from dowse.records.values import (
    LIST_SEPARATORS,
    find_column_separator,
    find_optional_columns,
    find_separator,
    split_values,
)
from dowse.tree import find_nodes
from tests.records.trees import tree_of

PAIRS = [
    [TextPiece("b", "Author"), TextPiece("i", f"Writer {n}"), TextPiece("b", "Year"), TextPiece("i", str(1990 + n))]
    for n in range(5)
]
TEXTS = [[TextPiece("a", f"Title {n}"), TextPiece("", f"(Author: Writer {n}; Year: {1990 + n})")] for n in range(5)]


def said(item: list[TextPiece], labels: LabelPlaces) -> list[tuple[str, str]]:
    return [(each.label, each.text) for each in label_pieces(item, labels) if each.text]


def test_words_that_come_back_name_what_follows() -> None:
    assert said(PAIRS[2], learn_labels(PAIRS)) == [("Author", "Writer 2"), ("Year", "1992")]


def test_a_record_may_lack_what_others_have() -> None:
    items = [*PAIRS, PAIRS[0][2:], PAIRS[1][:2]]
    assert said(items[5], learn_labels(items)) == [("Year", "1990")]


def test_names_and_values_in_one_text_are_parted() -> None:
    assert said(TEXTS[1], learn_labels(TEXTS)) == [("", "Title 1"), ("Author", "Writer 1"), ("Year", "1991")]


@pytest.mark.parametrize("text", ["1815", "a " * 40])
def test_what_is_no_name_is_a_value_also_where_names_stand(text: str) -> None:
    item = [TextPiece("b", text.strip()), TextPiece("i", "more")]
    assert said(item, learn_labels(PAIRS))[0] == ("", text.strip())


def test_one_of_a_few_words_before_a_colon_is_a_value() -> None:
    kinds = ("bug", "wish", "bug", "task", "wish", "task", "bug", "wish")
    whole = [[TextPiece("p", f"{kind}: button {n}")] for n, kind in enumerate(kinds)]
    parted = [[TextPiece("b", f"{kind}:"), TextPiece("p", f"button {n}")] for n, kind in enumerate(kinds)]
    assert (learn_labels(whole).names, learn_labels(parted).names) == (frozenset(), frozenset())
    assert said(parted[1], learn_labels(parted)) == [("", "wish"), ("", "button 1")]


def test_words_before_a_colon_that_stand_beside_each_other_are_names() -> None:
    lines = (("Author: A", "Year: 1"), ("Editor: B", "Year: 2"))
    items = [[TextPiece("p", line) for line in lines[n % 2]] for n in range(8)]
    assert learn_labels(items).names == {"author", "editor", "year"}


def test_a_colon_in_a_title_names_nothing() -> None:
    items = [
        [TextPiece("a", f"{word}: the story"), TextPiece("p", f"text {word}")]
        for word in ("Dune", "Emma", "Kim", "Mort")
    ]
    assert learn_labels(items).names == frozenset()


@pytest.mark.parametrize("asked", ["de", "a", "pays"])
def test_a_word_of_a_label_may_have_been_asked_for(asked: str) -> None:
    items = [[TextPiece("td[1]/i", "Pays de production"), TextPiece("td[1]", f"Land {n}")] for n in range(5)]
    assert said(items[1], learn_labels(items, (asked,))) == [("Pays de production", "Land 1")]


def test_a_line_that_begins_with_the_title_goes_on_with_other_values() -> None:
    titles = ["Astra, red", "Corsa", "Fiesta", "Golf, old", "Polo"]
    items = [[TextPiece("a", each, "/c"), TextPiece("", f"{each}, Ford, 200{n}")] for n, each in enumerate(titles)]
    labels = learn_labels(items)
    assert [said(item, labels)[1] for item in items[:2]] == [("", "Ford, 2000"), ("", "Ford, 2001")]
    assert said([TextPiece("a", "Astra"), TextPiece("", "Astral, Opel")], labels)[1] == ("", "Astral, Opel")


@pytest.mark.parametrize(
    ("place", "more"),
    [pytest.param("td[2]", ", France", id="a cell"), pytest.param("p", " by night", id="a sentence")],
)
def test_what_only_begins_with_the_title_stays(place: str, more: str) -> None:
    items = [[TextPiece("td[1]", f"Town {n}"), TextPiece(place, f"Town {n}{more}")] for n in range(5)]
    assert said(items[1], learn_labels(items))[1] == ("", f"Town 1{more}")


@pytest.mark.parametrize("place", [pytest.param("", id="the title's own place"), pytest.param("p", id="another")])
def test_the_sign_after_a_title_said_again_stands_between_the_other_values(place: str) -> None:
    titles = ["Astra - old, red", "Corsa, new", "Fiesta", "Golf - old, red", "Polo"]
    rests = ["Ford, Diesel, 10", "Opel, Gas, 20, 30", "Seat, Petrol, 12", "VW, Hybrid, 4, 5, 6", "Audi, Coal, 3"]
    items = [
        [TextPiece("", title), TextPiece(place, f"{title}, {rest}")] for title, rest in zip(titles, rests, strict=True)
    ]
    labels = learn_labels(items)
    records = [label_pieces(item, labels) for item in items]
    attributes = learn_attributes(AttributeSamples(records, repeats=labels.repeats))
    values = [each.text for each in read_record_values(records[0], attributes)]
    assert values == ["Astra - old, red", "Ford", "Diesel", "10"]


def test_a_later_record_may_lack_what_all_others_have() -> None:
    kinds = ["Villa", "Loft", "Studio"]
    texts = [f"{kinds[n % 3]} · {n + 1} rooms · Pool, Garden" for n in range(9)] + ["Loft · 3 rooms · Pool"]
    records = [
        [LabelledPiece("", "h3", 1, f"Home {n}"), LabelledPiece("", "p", 1, text)] for n, text in enumerate(texts)
    ]
    attributes = learn_attributes(AttributeSamples(records))
    later = [LabelledPiece("", "h3", 1, "Home 99"), LabelledPiece("", "p", 1, "2 rooms · Pool, Garden")]
    places = {each.name: each.part for each in attributes}
    assert [(places[each.attribute], each.text) for each in read_record_values(later, attributes)[1:]] == [
        (2, "2 rooms"),
        (3, "Pool, Garden"),
    ]


def test_a_label_may_say_more_in_brackets() -> None:
    items = [
        [TextPiece("a", f"Film {n}"), TextPiece("p", f"Country: Land {n}; Date (year): {1990 + n}")] for n in range(5)
    ]
    assert said(items[1], learn_labels(items))[1:] == [("Country", "Land 1"), ("Date (year)", "1991")]


def test_what_was_asked_for_is_no_name() -> None:
    items = [[TextPiece("b", "Drama"), TextPiece("i", f"Play {n}")] for n in range(5)]
    assert learn_labels(items).names == {"drama"}
    assert learn_labels(items, ("drama",)).names == frozenset()


@pytest.mark.parametrize(
    ("head", "named"),
    [
        pytest.param("<tr><th>Name<th>Year", {"1": "Name", "2": "Year"}, id="th"),
        pytest.param("<thead><tr><th>Name<th>Year</thead>", {"1": "Name", "2": "Year"}, id="thead"),
        pytest.param("<tr><td>Name<td>Year", {"1": "Name", "2": "Year"}, id="td"),
        pytest.param("<tr><th>Name ▼<th>⇅ Year", {"1": "Name", "2": "Year"}, id="signs of sorting"),
        pytest.param("<tr><td>Buy socks<td colspan=2>Sponsored", {}, id="an advertisement"),
        pytest.param("", {}, id="none"),
    ],
)
def test_columns_are_named(head: str, named: dict[str, str]) -> None:
    tree = tree_of(f"<table>{head}<tr class=r><td>Anna<td>1990<tr class=r><td>Boris<td>1991</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == named


def test_rows_that_are_groups_of_their_own_have_the_head_of_their_table() -> None:
    rows = "".join(f"<tbody class=r><tr><th><a href=/{n}>{n}</a><td>Title {n}</tbody>" for n in range(3))
    tree = tree_of(f"<table><thead><th>Number<th>Title</thead>{rows}</table>")
    groups = [node for node in find_nodes(tree, "tbody") if node.attribute("class") == "r"]
    assert find_header([tree], groups) == {"1": "Number", "2": "Title"}


def test_a_wide_cell_names_all_columns_under_it() -> None:
    tree = tree_of("<table><tr><th>Name<th colspan=2>Price<tr class=r><td>a<td>1<td>2</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == {"1": "Name", "2": "Price", "3": "Price"}


def _rows(*rows: tuple[str, ...]) -> list[list[LabelledPiece]]:
    return [[LabelledPiece("", f"p.c{chr(97 + n)}", 1, text) for n, text in enumerate(row)] for row in rows]


CARS = [("Ford", "Mondeo", "2005"), ("Opel", "Kadett", "2013"), ("Fiat", "Uno", "1993"), ("Seat", "Leon", "2001")]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        pytest.param([(" ".join(car), *car) for car in CARS], 3, id="a heading made of other values"),
        pytest.param([(car[0], *car) for car in CARS], 3, id="a copy"),
        pytest.param([(f"{car[0]} for sale", *car) for car in CARS], 4, id="a heading with words of its own"),
        pytest.param([(car[0], *car) for car in CARS[:3]], 4, id="too few to tell"),
    ],
)
def test_columns_that_only_repeat_others_are_left_out(rows: list[tuple[str, ...]], kept: int) -> None:
    records = _rows(*rows)
    attributes = learn_attributes(AttributeSamples(records))
    assert len(attributes) == 4
    assert len(drop_redundant(attributes, records)) == kept


BOOKS = [
    [
        LabelledPiece("", "h3/a", 1, f"Book {n}", f"/b/{n}"),
        LabelledPiece("Genre", "i", 1, text),
        LabelledPiece("", "span.price", 1, f"{n}.99"),
        LabelledPiece("", "em", 1, f"mint – {1990 + n}"),
        LabelledPiece("", "a", 1, "More", f"/b/{n}"),
    ]
    for n, text in enumerate(["War", "Love, War", "Love", "Sea, War, Love"])
]


def learn() -> AttributeSamples:
    return AttributeSamples(BOOKS, (), {}, find_constant_pieces(BOOKS, ()))


def test_each_attribute_has_a_name_and_says_how_it_was_found() -> None:
    attributes, title = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [(each.name, each.how) for each in attributes] == [
        ("title", "title"), ("price", "class"), ("column 3", "place"), ("year", "kind"), ("Genre", "label"),
    ]  # fmt: skip
    assert title == "title"


def test_values_are_parted_and_buttons_are_none() -> None:
    attributes, _ = name_title(learn_attributes(learn()), BOOKS, ("h3/a", 1))
    assert [tuple(value) for value in read_record_values(BOOKS[3], attributes)] == [
        ("title", "Book 3"), ("Genre", "Sea"), ("Genre", "War"), ("Genre", "Love"), ("price", "3.99"),
        ("column 3", "mint"), ("year", "1993"),
    ]  # fmt: skip


def test_parts_that_texts_may_lack_stand_in_their_columns() -> None:
    texts = ["3000, LPG, Red, Saloon", "20, Red, Coupe", "LPG, Grey, Coupe", "117, LPG, Red, Coupe", "500, LPG, Grey, Saloon",
             "14, Petrol, Red, Coupe", "900, Petrol, Grey, Saloon", "70, Grey, Coupe", "LPG, Red, Saloon"]  # fmt: skip
    records = [[LabelledPiece("", "p", 1, text)] for text in texts]
    attributes = learn_attributes(AttributeSamples(records))
    assert [each.part for each in attributes] == [1, 2, 3, 4]
    names = [each.name for each in attributes]
    assert read_record_values(records[1], attributes) == [(names[0], "20"), (names[2], "Red"), (names[3], "Coupe")]
    assert read_record_values(records[2], attributes) == [(names[1], "LPG"), (names[2], "Grey"), (names[3], "Coupe")]


def test_what_numbers_the_records_is_no_value() -> None:
    records = [
        [LabelledPiece("", "b", 1, f"{n}."), LabelledPiece("", "p", 1, word)]
        for n, word in enumerate(["x", "yy", "zz z", "w w"], 11)
    ]
    assert [each.place for each in learn_attributes(AttributeSamples(records))] == ["p"]


def test_words_before_colons_name_what_follows_in_running_text() -> None:
    texts = [f"artist: Painter {n} medium: Oil on wood {n} dated: 19{n}0" for n in range(5)]
    items = [[TextPiece("dd", text)] for text in [*texts, "artist: Painter 5 dated: 1950"]]
    labels = learn_labels(items)
    assert said(items[1], labels) == [("artist", "Painter 1"), ("medium", "Oil on wood 1"), ("dated", "1910")]
    assert said(items[5], labels) == [("artist", "Painter 5"), ("dated", "1950")]


def test_two_words_before_a_colon_are_one_label_where_the_second_never_stands_alone() -> None:
    items = [[TextPiece("dd", f"author: Writer {n} year: 19{n}0 average rating: 3.{n}")] for n in range(5)]
    assert said(items[1], learn_labels(items)) == [("author", "Writer 1"), ("year", "1910"), ("average rating", "3.1")]


def test_heads_that_count_name_what_they_have_in_common() -> None:
    trees = [
        tree_of(f"<table><tr><th>{n} different pages<th>Hits<tr class=r><td>a<td>1<tr class=r><td>b<td>2</table>")
        for n in (400, 191)
    ]
    rows = [node for tree in trees for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header(trees, rows) == {"1": "different pages", "2": "Hits"}


def test_a_name_that_was_never_seen_is_an_attribute_of_its_own() -> None:
    assert [tuple(value) for value in read_record_values([LabelledPiece("Pages", "i", 1, "300")], ())] == [
        ("Pages", "300")
    ]


def test_a_value_in_two_tags_is_one() -> None:
    pieces = [LabelledPiece("Way", "i", 1, "12"), LabelledPiece("Way", "small", 1, "km")]
    assert [tuple(value) for value in read_record_values(pieces, ())] == [("Way", "12 km")]


def test_what_was_asked_for_may_be_the_same_in_all_records() -> None:
    pieces = [[LabelledPiece("", "p", 1, "Drama"), LabelledPiece("", "b", 1, f"Play {n}")] for n in range(5)]
    assert ("p", 1) in find_constant_pieces(pieces, ())
    assert ("p", 1) not in find_constant_pieces(pieces, ("drama",))


@pytest.mark.parametrize(
    ("texts", "separator"),
    [
        pytest.param(["Drama, War", "War", "Drama, Crime, War"], ", ", id="values that come back"),
        pytest.param(
            ["Ann Lee, Bo Dahl", "Cy Ek", "Di Fry, Ed Gay, Flo Hur"], ", ", id="names like those that stand alone"
        ),
        pytest.param(["red; blue", "green; red", "blue"], "; ", id="semicolons"),
        pytest.param(["Smith, John", "Brown, Anna", "Clark, Eve"], "", id="names turned round"),
        pytest.param(
            ["A long sentence, with a comma in the middle of it", "Another one that has none at all"],
            "",
            id="sentences",
        ),
        pytest.param(["one", "two"], "", id="single values"),
        pytest.param([], "", id="nothing"),
        pytest.param(
            ["Twilight (Twilight, #1)", "Emma", "Dune (Dune, #1)", "New Moon (Twilight, #2)"],
            "",
            id="commas in brackets",
        ),
        pytest.param(
            ["Paris, France", "Lyon, France", "Bonn", "Nice, France", "Bonn, Germany"],
            "",
            id="places, always in one order",
        ),
        pytest.param(
            ["Main St 5, Ames", "Elm St 12, Ames", "Ames", "Oak St 9, Boone"], "", id="addresses, by their digits"
        ),
        pytest.param(
            ["The Lion, the Witch", "Emma", "Love, actually", "Dune"], "", id="titles that go on in small letters"
        ),
        pytest.param(["War, Peace", *(f"Title {n}" for n in range(9))], "", id="a comma now and then"),
        pytest.param(
            ["Ann Lee, Bo Dahl", "Cy Ek, Di Fry, Ed Gay", "Flo Hur, Gil Ito"],
            ", ",
            id="names of which none stands alone",
        ),
        pytest.param(["acl, ws", *(["coling"] * 9)], ", ", id="keywords, seldom two"),
        pytest.param(
            ["Fauvism, Tachism", "Cubism", "Op Art", "Dada", "Vorticism, Orphism", "Futurism"],
            ", ",
            id="values seen once, as short as those that stand alone",
        ),
        pytest.param(
            ["Bonn, Köln", "Ulm", "Aachen, Essen, Trier", "Bonn, Ulm", "Essen", "Köln, Trier, Ulm", "Aachen, Hof"],
            ", ",
            id="values in the order of the alphabet",
        ),
        pytest.param(
            ["oak, Rome, sky, tree", "Bath, arch", "cloud, Essen, Villa", "man, hat, Ely, sea, tower", "Kent"],
            ", ",
            id="now few parts and now many",
        ),
        pytest.param(
            ["Doyle, Arthur Conan, Sir", "Verne, Jules", "Homer", "Hardy, Thomas", "Poe, Edgar Allan", "Various"],
            "",
            id="names turned round, and names of one word",
        ),
        pytest.param(
            ["Gard, Nimes, FR", "Uzes, FR", "Lunel, Herault, FR", "Sete, Herault, FR", "Lyon, FR"],
            "",
            id="places of two and three parts",
        ),
        pytest.param(["May 3, 2004", "2004", "June 12, 1998", "July 1, 2004"], "", id="dates"),
        pytest.param(["Tin / Lead", "Iron", "Zinc / Gold / Lead"], " / ", id="slashes, most values seen once"),
        pytest.param(["Tin · Lead", "Iron", "Zinc · Gold"], " · ", id="dots"),
        pytest.param(["Tin | Lead", "Iron", "Zinc | Gold"], " | ", id="bars"),
        pytest.param(["Doe, J.; Roe, A.", "Poe, E.", "Lee, B.; Fry, D."], "; ", id="semicolons before commas"),
        pytest.param(["Tin; Lead", "Zinc; Gold", "Iron; Tin", "Lead; Gold"], "; ", id="always two, by semicolons"),
        pytest.param(
            ["The Young Lieutenant; or, The Adventures of an Officer", "Emma", "The Arizona Callahan", "Cratylus"],
            "",
            id="a semicolon in a title",
        ),
        pytest.param(
            ["Benavarri / Benabarre, Huesca, ES", "Binefar, Huesca, ES", "Barcabo, Huesca, ES", "Piraces, Huesca, ES"],
            "",
            id="a slash in one part of an address",
        ),
        pytest.param(["Zoo · 12 km", "Park · 3 km", "Lake", "Pier · 40 km"], "", id="a name and a size"),
    ],
)
def test_separators(texts: list[str], separator: str) -> None:
    assert find_separator(texts) == separator


@pytest.mark.parametrize(
    ("texts", "asked", "separator"),
    [
        pytest.param(["war, peace"], "Peace", ", ", id="one text"),
        pytest.param(["War, Peace", "Love, War"], "war", ", ", id="now first, now last"),
        pytest.param(["Smith, John", "Smith, Adam", "Smith, Eve"], "Smith", "", id="always first: a name turned round"),
        pytest.param(["Paris, France", "Lyon, France"], "France", "", id="always last: places"),
        pytest.param(["Ulm, BW, DE", "Au, BW, DE", "Calw, Calw, BW, DE"], "BW", "", id="always before the last"),
    ],
)
def test_what_was_asked_for_shows_a_list_when_it_is_bound_to_no_place(
    texts: list[str], asked: str, separator: str
) -> None:
    assert find_separator(texts, (asked,)) == separator


WORDS = st.sampled_from(["Drama", "War", "the end", "Ann Lee", "May 3", "2004", "x (y, z)", "Paris", "o", ""])
LIST_TEXTS = st.lists(
    st.builds(str.join, st.sampled_from([", ", "; ", " / ", " – "]), st.lists(WORDS, max_size=5)), max_size=8
)


@given(LIST_TEXTS, st.lists(WORDS, max_size=2), st.randoms(use_true_random=False))
def test_the_order_of_texts_and_empty_ones_change_nothing(texts: list[str], asked: list[str], rng: Random) -> None:
    shuffled = [*texts, "", "  "]
    rng.shuffle(shuffled)
    found = find_separator(texts, asked)
    assert found in (*LIST_SEPARATORS, "")
    assert find_separator(shuffled, asked) == found


def test_a_text_that_is_the_whole_record_holds_different_things() -> None:
    texts = [f"Place {n}; {'Kent' if n % 2 else 'Surrey'}; UK" for n in range(8)] + ["Kent; UK"]
    assert find_column_separator(texts) == ("", 0)
    assert find_column_separator(texts, alone=True) == ("; ", 3)
    records = [[LabelledPiece("", "", 1, text)] for text in texts]
    attributes = learn_attributes(AttributeSamples(records))
    assert [value.text for value in read_record_values(records[3], attributes)] == ["Place 3", "Kent", "UK"]


def test_a_cell_that_is_a_list_in_some_records_is_one_attribute() -> None:
    listed = [
        [
            LabelledPiece("", "td[1]", 1, f"Film {n}"),
            *(LabelledPiece("", "td[2]/ul/li", k, f"genre {n + k}") for k in (1, 2)),
        ]
        for n in range(6)
    ]
    single = [[LabelledPiece("", "td[1]", 1, "Film 9"), LabelledPiece("", "td[2]", 1, "genre 9")]]
    attributes = learn_attributes(AttributeSamples([*listed, *single], header={"1": "Title", "2": "Genres"}))
    assert {each.name for each in attributes} == {"Title", "Genres"}
    assert [tuple(value) for value in read_record_values(listed[2], attributes)] == [
        ("Title", "Film 2"), ("Genres", "genre 3"), ("Genres", "genre 4"),
    ]  # fmt: skip
    assert [tuple(value) for value in read_record_values(single[0], attributes)] == [
        ("Title", "Film 9"),
        ("Genres", "genre 9"),
    ]


def test_what_all_records_have_is_a_value_beside_values() -> None:
    records = [[LabelledPiece("", "span", 1, f"Writer {n}"), LabelledPiece("", "span", 2, "en")] for n in range(6)]
    assert not find_constant_pieces(records, ())
    buttons = [[LabelledPiece("", "span", 1, f"Writer {n}"), LabelledPiece("", "i", 1, "Buy")] for n in range(6)]
    assert find_constant_pieces(buttons, ()) == {("i", 1)}


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        pytest.param(["a – 1", "b – 2", "c – 3", "d – 4"], (" – ", 2), id="two things"),
        pytest.param(["a, 1, x", "b, 2, y", "c, 3, z", "d, 4, w"], (", ", 3), id="three with commas"),
        pytest.param(["Ames, A", "Baer, B", "Cole, C", "Dahl, D"], ("", 0), id="two with a comma may be one"),
        pytest.param(
            ["Dutch, born 1820", "Swiss, born 1801", "Irish, born 1777", "Czech, born 1790"],
            (", ", 2),
            id="a number in one of two",
        ),
        pytest.param(["a – 1", "b – 2"], ("", 0), id="too few"),
        pytest.param(
            ["a - 1 - x", "b - 2 - y", "c - 3 - z - z", "d - 4 - w", "e - 5 - u - v"],
            (" - ", 3),
            id="the last one has the sign, too",
        ),
        pytest.param(["a; 1; x", "b; 2; y", "c; 3; z", "d; 4; w"], ("; ", 3), id="three with semicolons"),
        pytest.param(["a; b; x", "b; a; y", "c; d; z", "d; c; w"], ("", 0), id="values that move are a list"),
        pytest.param(
            ["1990. Tom Lee. War.", "1991. Ann Fox. Spy.", "1987. Bo Tan. War.", "1975. Al Gee. Sea."],
            (". ", 3),
            id="a citation",
        ),
        pytest.param(["It was a day in May. He left the house. So did I."] * 4, ("", 0), id="sentences"),
    ],
)
def test_columns(texts: list[str], found: tuple[str, int]) -> None:
    assert find_column_separator(texts) == found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("a, b (c, d), e", ["a", "b (c, d)", "e"], id="brackets stay whole"),
        pytest.param("a, b (c, d", ["a", "b (c", "d"], id="a bracket that is never closed opens nothing"),
        pytest.param("a), b", ["a)", "b"], id="one that was never opened closes nothing"),
    ],
)
def test_brackets(text: str, values: list[str]) -> None:
    assert split_values(text, ", ") == values


def test_a_word_that_was_asked_for_in_one_of_many_titles_shows_no_list() -> None:
    titles = ["Love, actually", "Lust, caution", "Girl, interrupted", "Me, myself and Irene"]
    assert find_separator(titles, ("love",)) == ""


def test_empty_values_are_none() -> None:
    assert split_values("a; ;b;", "; ") == ["a", "b"]


def test_numbers_after_different_words_are_different_things() -> None:
    nations = ("Dutch", "Swiss", "Irish")
    texts = [
        f"{nations[place % 3]}, born {1800 + 3 * place}" + (f", died {1850 + 3 * place}" if place % 3 else "")
        for place in range(20)
    ]
    separator, columns = find_optional_columns(texts)
    assert (separator, len(columns)) == (", ", 3)
