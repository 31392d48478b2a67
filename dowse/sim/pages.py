"""A page of a site from its plan: menus, text, links and forms, written by the site's template family."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from random import Random
from urllib.parse import quote

from dowse.model import Response
from dowse.sim.address import Address, LinkWriter, split_address
from dowse.sim.chance import dice, mix, pick, token
from dowse.sim.formplan import FormPlan
from dowse.sim.naming import has_articles_form, path_of, public_of, title_of
from dowse.sim.plan import DESCRIPTIONS, SitePlan
from dowse.sim.queryforms import TOKEN
from dowse.sim.traps import TrapPage, entrance, entrance_text, links_from, new_session
from dowse.sim.tree import Special
from dowse.sim.view import Anchor, Anchors, FormView, Group, Part, Question, View

MAPPED = 150  # pages that a site map lists
TAGS = 12
GROUPS_FROM = 6  # links from which a menu has groups


def make_page(site: SitePlan, number: int, address: Address, asked: str) -> Response:
    """Make an ordinary page; the address has what traps added, and `asked` its session too."""
    link = link_writer(site, path_of(site, number), asked)
    rng, family, style = dice(site.key, "page", number), site.habits.family, site.habits.style
    title = title_of(site, number)
    content = [
        family.write_text(style, title, tuple(site.themes.write_paragraphs(rng, site, number))),
        _write_children(site, number, link),
        *(write_form(site, each, number, link) for each in _forms_in_text(site, number)),
        _write_advanced(site, number, link),
        _write_more(rng, site, number, link),
    ]
    return lay_out(site, number, title, "\n".join(content), link, tools=_find_tools(site, number, address, link))


def make_trap_page(site: SitePlan, trap: TrapPage, asked: str) -> Response:
    """Make a page of a mounted trap."""
    link = link_writer(site, asked.partition("?")[0], asked)
    rng, family, style = dice(site.key, "trap", trap.title), site.habits.family, site.habits.style
    text = family.write_text(style, trap.title, tuple(site.themes.write_paragraphs(rng, site, 0)))
    links = family.lists[style.lists]("", tuple(Anchor(link(path), text) for path, text in trap.links))
    return lay_out(site, 0, trap.title, f"{text}\n{links}", link)


def make_note(site: SitePlan, title: str, text: str, status: int, asked: str) -> Response:
    """Make a page that only says something: thanks, or that there is nothing here."""
    link = link_writer(site, asked.partition("?")[0], asked)
    content = site.habits.family.write_text(site.habits.style, title, (text,))
    return lay_out(site, 0, title, content, link, status=status)


def link_writer(site: SitePlan, here: str, asked: str) -> LinkWriter:
    """Return what writes the links of a page the way the site's author does."""
    session = next((new_session(trap, site.key, asked) for trap in site.traps if trap.kind == "session"), "")
    return LinkWriter(site.origin, here, site.habits.hrefs, site.habits.ampersand, session)


def lay_out(
    site: SitePlan, number: int, title: str, content: str, link: LinkWriter, *, tools: Anchors = (), status: int = 200
) -> Response:
    """Put the site's skeleton around some content."""
    habits = site.habits
    view = View(
        style=habits.style,
        says=habits.says,
        language=habits.wording.language,
        encoding=habits.encoding,
        number=number,
        title=title,
        site_name=habits.site_name,
        base=f"{site.origin}/" if habits.hrefs == "base" else "",
        canonical=f"{site.origin}{link.here}".replace("&", "&amp;") if site.canonical else "",
        search_description=link.plain(DESCRIPTIONS[habits.family.name]) if _described(site) else "",
        menu=_find_menu(site, link),
        submenu=_find_submenu(site, number, link),
        crumbs=_find_crumbs(site, number, link),
        tags=_find_tags(site, link) if site.tagged else (),
        tools=tools,
        outside=tuple(site.themes.mention(site, address).anchor for address in site.outside_everywhere),
        hidden=tuple(
            Anchor(link(f"{trap.mount}/{mix(site.number, number) % 10**6}"), habits.says["more"])
            for trap in site.traps
            if trap.kind == "honeypot"
        ),
        header=_write_forms(site, "header", number, link),
        content=content,
        footer=_write_forms(site, "footer", number, link),
    )
    body = habits.family.designs[habits.style.design](view).encode(habits.encoding, "xmlcharrefreplace")
    return Response(site.origin + link.here, status, _write_headers(site), body)


def _write_headers(site: SitePlan) -> tuple[tuple[str, str], ...]:
    habits = site.habits
    kind = "text/html" if habits.is_old else f"text/html; charset={habits.encoding}"
    headers: tuple[tuple[str, str], ...] = () if site.traits.trouble == "no-content-type" else (("content-type", kind),)
    if site.cookie:
        headers += (("set-cookie", f"{site.cookie[0]}={site.cookie[1]}; Path=/; HttpOnly"),)
    return headers


def _described(site: SitePlan) -> bool:
    return any(each.described == "yes" for each in site.databases)


def _anchor(site: SitePlan, number: int, link: LinkWriter) -> Anchor:
    return Anchor(link(path_of(site, number)), title_of(site, number))


def _find_menu(site: SitePlan, link: LinkWriter) -> tuple[Group, ...]:
    links = (Anchor(link("/"), site.habits.says["home"]), *(_anchor(site, each, link) for each in site.tree.in_menu(0)))
    if len(links) < GROUPS_FROM:
        return (Group(site.habits.says["menu"], links),)
    half = len(links) // 2
    words = site.habits.topic(site.traits.topic)
    return Group(words.noun, links[:half]), Group(site.habits.says["about"], links[half:])


def _find_submenu(site: SitePlan, number: int, link: LinkWriter) -> Anchors:
    """Return the menu of the parent's part and of the page's own, as a visitor deep in a site sees it."""
    tree = site.tree
    above = tree.parent(number)
    if above < 0:
        return ()
    beside = tree.in_menu(above) if above else []
    return tuple(_anchor(site, each, link) for each in (*beside, *tree.in_menu(number)))


def _find_crumbs(site: SitePlan, number: int, link: LinkWriter) -> Anchors:
    crumbs: list[Anchor] = []
    while number > 0:
        number = site.tree.parent(number)
        crumbs.append(_anchor(site, number, link))
    return tuple(reversed(crumbs))


def _find_tags(site: SitePlan, link: LinkWriter) -> Anchors:
    """Return a cloud of words that lead to pages of the first level."""
    words = site.habits.topic(site.traits.topic).words
    pages = site.tree.articles_below(0)
    if not pages:
        return ()
    return tuple(
        Anchor(link(path_of(site, pages[mix(site.number, place) % len(pages)])), words[place])
        for place in range(min(TAGS, len(words)))
    )


def _forms_in_text(site: SitePlan, number: int) -> list[int]:
    everywhere = (each for each, form in enumerate(site.forms) if form.place == "articles")
    return [*site.homes.get(number, ()), *(each for each in everywhere if has_articles_form(site, each, number))]


def _write_forms(site: SitePlan, place: str, page: int, link: LinkWriter) -> str:
    return "\n".join(
        write_form(site, number, page, link) for number, form in enumerate(site.forms) if form.place == place
    )


def write_form(
    site: SitePlan, number: int, page: int, link: LinkWriter, filled: tuple[tuple[str, str], ...] = ()
) -> str:
    """Write a form as it stands on a page; filled with what was asked, above answers."""
    form = site.forms[number].on_page(page)
    if filled:
        form = _fill(form, dict(filled))
    habits, service = site.habits, ""
    if form.database >= 0 and site.databases[form.database].service == "json" and form.questions[0].kind == "keyword":
        service = link.plain(f"{service_path(site, form.database)}?suggest=1&{quote(habits.name('keyword'))}=")
    return habits.family.write_form(
        FormView(
            style=habits.style,
            says=habits.says,
            number=number,
            heading=form.heading,
            method=form.method,
            action=link.plain(form.action),
            questions=tuple(_with_token(site, each) for each in form.questions),
            buttons=form.buttons,
            reset=form.reset,
            place="content" if form.place == "articles" else form.place,
            made=form.made,
            suggest=service,
        )
    )


def form_token(site: SitePlan) -> str:
    """Return the token that POST forms of a site carry."""
    return token(16, site.key, "token")


def _with_token(site: SitePlan, question: Question) -> Question:
    if question.kind != "state" or question.parts[0].value != TOKEN:
        return question
    return question._replace(parts=(question.parts[0]._replace(value=form_token(site)),))


def _fill(form: FormPlan, sent: dict[str, str]) -> FormPlan:
    def filled(part: Part) -> Part:
        value = sent.get(part.name, "")
        return part._replace(value=escape(value)) if value and part.control in ("text", "search") else part

    return replace(
        form, questions=tuple(each._replace(parts=tuple(map(filled, each.parts))) for each in form.questions)
    )


def service_path(site: SitePlan, database: int) -> str:
    """Return the path of a database's service for programs."""
    other = ".xml" if site.databases[database].service == "json" else ".json"
    paths = [path for path in site.habits.family.addresses.services if not path.endswith(other)]
    path = paths[mix(site.number, 77) % len(paths)]
    return f"/db{database + 1}{path}" if database else path


def _write_children(site: SitePlan, number: int, link: LinkWriter) -> str:
    """Link every page below: pages out of the menus are found here only."""
    tree = site.tree
    children = tree.children(number)
    if number == tree.sitemap:
        children = [*range(1, _mapped(site)), *children]
    else:
        children = [each for each in children if not _is_advanced(tree.special(each))]
    if not children:
        return ""
    anchors = tuple(Anchor(link(_way_to(site, each)), title_of(site, each)) for each in children)
    return site.habits.family.lists[site.habits.style.lists](site.habits.says["more"], anchors)


def _is_advanced(special: Special | None) -> bool:
    return special is not None and special.way == "advanced"


def _way_to(site: SitePlan, number: int) -> str:
    """Return the path to a page; on sites that forward, every third link goes another way."""
    if site.forward and number % 3 == 0 and number not in site.secluded:
        return site.forward.format(n=public_of(site, number))
    return path_of(site, number)


def _write_advanced(site: SitePlan, number: int, link: LinkWriter) -> str:
    below = [each for each in site.tree.children(number) if _is_advanced(site.tree.special(each))]
    if not below:
        return ""
    return site.habits.family.lists[site.habits.style.lists]("", tuple(_anchor(site, each, link) for each in below))


def _write_more(rng: Random, site: SitePlan, number: int, link: LinkWriter) -> str:
    """Link a page beside this one, other sites where this page names them, pages that are gone, and files."""
    habits, tree = site.habits, site.tree
    lists = habits.family.lists[habits.style.lists]
    parts = []
    beside = tree.articles_below(tree.parent(number)) if number else range(0)
    if len(beside) > 1:
        parts.append(lists(habits.says["also"], (_anchor(site, pick(rng, beside), link),)))
    outside = site.outside(number)
    if outside:
        mentions = tuple(site.themes.mention(site, each) for each in outside)
        if any(each.note for each in mentions):
            parts.append(habits.family.write_notes(habits.style, habits.says["friends"], mentions))
        else:
            parts.append(lists(habits.says["friends"], tuple(each.anchor for each in mentions)))
    for paths in (site.missing, site.files):
        if paths and tree.depth(number) <= 2:
            words = habits.topic(site.traits.topic).words
            parts.append(lists("", (Anchor(link(pick(rng, paths)), pick(rng, words)),)))
    return "\n".join(parts)


def find_links(site: SitePlan, number: int) -> dict[str, Anchors]:
    """Return the links of an ordinary page by what they are for, with whole addresses and without sessions."""
    link = LinkWriter(site.origin, path_of(site, number), "absolute", "&")
    tree, address = site.tree, split_address(path_of(site, number))
    children = [*range(1, _mapped(site))] if number == tree.sitemap else []
    below = [*children, *tree.children(number)]
    return {
        "menu": tuple(each for group in _find_menu(site, link) for each in group.links),
        "submenu": _find_submenu(site, number, link),
        "crumbs": _find_crumbs(site, number, link),
        "tags": _find_tags(site, link) if site.tagged else (),
        "content": tuple(_anchor(site, each, link) for each in below if not _is_advanced(tree.special(each))),
        "advanced": tuple(_anchor(site, each, link) for each in below if _is_advanced(tree.special(each))),
        "tools": _find_tools(site, number, address, link),
        "outside": tuple(
            site.themes.mention(site, each).anchor for each in (*site.outside_everywhere, *site.outside(number))
        ),
    }


def _mapped(site: SitePlan) -> int:
    """Return one past the last page of text that a site map lists."""
    starts = site.tree.starts
    return min(MAPPED, starts[min(3, len(starts) - 1)])


def _find_tools(site: SitePlan, number: int, address: Address, link: LinkWriter) -> Anchors:
    """Return the links into traps that a page has: entrances on shallow pages, decorations on every other."""
    says, tools = site.habits.says, []
    for trap in site.traps:
        if trap.kind in ("session", "honeypot"):
            continue
        if trap.mount and site.tree.depth(number) <= 1:
            tools.append(Anchor(link(entrance(trap)), entrance_text(trap, says)))
        elif not trap.mount and number:
            tools += [Anchor(link(path), text) for path, text in links_from(trap, address, says)]
    return tuple(tools)
