"""A page of a site from its plan: menus, text, links and forms, laid out by the site's design."""

from __future__ import annotations

from random import Random

from dowse.model import Response
from dowse.sim import words
from dowse.sim.address import Address, LinkWriter
from dowse.sim.chance import dice, pick
from dowse.sim.designs import DESIGNS, Anchors, View
from dowse.sim.formhtml import write_form
from dowse.sim.plan import PagePlan, SitePlan
from dowse.sim.topics import TOPICS
from dowse.sim.traps import TrapPage, TrapPlan, links_from, new_session


def make_page(site: SitePlan, page: PagePlan, address: Address, asked: str) -> Response:
    """Make an ordinary page; the address has what traps added, and `asked` its session too."""
    link = _link_writer(site, page.path, asked)
    rng = dice(site.key, "page", page.number)
    content = [f"<h1>{page.title}</h1>", *_write_text(rng, site), _write_children(site, page, link)]
    content += [
        write_form(site.forms[number], link.plain(site.forms[number].action), site.habits, number)
        for number in page.forms
    ]
    content += [_write_more(rng, site, page, link)]
    return lay_out(site, page, page.title, "\n".join(content), link, _find_tools(site, page, address, link))


def make_trap_page(site: SitePlan, trap: TrapPage, asked: str) -> Response:
    """Make a page of a mounted trap."""
    link = _link_writer(site, asked.partition("?")[0], asked)
    rng = dice(site.key, "trap", trap.title)
    links = "\n".join(f'<li><a href="{link(path)}">{text}</a>' for path, text in trap.links)
    content = "\n".join([f"<h1>{trap.title}</h1>", *_write_text(rng, site), f"<ul>{links}</ul>"])
    return lay_out(site, site.pages[0], trap.title, content, link)


def make_note(site: SitePlan, title: str, text: str, status: int, asked: str) -> Response:
    """Make a page that only says something: thanks, or that there is nothing here."""
    link = _link_writer(site, asked.partition("?")[0], asked)
    return lay_out(site, site.pages[0], title, f"<h1>{title}</h1>\n<p>{text}</p>", link, (), status)


def result_writer(site: SitePlan, path: str) -> LinkWriter:
    """Return the writer of links for a page that a database made."""
    return _link_writer(site, path, path)


def lay_out(
    site: SitePlan, page: PagePlan, title: str, content: str, link: LinkWriter, tools: Anchors = (), status: int = 200
) -> Response:
    """Put the site's skeleton around some content."""
    habits = site.habits
    every_page = next((shared for number, shared in site.shared if number < 0), ())
    view = View(
        title=title,
        site_name=habits.site_name,
        encoding=habits.encoding,
        base=f"{site.origin}/" if habits.hrefs == "base" else "",
        css=habits.css,
        menu=((link("/"), habits.home), *_menu_below(site, site.pages[0], link)),
        submenu=_find_submenu(site, page, link),
        crumbs=_find_crumbs(site, page, link),
        tools=tools,
        outside=tuple((address, address[7:-1]) for address in every_page),
        header=_write_forms(site, "header", link),
        content=content,
        footer=_write_forms(site, "footer", link),
    )
    body = DESIGNS[habits.design](view).encode(habits.encoding, "xmlcharrefreplace")
    kind = f"text/html; charset={habits.encoding}" if habits.design != "plain" else "text/html"
    return Response(site.origin + link.here, status, (("content-type", kind),), body)


def _link_writer(site: SitePlan, here: str, asked: str) -> LinkWriter:
    session = next((new_session(trap, site.key, asked) for trap in site.traps if trap.kind == "session"), "")
    return LinkWriter(site.origin, here, site.habits.hrefs, site.habits.ampersand, session)


def _menu_below(site: SitePlan, page: PagePlan, link: LinkWriter) -> Anchors:
    below = (site.pages[number] for number in page.children)
    return tuple((link(each.path), each.title) for each in below if each.menu == "in")


def _find_submenu(site: SitePlan, page: PagePlan, link: LinkWriter) -> Anchors:
    """Return the menu of the parent's part and of the page's own, as a visitor deep in a site sees it."""
    if page.depth == 0:
        return ()
    beside = _menu_below(site, site.pages[page.parent], link) if page.depth > 1 else ()
    return beside + _menu_below(site, page, link)


def _find_crumbs(site: SitePlan, page: PagePlan, link: LinkWriter) -> Anchors:
    crumbs: list[tuple[str, str]] = []
    while page.depth > 0:
        page = site.pages[page.parent]
        crumbs.append((link(page.path), page.title))
    return tuple(reversed(crumbs))


def _write_forms(site: SitePlan, place: str, link: LinkWriter) -> str:
    return "\n".join(
        write_form(form, link.plain(form.action), site.habits, number)
        for number, form in enumerate(site.forms)
        if form.place == place
    )


def _write_text(rng: Random, site: SitePlan) -> list[str]:
    nouns = TOPICS[site.traits.topic].nouns
    end = "" if site.habits.is_old else "</p>"
    paragraphs = []
    for _ in range(rng.randint(2, 5)):
        sentences = (pick(rng, words.SENTENCES) for _ in range(rng.randint(2, 6)))
        text = " ".join(each.format(a=pick(rng, words.ADJECTIVES), n=pick(rng, nouns)) for each in sentences)
        paragraphs.append(f"<p>{text}{end}")
    return paragraphs


def _write_children(site: SitePlan, page: PagePlan, link: LinkWriter) -> str:
    """Link every page below: pages out of the menus are found here only."""
    children = [site.pages[number] for number in page.children]
    if page.role == "sitemap":
        children = [each for each in site.pages if 0 < each.depth <= page.depth + 1]
    if not children:
        return ""
    rows = "\n".join(f'<li>{site.habits.more} <a href="{link(each.path)}">{each.title}</a></li>' for each in children)
    return f"<ul>\n{rows}\n</ul>"


def _write_more(rng: Random, site: SitePlan, page: PagePlan, link: LinkWriter) -> str:
    """Link a page beside this one, other sites where this page names them, and pages that are gone."""
    parts = []
    beside = site.pages[page.parent].children if page.depth else ()
    if len(beside) > 1:
        other = site.pages[rng.choice(beside)]
        parts.append(f'<p>{site.habits.also}: <a href="{link(other.path)}">{other.title}</a></p>')
    for number, addresses in site.shared:
        if number == page.number:
            rows = "\n".join(
                f'<li><a href="{address}">{address[7:-1]}</a> - a site we like</li>' for address in addresses
            )
            parts.append(f"<ul>\n{rows}\n</ul>")
    if site.missing and page.depth <= 2:
        path = rng.choice(site.missing)
        parts.append(f'<p><a href="{link(path)}">{rng.choice(words.ADJECTIVES).title()} notes</a></p>')
    return "\n".join(parts)


def _find_tools(site: SitePlan, page: PagePlan, address: Address, link: LinkWriter) -> Anchors:
    """Return the links into traps that a page has: entrances on shallow pages, decorations on every other."""
    tools: list[tuple[str, str]] = []
    for trap in site.traps:
        tools += [(link(path), text) for path, text in _trap_links(trap, page, address)]
    return tuple(tools)


def _trap_links(trap: TrapPlan, page: PagePlan, address: Address) -> Anchors:
    if trap.kind == "session":
        return ()
    if trap.mount:
        entrance = f"{trap.mount}/" if trap.kind == "repeating" else trap.mount
        return ((entrance, trap.mount.strip("/").partition(".")[0].title()),) if page.depth <= 1 else ()
    return links_from(trap, address) if page.depth >= 1 else ()
