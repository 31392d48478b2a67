"""A certificate is checked without the source; one that was tampered with is not believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.select.certificate import check_certificate, read_certificate, reask_regions
from dowse.select.selector import Interface, Span
from tests.select.tabled import Table, draw_table

FACE = Interface(
    choices=(("colour", ("red", "green", "none")),),
    spans=(Span("year"),),
    joins=True,
    blank=False,
    required=("colour",),
)


def table(*, more: int = 0, counts: str = "exact") -> Table:
    """Return a table of 120 rows that takes ranges inside of choices."""
    rows = [{"colour": ("red", "green", "none")[n % 3], "year": str(1950 + n % 40)} for n in range(120 + more)]
    return Table(rows, FACE, limit=10, counts=counts)


async def certificate(counts: str = "exact") -> dict[str, Any]:
    """Return a certificate that was written and read."""
    run = await draw_table(table(counts=counts))
    plain: dict[str, Any] = json.loads(json.dumps(run.selector.certificate("2026-01-01T00:00:00Z")))
    return plain


def leaf(plain: dict[str, Any]) -> dict[str, Any]:
    """Return a region that was read to its end."""
    found: dict[str, Any] = next(each for each in plain["regions"] if each["proof"] == "read")
    return found


def divided(plain: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return a region that its parts cover."""
    found: dict[str, Any] = next(
        each for each in plain["regions"] if each["divided"] and each["divided"][0]["kind"] == kind
    )
    found["proof"] = "cover"
    return found


async def test_what_is_written_is_believed() -> None:
    plain = await certificate()
    assert check_certificate(plain).yes
    assert plain["records"] == 120
    assert plain["time"] == "2026-01-01T00:00:00Z"


def _overflow(plain: dict[str, Any]) -> None:
    leaf(plain).update(overflowed=True)


def _count_more(plain: dict[str, Any]) -> None:
    found = leaf(plain)
    found.update(total=found["shown"] + 1)


def _never_asked(plain: dict[str, Any]) -> None:
    leaf(plain).update(asked=False)


def _drop_choice(plain: dict[str, Any]) -> None:
    divided(plain, "choices")["divided"][0]["parts"].pop()


def _new_choice(plain: dict[str, Any]) -> None:
    plain["interface"]["choices"]["colour"].append("violet")


def _drop_range(plain: dict[str, Any]) -> None:
    divided(plain, "ranges")["divided"][0]["parts"].pop(1)


def _finer_grain(plain: dict[str, Any]) -> None:
    divided(plain, "ranges")
    plain["grain"]["year"] = "0.1"


def _wrong_count(plain: dict[str, Any]) -> None:
    plain["untrue_count"] = "year=1990: 5 were said to match, 7 were shown"


def _fewer_held(plain: dict[str, Any]) -> None:
    next(each for each in plain["regions"] if each["proof"] == "total")["held"] -= 1


def _doubtful(plain: dict[str, Any]) -> None:
    plain["doubts"].append("year=1990: 5 of 5 records lie outside")


def _no_root(plain: dict[str, Any]) -> None:
    plain["regions"] = [each for each in plain["regions"] if each["id"]]


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        pytest.param(_overflow, "not read to its end", id="a leaf overflowed"),
        pytest.param(_count_more, "not read to its end", id="a count says more"),
        pytest.param(_never_asked, "not read to its end", id="a leaf was not asked for"),
        pytest.param(_drop_choice, "was not asked for", id="a choice is missing"),
        pytest.param(_new_choice, "colour=violet was not asked for", id="the form has another choice"),
        pytest.param(_drop_range, "is not covered", id="a range is missing"),
        pytest.param(_finer_grain, "is not covered", id="values lie between the ranges"),
        pytest.param(_wrong_count, "counts are not to be trusted", id="counts are not true"),
        pytest.param(_fewer_held, "were harvested of", id="fewer were harvested than counted"),
        pytest.param(_doubtful, "contradict", id="answers contradict"),
        pytest.param(_no_root, "not those of one database", id="no whole"),
        pytest.param(dict.clear, "not a certificate", id="nothing in it"),
    ],
)
async def test_what_was_changed_is_not_believed(tamper: Callable[[dict[str, Any]], None], reason: str) -> None:
    without_counts = {
        _overflow,
        _count_more,
        _never_asked,
        _drop_range,
        _finer_grain,
    }  # one count makes up for them all
    plain = await certificate("none" if tamper in without_counts else "exact")
    tamper(plain)
    verdict = check_certificate(plain)
    assert not verdict.yes
    assert reason in verdict.reason


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["version", "regions", "limit", "doubts", "id", "query", "proof"]), inner, max_size=7
            )
        ),
        max_leaves=12,
    )
)
def test_garbage_is_no_certificate(plain: Any) -> None:
    assert not check_certificate(plain).yes


@pytest.mark.parametrize("sample", [0, 3])
async def test_a_source_that_did_not_change_answers_the_same(sample: int) -> None:
    verdict = await reask_regions(read_certificate(await certificate()).regions, table().ask, Random(1), sample)
    assert verdict.yes, verdict
    assert verdict.reason.startswith("3 of" if sample else "")


async def test_a_source_that_grew_is_noticed() -> None:
    verdict = await reask_regions(read_certificate(await certificate()).regions, table(more=40).ask, Random(1))
    assert not verdict.yes
    assert "were shown, now" in verdict.reason


async def test_a_certificate_of_an_earlier_version_of_the_program_is_read() -> None:
    plain = json.loads((Path(__file__).parent / "old" / "certificate-1.json").read_text())
    assert check_certificate(plain).yes
    found = read_certificate(plain)
    assert (found.records, found.limit, found.time) == (40, 8, "2026-01-01T00:00:00Z")
    rows = [{"colour": ("red", "none")[n % 2], "year": str(1950 + n % 20)} for n in range(40)]
    form = Interface((), False, (("colour", ("red", "none")),), (Span("year"),), ("colour",), joins=True)
    assert (await reask_regions(found.regions, Table(rows, form, limit=8).ask, Random(1))).yes


async def test_the_keys_of_a_certificate_stay() -> None:
    old = json.loads((Path(__file__).parent / "old" / "certificate-1.json").read_text())
    new = await certificate()
    assert new.keys() == old.keys()
    assert new["interface"].keys() == old["interface"].keys()
    assert new["regions"][0].keys() == old["regions"][0].keys()
    kinds = [{type(part) for part in each["query"]["values"]} for each in new["regions"]]
    assert set().union(*kinds) <= {list}
