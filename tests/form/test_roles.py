"""From captions and names to attributes."""

from __future__ import annotations

import pytest

from dowse.form.roles import attribute_name, attribute_of_name, trim_label


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Author(s):", "author"),
        ("  Min. Price ", "price"),
        ("Max price", "price"),
        ("Year from", "year"),
        ("Baujahr von", "baujahr"),
        ("Prix à partir de", "prix"),
        ("Rok wydania od", "rok wydania"),
        ("firstName", "first name"),
        ("first_name", "first name"),
        ("Año", "año"),
        ("Title *", "title"),
        ("City (optional)", "city"),
        ("Enter your ZIP code", "zip code"),
        ("Select a make...", "make"),
        ("Search by keyword", "keyword"),
        ("All categories", "categories"),
        ("Toutes régions", "régions"),
        ("Wybierz miasto", "miasto"),
        ("Выберите город", "город"),
        ("Search for", "search for"),
        ("from", "from"),
        ("", ""),
        ("***", ""),
        ("価格", "価格"),
    ],
)
def test_attribute_name(label: str, name: str) -> None:
    assert attribute_name(label) == name


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("ctl00$Main$ddlMake", "make"),
        ("search[price_max]", "price"),
        ("txtLastName", "last name"),
        ("q", "q"),
        ("f1", "f1"),
    ],
)
def test_attribute_of_a_name(name: str, attribute: str) -> None:
    assert attribute_of_name(name) == attribute


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Title:", "Title"),
        (" Price\n range * ", "Price range"),
        ("\uf002 Search", "Search"),
        ("Year...", "Year..."),
        ("日付：", "日付"),
        ("", ""),
    ],
)
def test_trim_label(words: str, label: str) -> None:
    assert trim_label(words) == label
