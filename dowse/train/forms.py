"""Trains the models that judge forms from labelled forms of the web, and measures them on sites they have not seen.

The pages and the type of each form come from the package formasaurus (MIT licence); `search_kinds.tsv` beside this file
says of its search, order and other forms which ask a database, and which only the site's own pages. Beside them are
learned simulated sites of family A, and labelled pages from files, such as those that `python -m bench.realweb pages`
writes. Figures are of formasaurus alone.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from dowse.errors import BadInput
from dowse.form.features import BOUGHT, DOOR, LINK_WORD, PAGE_WORD, TYPE, Evidence, describe, page_facts
from dowse.form.judge import BOUGHTS, DOORS, TYPES, Models, judge_form, mix, weigh
from dowse.learn.fit import FactTable
from dowse.learn.linear import SOFTMAX_SCALE, Softmax, spell, to_odds
from dowse.model import KINDS, Form, Page, Request, Response
from dowse.page import read_page
from dowse.sim import World
from dowse.url import registrable_domain, site_of

TYPE_OF = {
    "s": "search", "l": "login", "p": "recovery", "r": "registration", "c": "contact", "m": "subscribe", "b": "order",
    "o": "other", "P": "other", "V": "other", "N": "other", "C": "other",
}  # fmt: skip
TYPE_OF_KIND = {"database": "search", "site-search": "search", "configure": "other"}  # other kinds are types
SIMULATED_SITES = 400  # of family A, whose forms are learned
SIMULATED_SEED = 7
SIMULATED_WEIGHT = 0.3  # of a simulated form: there are many and they are much alike
FORM_WEIGHT = 3.0  # of one form in files of labelled pages, however many pages have it
PROGRAM_WEIGHT = (
    6.0  # of all forms of one kind on one site there: programs count alike, whatever number of forms they have
)
MIN_SHARED_NAMES = 0.3  # part of its names that a form must share with what another parser saw of it
FOLDS = 10  # of cross-validation; all forms of a domain in one
_CONTROLS = ("input", "select", "textarea", "button")


@dataclass(frozen=True, slots=True)
class LabelledForm:
    """A form of a page of the web and what people say it is."""

    page_file: str
    number: int  # among the forms of its page, as lxml sees them
    type: str
    kind: str  # database, site-search, configure, other, unsure; nothing where nobody looked
    domain: str
    page: Page
    form: Form | None  # None where no such form is on the page as browsers read it
    weight: float = 1.0  # how much it counts in training
    is_program: bool = False  # of software that stands on many sites: its words are its own
    name: str = ""  # the same on all pages that have the form
    true_kind: str = ""  # one of KINDS, where that is known


def read_examples() -> list[LabelledForm]:
    """Return all labelled forms."""
    folder = find_data()
    kinds = read_kinds()
    index: dict[str, dict[str, Any]] = json.loads((folder / "index.json").read_text())
    return [example for name, facts in index.items() for example in _read_page_examples(folder / name, facts, kinds)]


def find_data() -> Path:
    """Return where the labelled pages are."""
    found = find_spec("formasaurus")
    if found is None or not found.origin or find_spec("scipy") is None:
        raise BadInput("training needs the labelled forms and the tools: pip install 'dowse[train]'")
    return Path(found.origin).parent / "data"


def read_kinds() -> dict[tuple[str, int], str]:
    """Return what people say that searches search, by the file of a page and the number of a form in it."""
    with resources.files("dowse.train").joinpath("search_kinds.tsv").open(encoding="utf-8") as lines:
        return {(row["page"], int(row["form"])): row["label"] for row in csv.DictReader(lines, delimiter="\t")}


def _read_page_examples(path: Path, facts: dict[str, Any], kinds: dict[tuple[str, int], str]) -> Iterator[LabelledForm]:
    body = path.read_bytes()
    page = read_page(Response(facts["url"], 200, (("content-type", "text/html; charset=utf-8"),), body))
    domain = registrable_domain(site_of(facts["url"]).host)
    found = _match(_read_names(body), page.forms)
    for number, letter in enumerate(facts["forms"]):
        if letter in TYPE_OF:
            form = found[number] if number < len(found) else None
            yield LabelledForm(
                path.name, number, TYPE_OF[letter], kinds.get((path.name, number), ""), domain, page, form
            )


def read_labelled_pages(path: Path) -> list[LabelledForm]:
    """Return the forms of pages that stand in a file, a JSON object a line: site, url, html, and a kind for each form.

    A form without a kind is left out. Forms of the same name on one site are one form on several pages.
    """
    found: list[tuple[str, LabelledForm]] = []
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read as labelled pages: {error}") from None
    for row in rows:
        body = row["html"].encode()
        page = read_page(Response(row["url"], 200, (("content-type", "text/html; charset=utf-8"),), body))
        forms = _match(_read_names(body), page.forms) if row["forms"] else []
        names = row.get("names") or [f"{row['url']} {number}" for number in range(len(forms))]
        for number, (form, kind, name) in enumerate(zip(forms, row["forms"], names, strict=False)):
            if form is not None and kind in KINDS:
                one = _label(row["url"], number, kind, row["site"], page, form)
                found.append((name, replace(one, is_program=True, name=name, true_kind=kind)))
    often = Counter((name, example.domain) for name, example in found)
    several = Counter((site, kind) for _, site, kind in {(name, one.domain, one.kind) for name, one in found})
    return [
        replace(
            one,
            weight=min(1.0, min(FORM_WEIGHT, PROGRAM_WEIGHT / several[one.domain, one.kind]) / often[name, one.domain]),
        )
        for name, one in found
    ]


def simulate_examples(sites: int = SIMULATED_SITES, seed: int = SIMULATED_SEED) -> list[LabelledForm]:
    """Return the forms of simulated sites of family A, each on the page it stands on first."""
    world = World(seed, sites, family="A")
    found: list[LabelledForm] = []
    wanted = (form for truth in world.truth() for form in truth.forms if form.made == "html" and form.reachable)
    for true in wanted:
        response = None if true.same_as else world.answer(Request(true.page))
        if not isinstance(response, Response) or response.status != 200:
            continue
        page = read_page(response)
        for form in page.forms:
            names = {field.name for field in form.fields if field.name} - set(true.buttons)
            if form.action == true.action and names == set(true.fields):
                host = site_of(true.page).host
                example = _label(true.page, form.index, true.kind, host, page, form)
                found.append(replace(example, weight=SIMULATED_WEIGHT))
                break
    return found


def _label(url: str, number: int, kind: str, site: str, page: Page, form: Form) -> LabelledForm:
    """Return a form with its type, where its kind is known."""
    type = TYPE_OF_KIND.get(kind, kind)
    facts = describe(form, page).facts
    if kind == "configure" and "any~order" in facts:
        type = "order"  # the options of one thing to buy
    elif kind in ("other", "login") and "any~recover" in facts and "password 1" not in facts:
        type = "recovery"  # a type, but no kind
    return LabelledForm(url, number, type, kind if type in ("search", "order") else "", site, page, form)


def _read_names(body: bytes) -> list[Counter[str]]:
    """Return the names of the controls of each form, as lxml sees them: the labels are numbered by it."""
    from lxml import html

    tree = html.fromstring(body, parser=html.HTMLParser(encoding="utf8"))
    return [
        Counter(name for control in form.iter(*_CONTROLS) if (name := control.get("name")))
        for form in tree.xpath("//form")
    ]


def _match(wanted: Sequence[Counter[str]], forms: Sequence[Form]) -> list[Form | None]:
    """Return for each form that lxml sees the one a browser sees: the same names, and nearest in order."""
    left = {form.index: form for form in forms if form.made == "html"}
    found: list[Form | None] = []
    for number, names in enumerate(wanted):
        ranked = sorted((-_share_names(names, form) + abs(index - number) / 100, index) for index, form in left.items())
        good = ranked and _share_names(names, left[ranked[0][1]]) >= MIN_SHARED_NAMES
        found.append(left.pop(ranked[0][1]) if good else None)
    return found


def _share_names(names: Counter[str], form: Form) -> float:
    own = Counter(field.name for field in form.fields if field.name)
    either = sum((names | own).values())
    return sum((names & own).values()) / either if either else 1.0


# -- training


@dataclass(frozen=True, slots=True)
class FormFigures:
    """How well forms of unseen sites are judged."""

    forms: int
    domains: int
    search_error: float
    search_precision: float
    search_recall: float
    search_f1: float
    type_accuracy: float  # of eight
    door_accuracy: float  # of the searches that people told apart: database or site search
    unread: int  # forms that browsers do not see; they count as taken for `other`


@dataclass(frozen=True, slots=True)
class DescribedForm:
    """What was noticed about a labelled form: all that the models are fitted on."""

    domain: str
    type: str
    kind: str
    weight: float
    facts: frozenset[str]
    words: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()  # facts of the page, of a search
    is_program: bool = False


def describe_example(example: LabelledForm) -> DescribedForm | None:
    """Return what can be noticed about an example, where its page has the form."""
    if example.form is None:
        return None
    facts, words = describe(example.form, example.page)
    around: frozenset[str] = frozenset()
    if example.kind in DOORS:
        around = frozenset(page_facts(example.page))
    return DescribedForm(
        example.domain, example.type, example.kind, example.weight, frozenset(facts), frozenset(words), around,
        example.is_program,
    )  # fmt: skip


def describe_examples(examples: Iterable[LabelledForm]) -> list[DescribedForm]:
    """Return what can be noticed about examples, without those that no browser shows."""
    return [found for example in examples if (found := describe_example(example)) is not None]


class FormTables:
    """Described forms as tables of facts, one for each question: built once, and fitted with any of the sites left out."""

    def __init__(self, seen: Sequence[DescribedForm]) -> None:
        searches = [one for one in seen if one.kind in DOORS]
        orders = [one for one in seen if one.type == "order"]
        self.type = _FormQuestion(seen, [one.type for one in seen], TYPE, TYPES)
        self.door = _FormQuestion(searches, [one.kind for one in searches], DOOR, DOORS)
        kinds = [one.kind if one.kind in BOUGHTS else "order" for one in orders]
        self.bought = _FormQuestion(orders, kinds, BOUGHT, BOUGHTS)


class _FormQuestion:
    """The examples of one question with their facts and labels."""

    def __init__(
        self, examples: Sequence[DescribedForm], labels: Sequence[str], rows: Sequence[Evidence], classes: Sequence[str]
    ) -> None:
        self.examples, self.labels, self.classes = examples, labels, classes
        weighed = [weigh(rows, classes, {*one.facts, *(one.around if rows is DOOR else ())}) for one in examples]
        self.given = [points for points, _, _ in weighed]
        # each fact counts once, and those of spelling once for each word; the words of a program are those of its maker
        facts = [
            Counter([fact for fact in each if "=" not in fact])
            if one.is_program
            else Counter([*each, *(part for word in one.words for part in spell(word))])
            for (_, each, _), one in zip(weighed, examples, strict=True)
        ]
        self.table = FactTable(facts, [one.domain for one in examples])

    def fit(self, without: Container[str], penalty: Callable[[str], float], min_sources: int) -> Softmax:
        """Fit the examples of all domains but some."""
        rows = [number for number, one in enumerate(self.examples) if one.domain not in without]
        return self.table.fit(
            rows,
            [self.labels[row] for row in rows],
            [self.given[row] for row in rows],
            self.classes,
            penalty=penalty,
            min_sources=min_sources,
            counting=[self.examples[row].weight for row in rows],
        )


def train(tables: FormTables, without: Collection[str] = ()) -> Models:
    """Fit the models on all domains but some."""
    return Models(
        tables.type.fit(without, lambda _: 2.0, min_sources=5),
        tables.door.fit(without, _price_door, min_sources=3),
        tables.bought.fit(without, lambda _: 3.0, min_sources=3),
    )


def _price_door(fact: str) -> float:
    """Return what weight of a fact costs where databases are told from site searches: the less, the more it is known to mean.

    Chosen with one program left out at a time, and on the folds of formasaurus.
    """
    if fact in _DOOR_ROWS:
        return 10.0
    if fact.startswith((PAGE_WORD, LINK_WORD)):
        return 80.0
    return 40.0 if fact[0] == ":" or "=" in fact else 20.0


_DOOR_ROWS = frozenset(row.reason for row in DOOR)


def make_folds(examples: Sequence[LabelledForm], count: int = FOLDS) -> list[int]:
    """Return a fold for each example: all of a registrable domain in one, the folds about equally large."""
    sizes = Counter(example.domain for example in examples)
    names = sorted(sizes, key=lambda name: (-sizes[name], hashlib.md5(name.encode()).hexdigest()))
    loads, place = [0] * count, {}
    for name in names:
        place[name] = loads.index(min(loads))
        loads[place[name]] += sizes[name]
    return [place[example.domain] for example in examples]


@dataclass(frozen=True, slots=True)
class UnseenJudgement:
    """How an example was judged by models that have not seen its site."""

    example: LabelledForm
    fold: int
    type: str
    search: float  # the probability that it is one
    kind: str


def judge_unseen(
    examples: Sequence[LabelledForm],
    say: Callable[[str], None] = lambda line: None,
    beside: Sequence[LabelledForm] = (),
) -> list[UnseenJudgement]:
    """Judge each example with models that were trained without its registrable domain, and with all of those beside."""
    folds = make_folds(examples)
    tables = FormTables(describe_examples([*examples, *beside]))
    said: list[UnseenJudgement] = []
    for fold in range(FOLDS):
        held = [example for example, own in zip(examples, folds, strict=True) if own == fold]
        models = train(tables, without={example.domain for example in held})
        said += [_judge_example(example, fold, models) for example in held]
        say(f"fold {fold + 1} of {FOLDS}: {len(held)} forms")
    return said


def _judge_example(example: LabelledForm, fold: int, models: Models) -> UnseenJudgement:
    if example.form is None:
        return UnseenJudgement(example, fold, "other", 0.0, "other")
    facts, words = describe(example.form, example.page)
    points, facts, _ = weigh(TYPE, TYPES, facts)
    odds = to_odds(mix(TYPE, points, models.type.score(facts, words)))
    best = max(range(len(TYPES)), key=odds.__getitem__)
    kind = judge_form(example.form, example.page, models).kind
    return UnseenJudgement(
        example, fold, TYPES[best], odds[0], _judge_door(example, models) if example.kind in DOORS else kind
    )


def _judge_door(example: LabelledForm, models: Models) -> str:
    """Return database or site-search, whatever the first model says."""
    assert example.form is not None
    facts, words = describe(example.form, example.page)
    points, facts, _ = weigh(DOOR, DOORS, facts | page_facts(example.page))
    scores = mix(DOOR, points, models.door.score(facts, words))
    return DOORS[scores.index(max(scores))]


def measure(said: Sequence[UnseenJudgement]) -> FormFigures:
    """Count how often it was right."""
    wanted = [one.example.type == "search" for one in said]
    claimed = [one.type == "search" for one in said]
    right = sum(want and claim for want, claim in zip(wanted, claimed, strict=True))
    precision, recall = right / max(1, sum(claimed)), right / max(1, sum(wanted))
    doors = [one for one in said if one.example.kind in DOORS and one.example.form is not None]
    return FormFigures(
        forms=len(said),
        domains=len({one.example.domain for one in said}),
        search_error=sum(want != claim for want, claim in zip(wanted, claimed, strict=True)) / len(said),
        search_precision=precision,
        search_recall=recall,
        search_f1=2 * precision * recall / max(1e-9, precision + recall),
        type_accuracy=sum(one.type == one.example.type for one in said) / len(said),
        door_accuracy=sum(one.kind == one.example.kind for one in doors) / max(1, len(doors)),
        unread=sum(one.example.form is None for one in said),
    )


def write_models(models: Models, path: Path) -> int:
    """Write the models as JSON, a fact to a line, and return the bytes."""

    def encode(some: object) -> str:
        return msgspec.json.encode(some).decode()

    parts = []
    for name, model in msgspec.structs.asdict(models).items():
        weights = ",\n".join([f"{encode(fact)}:{encode(row)}" for fact, row in sorted(model.weights.items())])
        head = encode({"classes": model.classes, "bias": model.bias})[:-1]
        parts.append(f'"{name}":{head},"weights":{{\n{weights}}}}}')
    text = "{" + ",\n".join(parts) + "}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(text.encode())


# -- whether training gave again what comes with Dowse


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """How far models are apart; a fact that one of them does not weigh has no weight in it."""

    facts: int  # that only one of them weighs
    weight: float  # the largest difference of a weight or a bias, in logarithms of odds

    @property
    def none(self) -> bool:
        """True if they are the same."""
        return not self.facts and not self.weight


def compare_models(models: Models, others: Models) -> ModelDifference:
    """Compare models question by question; other classes are as far away as can be."""
    pairs = list(zip(msgspec.structs.astuple(models), msgspec.structs.astuple(others), strict=True))
    if any(one.classes != other.classes for one, other in pairs):
        return ModelDifference(sum(len(one.weights) + len(other.weights) for one, other in pairs), float("inf"))
    facts = sum(len(one.weights.keys() ^ other.weights.keys()) for one, other in pairs)
    return ModelDifference(facts, max(_farthest(one, other) for one, other in pairs) / SOFTMAX_SCALE)


def _farthest(one: Softmax, other: Softmax) -> int:
    nothing = (0,) * len(one.classes)
    rows = [(one.bias, other.bias)]
    rows += [
        (one.weights.get(fact, nothing), other.weights.get(fact, nothing)) for fact in {*one.weights, *other.weights}
    ]
    return max(abs(here - there) for row in rows for here, there in zip(*row, strict=True))
