"""A record's own page: the link to it, and what tells its address from others."""

from __future__ import annotations

from dowse.records.attributes import LabelledPiece
from dowse.records.details import (
    OwnPageLink,
    find_own_link,
    is_record_address,
    learn_identity,
    learn_own_link,
    record_key,
)

PAGE = "http://a.test/find?q=x"


def item(*hrefs: str) -> list[LabelledPiece]:
    return [LabelledPiece("", "a", number, f"t{href}", href) for number, href in enumerate(hrefs, 1)]


def test_the_link_that_leads_elsewhere_each_time_is_the_own_one() -> None:
    own = learn_own_link([item("/basket", f"/book/{n}") for n in (3, 8, 5)], [PAGE] * 3)
    assert (own.number, own.begins, own.mould) == (2, "/book/", "/book/0")
    assert find_own_link(item("/basket", "/book/9"), own, PAGE) == "http://a.test/book/9"


def test_there_may_be_none() -> None:
    assert learn_own_link([item("/same")] * 3, [PAGE] * 3) == OwnPageLink()
    assert learn_own_link([item("#top"), item("javascript:x"), item("")], [PAGE] * 3) == OwnPageLink()


def test_parameters_of_the_query_and_ranks_name_no_record() -> None:
    own = learn_own_link([item(f"/show?id={n}&q=x&pos={place}") for place, n in enumerate((30, 81, 52), 1)], [PAGE] * 3)
    assert own.without == ("pos", "q")
    assert record_key("http://a.test/show?id=30&q=x&pos=1", own) == "http://a.test/show?id=30"


def test_a_number_that_counts_along_is_kept_where_nothing_else_tells() -> None:
    """The first records of a source, in their order: what names them counts up as ranks do."""
    own = learn_own_link([item(f"/show?db=1&rec={n}") for n in range(5)], [PAGE] * 5)
    assert own.without == ()
    assert record_key("http://a.test/show?db=1&rec=3", own) == "http://a.test/show?db=1&rec=3"


def test_an_address_of_another_kind_is_not_like_them() -> None:
    own = learn_own_link([item(f"/book/{n}") for n in (3, 8, 5)], [PAGE] * 3)
    assert is_record_address("http://a.test/book/77", own)
    assert not is_record_address("http://a.test/", own)
    assert not is_record_address("http://a.test/book/77/reviews", own)


def test_ids_that_count_along_tell_nothing() -> None:
    assert learn_identity(OwnPageLink(), ["r917", "r220", "r348"]) == "id"
    assert learn_identity(OwnPageLink(), ["r1", "r2", "r3"]) == ""
    assert learn_identity(OwnPageLink("a", 1), ["r917", "r220"]) == "address"
