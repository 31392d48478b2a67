"""What says of itself that it is an advertisement."""

from __future__ import annotations

import pytest

from dowse.records.adverts import says_advert
from dowse.records.pieces import SPONSORED, Piece


@pytest.mark.parametrize(
    ("piece", "yes"),
    [
        pytest.param(Piece("b", "Sponsored"), True, id="word"),
        pytest.param(Piece("b", "[Anzeige]"), True, id="in brackets"),
        pytest.param(Piece("b", "広告"), True, id="in another script"),
        pytest.param(Piece(f"a/{SPONSORED}", ""), True, id="marked link"),
        pytest.param(Piece("b", "Sponsored by the king"), False, id="a text"),
        pytest.param(Piece("b", "Novel"), False, id="another word"),
    ],
)
def test_adverts(piece: Piece, yes: bool) -> None:
    assert says_advert([piece]) is yes
