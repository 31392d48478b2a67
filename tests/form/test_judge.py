"""What forms are for: short forms as people write them, one reason per row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.form.judge import NO_REASON, judge_form, judge_service
from dowse.model import KINDS, Field, Form, Option, Page

BOX = (Field("q", "search"), Field("page", "hidden"))


def form(made: str, text: str = "", fields: tuple[Field, ...] = BOX) -> Form:
    return Form(0, "GET", "http://example.com/find", fields, text=text, made=made)


@pytest.mark.parametrize("made", ["oai-pmh", "sru", "ckan", "openapi"])
def test_services_of_a_standard_are_databases(made: str) -> None:
    judgement = judge_service(form(made))
    assert judgement
    assert judgement.kind == "database"
    assert 0.5 < judgement.probability < 1
    assert all(" " in reason for reason in judgement.reasons)


@pytest.mark.parametrize("made", ["opensearch", "search-action"])
@pytest.mark.parametrize("text", ["", "Example", "Search this site: books and more"])
def test_a_declared_search_is_of_the_site(made: str, text: str) -> None:
    judgement = judge_service(form(made, text))
    assert judgement
    assert judgement.kind == "site-search"


@pytest.mark.parametrize("made", ["opensearch", "search-action"])
@pytest.mark.parametrize(
    "text", ["Library catalogue", "Find jobs near you", "Rezepte durchsuchen", "Patents of Europe"]
)
def test_words_decide_when_they_say_what_is_searched(made: str, text: str) -> None:
    assert judge_service(form(made, text)) is None


def test_words_decide_when_several_things_can_be_asked() -> None:
    assert judge_service(form("search-action", fields=(Field("q", "search"), Field("place", "text")))) is None


@pytest.mark.parametrize("made", ["html", "input", "call"])
def test_forms_of_a_page_are_left_to_the_judge(made: str) -> None:
    assert judge_service(form(made)) is None


def test_more_questions_make_an_operation_surer() -> None:
    few = judge_service(form("openapi", fields=(Field("kind", "select"),)))
    more = judge_service(form("openapi", fields=(Field("kind", "select"), Field("q", "search"))))
    assert few
    assert more
    assert few.probability < more.probability


PAGE = Page("http://e.com/")


def form_judge(
    *fields: Field, text: str = "", method: str = "GET", action: str = "http://e.com/go", role: str = ""
) -> Form:
    return Form(0, method, action, fields, text=text, role=role)


def box(name: str, label: str = "", kind: str = "text", placeholder: str = "") -> Field:
    return Field(name, kind, label=label, placeholder=placeholder)


def choice(name: str, *labels: str) -> Field:
    return Field(name, "select", label=name, options=tuple(Option(label, label) for label in labels))


def button(text: str) -> Field:
    return Field("", "submit", value=text)


ROWS = [
    ("many conditions and a search button", form_judge(box("title"), box("author"), choice("lang", "en", "fr"), button("Search")), "database"),
    ("make, model and price", form_judge(choice("make", "BMW", "VW"), choice("model", "x", "y"), box("price"), button("Find cars"), text="Find a used car"), "database"),
    ("several conditions in German", form_judge(box("titel"), box("verfasser"), button("Suchen")), "database"),
    ("one box that says what is searched", form_judge(box("q", placeholder="Species, genus or family"), button("Search plants")), "database"),
    ("one box and nothing else", form_judge(box("q"), button("Go")), "site-search"),
    ("one box for this site", form_judge(box("s", kind="search", placeholder="Search this site"), button("Search")), "site-search"),
    ("user and password", form_judge(box("user"), box("pw", kind="password"), button("Log in"), method="POST"), "login"),
    ("password twice", form_judge(box("mail", kind="email"), box("p1", kind="password"), box("p2", kind="password"), button("Create account"), method="POST"), "registration"),
    ("only a mail address", form_judge(box("email", kind="email"), button("Subscribe"), method="POST"), "subscribe"),
    ("newsletter in French", form_judge(box("courriel", "Votre e-mail"), button("Abonnez-vous"), method="POST"), "subscribe"),
    ("a message", form_judge(box("name"), box("email", kind="email"), Field("message", "textarea"), button("Send"), method="POST"), "contact"),
    ("quantity and cart", form_judge(box("qty"), button("Add to cart"), method="POST"), "order"),
    ("options of one product", form_judge(choice("size", "S", "M"), choice("color", "red", "blue"), box("qty"), button("Add to cart"), method="POST"), "configure"),
    ("a poll", form_judge(Field("answer", "radio", label="Yes", value="1"), Field("answer", "radio", label="No", value="0"), button("Vote"), method="POST"), "other"),
    ("a language chooser", form_judge(choice("language", "en", "de"), button("OK")), "other"),
    ("a library in French", form_judge(box("a", "Auteur"), box("t", "Titre"), choice("l", "français", "allemand"), button("Lancer la recherche"), text="Catalogue de la bibliothèque"), "database"),
    ("used cars in Polish, sent out of sight", form_judge(choice("m", "Fiat", "Opel"), box("od", "Cena od"), box("do", "do"), button("Szukaj"), method="POST"), "database"),
    ("houses in Russian", form_judge(box("g", "Город"), box("c", "Цена до"), button("Найти"), text="Каталог квартир"), "database"),
    ("this site in Italian", form_judge(box("q", "Cerca nel sito"), button("Vai")), "site-search"),
    ("this site in Japanese", form_judge(box("q", placeholder="サイト内検索"), button("検索")), "site-search"),
    ("these pages in German", form_judge(box("q", "Unsere Seiten durchsuchen"), button("Los")), "site-search"),
    ("newsletter in Russian", form_judge(box("m", "Ваш e-mail"), button("Подписаться"), method="POST"), "subscribe"),
    ("login in Spanish", form_judge(box("u", "Usuario"), box("c", "Contraseña", kind="password"), button("Iniciar sesión"), method="POST"), "login"),
    ("a forgotten password", form_judge(box("m", "E-mail"), button("Passwort zurücksetzen"), text="Passwort vergessen?", method="POST"), "other"),
    ("links per page", form_judge(choice("per_page", "20", "50", "100"), button("OK")), "configure"),
    ("a console for SQL", form_judge(Field("sql", "textarea", label="SQL"), button("Run"), method="POST"), "database"),
    ("versions to compare", form_judge(box("r1", "From"), box("r2", "to"), button("Diff")), "other"),
    ("a file of what is shown", form_judge(choice("fmt", "csv", "json"), button("Export")), "other"),
    ("currencies, whatever they are called", form_judge(choice("x", "EUR", "USD", "GBP"), button("OK")), "other"),
    ("a table for four", form_judge(choice("n", "2", "4"), Field("d", "date"), box("m", "E-mail", kind="email"), Field("t", "textarea"), button("Reserve a table"), method="POST"), "other"),
    ("options that are searched are no product", form_judge(choice("colour", "red", "blue"), choice("size", "S", "M"), box("q"), button("Search shirts")), "database"),
    ("nothing to fill in", form_judge(button("Continue")), "other"),
    ("an upload", form_judge(Field("photo", "file"), button("Upload"), method="POST"), "other"),
]  # fmt: skip


@pytest.mark.parametrize(("given_form", "kind"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_kind(given_form: Form, kind: str) -> None:
    judgement = judge_form(given_form, PAGE)
    assert judgement.kind == kind, judgement
    assert judgement.reasons
    assert judgement.searchable == (kind in ("database", "site-search"))


def test_a_form_that_swallowed_its_page_is_not_judged_by_the_page() -> None:
    swallowed = form_judge(box("q"), button("Search"), text="newsletter subscribe cart login " * 40)
    assert judge_form(swallowed, PAGE).searchable


def test_a_search_that_sends_nowhere_is_no_door() -> None:
    judgement = judge_form(form_judge(box("q"), button("Search"), action=""), PAGE)
    assert judgement.kind == "other"
    assert judgement.reasons[0] == "sends to no web address"


@pytest.mark.parametrize("label", ["Delete", "Löschen", "Supprimer", "Eliminar", "Usuń", "Удалить", "削除"])
def test_what_deletes_is_no_search(label: str) -> None:
    assert not judge_form(form_judge(box("a", "Title"), box("b", "Author"), button(label)), PAGE).searchable


names = st.text(max_size=20)
fields = st.builds(
    Field,
    names,
    st.sampled_from(["text", "password", "select", "radio", "hidden", "submit", "email", "file", "weird"]),
    label=names,
)


@given(st.lists(fields, max_size=8), names)
def test_any_form_gets_a_kind_and_a_probability(given_fields: list[Field], text: str) -> None:
    judgement = judge_form(form_judge(*given_fields, text=text), PAGE)
    assert judgement.kind in KINDS
    assert judgement.reasons == (NO_REASON,) or NO_REASON not in judgement.reasons
    assert 1 / len(KINDS) <= judgement.probability <= 1
