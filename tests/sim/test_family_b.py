"""Every design, label, arrangement and layout of family B says all it is given, and nothing of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from time import process_time
from timeit import repeat

import pytest

from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.sim.family_b import FAMILY_B
from dowse.sim.view import Anchor, Anchors, Detail, FormView, Group, Listing, Notice, Part, Question, Row, Style, View

SAYS_KEYS = (
    "home about contact news links sitemap shop help more also here menu updated rights friends tags print top skip "
    "search_pages advanced search_buttons reset_buttons keyword_labels any from to day month year all_words any_word "
    "exact_phrase starts_with contains is_exactly sort_by per_page next previous load_more counts rough_counts limited "
    "empty blank details advert advert_label liked back_to_results not_found thanks expired wait closed"
).split()
SAYS = {key: f"Ж{number}" for number, key in enumerate(SAYS_KEYS)}
FIELDS = (
    "user password password2 remember email name firstname lastname phone company address city zip country subject "
    "message comment website rating quantity size colour gift currency language agree captcha format amount date time "
    "persons card coupon search_site title birthday"
).split()
KINDS = (
    "database site_search login registration newsletter contact comment poll cart configurator currency language "
    "recovery guestbook booking donation feedback checkout"
).split()
STYLE = Style("twelve", "for", "stack", "sheet", "sheet", "bullets", "kx")
EVERY_FORM = list(product(FAMILY_B.labels, FAMILY_B.forms))
DESIGNS = sorted(FAMILY_B.designs)
TAKEN = {
    "q",
    "query",
    "search",
    "s",
    "keywords",
    "page",
    "user",
    "email",
    "name",
    "message",
    "results",
    "login",
    "contact",
}


def links(word: str, count: int) -> Anchors:
    return tuple(Anchor(f"/{word}/{n}?a=1&amp;b={n}", f"Щ{n} &amp; Я") for n in range(count))


VIEW = View(
    style=STYLE,
    says=SAYS,
    language="ru",
    encoding="utf-8",
    number=7,
    title="Заголовок",
    site_name="Сайт",
    base="http://a.example/",
    canonical="http://a.example/c",
    search_description="/osd.xml",
    menu=(Group("Раз", links("menu-a", 4)), Group("Два", links("menu-b", 4)), Group("", links("menu-c", 2))),
    submenu=links("near", 2),
    crumbs=links("crumb", 2),
    tags=links("tag", 3),
    tools=links("tool", 2),
    outside=tuple(Anchor(f"http://o{n}.example/", f"Ш{n}") for n in range(2)),
    hidden=links("trap", 2),
    header="",
    content="<p>Текст</p>",
    footer="",
)
CHOICES = (("1", "Да"), ("2", "Нет &amp; нет"), ("3", "Ой"))
QUESTIONS = (
    Question("Слово", "keyword", (Part("kwd", "text"),), "", "keyword"),
    Question("Как", "operator", (Part("op", "radio", CHOICES, "1"),)),
    Question("Имя", "text", (Part("title", "search", (), "преж"),), "title", "contains"),
    Question("Режим", "operator", (Part("mode", "select", CHOICES, "2"),)),
    Question("Род", "choice", (Part("kind", "select", CHOICES, "3"),), "kind", "equals"),
    Question("Цвет", "choice", (Part("colour", "radio", CHOICES),), "colour", "equals"),
    Question("Ещё", "several", (Part("extra", "checkbox", CHOICES, "2"),), "extra", "equals"),
    Question("Много", "several", (Part("many", "select", CHOICES),), "many", "equals"),
    Question(
        "Цена", "range", (Part("lo", "number", (), "", "от"), Part("hi", "number", (), "", "до")), "price", "range"
    ),
    Question("Дата", "date", tuple(Part(f"d{n}", "select", CHOICES, "", f"Ч{n}") for n in range(3)), "day", "date"),
    Question("Когда", "date", (Part("day", "date"),), "day", "date"),
    Question("Пароль", "other", (Part("secret", "password"),)),
    Question("Письмо", "other", (Part("text", "textarea", (), "Эх"),)),
    Question("Файл", "other", (Part("pic", "file"),)),
    Question("Согласен", "other", (Part("agree", "checkbox", (), "yes"),)),
    Question("", "state", (Part("state", "hidden", (), "x9"), Part("more", "hidden"))),
)
NAMES = [part.name for question in QUESTIONS for part in question.parts]
FORM = FormView(
    style=STYLE,
    says=SAYS,
    number=3,
    heading="Форма",
    method="POST",
    action="/to?a=1&amp;b=2",
    questions=QUESTIONS,
    buttons=(("", "Давай"), ("go2", "Ещё")),
    reset="Сброс",
    place="content",
    made="html",
    suggest="",
)
LISTING = Listing(
    style=STYLE,
    says=SAYS,
    heading="Ответы",
    count="10 - 20",
    remark="Только 100",
    rows=tuple(
        Row(f"/r/{n}" if n != 1 else "", f"Запись {n}", (("Цена", f"{n}00"), ("Год", f"201{n}"), ("Пусто", "")))
        for n in range(4)
    ),
    notices=(
        Notice(0, "Реклама", "Объявление 0", "/ad/0"),
        Notice(2, "Реклама", "Объявление 2", "/ad/2"),
        Notice(9, "Реклама", "Объявление 9", "/ad/9"),
    ),
    previous=Anchor("/p/1", "Назад"),
    next=Anchor("/p/3", "Вперёд"),
    pages=(("1", Anchor("/p/1", "1")), ("20", None), ("3", Anchor("/p/3", "3"))),
    sorts=(Anchor("/sort/1", "Цена"),),
    liked=(Anchor("/liked/1", "Другое"),),
    form="<form action=/again><input name=again></form>",
)
DETAIL = Detail(
    STYLE, SAYS, "Запись", (("Цена", "100"), ("Год", "2011"), ("Пусто", "")), (Anchor("/liked/1", "Другое"),)
)


def read(html: str, encoding: str = "utf-8") -> Page:
    headers = (("content-type", "text/html"),)
    return read_page(Response("http://a.example/p", 200, headers, html.encode(encoding, "xmlcharrefreplace")))


def in_design(design: str, **changes: object) -> str:
    """Return a page of that design; a change that is a style gets the design as well."""
    view = replace(VIEW, style=STYLE._replace(design=design), **changes)
    return FAMILY_B.designs[design](view)


def paths(page: Page) -> set[str]:
    return {link.url.removeprefix("http://a.example").replace("&b=", "&amp;b=") for link in page.links}


class Visible(HTMLParser):
    """Gathers what a person sees or hears of a page."""

    SPOKEN = frozenset({"alt", "title", "placeholder", "aria-label", "label"})
    SILENT = frozenset({"script", "style"})

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.names: set[str] = set()
        self._silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag if tag in self.SILENT else ""
        given = dict(attrs)
        self.said += [value or "" for key, value in attrs if key in self.SPOKEN]
        if tag == "input" and given.get("type") in {"submit", "reset"}:
            self.said.append(given.get("value") or "")
        self.names |= {name for key in ("class", "id") for name in (given.get(key) or "").split()}

    def handle_endtag(self, tag: str) -> None:
        self._silent = ""

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data)


def look(html: str) -> Visible:
    seen = Visible()
    seen.feed(html)
    seen.close()
    return seen


def own_words(html: str) -> list[str]:
    """Return words in Latin letters: the samples have none."""
    return re.findall(r"[A-Za-z]{2,}", " ".join(look(html).said))


@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_writes_every_link(design: str) -> None:
    page = read(in_design(design))
    wanted = [*VIEW.submenu, *VIEW.tools, *VIEW.outside, *VIEW.hidden, *VIEW.tags]
    wanted += [] if design == "shell" else VIEW.links
    wanted += [] if design == "weblog" else VIEW.crumbs
    found = paths(page) | {link.url for link in page.links}
    assert not [link.href for link in wanted if link.href not in found]
    words = {link.text for link in page.links}
    assert {"Щ0 & Я", "Ш1"} <= words


@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_writes_its_head(design: str) -> None:
    html = in_design(design)
    page = read(html)
    assert "Заголовок" in page.title
    assert page.canonical == "http://a.example/c"
    assert page.base == "http://a.example/"
    assert 'application/opensearchdescription+xml" href="/osd.xml" title="Сайт"' in html.replace(
        "HREF", "href"
    ).replace("TITLE", "title")
    assert "Текст" in page.text
    if design != "homestead":
        assert re.search(r'<html[^>]*\blang="?ru', html, re.IGNORECASE) or design == "jumpgate"
    assert 2_000 < len(html) - len(VIEW.content) < 9_000


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r"])
def test_a_design_names_its_encoding(design: str, encoding: str) -> None:
    page = read(in_design(design, encoding=encoding, base="", canonical="", search_description=""), encoding)
    assert "Заголовок" in page.title
    assert page.encoding.replace("-", "").lower() in {"windows1251", "koi8r", "cp1251"}


@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_stays_whole_without_the_rest(design: str) -> None:
    bare = dict.fromkeys(("submenu", "crumbs", "tags", "tools", "outside", "hidden"), ())
    page = read(in_design(design, base="", canonical="", search_description="", **bare))
    assert "Текст" in page.text
    assert not page.forms


@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_says_nothing_of_its_own(design: str) -> None:
    assert own_words(in_design(design)) == []


@pytest.mark.parametrize("design", DESIGNS)
def test_own_markup_is_ascii(design: str) -> None:
    plain = replace(VIEW, style=STYLE._replace(design=design), says=dict.fromkeys(SAYS, "x"), title="x", site_name="x")
    bare = replace(
        plain,
        menu=(Group("x", (Anchor("/", "x"),)),),
        content="",
        **dict.fromkeys(("submenu", "crumbs", "tags", "tools", "outside", "hidden"), (Anchor("/", "x"),)),
    )
    assert FAMILY_B.designs[design](bare).isascii()


@pytest.mark.parametrize("design", DESIGNS)
def test_a_mark_changes_the_names(design: str) -> None:
    style = STYLE._replace(design=design)
    names = [
        look(
            FAMILY_B.designs[design](
                replace(
                    VIEW,
                    style=style._replace(mark=mark),
                    content=FAMILY_B.write_form(replace(FORM, style=style._replace(mark=mark)))
                    + FAMILY_B.results["cards"](replace(LISTING, style=style._replace(mark=mark)))
                    + FAMILY_B.write_text(style._replace(mark=mark), "Ы", ("Э",)),
                )
            )
        ).names
        for mark in ("kx", "vela")
    ]
    assert names[0] & names[1] <= {"__EVENTTARGET", "__VIEWSTATE"}
    assert len(names[0] - names[1]) > 4


def test_the_menu_of_the_shell_is_only_in_json() -> None:
    html = in_design("shell")
    page = read(html)
    assert not [link for link in page.links if "/menu-" in link.url]
    assert all(link.href in html for link in VIEW.links)
    hostile = replace(
        VIEW, style=STYLE._replace(design="shell"), menu=(Group("</script>", (Anchor("/x", "</script><b>"),)),)
    )
    assert "</script><b>" not in FAMILY_B.designs["shell"](hostile)


def test_pages_of_one_design_differ_in_small_things() -> None:
    same = [design for design in DESIGNS if in_design(design, number=1) == in_design(design, number=2)]
    assert same == []


def write(**changes: object) -> str:
    return FAMILY_B.write_form(replace(FORM, **changes))


def fields_of(form: Form) -> list[str]:
    kinds = {"submit", "reset", "button", "image"}
    return list(dict.fromkeys([field.name for field in form.fields if field.name and field.type not in kinds]))


@pytest.mark.parametrize("design", ["homestead", "tiles", "hydrated", "utility"])
def test_a_form_has_all_its_fields(design: str) -> None:
    for labels, arrangement in EVERY_FORM:
        check_fields(labels, arrangement, design)


def check_fields(labels: str, arrangement: str, design: str) -> None:
    style = Style(design, labels, arrangement, "sheet", "sheet", "bullets", "kx")
    html = write(style=style)
    other = write(
        style=style, number=4, place="header", action="/other", questions=QUESTIONS[:1], buttons=(("", "Иди"),)
    )
    page = read(FAMILY_B.designs[design](replace(VIEW, style=style, base="", header=other, content=html)))
    assert [form.action for form in page.forms if fields_of(form)] in (
        ["http://a.example/other", "http://a.example/to?a=1&b=2"],
        ["http://a.example/to?a=1&b=2", "http://a.example/other"],
    )
    form = next(form for form in page.forms if "/to?" in form.action)
    assert form.method == "POST"
    assert sorted(fields_of(form)) == sorted(NAMES) or sorted(fields_of(form)) == sorted([*NAMES, "go2"])
    by_name = {field.name: field for field in form.fields}
    assert by_name["state"].value == "x9"
    assert by_name["title"].value == "преж"
    assert by_name["kind"].options[0][:2] == ("", SAYS["any"])
    assert [option.value for option in by_name["kind"].options if option.selected] == ["3"]
    assert [option.value for option in by_name["mode"].options if option.selected] == ["2"]
    assert [option.value for option in by_name["mode"].options] == ["1", "2", "3"]
    assert {"submit", "reset"} <= {field.type for field in form.fields} or 'type="reset"' in html
    assert own_words(html) == []


@pytest.mark.parametrize(
    ("made", "place"), [("script", "content"), ("formless", "content"), ("script", "header"), ("formless", "footer")]
)
def test_a_form_made_by_a_script_is_not_in_the_page(made: str, place: str) -> None:
    for labels, arrangement in EVERY_FORM:
        check_scripted(labels, arrangement, made, place)


def check_scripted(labels: str, arrangement: str, made: str, place: str) -> None:
    for design in ("gazette", "dense", "weblog", "shell", "board"):
        style = Style(design, labels, arrangement, "sheet", "sheet", "bullets", "kx")
        html = write(style=style, made=made, place=place, suggest="/complete")
        page = read(FAMILY_B.designs[design](replace(VIEW, style=style, content=html)))
        assert not [form for form in page.forms if made == "script" or form.made == "html"]
        assert (
            "<form" not in html.lower().replace("document.write('<form", "").replace("document.write('<table", "")
            or made == "script"
        )
        assert own_words(html) == []


def test_labels_differ() -> None:
    written = {labels: write(style=STYLE._replace(labels=labels)) for labels in FAMILY_B.labels}
    assert len(set(written.values())) == len(FAMILY_B.labels) >= 9
    arranged = {form: write(style=STYLE._replace(form=form)) for form in FAMILY_B.forms}
    assert len(set(arranged.values())) == len(FAMILY_B.forms) >= 7


@pytest.mark.parametrize(
    "labels", ["for", "wrap", "before", "cell", "placeholder", "title", "aria", "labelled_by", "column", "legend"]
)
def test_a_reader_finds_the_label(labels: str) -> None:
    for arrangement in ("stack", "rows", "grid"):
        style = STYLE._replace(labels=labels, form=arrangement)
        form = read(write(style=style)).forms[0]
        field = next(field for field in form.fields if field.name == "secret")
        assert "Пароль" in " ".join((field.label, field.placeholder, field.title, field.aria, form.text))


def test_a_form_says_nothing_of_what_it_is_for() -> None:
    """Two forms with other questions have the same classes and ids."""
    for design, arrangement in product(DESIGNS, FAMILY_B.forms):
        style = STYLE._replace(design=design, form=arrangement)
        seen = [
            look(
                write(
                    style=style,
                    questions=(Question("Ю", kind, (Part(name, "text"),), attribute, operator),),
                    buttons=(("", text),),
                    action=action,
                )
            ).names
            for kind, name, attribute, operator, text, action in (
                ("keyword", "kwd", "title", "keyword", "Ищи", "/finder"),
                ("other", "txtUser", "", "", "Войти", "/logon"),
            )
        ]
        assert seen[0] == seen[1]


def test_the_first_text_field_is_completed() -> None:
    for made, design in product(("html", "script", "formless"), ("twelve", "weblog", "shell", "gazette")):
        html = write(style=STYLE._replace(design=design), made=made, suggest="/complete?x=1&amp;y=")
        assert "fetch(" in html
        assert 'source="/complete?x=1&amp;y="' in html
    page = read(write(suggest="/complete"))
    assert fields_of(page.forms[0])[0] in {"state", "kwd"}


def test_a_small_form_has_no_heading() -> None:
    for place in ("header", "footer"):
        assert "Форма" not in write(place=place)
    assert "Форма" in write()


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("layout", sorted(FAMILY_B.results))
def test_answers_have_all_they_are_given(layout: str, design: str) -> None:
    listing = replace(LISTING, style=STYLE._replace(design=design, results=layout))
    page = read(FAMILY_B.results[layout](listing))
    assert {"/r/0", "/r/2", "/r/3", "/ad/0", "/ad/2", "/ad/9", "/p/1", "/p/3", "/sort/1", "/liked/1"} <= paths(page)
    for said in (
        "Ответы",
        "10 - 20",
        "Только 100",
        "Запись 1",
        "300",
        "2012",
        "Реклама",
        "Объявление 2",
        "20",
        SAYS["sort_by"],
        SAYS["liked"],
    ):
        assert said in page.text
    order = [
        page.text.index(said)
        for said in ("Объявление 0", "Запись 0", "Запись 1", "Объявление 2", "Запись 2", "Запись 3", "Объявление 9")
    ]
    assert order == sorted(order)
    assert [fields_of(form) for form in page.forms] == [["again"]]
    assert own_words(FAMILY_B.results[layout](listing)) == []


@pytest.mark.parametrize("layout", sorted(FAMILY_B.results))
def test_an_empty_answer_is_a_page(layout: str) -> None:
    empty = replace(
        LISTING,
        rows=(),
        notices=(),
        previous=None,
        next=None,
        pages=(),
        sorts=(),
        liked=(),
        count="",
        remark="",
        form="",
    )
    page = read(FAMILY_B.results[layout](empty))
    assert not page.links
    assert "Ответы" in page.text


@pytest.mark.parametrize("way", sorted(FAMILY_B.details))
def test_a_record_has_all_its_values(way: str) -> None:
    for design in DESIGNS:
        html = FAMILY_B.details[way](replace(DETAIL, style=STYLE._replace(design=design)))
        page = read(html)
        assert all(said in page.text for said in ("Запись", "Цена", "100", "Год", "2011"))
        assert "/liked/1" in paths(page)
        assert own_words(html) == []


@pytest.mark.parametrize("way", sorted(FAMILY_B.lists))
@pytest.mark.parametrize("heading", ["", "Ссылки"])
def test_a_list_has_all_links(way: str, heading: str) -> None:
    html = FAMILY_B.lists[way](heading, links("l", 7))
    assert {link.href for link in links("l", 7)} <= paths(read(html))
    assert heading in html
    assert own_words(html) == []


@pytest.mark.parametrize("design", DESIGNS)
def test_text_is_written(design: str) -> None:
    style = STYLE._replace(design=design)
    text = read(FAMILY_B.write_text(style, "Глава", ("Один.", "Два."))).text
    assert text.index("Глава") < text.index("Один.") < text.index("Два.")
    assert "Один." in FAMILY_B.write_text(style, "", ("Один.",))


def test_pages_have_addresses_of_their_own() -> None:
    for pattern in FAMILY_B.addresses.pages:
        parent = pattern.format(n=4, slug="a", above="/")
        made = [pattern.format(n=n, slug=slug, above="/") for n, slug in ((4, "a"), (5, "a"), (14, "b"))]
        assert len(set(made)) == 3
        assert all(address.startswith("/") for address in made)
        if "{above}" in pattern:
            assert pattern.format(n=5, slug="b", above=parent).startswith(parent)
    assert sum("{above}" in pattern for pattern in FAMILY_B.addresses.pages) >= 2


def test_names_are_complete_and_not_those_of_others() -> None:
    given = FAMILY_B.addresses
    assert set(given.words) == set(KINDS)
    assert all(len(words) == len(set(words)) >= 4 for words in given.words.values())
    assert len({word for words in given.words.values() for word in words}) == sum(map(len, given.words.values()))
    assert set(given.names) == {*FIELDS, "keyword", "operator", "sort", "token", "page_size", "submit"}
    assert all(len(names) >= 3 for names in given.names.values())
    assert not TAKEN & {name for names in (*given.names.values(), *given.words.values()) for name in names}
    sizes = [
        len(given.pages),
        len(given.answers),
        len(given.details),
        len(given.services),
        len(given.attributes),
        len(given.ends),
        len(given.paging),
        len(given.hidden),
    ]
    assert all(size >= least for size, least in zip(sizes, (7, 8, 5, 4, 6, 4, 6, 6), strict=True))
    assert all("{word}" in pattern for pattern in given.answers)
    assert all("{db}" in pattern and "{n}" in pattern for pattern in given.details)
    assert {counted for _, counted in given.paging} == {"pages", "records"}


def test_there_is_enough_of_everything() -> None:
    family = FAMILY_B
    sizes = (len(family.designs), len(family.results), len(family.details), len(family.lists), len(family.marks))
    assert all(size >= least for size, least in zip(sizes, (13, 6, 4, 5, 8), strict=True))
    assert family.old <= set(family.designs)
    assert len(set(family.marks)) == len(family.marks)


def test_a_design_is_written_fast() -> None:
    for design in DESIGNS:
        view = replace(VIEW, style=STYLE._replace(design=design))
        write_page = FAMILY_B.designs[design]
        best = min(repeat(lambda: write_page(view), number=200, repeat=5, timer=process_time)) / 200  # noqa: B023
        assert best < 200e-6, f"{design} takes {best * 1e6:.0f} microseconds"
