"""Typed settings in small sections; each part of the program gets its own section or plain values."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ConnectTo:
    """Requests to hosts that match a pattern go to one's own server instead."""

    pattern: str  # shell pattern on host or host:port, such as *.example
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How Dowse talks to servers."""

    delay: float = 1.0  # seconds between two requests to one site
    timeout: float = 30.0  # seconds until a request counts as failed
    connect_timeout: float = 10.0  # seconds to reach the server
    body_limit: int = 2 * MIB  # bytes of a body, before and after decompression
    header_limit: int = 64 * 1024  # bytes of all headers of a response
    redirects: int = 5  # redirects followed for one link
    retries: int = 2  # times a busy server (429, 503) is asked again
    patience: float = (
        120.0  # longest wait, in seconds, that a server may ask for; one that asks for more is not asked again
    )
    contact: str = ""  # named in the User-Agent: an address people can write to
    allow_private: bool = False  # loopback, private, link-local and metadata addresses too
    connect_to: tuple[ConnectTo, ...] = ()  # one's own servers in place of others
    warc: str = ""  # folder to archive every exchange in
    replay: str = ""  # folder to answer from instead of the network
    render: str = "never"  # pages opened in a browser: never, auto for those that need one, or always
    render_seconds: float = 20.0  # longest that a page stays open in the browser
    cookies: bool = False  # keep and send cookies, as harvesting a door may need
    headers: tuple[tuple[str, str], ...] = ()  # sent with each request to the sites of `header_hosts`
    header_hosts: tuple[str, ...] = ()  # hosts, or domains with all hosts below them, that these are for
    proxy: str = ""  # address of a proxy that every request goes through
    robots: bool = True  # obey robots.txt; False is for one's own servers, or with permission


@dataclass(frozen=True, slots=True)
class FindSettings:
    """How far a search goes."""

    strategy: str = "learned"  # which links are followed inside a site
    sites: int = 0  # sites to search in this run; 0 for all
    pages: int = 0  # pages to fetch in this run; 0 for no limit
    site_pages: int = 500  # pages to fetch in one site
    discover: bool = True  # follow links to new sites
    jobs: int = 32  # sites searched at the same time
    retry: bool = False  # search sites again that failed before
    probe: bool = False  # probe the doors that are found
    schedule: str = "simple"  # which site is next: simple, ranked or round-robin
    site_strategy: str = "links:2"  # which links are followed inside a site to find others
    finder: int | None = None  # sites looked through for others at the same time; None for a share of the jobs
    coverage: float | None = None  # learned, auto: the part of all forms that the strategy has to find
    harvest: float | None = None  # auto: the yield (forms per page) that the strategy has to reach
    audit: float = 0.05  # share of the pages for links drawn at random from those left: coverage is estimated by them
    topic: str = ""  # query forms on it are wanted: its name, or the file that it is in
    searxng: str = ""  # on a topic: address of an instance that is asked for pages that name known sources
    graph: tuple[str, str] | None = None  # on a topic: files of a Common Crawl graph, names and links


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """How strategies are tried on a sample of sites."""

    strategies: tuple[str, ...]  # that are replayed
    sample: int = 100  # sites that are recorded
    seed: int = 1  # of the random sample
    site_pages: int = 500  # pages to fetch in one site
    jobs: int = 32  # sites recorded at the same time
    goal: str = "forms"  # what the strategies are to find: forms, or sites


@dataclass(frozen=True, slots=True)
class HarvestSettings:
    """How far a harvest goes."""

    selector: str = "auto"  # which query is sent next
    rounds: int = 1_000  # requests in all, over all runs of the same command; 0 for no limit
    until_coverage: float | None = None  # stop when this part of the estimated total is extracted
    seed: int = 1  # of the random choices
    post: bool = False  # queries may be sent with POST
    details: bool = False  # also read the records' own pages
    domain: str = ""  # file of a domain table
    abort: str = "auto"  # leave answers whose next pages bring little: always, never, or auto as the selector does
