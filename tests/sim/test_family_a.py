"""Template family A: every design, form, answer and list says what it is given, and not a word more."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from itertools import product

import pytest

from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.sim.family_a import FAMILY_A, SCRIPT_MENUS
from dowse.sim.view import Anchor, Detail, FormView, Group, Listing, Notice, Part, Question, Row, Style, View

HERE = "http://a.example/dir/page.html"
SAYS = defaultdict(lambda: "zzsays")  # every word given begins with zz: what does not is the family's own
STYLE = Style("modern", "for", "simple", "table", "table", "points", "box")
FAMILY = FAMILY_A
SPOKEN = re.compile(
    r'\b(?:alt|title|placeholder|aria-label|(?:submit|reset|button)"[^>]* value)="([^"]*)"', re.IGNORECASE
)
CLASSES = re.compile(r'\b(?:class|id)="?([^">]+)', re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]{2,}")


def links(name: str, count: int) -> tuple[Anchor, ...]:
    return tuple(Anchor(f"/{name}/{number}?a=1&amp;b={number}", f"zz{name}{number}") for number in range(count))


PLAIN = (
    Question("zzone", "keyword", (Part("q", "text"),), operator="keyword"),
    Question("", "operator", (Part("op", "select", (("all", "zzall"), ("any", "zzany"))),)),
    Question("zzstate", "state", (Part("sid", "hidden", value="zz1"),)),
)
ALL = (
    *PLAIN,
    Question("zztwo", "choice", (Part("make", "select", (("1", "zzA"), ("2", "zzB")), "2"),)),
    Question("zzthree", "choice", (Part("fuel", "radio", (("x", "zzX"), ("y", "zzY")), "y"),)),
    Question("zzfour", "several", (Part("has", "checkbox", (("u", "zzU"), ("v", "zzV"))),)),
    Question("zzfive", "range", (Part("lo", "number", hint="zzfrom"), Part("hi", "number", hint="zzto"))),
    Question("zzsix", "date", (Part("d", "select", (("1", "1"),), hint="zzday"), Part("y", "text", hint="zzyear"))),
    Question("zzseven", "other", (Part("agree", "checkbox", value="1"),)),
    Question("zzeight", "other", (Part("text", "textarea", value="zzpreset"),)),
    Question("zznine", "other", (Part("up", "file"), Part("pw", "password"), Part("mail", "email", value="zzm"))),
    Question("zzop", "operator", (Part("how", "radio", (("a", "zzAnd"), ("o", "zzOr"))),)),
    Question("zzten", "several", (Part("more", "select", (("m", "zzM"),)),)),
)
FORM = FormView(
    style=STYLE,
    says=SAYS,
    number=1,
    heading="zzheading",
    method="GET",
    action="/zz/answer?a=1&amp;b=2",
    questions=ALL,
    buttons=(("", "zzgo"), ("second", "zzsecond")),
    reset="zzreset",
    place="content",
    made="html",
    suggest="/zz/service",
)
VIEW = View(
    style=STYLE,
    says=SAYS,
    language="de",
    encoding="utf-8",
    number=7,
    title="zztitle",
    site_name="zzsite",
    base="",
    canonical="/canonical",
    search_description="/search.xml",
    menu=(Group("zzfirst", links("menu", 4)), Group("", links("rest", 3)), Group("zzlast", links("last", 3))),
    submenu=links("submenu", 4),
    crumbs=links("crumbs", 2),
    tags=links("tags", 3),
    tools=links("tools", 2),
    outside=(Anchor("http://other.example/", "zzother"),),
    hidden=links("hidden", 2),
    header="",
    content="<p>zzcontent</p>",
    footer="",
)
LISTING = Listing(
    style=STYLE,
    says=SAYS,
    heading="zzheading",
    count="zzcount 1-3",
    remark="zzremark",
    rows=(
        Row("/r/1", "zzr1", (("zzl1", "zzv11"), ("zzl2", "zzv12"), ("zzl3", "zzv13"))),
        Row("", "zzr2", (("zzl1", "zzv21"), ("zzl2", ""), ("zzl3", "zzv23"))),
        Row("/r/3", "zzr3", (("zzl1", "zzv31"), ("zzl3", "zzv33"))),
    ),
    notices=(Notice(1, "zzad", "zzbuy", "/ad/1"), Notice(3, "zzad", "zzbuy", "/ad/2")),
    previous=Anchor("/prev", "zzprev"),
    next=Anchor("/next", "zznext"),
    pages=(("1", Anchor("/p/1", "1")), ("2", None), ("3", Anchor("/p/3", "3"))),
    sorts=links("sorts", 2),
    liked=links("liked", 2),
    form="<i>zzform</i>",
)
DETAIL = Detail(STYLE, SAYS, "zzrecord", (("zzl1", "zzv1"), ("zzl2", ""), ("zzl3", "zzv3")), links("liked", 2))


def read(html: str, encoding: str = "utf-8") -> Page:
    return read_page(Response(HERE, 200, (("content-type", "text/html"),), html.encode(encoding, "xmlcharrefreplace")))


def inside(html: str) -> Page:
    return read(f"<!doctype html><meta charset=utf-8><title>zz</title><body>{html}")


def paths(page: Page) -> list[str]:
    """Return where the links lead that a person can follow; a search description is none."""
    return [link.url.removeprefix("http://a.example").partition("?")[0] for link in page.links if link.rel != "search"]


def described(page: Page) -> list[str]:
    return [link.url for link in page.links if link.rel == "search"]


def wanted(anchors: tuple[Anchor, ...]) -> list[str]:
    return [anchor.href.partition("?")[0] for anchor in anchors]


def own_words(html: str, page: Page) -> list[str]:
    """Return the words that a page shows or speaks and was not given."""
    shown = re.sub(r"<(script|style|head)\b.*?</\1>", "", html, flags=re.DOTALL | re.IGNORECASE)
    spoken = " ".join(SPOKEN.findall(shown))
    return [word for word in WORD.findall(f"{page.title} {page.text} {spoken}") if not word.lower().startswith("zz")]


def class_names(html: str) -> set[str]:
    """Return the class names and ids in a piece of HTML."""
    return {name for group in CLASSES.findall(html) for name in group.split()}


def names(form: Form) -> set[str]:
    return {field.name for field in form.fields if field.name}


def given_names(view: FormView) -> set[str]:
    parts = {part.name for question in view.questions for part in question.parts}
    return parts | {name for name, _ in view.buttons if name}


def test_there_is_enough_of_everything() -> None:
    counts = (FAMILY.designs, FAMILY.labels, FAMILY.forms, FAMILY.results, FAMILY.details, FAMILY.lists, FAMILY.marks)
    floors = (13, 8, 6, 6, 4, 5, 8)
    assert all(len(table) >= floor for table, floor in zip(counts, floors, strict=True))
    assert FAMILY.old < set(FAMILY.designs)
    assert set(FAMILY.designs) > SCRIPT_MENUS


@pytest.mark.parametrize("design", FAMILY.designs)
class TestDesign:
    def write(self, design: str, view: View = VIEW) -> str:
        return FAMILY.designs[design](replace(view, style=view.style._replace(design=design)))

    @pytest.mark.parametrize("number", range(6))
    def test_shows_every_link_once(self, design: str, number: int) -> None:
        found = paths(read(self.write(design, replace(VIEW, number=number))))
        menu = () if design in SCRIPT_MENUS else VIEW.links
        must = wanted((*menu, *VIEW.submenu, *VIEW.tools, *VIEW.hidden, *VIEW.outside))
        assert [path for path in must if found.count(path) != 1] == []
        assert set(found) - set(must) <= set(wanted((*VIEW.crumbs, *VIEW.tags)))

    def test_says_nothing_of_its_own(self, design: str) -> None:
        html = self.write(design)
        page = read(html)
        assert own_words(html, page) == []
        assert "zzcontent" in page.text
        assert "zztitle" in page.title

    def test_has_a_head(self, design: str) -> None:
        page = read(self.write(design, replace(VIEW, base="http://a.example/other/")))
        assert page.base == "http://a.example/other/"
        assert page.canonical == "http://a.example/canonical"
        assert "application/opensearchdescription+xml" in self.write(design)
        assert described(page) == ["http://a.example/search.xml"]
        assert not [path for path in paths(page) if "#" in path or path == "/other/"]

    def test_declares_its_encoding(self, design: str) -> None:
        html = self.write(design, replace(VIEW, encoding="windows-1251", content="<p>zzПривет</p>"))
        page = read(html, "windows-1251")
        assert page.encoding == "windows-1251"
        assert "zzПривет" in page.text

    def test_goes_without_what_a_page_has_not(self, design: str) -> None:
        nothing = {name: () for name in ("submenu", "crumbs", "tags", "tools", "outside", "hidden")}
        bare = replace(VIEW, canonical="", search_description="", menu=VIEW.menu[:1], **nothing)
        html = self.write(design, bare)
        assert set(paths(read(html))) <= set(wanted(bare.links))
        assert described(read(html)) == []
        assert "canonical" not in html.lower()
        assert "opensearch" not in html.lower()

    def test_takes_its_names_from_the_mark(self, design: str) -> None:
        def written(mark: str) -> set[str]:
            return class_names(self.write(design, replace(VIEW, style=STYLE._replace(mark=mark))))

        first, second = written("mod-"), written("zn")
        assert first
        assert not first & second

    def test_shares_no_class_with_what_it_holds(self, design: str) -> None:
        """A skeleton's style sheet must not reach into forms and answers."""
        style = STYLE._replace(design=design)
        forms = [FAMILY.write_form(replace(FORM, style=style._replace(form=form))) for form in FAMILY.forms]
        answers = [write(replace(LISTING, style=style)) for write in FAMILY.results.values()]
        details = [write(replace(DETAIL, style=style)) for write in FAMILY.details.values()]
        held = {name for html in (*forms, *answers, *details) for name in class_names(html)}
        assert not held & class_names(self.write(design))

    def test_is_of_a_size(self, design: str) -> None:
        assert 1_500 <= len(self.write(design)) <= 7_000

    @pytest.mark.parametrize("form", FAMILY.forms)
    def test_keeps_its_forms_apart(self, design: str, form: str) -> None:
        style = STYLE._replace(design=design, form=form)
        views = [
            replace(FORM, style=style, number=number, place=place, questions=(*asked, own))
            for number, (place, asked) in enumerate((("header", PLAIN), ("content", ALL), ("footer", PLAIN)))
            for own in [Question("zz", "text", (Part(f"own{number}", "text"),))]
        ]
        header, content, footer = map(FAMILY.write_form, views)
        page = read(self.write(design, replace(VIEW, style=style, header=header, content=content, footer=footer)))
        assert sorted(map(sorted, map(names, page.forms))) == sorted(map(sorted, map(given_names, views)))


def test_a_menu_built_by_script_ends_no_script() -> None:
    tricky = (Group("zz</script>", (Anchor("/x", "zz</script><!--"),)),)
    for design in SCRIPT_MENUS:
        html = FAMILY.designs[design](replace(VIEW, style=STYLE._replace(design=design), menu=tricky))
        page = read(html)
        assert "zz</script>" not in html
        assert own_words(html, page) == []
        assert "/x" not in paths(page)


FORM_CASES = list(product(FAMILY.labels, FAMILY.forms, ("content", "header")))


def test_form_in_html() -> None:
    for case in FORM_CASES:
        check_in_html(*case)


def check_in_html(labels: str, form: str, place: str) -> None:
    for design, questions in product(("modern", "table97"), (ALL, PLAIN)):
        style = STYLE._replace(design=design, labels=labels, form=form)
        view = replace(FORM, style=style, place=place, questions=questions)
        html = FAMILY.write_form(view)
        page = inside(html)
        [found] = page.forms
        assert names(found) == given_names(view)
        assert found.action == "http://a.example/zz/answer?a=1&b=2"
        assert own_words(html, page) == []
        assert ("zzheading" in page.text) == (place == "content")


def test_form_by_script() -> None:
    for case in FORM_CASES:
        check_by_script(*case)


def check_by_script(labels: str, form: str, place: str) -> None:
    for design, number in product(("modern", "table97"), range(3)):
        style = STYLE._replace(design=design, labels=labels, form=form)
        page = inside(FAMILY.write_form(replace(FORM, style=style, place=place, made="script", number=number)))
        assert page.forms == ()
        assert own_words("", page) == []


def test_form_sent_by_script() -> None:
    for case in FORM_CASES:
        check_sent_by_script(*case)


def check_sent_by_script(labels: str, form: str, place: str) -> None:
    """All its controls stand in the page, and no form does."""
    for design, number in product(("modern", "table97"), range(3)):
        style = STYLE._replace(design=design, labels=labels, form=form)
        view = replace(FORM, style=style, place=place, made="formless", number=number)
        html = FAMILY.write_form(view)
        page = inside(html)
        [found] = page.forms
        assert found.made == "input"
        assert "<form" not in html.lower()
        assert names(found) == given_names(view)
        assert own_words(html, page) == []


@pytest.mark.parametrize("form", FAMILY.forms)
def test_every_control_is_written_as_asked(form: str) -> None:
    [found] = inside(FAMILY.write_form(replace(FORM, style=STYLE._replace(form=form)))).forms
    fields = {field.name: field for field in found.fields}
    kinds = {part.name: part.control for question in ALL for part in question.parts}
    assert {name: fields[name].type for name in kinds} == kinds
    assert [option.value for option in fields["make"].options] == ["", "1", "2"]
    assert fields["make"].options[0].label == "zzsays"
    assert [option.value for option in fields["op"].options] == ["all", "any"]
    assert (fields["make"].value, fields["text"].value, fields["mail"].value) == ("2", "zzpreset", "zzm")
    assert [field.value for field in found.fields if field.name == "fuel" and field.checked] == ["y"]
    assert fields["more"].multiple
    assert fields["agree"].value == "1"
    assert (found.enctype, found.method) == ("multipart/form-data", "GET")
    assert [field.type for field in found.fields][-3:] == ["submit", "submit", "reset"]


LABELLED = {
    "for": "label",
    "wrapped": "label",
    "pointed": "label",
    "aria": "aria",
    "placeholder": "placeholder",
    "title": "title",
}


@pytest.mark.parametrize("labels", LABELLED)
def test_label_is_read_from_where_it_stands(labels: str) -> None:
    [found] = inside(FAMILY.write_form(replace(FORM, style=STYLE._replace(labels=labels)))).forms
    assert "zzone" in getattr(next(field for field in found.fields if field.name == "q"), LABELLED[labels])


def test_markup_says_nothing_about_what_a_form_is_for() -> None:
    """Two forms that differ in words, names and kinds only have the same skeleton."""
    login = (Question("zzu", "other", (Part("user", "text"),)), Question("zzp", "other", (Part("u2", "text"),)))
    search = (Question("zza", "keyword", (Part("query", "text"),)), Question("zzb", "text", (Part("kw", "text"),)))
    for labels, form, place in FORM_CASES:
        style = STYLE._replace(labels=labels, form=form)
        written = [
            re.sub(
                r"zz\w*|name=\"\w+\"", "", FAMILY.write_form(replace(FORM, style=style, place=place, questions=asked))
            )
            for asked in (login, search)
        ]
        assert written[0] == written[1]


def test_completing_names_its_service() -> None:
    for mark in FAMILY.marks:
        html = FAMILY.write_form(replace(FORM, style=STYLE._replace(mark=mark)))
        assert html.count("/zz/service") == 1
        assert "XMLHttpRequest" in html
    assert "/zz/service" not in FAMILY.write_form(replace(FORM, suggest=""))


@pytest.mark.parametrize("layout", FAMILY.results)
class TestResults:
    def test_shows_everything(self, layout: str) -> None:
        html = FAMILY.results[layout](LISTING)
        page = inside(html)
        must = [
            "/r/1",
            "/r/3",
            "/ad/1",
            "/ad/2",
            "/prev",
            "/next",
            "/p/1",
            "/p/3",
            *wanted(LISTING.sorts + LISTING.liked),
        ]
        assert set(must) == set(paths(page))
        said = ["zzheading", "zzcount", "zzremark", "zzform", "zzr1", "zzr2", "zzad", "zzbuy", "zzsort", "zzliked"]
        said += [value for row in LISTING.rows for _, value in row.cells]
        assert [word for word in said if word not in page.text] == []
        assert own_words(html, page) == []

    def test_keeps_records_in_order_around_notices(self, layout: str) -> None:
        found = paths(inside(FAMILY.results[layout](LISTING)))
        in_order = [path for path in found if path.startswith(("/r/", "/ad/"))]
        assert in_order == ["/r/1", "/ad/1", "/r/3", "/ad/2"]

    def test_goes_without_what_an_answer_has_not(self, layout: str) -> None:
        nothing = {"rows": (), "notices": (), "pages": (), "sorts": (), "liked": (), "previous": None, "next": None}
        page = inside(FAMILY.results[layout](replace(LISTING, count="", remark="", form="", **nothing)))
        assert page.links == ()
        assert "zzheading" in page.text

    def test_in_every_design(self, layout: str) -> None:
        for design in FAMILY.designs:
            style = STYLE._replace(design=design)
            content = FAMILY.results[layout](replace(LISTING, style=style))
            found = paths(read(FAMILY.designs[design](replace(VIEW, style=style, content=content))))
            assert {"/r/1", "/r/3", "/next", *wanted(VIEW.tools)} <= set(found)


@pytest.mark.parametrize("way", FAMILY.details)
def test_detail_shows_its_values(way: str) -> None:
    html = FAMILY.details[way](DETAIL)
    page = inside(html)
    assert [word for word in ("zzrecord", "zzl1", "zzv1", "zzv3") if word not in page.text] == []
    assert paths(page) == wanted(DETAIL.liked)
    assert own_words(html, page) == []


@pytest.mark.parametrize("way", FAMILY.lists)
def test_list_shows_its_links(way: str) -> None:
    anchors = links("list", 7)
    for heading in ("zzhead", ""):
        html = FAMILY.lists[way](heading, anchors)
        page = inside(html)
        assert paths(page) == wanted(anchors)
        assert ("zzhead" in page.text) == bool(heading)
        assert own_words(html, page) == []


@pytest.mark.parametrize("design", FAMILY.designs)
def test_text_is_written_whole(design: str) -> None:
    style = STYLE._replace(design=design)
    page = inside(FAMILY.write_text(style, "zzhead", ("zzone.", "zztwo.")))
    assert page.text.split() == ["zzhead", "zzone.", "zztwo."]


class TestAddresses:
    addresses = FAMILY.addresses

    def test_there_are_enough(self) -> None:
        flat = [pattern for pattern in self.addresses.pages if "{above}" not in pattern]
        assert len(flat) >= 7
        assert len(self.addresses.pages) - len(flat) >= 2
        tables = ("answers", "details", "services", "attributes", "ends", "paging", "hidden")
        for name, floor in zip(tables, (8, 5, 4, 6, 4, 6, 6), strict=True):
            assert len(getattr(self.addresses, name)) >= floor, name
        assert min(map(len, self.addresses.words.values())) >= 4
        assert min(map(len, self.addresses.names.values())) >= 3

    def test_a_child_stands_below_its_parent(self) -> None:
        for pattern in self.addresses.pages:
            if "{above}" in pattern:
                parent = pattern.format(above="/", slug="one", n=1)
                assert pattern.format(above=parent, slug="two", n=2).startswith(parent)
                assert parent.endswith("/")
            else:
                assert "{n}" in pattern

    def test_no_answer_stands_where_pages_do(self) -> None:
        words = [word for each in self.addresses.words.values() for word in each]
        answers = {pattern.format(word=word) for pattern in self.addresses.answers for word in words}
        patterns = (*self.addresses.pages, *self.addresses.details, *self.addresses.services)
        assert not answers & {pattern.partition("?")[0] for pattern in patterns}

    def test_no_word_serves_two_kinds_of_form(self) -> None:
        words = [word for each in self.addresses.words.values() for word in each]
        assert len(words) == len(set(words))

    def test_no_name_is_used_twice_in_a_form(self) -> None:
        groups = [each for key, each in self.addresses.names.items() if key != "search_site"]
        given = [name for each in groups for name in each]
        given += [name for name, _ in (*self.addresses.paging, *self.addresses.hidden)]
        assert sorted({name for name in given if given.count(name) > 1}) == []
