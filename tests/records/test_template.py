"""Wrappers as plain data."""

from __future__ import annotations

import json

import pytest

from dowse.errors import BadInput
from dowse.records.template import Attribute, Wrapper
from dowse.records.units import Cut

WRAPPER = Wrapper(
    ("html", "body", "ul.hits"),
    Cut("starter", "sign", "dt", ("dd",), 3),
    (Attribute("Year", "label", label="year", several=", "),),
    shape=(("label year", 0.5),),
    frame=("html/body",),
)


def test_what_was_written_down_is_read_again() -> None:
    assert Wrapper.from_dict(json.loads(json.dumps(WRAPPER.to_dict()))) == WRAPPER


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({}, id="nothing"),
        pytest.param({**WRAPPER.to_dict(), "version": 99}, id="another version"),
        pytest.param({"version": 1}, id="parts missing"),
        pytest.param({**WRAPPER.to_dict(), "more": 1}, id="parts too many"),
    ],
)
def test_what_is_no_wrapper_says_so(told: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Wrapper.from_dict(told)
