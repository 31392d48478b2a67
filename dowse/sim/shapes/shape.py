"""What tells one browsable site from another: how its records are reached, and how their addresses look."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.sim.wording import LANGUAGES

Divisions = tuple[str, ...]  # what lists are divided by, the outermost first; each is a key of pieces.DIVISIONS

OWN_LETTERS = tuple(each for each in LANGUAGES if each != "ja")  # languages whose words begin with one of few letters
TITLED = ("books", "jobs", "recipes", "films", "papers", "plants")  # topics whose records have titles of their own
TOPICS = ("books", "cars", "jobs", "homes", "recipes", "films", "papers", "plants")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of site; every word in it is a key of a table in this package."""

    name: str
    summary: str
    ways: tuple[Divisions, ...]  # ways to browse; the first leads to every target
    target: str  # addresses.TARGETS: how the addresses of targets look
    hub: str = "folder"  # addresses.HUBS: and those of lists
    older: str = ""  # addresses.TARGETS: of the older half of the targets, where it is another
    entry: str = "home"  # lists begin on the home page, "below" it, or "catalogue": below, and that is the way in
    page_size: int = 0  # records on a page of a list; 0 has them all on one
    steps: str = "numbers"  # to further pages: STEPS
    paging: str = "query"  # addresses.PAGINGS
    order: str = "name"  # of a list: name, newest
    depths: str = "leaf"  # records stand in the innermost lists, or in those of "any" level
    boxes: tuple[str, ...] = ()  # newest and featured on the way in, popular on every page
    ties: tuple[str, ...] = ()  # between targets: related, neighbours
    decoys: tuple[str, ...] = ()  # address, news, descriptions: other pages that have the look of targets
    parts: tuple[str, ...] = ("text",)  # what stands on some targets: text, table, pictures, comments, lists
    form: str = ""  # "letter" where a form alone leads to the lists
    session: str = ""  # "yes" where every link carries one
    works: str = ""  # "yes" where targets have pages of another kind below them
    languages: tuple[str, ...] = LANGUAGES
    topics: tuple[str, ...] = TOPICS
    sizes: tuple[int, int] = (60, 220)  # targets on the first day
    growth: float = 1.0  # targets that a day brings
    clicks: int = 2  # from the way in to any target, within the first hundred days
