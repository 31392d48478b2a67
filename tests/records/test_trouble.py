"""Pages that are no answers, and answers that only speak of trouble."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Field, Form, Page, Request, Response
from dowse.reasons import TroubleKind
from dowse.records.counts import judge_message, judge_redirect, judge_trouble

PAGE = Page("http://a.test/search?q=x", title="Search")
LOGIN_FORM = Form(0, "POST", "http://a.test/login", (Field("user", "text"), Field("word", "password")))
SEARCH_FORM = Form(1, "GET", "http://a.test/search", (Field("q", "text"),))


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("Please verify you are a human", TroubleKind.ROBOT_CHECK),
        ("Our systems have detected unusual traffic from your network", TroubleKind.ROBOT_CHECK),
        ("Checking your browser before accessing the site", TroubleKind.ROBOT_CHECK),
        ("Bitte bestätigen Sie, dass Sie kein Roboter sind", TroubleKind.ROBOT_CHECK),
        ("Je ne suis pas un robot", TroubleKind.ROBOT_CHECK),
        ("私はロボットではありません", TroubleKind.ROBOT_CHECK),
        ("You must be logged in to view this page.", TroubleKind.LOGIN),
        ("Please sign in to continue", TroubleKind.LOGIN),
        ("Bitte melden Sie sich an, um die Suche zu nutzen", TroubleKind.LOGIN),
        ("Vous devez être connecté pour voir les résultats", TroubleKind.LOGIN),
        ("Debe iniciar sesión para ver los resultados", TroubleKind.LOGIN),
        ("Необходимо авторизоваться", TroubleKind.LOGIN),
        ("ログインが必要です", TroubleKind.LOGIN),
        ("Your session has expired. Please start again.", TroubleKind.EXPIRED),
        ("Ihre Sitzung ist abgelaufen", TroubleKind.EXPIRED),
        ("Votre session a expiré", TroubleKind.EXPIRED),
        ("Too many requests", TroubleKind.RATE_LIMITED),
        ("Zu viele Anfragen, bitte warten Sie", TroubleKind.RATE_LIMITED),
        ("Слишком много запросов", TroubleKind.RATE_LIMITED),
        ("The site is down for maintenance", TroubleKind.MAINTENANCE),
        ("Wegen Wartungsarbeiten geschlossen", TroubleKind.MAINTENANCE),
        ("サイトはメンテナンス中です", TroubleKind.MAINTENANCE),
        ("You have an error in your SQL syntax; check the manual", TroubleKind.ERROR),
        ("ORA-00933: SQL command not properly ended", TroubleKind.ERROR),
        ("Traceback (most recent call last):", TroubleKind.ERROR),
        ("Warning: mysql_connect() failed in /var/www/x.php on line 12", TroubleKind.ERROR),
        ("An internal error has occurred", TroubleKind.ERROR),
        ("Es ist ein Fehler aufgetreten", TroubleKind.ERROR),
        ("Une erreur est survenue", TroubleKind.ERROR),
        ("Wystąpił błąd", TroubleKind.ERROR),
        ("Please enter at least 3 characters", TroubleKind.TOO_SHORT),
        ("Der Suchbegriff ist zu kurz", TroubleKind.TOO_SHORT),
        ("Introduzca al menos 3 caracteres", TroubleKind.TOO_SHORT),
        ("Too many results. Please narrow your search.", TroubleKind.TOO_BROAD),
        ("Refine your search, there are over 10,000 of them", TroubleKind.TOO_BROAD),
        ("Please refine your search", TroubleKind.TOO_BROAD),
        ("Por favor, refine su búsqueda.", TroubleKind.TOO_BROAD),
        ("Zu viele Treffer, bitte schränken Sie Ihre Suche ein", TroubleKind.TOO_BROAD),
        ("Please accept our cookies to continue", TroubleKind.CONSENT),
        ("Before you continue to Search", TroubleKind.CONSENT),
    ],
)
def test_troubles(line: str, trouble: str) -> None:
    assert judge_trouble(200, PAGE, ["Home", line]) == trouble


@pytest.mark.parametrize(
    "line",
    [
        "Log in",
        "Refine your search",
        "Narrow your search by",
        "Refine your search: year, place",
        "Refine su búsqueda",
        "Refine a pesquisa por ano",
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
    assert (
        judge_trouble(200, Page("http://a.test/", "500 Internal Server Error", "words " * 2_000), ["x"])
        == TroubleKind.ERROR
    )


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        (401, TroubleKind.LOGIN),
        (429, TroubleKind.RATE_LIMITED),
        (503, TroubleKind.MAINTENANCE),
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
    assert judge_trouble(200, walled, ["Name", "Password"]) == TroubleKind.LOGIN
    assert judge_trouble(200, beside, ["Name", "Password"]) == ""


def test_an_answer_that_finds_nothing_is_no_wall() -> None:
    lines = ["There were no results matching the query.", "You must be logged in to create this page.", "Not logged in"]
    assert judge_trouble(200, PAGE, lines) == ""
    assert judge_trouble(200, PAGE, lines[1:]) == TroubleKind.LOGIN
    assert judge_trouble(200, PAGE, lines[2:]) == "", "a line of the head"


def test_a_captcha_by_its_field() -> None:
    check = Form(0, "POST", "http://a.test/", (Field("g-recaptcha-response", "textarea"),))
    assert judge_trouble(200, Page("http://a.test/", forms=(check,)), ["Please wait"]) == TroubleKind.ROBOT_CHECK
    contact = Page("http://a.test/", forms=(check, SEARCH_FORM))
    assert judge_trouble(200, contact, ["Please wait"]) == ""


@given(st.text(max_size=300), st.integers(100, 599), st.integers(2, 100))
def test_records_and_a_good_status_are_never_trouble(line: str, status: int, shown: int) -> None:
    assert judge_trouble(200, PAGE, [line], shown) == ""
    assert isinstance(judge_trouble(status, PAGE, [line]), str)


@pytest.mark.parametrize(
    ("message", "trouble"),
    [
        ("Please complete the CAPTCHA first", TroubleKind.ROBOT_CHECK),
        ("API rate limit exceeded", TroubleKind.RATE_LIMITED),
        ("login required", TroubleKind.LOGIN),
        ("invalid session id", TroubleKind.EXPIRED),
        ("unknown field: q", None),
    ],
)
def test_messages_of_services(message: str, trouble: TroubleKind | None) -> None:
    assert judge_message(message) is trouble


FIND = "http://a.test/find?q=login"
LED = [
    ("not led away", "http://a.test/find?q=login", (), None),
    ("to a login", "http://a.test/login?next=/find", (), TroubleKind.LOGIN),
    ("to a login that is a file", "http://a.test/user/sign-in.php", (), TroubleKind.LOGIN),
    ("to a host for logins", "http://sso.a.test/?back=1", (), TroubleKind.LOGIN),
    ("to a page for consent", "http://a.test/cookie-consent?to=/find", (), TroubleKind.CONSENT),
    ("to terms of use", "http://a.test/terms-of-use", (), TroubleKind.CONSENT),
    ("to a form for a password, whatever it is called", "http://a.test/members", (LOGIN_FORM,), TroubleKind.LOGIN),
    ("to a page with a search as well", "http://a.test/members", (LOGIN_FORM, SEARCH_FORM), None),
    ("to a record", "http://a.test/book/17", (), None),
    ("to a record about logins", "http://a.test/wiki/single-login-security", (), None),
    ("to a record about cookies", "http://a.test/recipe/chocolate-cookies", (), None),
    ("to a record of a thesaurus", "http://a.test/terms/17", (), None),
]


@pytest.mark.parametrize(("url", "forms", "trouble"), [row[1:] for row in LED], ids=[row[0] for row in LED])
def test_where_a_request_was_led(url: str, forms: tuple[Form, ...], trouble: TroubleKind | None) -> None:
    redirects = (FIND,) if url != FIND else ()
    assert judge_redirect(Request(FIND), Response(url, 200, redirects=redirects), Page(url, forms=forms)) == trouble


def test_a_redirect_that_nobody_followed_is_no_answer() -> None:
    for target, trouble in [
        ("http://b.test/x", TroubleKind.OTHER_SITE),
        ("https://idp.b.test/saml2/x", TroubleKind.LOGIN),
        ("", None),
    ]:
        led = Response(FIND, 302, (("location", target),))
        assert judge_redirect(Request(FIND), led, Page(FIND)) == trouble


def test_a_page_that_is_only_a_step_to_a_login() -> None:
    step = Page(FIND, text="Please wait", refresh="http://a.test/login")
    assert judge_redirect(Request(FIND), Response(FIND, 200), step) == TroubleKind.LOGIN
    assert judge_redirect(Request("http://a.test/login/find"), Response(FIND, 200), step) is None, "it was there before"
