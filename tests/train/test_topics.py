"""Training topics: the fast way gives the same weights as the plain one, and the list of topics is whole."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from dowse.topic import list_shipped
from dowse.topic.fit import FOLDS, TopicExample, fit_weights, fold_of, measure, score_held_out
from dowse.topic.text import PageStems, Stems, read_stems
from dowse.train.labelled import LABELS, LabelledText, correct_labels
from dowse.train.stem_table import StemTable
from dowse.train.topic_corpus import EvidenceTable, LabelledStems, TopicCorpus, read_specs, weigh_terms
from dowse.train.topics import choose_settings, fit_logistic, gather_evidence, judge_held_out, measure_texts

pytest.importorskip("sklearn")

OWN, ANY = [f"own{letter}" for letter in "abcdefgh"], [f"any{letter}" for letter in "abcdefghijklmnop"]


def make_examples(seed: int) -> list[TopicExample]:
    rng = random.Random(seed)
    found = []
    for number in range(120):
        positive = number % 4 == 0
        words = rng.choices(ANY, k=12) + rng.choices(OWN if positive else ANY, k=4)
        found.append(TopicExample(read_stems("", " ".join(words)).strengths, f"site{number // 2}", positive))
    return found


def test_the_topics_that_are_described_are_those_that_come_with_dowse() -> None:
    assert sorted(spec.name for spec in read_specs()) == list_shipped()


def test_the_table_gives_the_weights_of_the_plain_fit() -> None:
    examples = make_examples(1)
    plain, fast = fit_weights(examples), StemTable(examples).fit(examples)
    for one in examples:
        assert plain.score(one.strengths) == pytest.approx(fast.score(one.strengths), abs=0.05)


def test_held_out_sites_are_told_and_measured() -> None:
    figures = measure("page", score_held_out(make_examples(2)))
    assert figures is not None
    assert figures.f1 > 0.9
    assert figures.sites == len({f"site{number // 2}" for number in range(0, 120, 4)})


def test_too_few_sites_are_not_measured() -> None:
    examples = [one for one in make_examples(3) if not one.positive or one.site in ("site0", "site2")]
    assert measure("page", score_held_out(examples)) is None


def test_a_curve_is_drawn_towards_what_is_expected_the_more_the_fewer_examples_there_are() -> None:
    import numpy as np

    expected, penalties = np.array([1.0, 0.0]), np.full(2, 1.0)
    score = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    truth = np.array([1.0, 0.0, 1.0, 0.0])  # the other way round
    few = fit_logistic(score, truth, np.full(4, 0.1), expected, penalties)
    many = fit_logistic(score, truth, np.full(4, 10.0), expected, penalties)
    assert 0 < few[0] < 1
    assert many[0] < 0


def test_a_term_that_topics_share_counts_less_and_one_that_all_pages_have_nothing() -> None:
    pages = [
        PageStems(read_stems("", "hotel" if number else "movie"), Stems({}, 0), Stems({}, 0)) for number in range(9)
    ]
    terms = weigh_terms(read_specs(), pages)
    assert terms["hotels"]["en"].get("hotel", 0) < terms["hotels"]["en"]["suit"]
    assert terms["airfares"]["de"]["ankunf"] > 0
    shared = terms["hotels"]["fr"]["arrivé"], terms["airfares"]["fr"]["arrivé"]
    assert shared[0] == shared[1] < terms["hotels"]["fr"]["chambr"]


def make_corpus(flipped_fold: int = -1) -> TopicCorpus:
    """Return a little corpus of one topic; labels of one fold may be the wrong way round."""
    rng = random.Random(4)
    texts, stems, rows = [], [], []
    for number in range(200):
        site, on_topic = f"site{number // 2}.example", number % 4 == 0
        words = " ".join(rng.choices(ANY, k=12) + rng.choices(OWN if on_topic else ANY, k=4))
        topics = frozenset(["boats" if on_topic != (fold_of(site) == flipped_fold) else "other"])
        texts.append(LabelledText("page", "test", site, topics, "", words, "en", site))
        stems.append(PageStems(read_stems("", words), Stems({}, 0), Stems({}, 0)))
        rows.append(LabelledStems(dict(stems[-1].body.strengths), site, topics, "page", 1.0))
    others = [row._replace(strengths=dict(row.strengths)) for row in rows]
    return TopicCorpus(
        texts=tuple(texts), stems=tuple(stems), body=EvidenceTable(rows, 100), head=EvidenceTable(others, 100),
        host=EvidenceTable([row._replace(strengths=dict(row.strengths)) for row in rows], 100),
        hosts={text.host: number for number, text in enumerate(texts)}, forms=EvidenceTable(rows[:2], 10),
        form_sources=(), terms={"boats": {}}, labels=("boats",),
    )  # fmt: skip


def test_what_is_chosen_for_a_fold_knows_nothing_of_it() -> None:
    import numpy as np

    plain, flipped = make_corpus(), make_corpus(flipped_fold=2)
    held, other = gather_evidence(plain), gather_evidence(flipped)
    elsewhere = [number for number, text in enumerate(plain.texts) if fold_of(text.domain) != 2]
    body = [held.without(1.0, 2)["boats"][elsewhere, 0], other.without(1.0, 2)["boats"][elsewhere, 0]]
    assert not np.isnan(body[0]).any()
    assert np.array_equal(*body)
    assert not np.array_equal(held.without(1.0, -1)["boats"], other.without(1.0, -1)["boats"], equal_nan=True)
    assert choose_settings(plain, held, 2) == choose_settings(flipped, other, 2)


def test_pages_of_held_out_sites_are_judged() -> None:
    corpus = make_corpus()
    held = gather_evidence(corpus)
    chosen = [choose_settings(corpus, held, fold) for fold in range(FOLDS)]
    (figures,) = (
        row for row in measure_texts(corpus, judge_held_out(corpus, held, chosen))["boats"] if row.what == "page"
    )
    assert figures.f1 > 0.9


def test_labels_are_corrected_by_file_and_host() -> None:
    home = LabelledText(
        "home", "home_text.jsonl.gz", "imdb.com", frozenset(["other"]), "", "films", host="www.imdb.com"
    )
    elsewhere = replace(home, source="formasaurus")
    assert [text.topics for text in correct_labels([home, elsewhere])] == [frozenset(["movies"]), frozenset(["other"])]


def test_corrected_labels_name_topics() -> None:
    rows = [line.split("\t") for line in LABELS.read_text("utf-8").splitlines() if not line.startswith("#")][1:]
    assert len(rows) > 50
    known = {spec.label for spec in read_specs()}
    assert {topic for row in rows for topic in row[2].split(", ")} <= known
    assert all(why for *_, why in rows)
