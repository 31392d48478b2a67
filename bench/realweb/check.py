"""Compare the truth with what an independent visitor meets, and example queries with what the programs answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from bench.realweb.truth import AnswerMarks, FormPurpose, TrueForm, TrueQuery, TrueSite, path_of
from bench.realweb.visitor import (
    MetForm,
    VisitedPage,
    Visitor,
    Walk,
    action_of,
    controls,
    find_forms,
    first_button,
    walk,
)

MAX_ANSWER_PAGES = 60


@dataclass(frozen=True, slots=True)
class SiteCheck:
    """What a check of one site found."""

    site: str
    pages: int
    impolite_pages: int
    forms: int
    queries: int
    faults: tuple[str, ...]


def check_site(site: TrueSite) -> SiteCheck:
    """Walk a site politely and not, ask its example queries, and list where the truth is wrong."""
    visitor = Visitor()
    polite, rude = _walk_twice(visitor, site)
    faults = [
        *_depth_faults(site, polite, "polite"),
        *_depth_faults(site, rude, "impolite"),
        *_unknown_forms(site, polite, rude),
        *_query_faults(site, visitor),
    ]
    queries = sum(len(form.queries) for form in site.forms)
    return SiteCheck(site.name, len(polite.pages), len(rude.pages), len(site.forms), queries, tuple(faults))


def recognise(site: TrueSite, met: MetForm) -> TrueForm | None:
    """Return which of the site's forms was met."""
    return site.recognise(met.page, met.method, met.action, met.names)


def survey(site: TrueSite) -> Iterator[str]:
    """Describe the forms a visitor meets, for somebody who writes the truth."""
    told: list[str] = []
    for manner, found in zip(("polite", "impolite"), _walk_twice(Visitor(), site), strict=True):
        levels = [sum(depth == level for depth in found.pages.values()) for level in range(site.max_depth + 1)]
        yield f"{site.name}, {manner}: {len(found.pages)} pages, by depth {levels}"
        lines = list(_describe(site, found))
        yield from lines if lines != told else ["  the same"]
        told = lines


def _walk_twice(visitor: Visitor, site: TrueSite) -> tuple[Walk, Walk]:
    """Walk a site politely, and then not."""
    known: dict[str, VisitedPage | None] = {}
    polite, rude = (
        walk(visitor, site.entrance, polite=manner, max_depth=site.max_depth, ignore=site.ignore, known=known)
        for manner in (True, False)
    )
    return polite, rude


def _describe(site: TrueSite, found: Walk) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[MetForm]] = defaultdict(list)
    for met in found.forms:
        known = recognise(site, met)
        key = (known.name, met.method) if known else ("?", met.method, _blur(met.action)[:8], " ".join(met.names))
        groups[key].append(met)
    for key, forms in sorted(groups.items(), key=lambda item: item[1][0].depth):
        first = min(forms, key=lambda met: met.depth)
        shown = f"{first.action} [{key[3]}]" if len(key) == 4 else ""
        yield f"  {key[0]:16} depth {first.depth} x{len(forms):<5} {key[1]} {shown} first on {first.page}"


def _blur(action: str) -> str:
    return re.sub(r"\d+", "0", action.split("?")[0])


def _depth_faults(site: TrueSite, found: Walk, manner: str) -> Iterator[str]:
    least: dict[str, MetForm] = {}
    for met in found.forms:
        form = recognise(site, met)
        if form and (form.name not in least or met.depth < least[form.name].depth):
            least[form.name] = met
    for form in site.forms:
        if form.browser:
            continue
        wanted = form.depth if manner == "polite" else form.impolite_depth
        met_depth = least[form.name].depth if form.name in least else None
        if met_depth != wanted:
            where = f" on {least[form.name].page}" if form.name in least else ""
            yield f"{form.name}: {manner} depth {wanted} is said, {met_depth} was met{where}"


def _unknown_forms(site: TrueSite, *walks: Walk) -> Iterator[str]:
    told = set()
    for met in (met for found in walks for met in found.forms):
        key = (met.method, _blur(met.action), met.names)
        if key not in told and recognise(site, met) is None:
            told.add(key)
            yield f"unknown form: {met.method} {met.action} [{' '.join(met.names)}] on {met.page}, depth {met.depth}"


def _query_faults(site: TrueSite, visitor: Visitor) -> Iterator[str]:
    for form in site.forms:
        if form.purpose is FormPurpose.DATABASE and len(form.queries) < 2 and not form.note:
            yield f"{form.name}: a door needs two example queries, or a note that says why it has fewer"
        for query in form.queries:
            count = ask(visitor, site, form, query)
            if count != query.count:
                yield f"{form.name}: {query.send} gives {count}, the records say {query.count}"


def ask(visitor: Visitor, site: TrueSite, form: TrueForm, query: TrueQuery) -> int | str:
    """Send a query through the form as it stands on its page; return how many records answer, or what went wrong."""
    visitor.forget()
    if form.marks.json:
        return len(visitor.get_json(urljoin(form.page, form.marks.json), query.send))
    if form.browser:  # a script would put the values into the address of the page
        answer = visitor.send("GET", form.page, query.send)
        return count_records(visitor, answer, form.marks)
    page = visitor.get(form.page)
    if page is None:
        return f"no page at {form.page}"
    for element, met in zip(page.tree.xpath("//form"), find_forms(page, 0), strict=True):
        if recognise(site, met) == form:
            pairs = [(name, value) for name, value in controls(element) if name not in query.send]
            named = query.send.keys() & set(
                element.xpath(".//input[@type='submit']/@name")
            )  # a query may press another
            pairs += [*query.send.items(), *([] if named else first_button(element))]
            answer = visitor.send(form.method.upper(), action_of(page, element), pairs)
            return count_records(visitor, answer, form.marks)
    return f"the form is not on {form.page}"


def count_records(visitor: Visitor, answer: VisitedPage | None, marks: AnswerMarks) -> int | str:
    """Return how many records an answer has, on all of its pages."""
    if answer is None:
        return "no answer"
    text = " ".join(answer.tree.text_content().split())
    if marks.none and re.search(marks.none, text):
        return 0
    if marks.total:
        shown = re.search(marks.total, text)
        return int(re.sub(r"\D", "", shown[1])) if shown else "no total is shown"
    return _count_pages(visitor, answer, marks)


def _count_pages(visitor: Visitor, answer: VisitedPage, marks: AnswerMarks) -> int:
    count, seen = 0, set()
    for _ in range(MAX_ANSWER_PAGES):
        seen.add(path_of(answer.url))
        count += len(answer.tree.xpath(marks.record))
        links = [urljoin(answer.url, href) for href in answer.tree.xpath(marks.more)] if marks.more else []
        new = [link for link in links if path_of(link) not in seen]
        page = visitor.get(new[0]) if new else None
        if page is None:
            break
        answer = page
    return count
