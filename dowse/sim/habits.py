"""What the author of one site always does: design, addresses, names, labels, wording."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dowse.sim import words

DESIGN_NAMES = ("table97", "left_menu", "top_nav", "footer_nav", "modern", "plain", "portal", "wiki")
OLD_DESIGNS = frozenset({"table97", "plain"})  # capital letters, raw ampersands, unclosed tags
PATH_STYLES = ("folders", "flat", "nested", "script", "numbered")
HREF_STYLES = ("root", "relative", "absolute", "protocol", "base")
LABEL_STYLES = ("for", "before", "cell", "after", "placeholder", "title", "wrapped", "line")
NAME_STYLES = ("plain", "short", "prefixed", "camel", "opaque")
FORM_STYLES = ("whole", "whole", "whole", "across-table", "outside")
LAYOUTS = ("table", "list", "cards", "definitions")
PAGE_PARAMETERS = ("page", "p", "pg", "start", "offset", "pageno", "first")
SCRIPTS = ("/page.php?id={n}", "/index.php?p={n}", "/show.asp?doc={n}", "/main.cfm?section={n}", "/view.jsp?node={n}")
EXTENSIONS = (".html", ".htm", ".shtml", ".php", "")
CSS_WORDS = ("mod", "c", "box", "x", "ui", "blk", "site", "el", "theme", "w")


@dataclass(frozen=True, slots=True)
class Habits:
    """One author's choices; drawn once for each site."""

    design: str
    paths: str
    hrefs: str
    labels: str
    names: str
    form_style: str
    layout: str
    encoding: str
    css: str
    script: str
    extension: str
    page_parameter: str
    site_name: str
    home: str
    more: str
    also: str
    any: str
    button: str
    next: str
    before: str
    count: str
    empty: str
    blank: str
    not_found: str
    thanks: str
    answers_blank: str  # a query without values gives "all" or "nothing"

    @property
    def is_old(self) -> bool:
        """Whether the site is written the way of the nineties."""
        return self.design in OLD_DESIGNS

    @property
    def ampersand(self) -> str:
        """How `&` is written in addresses."""
        return "&" if self.is_old else "&amp;"


def draw_habits(rng: Random, topic_noun: str) -> Habits:
    """Draw the habits of a site's author."""
    pick = rng.choice
    design = pick(DESIGN_NAMES)
    return Habits(
        design=design,
        paths=pick(PATH_STYLES),
        hrefs=pick(HREF_STYLES),
        labels=pick(LABEL_STYLES),
        names=pick(NAME_STYLES),
        form_style=pick(FORM_STYLES),
        layout=pick(LAYOUTS),
        encoding=pick(("iso-8859-1", "windows-1252", "utf-8")) if design in OLD_DESIGNS else "utf-8",
        css=f"{pick(CSS_WORDS)}{pick(('-', '_', ''))}",
        script=pick(SCRIPTS),
        extension=pick(EXTENSIONS),
        page_parameter=pick(PAGE_PARAMETERS),
        site_name=f"{pick(words.HOST_WORDS).title()} {pick((topic_noun, pick(words.HOST_ENDS).title()))}",
        home=pick(words.HOME),
        more=pick(words.MORE),
        also=pick(words.ALSO),
        any=pick(words.ANY),
        button=pick(words.SEARCH_BUTTONS),
        next=pick(words.NEXT),
        before=pick(words.BEFORE),
        count=pick(words.COUNTS),
        empty=pick(words.EMPTY),
        blank=pick(words.BLANK),
        not_found=pick(words.NOT_FOUND),
        thanks=pick(words.THANKS),
        answers_blank=pick(("all", "all", "nothing")),
    )
