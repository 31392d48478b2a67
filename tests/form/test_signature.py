"""When two forms are the same form, and when two ask the same database."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dowse.form.doors import find_doors
from dowse.form.signature import MAX_DATABASE, database_of, is_random, is_wordlike, names_of, sign
from dowse.model import Field, Form, Option, Page

FORM = Form(
    0,
    "GET",
    "http://e.com/find?session=1",
    (
        Field("q", "text"),
        Field("t", "hidden", value="1"),
        Field("s", "select", options=(Option("a"), Option("b"))),
    ),
)
HEX = "8f3a2c1d9b7e4a5f6c0d"


def sent_to(action: str, *hidden: tuple[str, str], method: str = "GET") -> Form:
    return Form(0, method, action, (Field("q", "text"), *(Field(name, "hidden", value=v) for name, v in hidden)))


def test_hidden_state_order_and_host_do_not_matter() -> None:
    other = replace(
        FORM,
        index=3,
        action="http://www.e.com/find?session=2",
        fields=(
            Field("s", "select", options=(Option("b"), Option("a"))),
            Field("q", "text"),
            Field("t", "hidden", value="2"),
        ),
    )
    assert sign(other) == sign(FORM)


def test_target_method_and_fields_matter() -> None:
    signatures = {
        sign(FORM),
        sign(replace(FORM, action="http://e.com/other")),
        sign(replace(FORM, method="POST")),
        sign(replace(FORM, fields=FORM.fields[:2])),
    }
    assert len(signatures) == 4


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://e.com/find", "https://e.com/find"),
        ("http://e.com/find", "http://e.com:80/find/"),
        ("http://e.com/find", "https://e.com:443/find"),
        ("http://e.com/", "http://www.e.com/index.html"),
        ("http://e.com/a/", "http://m.e.com/a/index.php"),
        ("http://e.com/find", "http://cdn2.e.com/find"),
        ("http://e.com/find", "http://eu1.cdn.e.com/find"),
        ("http://e.co.uk/find", "http://www.e.co.uk/find"),
        ("http://e.com/find", f"http://e.com/find;jsessionid={HEX}"),
        ("http://e.com/find", f"http://e.com/find?PHPSESSID={HEX}"),
        ("http://e.com/find", f"http://e.com/find?sid={HEX}"),
        ("http://e.com/find", f"http://e.com/find?visit={HEX}"),
        ("http://e.com/app/find", "http://e.com/app/(S(x1y2z3abc))/find"),
        ("http://e.com/find", "http://e.com/S(abc123)/find"),
        ("http://e.com/find", f"http://e.com/{HEX}/find"),
        ("http://e.com/find", "http://e.com/1b4e28ba-2fa1-11d2-883f-0016d3cca427/find"),
        ("http://e.com/find?page=search", f"http://e.com/find?t={HEX}&page=search&start=20"),
        ("http://e.com/~a/find", "http://e.com/%7Ea/find"),
    ],
)
def test_addresses_of_one_door(first: str, second: str) -> None:
    assert sign(sent_to(first)) == sign(sent_to(second))
    assert database_of(sent_to(first)) == database_of(sent_to(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://e.com/find", "http://f.com/find"),
        ("http://e.com/find", "http://library.e.com/find"),
        ("http://e.com/find", "http://e.com:8080/find"),
        ("http://e.com/find?page=search", "http://e.com/find?page=cars"),
        ("http://e.com/cars/find", "http://e.com/news/find"),
        ("http://e.com/2019/find", "http://e.com/2020/find"),
        ("http://web.co.uk/find", "http://m.co.uk/find"),
        ("http://www.com/find", "http://m.com/find"),
    ],
)
def test_addresses_of_two_doors(first: str, second: str) -> None:
    assert sign(sent_to(first)) != sign(sent_to(second))
    assert database_of(sent_to(first)) != database_of(sent_to(second))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (("type", "cars"), ("type", "news"), False),
        (("section", "used-cars"), ("section", "newCarsByMake"), False),
        (("раздел", "книги"), ("раздел", "новости"), False),
        (("post_type", "product"), ("post_type", "all"), False),
        (("sitesearch", "e.com"), ("sitesearch", "f.com"), False),
        (("type", "all"), ("type", ""), True),
        (("token", "kqzvbxwrtp"), ("token", "zzxwvbnmrt"), True),
        (("csrf", HEX), ("csrf", HEX[::-1]), True),
        (("key", "aGkQzPtLmWxYbRcD"), ("key", "ZbQmLpRtYwKxVcNd"), True),
        (("product", "12345"), ("product", "777"), True),
        (("return_to", "news"), ("return_to", "cars"), True),
        (("lang", "en"), ("lang", "de"), True),
        (("where", "page_header"), ("where", "page_footer"), True),
        ((f"f_{HEX}", "cars"), (f"f_{HEX[::-1]}", "news"), True),
    ],
)
def test_hidden_words_count_and_hidden_noise_does_not(
    first: tuple[str, str], second: tuple[str, str], same: bool
) -> None:
    forms = [sent_to("http://e.com/find", each, method="POST") for each in (first, second)]
    assert (sign(forms[0]) == sign(forms[1])) is same


def test_a_constant_is_the_same_in_the_address_and_in_a_hidden_field() -> None:
    assert sign(sent_to("http://e.com/?type=cars")) == sign(sent_to("http://e.com/", ("type", "cars")))


def test_names_that_change_from_page_to_page() -> None:
    def named(*fields: tuple[str, str]) -> str:
        return sign(replace(FORM, fields=tuple(Field(name, "text", label=label) for name, label in fields)))

    assert named(("q_8f3a2c", "Word")) == named(("q_1b9d4e", "Word"))
    assert named(("q-1700000001", "Word")) == named(("q-1700009999", "Word"))
    assert named(("q_8f3a2c", "Word")) != named(("s_8f3a2c", "Word"))
    assert named(("entry.123456789", "Title")) != named(("entry.987654321", "Author"))
    assert named(("entry.123456789", "a"), ("entry.223456789", "a")) != named(("entry.123456789", "a"))
    assert named(("author1", "")) != named(("author2", ""))
    assert named(("decade2000", "")) != named(("decade2010", ""))


def test_a_form_that_sends_to_its_own_page_is_known_by_its_words() -> None:
    first = sign(replace(FORM, action="http://e.com/a", own_page=True, text="Search books"))
    again = sign(replace(FORM, action="http://e.com/b?x=1", own_page=True, text="Search books"))
    other = sign(replace(FORM, action="http://e.com/c", own_page=True, text="Search cars"))
    assert first == again != other
    counted = sign(replace(FORM, action="http://e.com/b", own_page=True, text="Search books (1,234)"))
    assert counted == first
    asked = replace(FORM, own_page=True, fields=(Field("q", "text", placeholder="Find a car"),))
    assert sign(asked) != sign(replace(asked, fields=(Field("q", "text", placeholder="Find a book"),)))


def test_a_form_whose_server_names_it_is_known_by_that_name() -> None:
    def drupal(action: str, name: str) -> Form:
        return sent_to(action, ("form_id", name), ("form_build_id", f"form-{HEX}"), method="POST")

    assert sign(drupal("http://e.com/a", "search_block")) == sign(drupal("http://e.com/b/c", "search_block"))
    assert sign(drupal("http://e.com/a", "search_block")) != sign(drupal("http://e.com/a", "node_12"))


def test_a_search_box_in_a_page_that_is_one_form() -> None:
    def aspnet(action: str, *more: Field) -> Form:
        state = Field("__VIEWSTATE", "hidden", value=HEX * 20)
        return Form(0, "POST", action, (state, Field("ctl00$search", "text"), *more))

    assert sign(aspnet("http://e.com/a.aspx")) == sign(aspnet("http://e.com/b.aspx"))
    many = [Field(name, "text") for name in ("make", "model", "year")]
    assert sign(aspnet("http://e.com/a.aspx", *many)) != sign(aspnet("http://e.com/b.aspx", *many))


def test_a_small_form_that_is_posted_to_its_own_address_is_kept_once() -> None:
    letter = replace(sent_to("http://e.com/", method="POST"), name="newsletter", text="Get news")
    names: set[str] = set()

    def keep(page: str, form: Form) -> int:
        doors, signatures = find_doors(Page(page, forms=(form,)), known=names)
        names.update(signatures)
        return len(doors)

    assert keep("http://e.com/", letter) == 1
    assert keep("http://e.com/a", letter) == 0
    assert keep("http://e.com/b", replace(letter, action="http://e.com/b")) == 0
    assert keep("http://e.com/c", replace(letter, action="http://e.com/c?x=1")) == 0
    assert keep("http://e.com/d", replace(letter, action="http://e.com/d", name="poll", text="Vote")) == 1
    assert keep("http://e.com/f", replace(letter, action="http://e.com/g")) == 1
    many = tuple(Field(name, "text") for name in ("make", "model", "year", "price"))
    assert keep("http://e.com/h", replace(letter, action="http://e.com/h", fields=many)) == 1
    assert keep("http://e.com/i", replace(letter, action="http://e.com/i", fields=many)) == 1


def test_a_template_is_the_same_door_as_the_form_it_describes() -> None:
    form = sent_to("http://www.e.com/", ("post_type", "product"))
    action = Form(
        0, "GET", "https://e.com/", (Field("q", "search"), Field("post_type", "hidden", value="product")), made="search-action"
    )  # fmt: skip
    written = Form(
        0, "GET", "https://e.com/", (Field("words", "search"),), made="opensearch",
        template="https://e.com/?post_type=product&q={words?}",
    )  # fmt: skip
    assert sign(form) == sign(action) == sign(written)
    assert database_of(form) == database_of(action) == database_of(written)


def test_templates_with_values_in_the_path() -> None:
    def template(address: str) -> Form:
        return Form(0, "GET", "https://e.com/s/", (Field("q", "search"),), made="search-action", template=address)

    assert sign(template("https://e.com/s/{q}")) == sign(template("http://www.e.com/s/{q}/"))
    addresses = ("https://e.com/s/{q}", "https://e.com/t/{q}", "https://e.com/s/#cars/{q}", "https://e.com/s/#news/{q}")
    assert len({sign(template(each)) for each in addresses}) == 4
    assert database_of(template("https://e.com/s/{q}")) == "e.com/s"


@pytest.mark.parametrize(
    ("form", "name"),
    [
        (sent_to("https://www.e.com/find/"), "e.com/find"),
        (sent_to("https://www.e.com/"), "e.com/"),
        (sent_to("http://find.it/q", ("site", "4711")), "find.it/q?site=4711"),
        (sent_to("http://find.it/q?account=Acme"), "find.it/q?account=acme"),
        (sent_to("http://find.it/q", ("cx", "0123:x-y_z")), "find.it/q?cx=0123:x-y_z"),
        (sent_to("http://find.it/q", ("aff", "4711"), ("csrf", HEX)), "find.it/q"),
        (sent_to("http://e.com/q", ("type", "cars"), ("db", "old")), "e.com/q?db=old&type=cars"),
        (sent_to(""), ""),
    ],
)
def test_names_of_databases(form: Form, name: str) -> None:
    assert database_of(form) == name
    assert database_of(replace(form, method="POST")) == name


@pytest.mark.parametrize(
    "text", ["cars", "used-cars", "newCarsByMake", "com_search", "книги", "pdf", "Wirtschaft", "au"]
)
def test_what_people_write(text: str) -> None:
    assert is_wordlike(text)
    assert not is_random(text)


@pytest.mark.parametrize(
    "text", [HEX, "0123456789012345", "1FAIpQLSd5x9Kq2Lm7Tz", "1b4e28ba-2fa1-11d2-883f-0016d3cca427"]
)
def test_what_machines_draw(text: str) -> None:
    assert is_random(text)
    assert not is_wordlike(text)


@pytest.mark.parametrize(
    "text", ["history-of-the-1990s-in-20-pictures", "search-results-page-2", "iso-8859-1", "windows-10-64bit"]
)
def test_words_with_numbers_in_an_address_are_not_random(text: str) -> None:
    assert not is_random(text)


# properties

names = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=10)
folders = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8), max_size=3)
tokens = st.integers(min_value=2**64, max_value=2**128).map(lambda number: f"{number:032x}")
hosts = st.sampled_from(("", "www.", "m.", "cdn.", "www3.", "cdn-2.", "static.", "secure."))
choices = st.lists(names.map(lambda name: Option(name, name)), max_size=6)
visible = st.builds(
    lambda name, kind, some: Field(name, kind, options=tuple(some) if kind == "select" else ()),
    names, st.sampled_from(("text", "search", "select", "radio", "checkbox", "password")), choices,
)  # fmt: skip
forms = st.builds(
    lambda method, path, fields: Form(0, method, f"http://e.com/{'/'.join(path)}", tuple(fields)),
    st.sampled_from(("GET", "POST")), folders, st.lists(visible, min_size=1, max_size=6),
)  # fmt: skip


def with_session(action: str, token: str, way: int) -> str:
    first, _, rest = action.removeprefix("http://e.com/").partition("/")
    return (
        f"{action};jsessionid={token}",
        f"{action}?PHPSESSID={token}",
        f"{action}?sid={token}",
        f"{action}?page={token}",
        f"http://e.com/(S({token}))/{first}/{rest}".rstrip("/"),
        f"http://e.com/{token}/{first}/{rest}".rstrip("/"),
    )[way]


@given(forms, tokens, st.integers(0, 5))
def test_sessions_do_not_matter(form: Form, token: str, way: int) -> None:
    assert sign(replace(form, action=with_session(form.action, token, way))) == sign(form)


@given(forms, hosts, st.sampled_from(("http", "https")))
def test_interchangeable_hosts_do_not_matter(form: Form, host: str, scheme: str) -> None:
    other = replace(form, action=f"{scheme}://{host}{form.action.removeprefix('http://')}")
    assert sign(other) == sign(form)
    assert database_of(other) == database_of(form)


@given(forms, tokens, st.randoms(use_true_random=False))
def test_tokens_and_the_order_of_all_there_is_do_not_matter(form: Form, token: str, rng: object) -> None:
    fields = [each._replace(options=tuple(rng.sample(each.options, len(each.options)))) for each in form.fields]  # type: ignore[attr-defined]
    fields.append(Field("_token", "hidden", value=token))
    rng.shuffle(fields)  # type: ignore[attr-defined]
    assert sign(replace(form, fields=tuple(fields))) == sign(form)


@given(forms, names)
def test_another_field_is_another_form(form: Form, name: str) -> None:
    more = Field(f"x{name}", "text")
    if more.name not in {field.name for field in form.fields}:
        assert sign(replace(form, fields=(*form.fields, more))) != sign(form)
        assert sign(replace(form, fields=(*form.fields[1:], more))) != sign(form)


@given(forms, folders)
def test_another_path_is_another_form(form: Form, path: list[str]) -> None:
    other = replace(form, action=f"http://e.com/{'/'.join(path)}")
    assert (sign(other) == sign(form)) is (other.action == form.action)
    assert (database_of(other) == database_of(form)) is (other.action == form.action)


@settings(max_examples=200)
@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=40), st.text(max_size=80), st.booleans())
@example("http://[::1/%zz;;?&&==#{", "\ud800", "\ud800", "{a}{b}", False)
@example("http://.../..;a=b;/", "a\nb", "", "", True)
def test_nothing_that_a_page_says_is_too_much(action: str, name: str, value: str, template: str, own: bool) -> None:
    fields = (Field(name, "hidden", value=value), Field(value, "text", name, action), Field("", ""))
    form = Form(0, "GET", action, fields, text=value, own_page=own, template=template)
    assert len(sign(form)) == 16
    assert all(len(each) == 16 for each in names_of(replace(form, method="POST"), action))
    assert len(database_of(form)) <= MAX_DATABASE


def test_a_form_of_great_size_has_a_name() -> None:
    fields = [Field(f"f{number}", "hidden", value="word") for number in range(5_000)]
    form = Form(0, "GET", "http://e.com/" + "a/" * 1_000 + "?" + "a=b&" * 5_000, tuple(fields), text="x" * 1_000)
    assert len(sign(form)) == 16
    assert len(database_of(form)) <= MAX_DATABASE


@pytest.mark.parametrize(
    ("hidden", "pages", "same"),
    [
        ("status", ("http://e.com/list?status={0}", "http://e.com/list?status={0}"), True),
        ("owner", ("http://e.com/owner/{0}", "http://e.com/owner/{0}"), True),
        ("tbl", ("http://e.com/browse?tbl={0}", "http://e.com/browse?tbl={0}"), False),
        ("status", ("http://e.com/{0}-list", "http://e.com/{0}-list"), False),
    ],
    ids=["the filter that is shown", "the folder it stands in", "the table", "nothing of the address"],
)
def test_the_state_of_a_page_makes_no_new_form(hidden: str, pages: tuple[str, str], same: bool) -> None:
    names = [
        names_of(sent_to("http://e.com/find", (hidden, value)), page.format(value))
        for value, page in zip(("cars", "films"), pages, strict=True)
    ]
    assert bool(set(names[0]) & set(names[1])) is same


def test_a_form_without_an_address_is_the_one_that_other_pages_send_here() -> None:
    own = replace(FORM, action="http://e.com/find?page=2", own_page=True)
    other = replace(FORM, action="http://e.com/find")
    assert set(names_of(own, "http://e.com/find?page=2")) & set(names_of(other, "http://e.com/about"))
