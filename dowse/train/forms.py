"""Trains the models that judge forms, and says how well they do on sites they have not seen."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dowse.form.evidence import BOUGHT, DOOR, TYPE, Row
from dowse.form.features import Description, describe, page_facts, page_words
from dowse.form.judge import BOUGHTS, DOORS, TYPES, Models, judge_form, mix, weigh
from dowse.learn.fit import fit_softmax
from dowse.learn.softmax import Softmax, spell, to_odds
from dowse.train.examples import Example

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Figures:
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


def train(examples: Iterable[Example]) -> Models:
    """Fit the three models."""
    seen = [example for example in examples if example.form is not None]
    return Models(
        _fit(seen, lambda one: one.type, TYPE, TYPES, penalty=2.0, least=5),
        _fit(_only(seen, DOORS), lambda one: one.kind, DOOR, DOORS, penalty=3.0, least=6),
        _fit(_bought(seen), _how_bought, BOUGHT, BOUGHTS, penalty=3.0, least=3),
    )


def _only(examples: Iterable[Example], kinds: Sequence[str]) -> list[Example]:
    return [example for example in examples if example.kind in kinds]


def _bought(examples: Iterable[Example]) -> list[Example]:
    return [example for example in examples if example.type == "order"]


def _how_bought(example: Example) -> str:
    return "configure" if example.kind == "configure" else "order"


def _fit(
    examples: Sequence[Example],
    label: Callable[[Example], str],
    rows: Sequence[Row],
    classes: Sequence[str],
    *,
    penalty: float,
    least: int,
) -> Softmax:
    noticed = [_notice(example, rows) for example in examples]
    weighed = [weigh(rows, classes, facts) for facts, _ in noticed]
    facts = [_count(each, words) for (_, each, _), (_, words) in zip(weighed, noticed, strict=True)]
    labels, given = [label(one) for one in examples], [points for points, _, _ in weighed]
    return fit_softmax(facts, labels, given, classes, penalty=penalty, least=least)


def _notice(example: Example, rows: Sequence[Row]) -> Description:
    assert example.form is not None
    facts, words = describe(example.form, example.page)
    if rows is DOOR and "asked 1" in facts:
        facts |= set(page_facts(page_words(example.page)))
    return Description(facts, words)


def _count(facts: set[str], words: set[str]) -> Counter[str]:
    """Count each fact once, and those of spelling once for each word."""
    return Counter([*facts, *(part for word in words for part in spell(word))])


def make_folds(examples: Sequence[Example], count: int = FOLDS) -> list[int]:
    """Return a fold for each example: all of a registrable domain in one, the folds about equally large."""
    sizes = Counter(example.domain for example in examples)
    names = sorted(sizes, key=lambda name: (-sizes[name], hashlib.md5(name.encode()).hexdigest()))
    loads, place = [0] * count, {}
    for name in names:
        place[name] = loads.index(min(loads))
        loads[place[name]] += sizes[name]
    return [place[example.domain] for example in examples]


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of an example by models that have not seen its site."""

    example: Example
    fold: int
    type: str
    search: float  # the probability that it is one
    kind: str


def judge_unseen(examples: Sequence[Example], say: Callable[[str], None] = lambda line: None) -> list[Said]:
    """Judge each example with models that were trained without its registrable domain."""
    folds = make_folds(examples)
    said: list[Said] = []
    for fold in range(FOLDS):
        models = train(example for example, other in zip(examples, folds, strict=True) if other != fold)
        held = [example for example, own in zip(examples, folds, strict=True) if own == fold]
        said += [_say(example, fold, models) for example in held]
        say(f"fold {fold + 1} of {FOLDS}: {len(held)} forms")
    return said


def _say(example: Example, fold: int, models: Models) -> Said:
    if example.form is None:
        return Said(example, fold, "other", 0.0, "other")
    facts, words = describe(example.form, example.page)
    points, facts, _ = weigh(TYPE, TYPES, facts)
    odds = to_odds(mix(points, models.type.score(facts, words)))
    best = max(range(len(TYPES)), key=odds.__getitem__)
    kind = judge_form(example.form, example.page, models).kind
    return Said(example, fold, TYPES[best], odds[0], _door(example, models) if example.kind in DOORS else kind)


def _door(example: Example, models: Models) -> str:
    """Say database or site search, whatever the first model thinks."""
    facts, words = _notice(example, DOOR)
    points, facts, _ = weigh(DOOR, DOORS, facts)
    scores = mix(points, models.door.score(facts, words))
    return DOORS[scores.index(max(scores))]


def measure(said: Sequence[Said]) -> Figures:
    """Count how often it was right."""
    wanted = [one.example.type == "search" for one in said]
    claimed = [one.type == "search" for one in said]
    right = sum(want and claim for want, claim in zip(wanted, claimed, strict=True))
    precision, recall = right / max(1, sum(claimed)), right / max(1, sum(wanted))
    doors = [one for one in said if one.example.kind in DOORS and one.example.form is not None]
    return Figures(
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
    import orjson

    parts = []
    for name, model in models._asdict().items():
        data = model.to_data()
        weights = ",\n".join(
            f"{orjson.dumps(fact).decode()}:{orjson.dumps(row).decode()}" for fact, row in data["weights"].items()
        )
        head = orjson.dumps({"classes": data["classes"], "bias": data["bias"]}).decode()[:-1]
        parts.append(f'"{name}":{head},"weights":{{\n{weights}}}}}')
    text = "{" + ",\n".join(parts) + "}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(text.encode())
