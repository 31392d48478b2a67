"""Pages of the real web with what their forms are: walked once, kept, and walked again when the truth about them changes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from bench.install import Missing
from bench.places import SCRATCH
from bench.realweb.check import recognise
from bench.realweb.place import PROGRAMS
from bench.realweb.truth import TrueForm, TrueSite, load_site
from bench.realweb.visitor import VisitedPage, Visitor, find_forms, walk

KEPT = SCRATCH / "labelled"
MAX_LABELLED_PAGES = 8  # pages with one form: enough to see what of it changes from page to page
MAX_SITE_PAGES = 150  # pages of one site without a form to label: enough to see what sort of site it is


def label_pages(site: TrueSite, visitor: Visitor | None = None) -> Iterator[dict[str, object]]:
    """Yield the pages of a site, nearest to its entrance first, with the kinds of their forms, as `dowse train forms --pages` reads them.

    A form that a script fills has no kind here, for the HTML that is sent does not say what it asks; nor has one that was labelled often.
    """
    known: dict[str, VisitedPage | None] = {}
    walk(visitor or Visitor(), site.entrance, polite=False, max_depth=site.max_depth, ignore=site.ignore, known=known)
    met: Counter[TrueForm | None] = Counter()
    others = 0
    for page in filter(None, known.values()):
        forms = [recognise(site, form) for form in find_forms(page, 0)]
        wanted = [form is not None and met[form] < MAX_LABELLED_PAGES for form in forms]
        met.update(forms)
        if not any(wanted):
            others += 1
            if others > MAX_SITE_PAGES:
                continue
        kinds = [
            str(form.purpose) if form and label and not form.browser else ""
            for form, label in zip(forms, wanted, strict=True)
        ]
        names = ["" if form is None else form.name for form in forms]
        yield {"site": site.name, "url": page.url, "forms": kinds, "names": names, "html": page.html}


def keep_pages(name: str, say: Callable[[str], None]) -> Path:
    """Return the file with the labelled pages of a program; the web must be up where there is none for the truth as it is."""
    truth = (PROGRAMS / name / "truth.toml").read_bytes()
    digest = hashlib.sha256(truth + f"{MAX_LABELLED_PAGES} {MAX_SITE_PAGES}".encode()).hexdigest()[:12]
    path = KEPT / f"{name}-{digest}.jsonl"
    if path.exists():
        return path
    site = load_site(name)
    say(f"    {name}: labelling its pages")
    try:
        pages = list(label_pages(site))
    except httpx.HTTPError as error:
        raise Missing(f"{name} does not answer ({error}): python -m bench.realweb up") from None
    sent = any(not form.browser for form in site.forms)
    if sent and not any(kind for page in pages for kind in page["forms"]):  # type: ignore[attr-defined]
        raise Missing(f"none of the forms of {name} was met: python -m bench.realweb up {name}")
    path.parent.mkdir(parents=True, exist_ok=True)
    for older in path.parent.glob(f"{name}-*.jsonl"):
        older.unlink()
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path
