"""Options that several commands share, and the settings made from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from dowse.errors import BadInput
from dowse.model import KINDS
from dowse.settings import FetchSettings

RENDER = ("never", "auto", "always")

Function = TypeVar("Function", bound=Callable[..., Any])

db = click.option(
    "--db", default="dowse.db", show_default=True, metavar="FILE", help="The database: a path or sqlite:///path."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
seed_lists = click.option(
    "--seeds",
    "lists",
    multiple=True,
    metavar="FILE",
    help="A list of sites: one per line or a CSV ranking, gzipped or not; - for standard input.",
)
site_strategy = click.option(
    "--site-strategy",
    default="links:2",
    show_default=True,
    metavar="NAME",
    help="Which links are followed inside a site to find other sites.",
)
site_pages = click.option(
    "--site-pages",
    type=click.IntRange(1, 100_000),
    default=500,
    show_default=True,
    metavar="N",
    help="Fetch at most N pages of one site.",
)


def _read_kinds(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of form that were named, one by one or with commas between them."""
    kinds = tuple(dict.fromkeys(kind.strip().lower() for text in given for kind in text.split(",")))
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(f"no kind of form is called {kind!r}; there is {', '.join(KINDS)}")
    return kinds


kinds = click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    callback=_read_kinds,
    help=f"Only forms of this kind: {', '.join(KINDS)}. Several with commas, or the option again.",
)
of_site = click.option("--site", default="", metavar="SITE", help="Only those of this host or address.")


def at_most(what: str) -> Callable[[Function], Function]:
    """Add the option about how many are shown."""
    return click.option(
        "--limit",
        type=click.IntRange(0),
        default=20,
        show_default=True,
        metavar="N",
        help=f"Show at most N {what}; 0 for all.",
    )


class Seconds(click.FloatRange):
    """A number of seconds; nan is none."""

    name = "number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number in the range."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail("nan is not a number of seconds", param, ctx)
        return number


_FETCH = (
    click.option("--delay", type=Seconds(0, 3600), default=1.0, show_default=True, metavar="S", help="Seconds between two requests to one site; 0 is for your own servers."),
    click.option("--timeout", type=Seconds(0.1, 600), default=30.0, show_default=True, metavar="S", help="Seconds until a request counts as failed."),
    click.option("--allow-private", is_flag=True, help="Also fetch from loopback, private, link-local and metadata addresses."),
    click.option("--connect-to", multiple=True, metavar="PATTERN=HOST:PORT", help="Send requests for hosts that match to your own server, as in '*.example=127.0.0.1:8080'."),
    click.option("--contact", default="", metavar="TEXT", help="A mail or web address for the User-Agent, so that people can reach you."),
    click.option("--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="Send this header to the sites named on the command line, and to no other."),
    click.option("--cookie", "cookies", multiple=True, metavar="NAME=VALUE", help="Send this cookie to the sites named on the command line, and to no other."),
    click.option("--proxy", default="", metavar="URL", help="Send every request through this proxy: http, https, socks4 or socks5."),
    click.option("--warc", default="", metavar="DIR", help="Archive every exchange into this folder as WARC 1.1."),
    click.option("--replay", default="", metavar="DIR", help="Answer from the WARC files in this folder instead of the network."),
)  # fmt: skip


def fetching(function: Function) -> Function:
    """Add the options about talking to servers."""
    for option in reversed(_FETCH):
        function = option(function)
    return function


def rendering(default: str) -> Callable[[Function], Function]:
    """Add the option about the browser, with the default of the command."""
    return click.option(
        "--render", type=click.Choice(RENDER), default=default, show_default=True,
        help="Open pages in headless Chromium: never, auto for those whose HTML shows too little, or always.",
    )  # fmt: skip


def fetch_settings(
    addresses: Sequence[str] = (),
    *,
    delay: float,
    timeout: float,
    allow_private: bool,
    connect_to: tuple[str, ...],
    contact: str,
    headers: tuple[str, ...],
    cookies: tuple[str, ...],
    proxy: str,
    warc: str,
    replay: str,
    render: str = "never",
) -> FetchSettings:
    """Make the settings from the options; headers and cookies are for the sites of these addresses."""
    from dowse.fetch.guard import judge_address, parse_connect_to
    from dowse.fetch.headers import parse_cookie, parse_header, parse_proxy

    given = (*map(parse_header, headers), *map(parse_cookie, cookies))
    hosts = _named_hosts(addresses)
    if given and not hosts:
        raise BadInput(
            f"--{'header' if headers else 'cookie'} goes to the sites that the command names: give an address"
        )

    targets = tuple(parse_connect_to(text) for text in connect_to)
    for target in targets:
        private = target.host == "localhost" or not judge_address(target.host).yes
        if private and not allow_private and not replay:
            raise BadInput(f"--connect-to {target.host}: that is a private address; add --allow-private to reach it")
    if any(ord(letter) < 32 for letter in contact):
        raise BadInput("--contact may not hold line breaks or control characters")
    if not contact.isascii():
        raise BadInput(f"--contact {contact[:80]!r}: a User-Agent holds ASCII letters only; write it without others")
    return FetchSettings(
        delay=delay, timeout=timeout, connect_timeout=min(10.0, timeout), allow_private=allow_private,
        connect_to=targets, contact=contact, headers=given, header_hosts=hosts if given else (),
        proxy=parse_proxy(proxy) if proxy else "", warc=warc, replay=replay, render=render,
    )  # fmt: skip


def _named_hosts(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the hosts of the addresses given, each once; what is not an address is reported elsewhere."""
    from dowse.url import seed_address, site_of

    found = (seed_address(address) for address in addresses)
    return tuple(dict.fromkeys(site_of(url).host for url in found if url))


def check_output(output: str | None) -> None:
    """Raise BadInput for an output file whose ending names no format, before anything is done."""
    if output is not None and Path(output).suffix.lower() not in (".jsonl", ".csv", ".parquet"):
        raise BadInput(f"{output}: end the name in .jsonl, .csv or .parquet")
    check_folder(output)


def check_folder(output: str | None) -> None:
    """Raise BadInput for an output file in a folder that does not exist."""
    if output is not None and not Path(output).absolute().parent.is_dir():
        raise BadInput(f"{output}: its folder does not exist")
