"""What the queries of a harvest reached."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dowse.model import Value
from dowse.select.graph import Graph
from dowse.yields.capture import CaptureHistory, allow_probes, choose_probe
from dowse.yields.size import estimate_size
from tests.yields.sources import Harvest, build_nested_records, build_records


def red_and_round() -> tuple[Graph, CaptureHistory]:
    """Three records of two colours; the second has two shapes."""
    graph = Graph()
    graph.number(Value("colour", "red"))
    for shapes, colour in ((("round",), "red"), (("round", "flat"), "red"), (("flat",), "blue")):
        graph.add([Value("colour", colour), *(Value("shape", shape) for shape in shapes)])
    return graph, CaptureHistory(graph)


def frame_of(captures: CaptureHistory, name: str) -> tuple[float, float, int, int]:
    frame = next(frame for frame in captures.frames if frame.name == name)
    return round(frame.known, 6), round(frame.unknown, 6), frame.known_values, frame.unknown_values


def test_a_told_value_is_known_and_the_others_are_not() -> None:
    _, captures = red_and_round()
    shown = captures.begin(0)
    captures.add(shown, [0, 1], total=40)
    assert frame_of(captures, "colour") == (40, 0, 1, 0)
    assert frame_of(captures, "shape") == (0, 2, 0, 2)


def test_a_record_that_was_found_by_what_it_does_not_show_is_none_of_the_value() -> None:
    """A query for red found a blue one, by text that is not shown: of 40 matches, two in three are red."""
    _, captures = red_and_round()
    captures.add(captures.begin(0), [0, 1, 2], total=40)
    assert frame_of(captures, "colour") == (26.666667, 1, 1, 1)


def search_texts(captures: CaptureHistory, graph: Graph, rng: Random, *, extract: bool) -> None:
    """Ask a search in 300 texts of 20 words for words until all are harvested: it counts all matches and shows ten, and of each the first two words.

    Where it shows an extract, that is the word that was asked for; else those that begin with it come first.
    """
    words = [f"w{n}" for n in range(100)]
    texts = [rng.sample(words, 20) for _ in range(300)]
    numbers: dict[int, int] = {}
    for turn in range(3000):
        word = words[turn % 100]
        found = [place for place, text in enumerate(texts) if word in text]
        rng.shuffle(found)
        if not extract:
            found.sort(key=lambda place: word not in texts[place][:2])
        if len(numbers) == 300 and turn % 100 == 0:
            return
        number = graph.number(Value("", word))
        shown = captures.begin(number, probe=turn % 5 == 0)
        for place in found[:10]:
            seen = [word, texts[place][0]] if extract else texts[place][:2]
            numbers.setdefault(place, len(numbers))
            if numbers[place] == graph.record_count:
                graph.add([Value("", each) for each in dict.fromkeys(seen)])
        captures.add(shown, [numbers[place] for place in found[:10]], total=len(found))
        captures.end(shown, complete=False)


@pytest.mark.parametrize("extract", [True, False], ids=["an extract", "those that show it first"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_shown_by_the_query_adds_up_to_nothing(extract: bool, seed: int) -> None:
    """All records are harvested, and counts of matches in their texts must not speak of more."""
    graph = Graph()
    captures = CaptureHistory(graph)
    search_texts(captures, graph, Random(seed), extract=extract)
    assert graph.record_count == 300
    size = estimate_size(captures.evidence())
    assert size.low <= 300.5
    assert size.high >= 299.5


def test_a_record_with_two_values_counts_half_at_each() -> None:
    graph, captures = red_and_round()
    captures.add(captures.begin(-1), [0, 1, 2])
    flat = graph.find(Value("shape", "flat"))
    assert flat is not None
    captures.add(captures.begin(flat), [1, 2], total=20)
    assert frame_of(captures, "shape") == (15, 1.5, 1, 1)


def test_what_its_own_pages_show_replaces_what_its_first_page_said() -> None:
    graph, captures = red_and_round()
    captures.add(captures.begin(-1), [0, 1, 2])
    shown = captures.begin(graph.number(Value("shape", "flat")))
    captures.add(shown, [2], total=2)
    assert frame_of(captures, "shape")[0] == 2
    captures.add(shown, [1], total=2)
    assert frame_of(captures, "shape")[0] == 1.5


@pytest.mark.parametrize(
    ("complete", "probe", "known"),
    [
        pytest.param(True, False, 2, id="read to its end"),
        pytest.param(False, False, 0, id="broken off"),
        pytest.param(False, True, 0, id="a probe that shows only a part"),
    ],
)
def test_without_a_count_line(complete: bool, probe: bool, known: float) -> None:
    _, captures = red_and_round()
    captures.add(captures.begin(-1), [0, 1, 2])
    shown = captures.begin(0, probe=probe)
    captures.add(shown, [0, 1])
    captures.end(shown, complete=complete)
    assert frame_of(captures, "colour")[0] == known


def test_a_part_of_an_answer_says_which_share_other_answers_have_shown() -> None:
    """Red was read in part after the flat ones were read to their end: one of the two red ones that it shows is flat."""
    graph, captures = red_and_round()
    flat = captures.begin(graph.number(Value("shape", "flat")))
    captures.add(flat, [1, 2])
    captures.end(flat, complete=True)
    red = captures.begin(0, probe=True)
    captures.add(red, [0, 1])
    captures.end(red, complete=False)
    colour = captures.evidence().frames[0]
    assert colour.recaptures.parts == [(1, 2, 1.0)]
    assert colour.marked == 2  # a red one and the blue one


def test_marks_made_while_an_answer_goes_on_do_not_come_again() -> None:
    """What red had with a mark was counted when it was asked for: marks of later queries would make it look short."""
    graph, captures = red_and_round()
    red = captures.begin(0)
    flat = captures.begin(graph.number(Value("shape", "flat")))
    captures.add(flat, [0, 1, 2])
    captures.end(flat, complete=True)
    captures.add(red, [0, 1])
    later = captures.begin(0)
    captures.add(later, [0, 1])
    assert (red.again, later.again) == (0, 2)


def test_parts_of_answers_leave_no_mark() -> None:
    _, captures = red_and_round()
    red = captures.begin(0)
    captures.add(red, [0, 1])
    captures.end(red, complete=False)
    assert not any(captures.marks)


def test_a_value_that_was_asked_for_is_no_probe() -> None:
    graph, captures = red_and_round()
    captures.add(captures.begin(-1), [0, 1, 2])
    for value in range(graph.value_count):
        if value != 2:
            captures.end(captures.begin(value), complete=False)
    assert {choose_probe(captures, Random(seed)) for seed in range(20)} - {None} == {2}


def test_records_shown_once_and_twice() -> None:
    _, captures = red_and_round()
    for page in ([0, 1, 2], [1], [1, 2]):
        captures.add(captures.begin(-1), page)
    assert (captures.once, captures.twice) == (1, 1)


def test_all_values_told_add_up_to_the_records() -> None:
    records = build_records(7, 400)
    walk = Harvest(records, 7)
    captures = walk.run(2.0)
    assert {frame.name: round(frame.known) for frame in captures.frames} == {"name": 400, "place": 400, "kind": 400}
    assert all(abs(frame.unknown) < 1e-6 and frame.unknown_values == 0 for frame in captures.frames)


@pytest.mark.parametrize("coverage", [0.2, 0.6])
def test_sums_are_those_of_their_values(coverage: float) -> None:
    captures = Harvest(build_records(4, 500, lacking=0.1), 4).run(coverage)
    for place, frame in enumerate(captures.frames):
        values = [v for v, attribute in enumerate(captures.holdings.attribute_of) if attribute == place]
        unknown = [captures.weight[v] for v in values if captures.totals[v] < 0 and captures.weight[v]]
        assert frame.unknown == pytest.approx(sum(unknown))
        assert frame.unknown_squares == pytest.approx(sum(weight * weight for weight in unknown))
        assert frame.unknown_values == len(unknown)
        assert frame.known == pytest.approx(
            sum(captures.records_behind[v][0] for v in values if v in captures.records_behind)
        )


def test_nothing_to_draw_from() -> None:
    assert choose_probe(CaptureHistory(Graph()), Random(1)) is None


def test_values_are_drawn_in_proportion_to_what_is_held() -> None:
    graph = Graph()
    for colour in ("red", "red", "red", "blue"):
        graph.add([Value("colour", colour)])
    captures = CaptureHistory(graph)
    captures.add(captures.begin(-1), [0, 1, 2, 3], total=4)
    rng = Random(1)
    drawn = Counter(choose_probe(captures, rng) for _ in range(4_000))
    assert drawn[0] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_a_told_value_is_not_drawn_again() -> None:
    captures = Harvest(build_records(1), 1).run(0.3)
    for seed in range(50):
        value = choose_probe(captures, Random(seed))
        assert value is not None
        assert captures.totals[value] < 0


def test_only_what_can_be_asked_for_is_drawn() -> None:
    captures = Harvest(build_records(1), 1).run(0.3, probes=False)
    values = {choose_probe(captures, Random(seed), lambda name: name == "place") for seed in range(20)} - {None}
    places = {
        captures.holdings.attributes[captures.holdings.attribute_of[value]] for value in values if value is not None
    }
    assert places == {"place"}


def count_probes(captures: CaptureHistory, turns: int) -> Counter[str]:
    """Draw as many probes as there are turns, each third for another attribute, and count them by attribute."""
    found: Counter[str] = Counter()
    for turn in range(turns):
        captures.probes = turn
        value = choose_probe(captures, Random(turn))
        if value is not None:
            found[captures.holdings.attributes[captures.holdings.attribute_of[value]]] += 1
    return found


def test_each_third_probe_asks_another_attribute() -> None:
    found = count_probes(Harvest(build_records(1), 1).run(0.3), 300)
    assert found.most_common(1)[0][1] == pytest.approx(200, abs=5)
    assert len(found) > 1


def test_what_lies_within_the_best_frame_is_hardly_asked() -> None:
    captures = Harvest(build_nested_records(3), 3).run(0.3)
    found = count_probes(captures, 300)
    best = found.most_common(1)[0][0]
    assert best != "name"
    assert found["name"] > 50
    assert sum(found.values()) - found[best] - found["name"] < 40


def test_where_nobody_counts_no_frame_is_probed_whose_values_were_all_asked_for() -> None:
    graph, captures = red_and_round()
    captures.add(captures.begin(-1), [0, 1, 2])
    for colour in ("red", "blue"):
        shown = captures.begin(graph.number(Value("colour", colour)))
        captures.add(shown, [0])
        captures.end(shown, complete=False)
    assert set(count_probes(captures, 30)) == {"shape"}


@pytest.mark.parametrize(("requests", "allowed"), [(0, 0), (100, 5), (1_000, 50), (11_000, 250)])
def test_probes_are_a_small_part_of_the_requests(requests: int, allowed: float) -> None:
    assert allow_probes(requests) == pytest.approx(allowed)
