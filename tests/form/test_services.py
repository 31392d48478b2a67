from __future__ import annotations

import pytest

from dowse.form.services import judge_made
from dowse.model import Field, Form

BOX = (Field("q", "search"), Field("page", "hidden"))


def form(made: str, text: str = "", fields: tuple[Field, ...] = BOX) -> Form:
    return Form(0, "GET", "http://example.com/find", fields, text=text, made=made)


@pytest.mark.parametrize("made", ["oai-pmh", "sru", "ckan", "openapi"])
def test_services_of_a_standard_are_databases(made: str) -> None:
    judgement = judge_made(form(made))
    assert judgement
    assert judgement.kind == "database"
    assert 0.5 < judgement.probability < 1
    assert all(" " in reason for reason in judgement.reasons)


@pytest.mark.parametrize("made", ["opensearch", "search-action"])
@pytest.mark.parametrize("text", ["", "Example", "Search this site: books and more"])
def test_a_declared_search_is_of_the_site(made: str, text: str) -> None:
    judgement = judge_made(form(made, text))
    assert judgement
    assert judgement.kind == "site-search"


@pytest.mark.parametrize("made", ["opensearch", "search-action"])
@pytest.mark.parametrize(
    "text", ["Library catalogue", "Find jobs near you", "Rezepte durchsuchen", "Patents of Europe"]
)
def test_words_decide_when_they_say_what_is_searched(made: str, text: str) -> None:
    assert judge_made(form(made, text)) is None


def test_words_decide_when_several_things_can_be_asked() -> None:
    assert judge_made(form("search-action", fields=(Field("q", "search"), Field("place", "text")))) is None


@pytest.mark.parametrize("made", ["html", "input", "call"])
def test_forms_of_a_page_are_left_to_the_judge(made: str) -> None:
    assert judge_made(form(made)) is None


def test_more_questions_make_an_operation_surer() -> None:
    few = judge_made(form("openapi", fields=(Field("kind", "select"),)))
    more = judge_made(form("openapi", fields=(Field("kind", "select"), Field("q", "search"))))
    assert few
    assert more
    assert few.probability < more.probability
