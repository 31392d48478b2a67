"""Whether a list answers what was asked: rules and fitted weights beside the truth. `python -m bench.extraction.answering [PROGRAM...]`.

Places that look like lists of records, on answers of family A, real records in common designs, labelled list pages and programs of
`bench/realweb` (recorded once; the named ones must be up), each judged as one of several sets of answers shows it. Never family B.
Weights are fitted in folds that leave out all pages of a site, a design, a page or a program.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bench.extraction.designs import DESIGNS, make_sites
from bench.extraction.fit import DESIGN_BASES, DESIGN_SEED, LEAST_RIGHT, SEEDS, SITES, hold_texts, hold_values
from bench.extraction.pages import URL, read_pages, squeeze
from bench.extraction.world import NONSENSE, Asked, Shown, ask_doors
from bench.places import SCRATCH
from bench.realweb.check import recognise
from bench.realweb.truth import FormPurpose, TrueForm, TrueSite, load_site
from bench.realweb.visitor import VisitedPage, Visitor, action_of, controls, find_forms, first_button
from dowse.model import Response
from dowse.page.document import Document
from dowse.records.pieces import unit_parts
from dowse.records.regions import ANSWER_MODEL, AnswerView, RecordRegion, RegionModel, describe_answer, find_regions
from dowse.records.wrapper import AnswerSample, make_views
from dowse.sim import World
from tests.records.markups import PAGES, parse_page, texts_of
from tests.records.trees import tree_of

KEPT = SCRATCH / "answers"
FORM_PAGE, ONE, TWO, EMPTY, NOTHING = "form page", "one", "two", "empty", "nothing"
# What a harvest or a probe may have seen of a door when it learns how its answers are written; the last of each is what was not asked, where there is one.
SETS = (
    (ONE, TWO, NOTHING), (EMPTY, ONE, NOTHING), (ONE, TWO, FORM_PAGE), (EMPTY, NOTHING), (ONE, TWO), (ONE,), (EMPTY,), (FORM_PAGE,), (NOTHING, ONE),
)  # fmt: skip
UNASKED = {FORM_PAGE, NOTHING}
MAX_PLACES = 3  # likeliest places of one answer that are judged
UNTOLD = {
    "djangowiki": "filter of a directory"
}  # forms that list what the truth about a program does not count: folders
MIN_KEY_CHARS = 5  # of a value that tells a record
MIN_SHOWN_SHARE = 0.5  # of the values of a record that a thing shows, where no single one tells it
WRONG = 0.2  # of the records that a place holds, up to which it is another list
FOLDS = 10
PENALTY = 0.3  # of half the square of what a weight differs from its prior, as of the record finder
PROGRAMS = "programs"
PROGRAM_WEIGHT = 3.0  # of an answer of a real program beside one that was made, as of the record finder


# What each fact said in the rules that the weights took the place of: which of them alone refused a list, and how likely one was otherwise.
REFUSED = -5.0
PRIORS = {
    "they stand on a page that says that nothing was found": REFUSED,
    "they stand on pages that found nothing or were not asked": REFUSED,
    "they stand there whatever is asked": REFUSED,
    "the page says that there are three at most": REFUSED,
    "the page says that it found them": -REFUSED,
    "they are as many as the page says": -REFUSED,
    "the page says that nothing was found": 0.0,
    "each is one text alone": 0.0,
    "none of them is a link": 0.0,
    "they are too few lines without a link": REFUSED,
    "they are addresses of other sites": REFUSED,
    "their links ask for this page again": 0.0,
    "something was asked": 0.0,
    "they hold what was asked": 0.0,
    "how many there are, logarithm": 0.0,
    "how likely they are a list of records": 1.0,
}
BIAS = 2.0


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A place that looks like a list of records on one answer, what is known of it, and whether it is such a list."""

    sort: str
    group: str
    facts: dict[str, float]
    by_rules: str  # why the rules refused it
    right: bool
    answer: str  # places of one answer, as one set of answers shows it, have the same
    told: str  # for people


# -- programs of the real web, recorded


def record_answers(site: TrueSite) -> list[dict[str, Any]]:
    """Return what the search forms of a program answer: to two queries, to none, to a word that is nowhere."""
    visitor = Visitor()
    kept = []
    for form in site.forms:
        if form.browser or form.purpose not in (FormPurpose.DATABASE, FormPurpose.SITE_SEARCH):
            continue
        sends = list(_find_sends(site, form))
        if not sends:
            continue
        asked = [
            *zip((ONE, TWO), sends, strict=False),
            (EMPTY, dict.fromkeys(sends[0], "")),
            (NOTHING, dict.fromkeys(sends[0], NONSENSE)),
        ]
        for sort, send in asked:
            page = _send(visitor, site, form, send)
            if page is not None:
                words = [] if sort in (EMPTY, NOTHING) else [value for value in send.values() if value]
                kept.append({"form": form.name, "sort": sort, "url": page.url, "asked": words, "html": page.html})
        first = visitor.get(form.page)
        if first is not None:
            kept.append({"form": form.name, "sort": FORM_PAGE, "url": first.url, "asked": [], "html": first.html})
    return kept


def _find_sends(site: TrueSite, form: TrueForm) -> Iterator[dict[str, str]]:
    """Yield two queries: the example queries of the truth, or frequent words of the records."""
    if len(form.queries) > 1:
        yield from (query.send for query in form.queries[:2])
    elif form.fields:
        counts = Counter(
            word
            for database in site.databases
            for record in database.records()
            for word in {
                word
                for value in record.values()
                for word in str(value).lower().split()
                if word.isalpha() and len(word) > 4
            }
        )
        yield from ({form.fields[0]: word} for word, _ in counts.most_common(12)[10:])


def _send(visitor: Visitor, site: TrueSite, form: TrueForm, send: dict[str, str]) -> VisitedPage | None:
    visitor.forget()
    page = visitor.get(form.page)
    if page is None:
        return None
    for element, met in zip(page.tree.xpath("//form"), find_forms(page, 0), strict=True):
        if recognise(site, met) == form:
            pairs = [(name, value) for name, value in controls(element) if name not in send]
            return visitor.send(
                form.method.upper(), action_of(page, element), [*pairs, *send.items(), *first_button(element)]
            )
    return None


def keep_answers(names: Iterable[str]) -> None:
    """Record the programs that were not yet; they must be up."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = KEPT / f"{name}.json"
        if not path.exists():
            site = load_site(name)
            truth = [
                [[str(value) for value in record.values()] for record in each.records()] for each in site.databases
            ]
            path.write_text(json.dumps({"pages": record_answers(site), "databases": truth}))
            print(f"  {name}: recorded")


def read_programs() -> Iterator[JudgedPlace]:
    """Yield the places on answers of the recorded programs."""
    for path in sorted(KEPT.glob("*.json")):
        held = json.loads(path.read_text())
        index = index_records(held["databases"])
        forms: dict[str, dict[str, AnswerSample]] = defaultdict(dict)
        for page in held["pages"]:
            tree = Document(Response(page["url"], 200, (), page["html"].encode())).nodes
            if page["form"] != UNTOLD.get(path.stem):
                forms[page["form"]][page["sort"]] = AnswerSample(tree, page["url"], tuple(page["asked"]))
        for samples in forms.values():
            yield from _judge_sets(
                PROGRAMS,
                f"program {path.stem}",
                samples,
                lambda _, sample, region, index=index: _hold_records(index, sample, region),
            )


@dataclass(frozen=True, slots=True)
class TrueRecord:
    """What a record of a program says: its values squeezed, and all of them as one text."""

    values: frozenset[str]
    text: str


def index_records(databases: Sequence[Sequence[Sequence[str]]]) -> dict[str, list[TrueRecord]]:
    """Return the records by a value that tells them: one that no other has, else the longest."""
    index: dict[str, list[TrueRecord]] = defaultdict(list)
    for records in databases:
        squeezed = [
            frozenset(squeeze((value.partition("\n")[0],)).casefold() for value in record) - {""} for record in records
        ]
        counts = Counter(value for own in squeezed for value in own)
        for record, own in zip(records, squeezed, strict=True):
            told = TrueRecord(own, " ".join(record).casefold())
            for key in [value for value in own if counts[value] == 1] or [max(own, key=len, default="")]:
                if len(key) >= MIN_KEY_CHARS:
                    index[key].append(told)
    return index


def _hold_records(index: dict[str, list[TrueRecord]], sample: AnswerSample, region: RecordRegion) -> float:
    """Return the share of things that are true records, which hold what was asked where any record does."""
    wanted = [value.casefold() for value in sample.asked if any(map(str.isalpha, value))]
    known = [value for value in wanted if any(value in told.text for some in index.values() for told in some)]
    right = 0
    for item in region.items:
        own = squeeze(unit_parts(item)).casefold()
        found = (told for key, some in index.items() if key in own for told in some)
        right += any(
            (not known or any(value in told.text for value in known)) and _is_shown(index, told, own) for told in found
        )
    return right / len(region.items)


def _is_shown(index: dict[str, list[TrueRecord]], told: TrueRecord, own: str) -> bool:
    """Return True if a text shows a record: by a value that is its own, or by most of its values."""
    is_own = any(value in own and len(index[value]) == 1 for value in told.values if value in index)
    return is_own or sum(value in own for value in told.values) >= MIN_SHOWN_SHARE * len(told.values)


# -- places


def read_made() -> Iterator[JudgedPlace]:
    """Yield the places on answers of family A and of real records in common designs."""
    for seed in SEEDS:
        for asked in ask_doors(World(seed, SITES, family="A"), seed):
            yield from _judge_door(asked, "family A", f"A {seed} {asked.name.partition(' ')[0]}")
    for asked in islice(make_sites(DESIGN_SEED), DESIGN_BASES * len(DESIGNS)):
        yield from _judge_door(asked, "designs", f"design {asked.design}")


def _judge_door(asked: Asked, sort: str, group: str) -> Iterator[JudgedPlace]:
    listed = sorted((page for page in asked.pages if len(page.records) > 1), key=lambda page: -len(page.records))
    nothing = [page for page in asked.pages if not page.records][:1]
    # an answer of many records and one of few
    pages = {
        **dict(zip((ONE, TWO), [*listed[:1], *listed[1:][-1:]], strict=False)),
        **dict(zip((NOTHING,), nothing, strict=False)),
    }
    samples = {name: page.sample for name, page in pages.items()}
    yield from _judge_sets(sort, group, samples, lambda name, _, region: hold_values(region, pages[name].records))


def read_labelled() -> Iterator[JudgedPlace]:
    """Yield the places on labelled list pages, each seen alone."""
    for page in read_pages():
        samples = {EMPTY: AnswerSample(page.tree, URL)}
        truth = list(page.records)
        yield from _judge_sets(
            "labelled pages", f"page {page.name}", samples, lambda _, __, region, truth=truth: hold_texts(region, truth)
        )


def read_markups() -> Iterator[JudgedPlace]:
    """Yield the places on pages of the tests in unlike markups, each seen alone and beside one that found nothing."""
    nothing = AnswerSample(tree_of("<html><body><h1>Library</h1><p>Nothing was found.</p></body></html>"), URL)
    for name, (books, _) in PAGES.items():
        truth = [Shown(str(book["title"]), tuple(texts_of(book))) for book in books]
        samples = {EMPTY: AnswerSample(parse_page(name), URL), NOTHING: nothing}
        hold = partial(_hold_shown, truth)
        yield from _judge_sets("markups", f"markup {name}", samples, hold)


def _hold_shown(truth: Sequence[Shown], name: str, sample: AnswerSample, region: RecordRegion) -> float:
    return hold_values(region, truth)


Hold = Callable[[str, AnswerSample, RecordRegion], float]  # how well a region holds the true records of an answer


def _judge_sets(sort: str, group: str, samples: dict[str, AnswerSample], hold: Hold) -> Iterator[JudgedPlace]:
    """Yield the places of each set of answers that a door gave, as that set shows them."""
    for names in SETS:
        if set(names) <= set(samples):
            last = names[-1] if len(names) > 1 and names[-1] in UNASKED else ""
            own = [replace(samples[name], unasked=name == last) for name in names]
            for name, sample, view in zip(names, own, make_views(own), strict=True):
                if not sample.unasked:
                    answer = f"{group} {id(samples)} {names} {name}"
                    yield from _judge_places(sort, group, answer, view, partial(hold, name, sample))


def _judge_places(
    sort: str, group: str, answer: str, view: AnswerView, hold: Callable[[RecordRegion], float]
) -> Iterator[JudgedPlace]:
    """Yield the likeliest places of an answer, down to the first that is right: what comes after that is never looked at."""
    places: dict[str, RecordRegion] = {}
    for region in find_regions(view):
        if region.score >= 0:
            places.setdefault(region.path, region)
    for region in islice(places.values(), MAX_PLACES):
        quality = hold(region)
        facts, by_rules = describe_answer(view, region), judge_by_rules(view, region)
        if quality >= LEAST_RIGHT or quality <= WRONG:
            told = f"{answer}: {len(region.items)} of {region.path[-40:]}"
            yield JudgedPlace(sort, group, facts, by_rules, quality >= LEAST_RIGHT, answer, told)
        if quality >= LEAST_RIGHT:
            break


def judge_by_rules(view: AnswerView, region: RecordRegion) -> str:
    """Return why a list was refused before there were weights: rules that were set on all pages that are measured here."""
    count = len(region.items)
    if 0 < view.stated <= 3 and count > view.stated:
        return "the page says that there are fewer"
    pieces = [view.read(item, region.cut) for item in region.items]
    texts = [{piece.text for piece in each if piece.text} for each in pieces]
    facts = describe_answer(view, region)
    if facts["they are too few lines without a link"] or facts["they are addresses of other sites"] >= 0.8:
        return "no list"
    if any(sum(own <= page for own in texts) >= 0.5 * count for page in view.empty):
        return "on a page that found nothing"
    if view.stated >= count or (not view.asked and region.richness > 1):
        return ""
    others = view.unasked or (view.known if view.asked else ())
    is_same = others and all(sum(own <= page for own in texts) >= 0.8 * count for page in others)
    return "the same elsewhere" if is_same else ""


# -- weights


def fit(places: Sequence[JudgedPlace]) -> tuple[dict[str, float], float]:
    """Return the weights and the bias by which lists that answer are told from others, near what the rules said."""
    names = list(PRIORS)
    prior = np.array([BIAS, *PRIORS.values()])
    matrix = np.array([[1.0, *(place.facts[name] for name in names)] for place in places])
    right = np.array([1.0 if place.right else 0.0 for place in places])
    sizes = Counter(place.group for place in places)
    # hundreds of places of a site count as tens do
    counting = np.array(
        [(PROGRAM_WEIGHT if place.sort == PROGRAMS else 1) * sizes[place.group] ** -0.5 for place in places]
    )

    def cost(point: Any) -> tuple[float, Any]:
        scores = matrix @ point
        loss = float((counting * np.logaddexp(0, scores * (1 - 2 * right))).sum())
        slope = matrix.T @ (counting * (1 / (1 + np.exp(-scores)) - right))
        return loss + PENALTY / 2 * float(((point - prior) ** 2).sum()), slope + PENALTY * (point - prior)

    found = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    weights = {name: round(float(weight), 2) for name, weight in zip(names, found[1:], strict=True)}
    return weights, round(float(found[0]), 2)


def judge_in_folds(places: Sequence[JudgedPlace]) -> list[bool]:
    """Return for each place whether weights that were fitted without its group take it for a list that answers."""
    groups = list(dict.fromkeys(place.group for place in places))
    kinds: dict[str, list[str]] = defaultdict(list)
    for group in groups:
        kinds[group.partition(" ")[0]].append(group)
    taken: dict[int, bool] = {}
    for fold in range(FOLDS):
        held = {group for some in kinds.values() for group in some[fold::FOLDS]}
        weights, bias = fit([place for place in places if place.group not in held])
        model = RegionModel("", bias, weights)
        taken |= {id(place): model.score(place.facts) >= 0 for place in places if place.group in held}
    return [taken[id(place)] for place in places]


def count_right(places: Sequence[JudgedPlace], taken: Sequence[bool]) -> dict[str, dict[str, float]]:
    """Return for each sort of page precision and recall of "this list answers", and the share of answers whose first list that is taken is right."""
    shares = {}
    for sort in dict.fromkeys(place.sort for place in places):
        own = [(place, yes) for place, yes in zip(places, taken, strict=True) if place.sort == sort]
        both = sum(yes and place.right for place, yes in own)
        answers: dict[str, list[tuple[JudgedPlace, bool]]] = defaultdict(list)
        for place, yes in own:
            answers[place.answer].append((place, yes))
        ends = 0
        for some in answers.values():
            first = next((place for place, yes in some if yes), None)
            ends += first.right if first else not any(place.right for place, _ in some)
        shares[sort] = {
            "places": len(own), "right": sum(place.right for place, _ in own),
            "precision": both / max(1, sum(yes for _, yes in own)),
            "recall": both / max(1, sum(place.right for place, _ in own)),
            "answers": len(answers), "answers right": ends / len(answers),
        }  # fmt: skip
    return shares


def main() -> None:
    """Record the named programs, fit, print rules beside folds, and write the model."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "programs", nargs="*", help="of bench/realweb, which are up; those recorded before are read anyway"
    )
    parser.add_argument("--dry", action="store_true", help="write no model")
    parser.add_argument("--wrong", action="store_true", help="list what folds judge wrongly")
    asked = parser.parse_args()
    keep_answers(asked.programs)
    places = [*read_labelled(), *read_programs(), *read_markups(), *read_made()]
    in_folds = judge_in_folds(places)
    for name, taken in (("rules", [not place.by_rules for place in places]), ("folds", in_folds)):
        for sort, shares in count_right(places, taken).items():
            print(
                f"{name:6} {sort:15}",
                ", ".join(f"{key} {number:.3f}".removesuffix(".000") for key, number in shares.items()),
            )
    if asked.wrong:
        for place, yes in zip(places, in_folds, strict=True):
            if yes != place.right:
                print("right" if place.right else "wrong", place.group, place.told, f"rules: {place.by_rules}")
                print("   ", {name: round(number, 2) for name, number in place.facts.items() if number})
    weights, bias = fit(places)
    print(json.dumps({"bias": bias, **weights}, indent=1))
    if not asked.dry:
        figures = count_right(places, in_folds)
        told = "; ".join(
            f"{sort} precision {own['precision']:.3f}, recall {own['recall']:.3f}" for sort, own in figures.items()
        )
        groups = len({place.group for place in places})
        source = f"bench/extraction/answering.py: {len(places)} places of {groups} sites, designs, pages and programs, penalty {PENALTY}; {FOLDS} folds: {told}"
        lines = ",\n".join(f"{json.dumps(name)}: {weight}" for name, weight in sorted(weights.items()))
        ANSWER_MODEL.write_text(
            f'{{"source": {json.dumps(source)}, "bias": {bias}, "weights": {{\n{lines}\n}}}}\n', encoding="utf-8"
        )


if __name__ == "__main__":
    main()
