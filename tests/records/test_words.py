"""Words to ask for."""

from __future__ import annotations

from dowse.records.words import STOP_WORDS, find_common, find_part, find_words, make_nonsense


def test_nonsense_is_spoken_and_the_same_for_the_same_door() -> None:
    word = make_nonsense("one")
    assert word == make_nonsense("one") != make_nonsense("two")
    assert len(word) == 10
    assert all(letter in "aeiou" for letter in word[1::2])
    assert not any(letter in "aeiou" for letter in word[::2])


def test_words_of_scripts_without_blanks_are_parted_where_the_script_changes() -> None:
    assert list(find_words("論文の夕べ、ホームページ and a Catalogue 1998")) == [
        "論文",
        "ホームページ",
        "and",
        "Catalogue",
    ]


def test_a_part_of_most_values() -> None:
    values = ["Blue Harbour", "Red Harbour", "Harbour", "Green House"]
    assert find_part(values) == ("Harbour", "Blue Harbour")
    assert find_part(values, without=["harbour"])[0] != "Harbour"
    assert find_part(["Ford", "Opel"]) == ("", "")
    assert find_part(["近世村落"]) == ("近世", "近世村落")


def test_common_words_first() -> None:
    assert find_common(["old cars", "new cars", "cars of the town"], ["old"])[0] == "cars"


def test_every_language_has_a_word() -> None:
    assert all(words and all(words) for words in STOP_WORDS.values())
