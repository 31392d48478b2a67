"""The comparer of recorded outputs notices a change, says where it is, and tells a change of words from one of behaviour."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.golden import cases as golden_cases
from bench.golden.compare import (
    Comparison,
    compare,
    find_differences,
    find_rewording,
    find_unexplained,
    read_explained,
    show_case,
)
from bench.golden.record import Case, read_full, write_digests, write_full
from bench.places import ROOT

OLD = (
    Case("pages/sim/a", {"title": "A", "links": ["/1", "/2"]}, {"why": "Say whether"}, {"links": 2}),
    Case("pages/sim/b", {"title": "B", "links": []}, {"why": "Say whether"}),
    Case("find/sim/c", {"pages": 3}, {"stopped": "robots.txt could not be had"}),
)


def _digest(cases: tuple[Case, ...]) -> dict[str, dict[str, object]]:
    return {case.name: case.summary for case in cases}


def _full(cases: tuple[Case, ...]) -> dict[str, dict[str, object]]:
    return {case.name: case.whole for case in cases}


def _change(name: str, **changes: object) -> tuple[Case, ...]:
    return tuple(
        Case(case.name, {**case.facts, **changes}, case.sentences, case.counts) if case.name == name else case
        for case in OLD
    )


def _reword(old: str, new: str, names: tuple[str, ...]) -> tuple[Case, ...]:
    return tuple(
        Case(case.name, case.facts, {place: new if words == old and case.name in names else words for place, words in case.sentences.items()}, case.counts)
        for case in OLD
    )  # fmt: skip


def test_the_same_outputs_are_equal() -> None:
    found = compare(_digest(OLD), _digest(OLD))
    assert found == Comparison(equal=["find/sim/c", "pages/sim/a", "pages/sim/b"])
    assert not find_unexplained(found, {}, None)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        pytest.param({"title": "a"}, "/title", id="another text"),
        pytest.param({"links": ["/1", "/3"]}, "/links[1]", id="another item of a list"),
        pytest.param({"links": ["/1"]}, "/links length", id="a shorter list"),
        pytest.param({"language": "en"}, "/language", id="another key"),
    ],
)
def test_a_changed_fact_is_noticed_where_it_is(changes: dict[str, object], place: str) -> None:
    new = _change("pages/sim/a", **changes)
    found = compare(_digest(OLD), _digest(new))
    assert found.facts == ["pages/sim/a"]
    assert found.words == []
    assert find_unexplained(found, {}, None) == ["facts pages/sim/a"]
    assert show_case(_full(OLD)["pages/sim/a"], new[0])[0].strip() == place


def test_a_changed_count_is_noticed() -> None:
    new = (Case(OLD[0].name, OLD[0].facts, OLD[0].sentences, {"links": 3}), *OLD[1:])
    assert compare(_digest(OLD), _digest(new)).facts == ["pages/sim/a"]


def test_a_case_that_is_gone_or_new_is_noticed_unless_its_pages_are_not_at_hand() -> None:
    found = compare(_digest(OLD), _digest((*OLD[:2], Case("find/sim/d", {}))))
    assert (found.gone, found.new) == (["find/sim/c"], ["find/sim/d"])
    assert find_unexplained(found, {}, None) == ["gone find/sim/c", "new find/sim/d"]
    assert compare(_digest(OLD), _digest(OLD[2:]), ["sim/a", "pages/"]).left_out == ["pages/sim/a", "pages/sim/b"]


def test_a_sentence_reworded_everywhere_is_no_change_of_behaviour() -> None:
    new = _reword("Say whether", "Return True if", ("pages/sim/a", "pages/sim/b"))
    found, rewording = compare(_digest(OLD), _digest(new)), find_rewording(_full(OLD), new)
    assert (found.facts, found.words) == ([], ["pages/sim/a", "pages/sim/b"])
    assert rewording.renamed == {"Say whether": "Return True if"}
    assert not find_unexplained(found, {}, rewording)
    assert len(find_unexplained(found, {}, None)) == 2, "without the whole outputs nobody can tell"


def test_a_sentence_that_became_two_is_a_change() -> None:
    new = _reword("Say whether", "something else", ("pages/sim/b",))
    rewording = find_rewording(_full(OLD), new)
    assert rewording.torn == {"Say whether": ("Say whether", "something else")}
    assert find_unexplained(compare(_digest(OLD), _digest(new)), {}, rewording) == ["words pages/sim/b"]


def test_where_facts_differ_words_may_and_need_no_reason_of_their_own() -> None:
    new = tuple(
        Case(case.name, {**case.facts, "title": "b"}, {"why": "no title"}) if case.name == "pages/sim/b" else case
        for case in _reword("Say whether", "Return True if", ("pages/sim/a",))
    )
    found = compare(_digest(OLD), _digest(new))
    rewording = find_rewording(_full(OLD), new, found.facts)
    assert rewording.renamed == {"Say whether": "Return True if"}
    assert find_unexplained(found, {}, rewording) == ["facts pages/sim/b"]
    assert not find_unexplained(found, {"facts": {"pages/sim/b": "titles are made up"}}, rewording)


def test_a_sentence_that_is_not_said_any_more_is_a_change() -> None:
    new = (*OLD[:2], Case(OLD[2].name, OLD[2].facts))
    found = compare(_digest(OLD), _digest(new))
    assert find_unexplained(found, {}, find_rewording(_full(OLD), new)) == ["words find/sim/c"]


def test_what_is_explained_is_let_pass(tmp_path: Path) -> None:
    table = tmp_path / "explained.toml"
    table.write_text('[facts]\n"pages/*" = "titles are trimmed"\n[words]\n')
    found = compare(_digest(OLD), _digest(_change("pages/sim/a", title="a")))
    assert not find_unexplained(found, read_explained(table), None)
    assert find_unexplained(found, {"words": {"*": "other words"}}, None), "words explain no facts"
    table.write_text('[facts]\n"pages/*" = ""\n')
    with pytest.raises(ValueError, match="no reason"):
        read_explained(table)


def test_outputs_come_back_from_their_files_as_they_went(tmp_path: Path) -> None:
    broken = Case("pages/sim/d", {"text": "a lone \ud800 surrogate", "values": [["a", 0.5, None, True]]})
    write_full(tmp_path, [*OLD, broken])
    assert read_full(tmp_path) == _full((*OLD, broken))
    write_digests(tmp_path / "golden.json", _digest((*OLD, broken)))
    assert (tmp_path / "golden.json").read_text().count("\n") == len(OLD) + 3, "a line for each case"


def test_a_class_of_the_program_is_no_plain_data() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        _ = Case("pages/sim/e", {"page": Comparison()}).summary


def test_places_of_differences_in_lists_of_other_lengths() -> None:
    old, new = {"rows": [[1], [2], [3], [4]]}, {"rows": [[1], [3], [5]]}
    places = [place for place, _, _ in find_differences(old, new)]
    assert places == ["/rows length", "/rows[1:2]", "/rows[3][0]"]


def test_only_one_module_imports_the_program() -> None:
    importing = {
        path.name
        for path in (ROOT / "bench" / "golden").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dowse")
    }
    assert importing == {"cases.py"}


def test_probes_give_the_same_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_cases, "PROBED_DOORS", 2)
    first, second = ([case.summary for case in golden_cases.record_probes()] for _ in range(2))
    assert first == second
    assert len(first) == 4
