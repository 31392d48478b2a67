"""Pages that are no answers, and answers that only speak of trouble."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Field, Form, Page, Request, Response
from dowse.records.counts import Count
from dowse.records.trouble import (
    CLOSED,
    CONSENT,
    ELSEWHERE,
    ERROR,
    EXPIRED,
    LOGIN,
    ROBOT_CHECK,
    TOO_BROAD,
    TOO_MANY,
    TOO_SHORT,
    judge_empty,
    judge_redirect,
    judge_trouble,
)

PAGE = Page("http://a.test/search?q=x", title="Search")
LOGIN_FORM = Form(0, "POST", "http://a.test/login", (Field("user", "text"), Field("word", "password")))
SEARCH_FORM = Form(1, "GET", "http://a.test/search", (Field("q", "text"),))


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("Please verify you are a human", ROBOT_CHECK),
        ("Our systems have detected unusual traffic from your network", ROBOT_CHECK),
        ("Checking your browser before accessing the site", ROBOT_CHECK),
        ("Bitte bestätigen Sie, dass Sie kein Roboter sind", ROBOT_CHECK),
        ("Je ne suis pas un robot", ROBOT_CHECK),
        ("私はロボットではありません", ROBOT_CHECK),
        ("You must be logged in to view this page.", LOGIN),
        ("Please sign in to continue", LOGIN),
        ("Bitte melden Sie sich an, um die Suche zu nutzen", LOGIN),
        ("Vous devez être connecté pour voir les résultats", LOGIN),
        ("Debe iniciar sesión para ver los resultados", LOGIN),
        ("Необходимо авторизоваться", LOGIN),
        ("ログインが必要です", LOGIN),
        ("Your session has expired. Please start again.", EXPIRED),
        ("Ihre Sitzung ist abgelaufen", EXPIRED),
        ("Votre session a expiré", EXPIRED),
        ("Too many requests", TOO_MANY),
        ("Zu viele Anfragen, bitte warten Sie", TOO_MANY),
        ("Слишком много запросов", TOO_MANY),
        ("The site is down for maintenance", CLOSED),
        ("Wegen Wartungsarbeiten geschlossen", CLOSED),
        ("サイトはメンテナンス中です", CLOSED),
        ("You have an error in your SQL syntax; check the manual", ERROR),
        ("ORA-00933: SQL command not properly ended", ERROR),
        ("Traceback (most recent call last):", ERROR),
        ("Warning: mysql_connect() failed in /var/www/x.php on line 12", ERROR),
        ("An internal error has occurred", ERROR),
        ("Es ist ein Fehler aufgetreten", ERROR),
        ("Une erreur est survenue", ERROR),
        ("Wystąpił błąd", ERROR),
        ("Please enter at least 3 characters", TOO_SHORT),
        ("Der Suchbegriff ist zu kurz", TOO_SHORT),
        ("Introduzca al menos 3 caracteres", TOO_SHORT),
        ("Too many results. Please narrow your search.", TOO_BROAD),
        ("Zu viele Treffer, bitte schränken Sie Ihre Suche ein", TOO_BROAD),
        ("Please accept our cookies to continue", CONSENT),
        ("Before you continue to Search", CONSENT),
    ],
)
def test_troubles(line: str, trouble: str) -> None:
    assert judge_trouble(200, PAGE, ["Home", line]) == trouble


@pytest.mark.parametrize(
    "line",
    [
        "Log in",
        "Login | Register | Help",
        "Sign in",
        "Anmelden",
        "No results for 'x'",
        "Keine Treffer",
        "57 results",
        "We use cookies to improve your experience. Accept",
        "Contact us if you have questions",
        "Book: The error of our ways",
        "Maintenance engineer, London",
        "Log in or register to save this search",
        "Robots and humans, a novel",
    ],
)
def test_ordinary_lines(line: str) -> None:
    assert judge_trouble(200, PAGE, ["Home", line]) == ""


def test_a_page_with_records_is_an_answer_whatever_its_lines_say() -> None:
    assert judge_trouble(200, PAGE, ["Too many requests", "An internal error has occurred"], shown=5) == ""


def test_a_long_page_is_judged_by_its_title() -> None:
    long = Page("http://a.test/", title="Articles", text="words " * 2_000)
    assert judge_trouble(200, long, ["How an internal error occurred"]) == ""
    assert judge_trouble(200, Page("http://a.test/", "500 Internal Server Error", "words " * 2_000), ["x"]) == ERROR


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        (401, LOGIN),
        (429, TOO_MANY),
        (503, CLOSED),
        (500, "an error page (500)"),
        (403, "an error page (403)"),
        (404, ""),
    ],
)
def test_status(status: int, trouble: str) -> None:
    assert judge_trouble(status, PAGE, ["x"]) == trouble


def test_a_login_in_the_menu_is_no_wall() -> None:
    walled = Page("http://a.test/", title="Log in", forms=(LOGIN_FORM,))
    beside = Page("http://a.test/", title="Search", forms=(LOGIN_FORM, SEARCH_FORM))
    assert judge_trouble(200, walled, ["Name", "Password"]) == LOGIN
    assert judge_trouble(200, beside, ["Name", "Password"]) == ""


def test_a_captcha_by_its_field() -> None:
    check = Form(0, "POST", "http://a.test/", (Field("g-recaptcha-response", "textarea"),))
    assert judge_trouble(200, Page("http://a.test/", forms=(check,)), ["Please wait"]) == ROBOT_CHECK
    contact = Page("http://a.test/", forms=(check, SEARCH_FORM))
    assert judge_trouble(200, contact, ["Please wait"]) == ""


@given(st.text(max_size=300), st.integers(100, 599), st.integers(2, 100))
def test_records_and_a_good_status_are_never_trouble(line: str, status: int, shown: int) -> None:
    assert judge_trouble(200, PAGE, [line], shown) == ""
    assert isinstance(judge_trouble(status, PAGE, [line]), str)


@pytest.mark.parametrize(
    ("lines", "shown", "asked", "empty"),
    [
        (["No results found"], 0, "", True),
        (["0 Treffer"], 0, "", True),
        (["1-10 of 57 results"], 10, "", False),
        (["No results found"], 10, "", False),  # a text that a script shows when it is needed
        (["No results for zubaki. You may like these:"], 10, "zubaki", True),
        (["Welcome"], 0, "", False),
        (["Welcome"], 5, "", False),
    ],
)
def test_empty(lines: list[str], shown: int, asked: str, empty: bool) -> None:
    verdict = judge_empty(lines, shown, asked=asked)
    assert verdict.yes is empty
    assert verdict.reason


def test_a_count_of_none_is_empty() -> None:
    assert judge_empty(["x"], 0, Count(0)).yes


FIND = "http://a.test/find?q=login"
LED = [
    ("not led away", "http://a.test/find?q=login", (), ""),
    ("to a login", "http://a.test/login?next=/find", (), LOGIN),
    ("to a login that is a file", "http://a.test/user/sign-in.php", (), LOGIN),
    ("to a host for logins", "http://sso.a.test/?back=1", (), LOGIN),
    ("to a page for consent", "http://a.test/cookie-consent?to=/find", (), CONSENT),
    ("to terms of use", "http://a.test/terms-of-use", (), CONSENT),
    ("to a form for a password, whatever it is called", "http://a.test/members", (LOGIN_FORM,), LOGIN),
    ("to a page with a search as well", "http://a.test/members", (LOGIN_FORM, SEARCH_FORM), ""),
    ("to a record", "http://a.test/book/17", (), ""),
    ("to a record about logins", "http://a.test/wiki/single-login-security", (), ""),
    ("to a record about cookies", "http://a.test/recipe/chocolate-cookies", (), ""),
    ("to a record of a thesaurus", "http://a.test/terms/17", (), ""),
]


@pytest.mark.parametrize(("url", "forms", "trouble"), [row[1:] for row in LED], ids=[row[0] for row in LED])
def test_where_a_request_was_led(url: str, forms: tuple[Form, ...], trouble: str) -> None:
    redirects = (FIND,) if url != FIND else ()
    assert judge_redirect(Request(FIND), Response(url, 200, redirects=redirects), Page(url, forms=forms)) == trouble


def test_a_redirect_that_nobody_followed_is_no_answer() -> None:
    for target, trouble in [("http://b.test/x", ELSEWHERE), ("https://idp.b.test/saml2/x", LOGIN), ("", "")]:
        led = Response(FIND, 302, (("location", target),))
        assert judge_redirect(Request(FIND), led, Page(FIND)) == trouble


def test_a_page_that_is_only_a_step_to_a_login() -> None:
    step = Page(FIND, text="Please wait", refresh="http://a.test/login")
    assert judge_redirect(Request(FIND), Response(FIND, 200), step) == LOGIN
    assert judge_redirect(Request("http://a.test/login/find"), Response(FIND, 200), step) == "", "it was there before"
