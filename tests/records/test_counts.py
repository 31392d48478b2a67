"""Count lines in the languages people write them in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.records.counts import (
    Count,
    best_count,
    judge_empty,
    read_bare_total,
    read_limit,
    read_page_total,
    read_range,
    says_nothing_found,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1-10 of 2,345 results", 2345),
        ("Showing 1 to 10 of 57 entries", 57),
        ("Your search found 57 cars", 57),
        ("57 used cars found.", 57),
        ("Total: 88", 88),
        ("2,345 rows", 2345),
        ("345 Treffer", 345),
        ("Treffer 1 bis 20 von 345", 345),
        ("1'234 Datensätze", 1234),
        ("Es wurden 1.234 Bücher gefunden", 1234),
        ("Environ 1 200 résultats", 1200),
        ("1–20 sur 1 234", 1234),
        ("Mostrando 1-10 de 2.345 resultados", 2345),
        ("Su consulta ha dado 51 respuestas; estas son de la 1 a la 10.", 51),
        ("Risultati 1 - 10 su 57", 57),
        ("Foram encontrados 57 registros", 57),
        ("Resultaten 1 t/m 10 van 57", 57),
        ("Znaleziono 57 wyników", 57),
        ("найдено 57", 57),
        ("показаны 1–10 из 57", 57),
        ("全 1,234 件", 1234),
        ("1,234件中 1-10件を表示", 1234),
        ("page 1 of 20, 200 results", 200),
        ("Melihat 30 topik - 31 sampai 60 (dari total 591)", 591),
        ("96 sujets • Page 1 sur 4", 96),
        ("共 3 页 47 条", 47),
        ("1 through 20 - Top 400 URLS Displayed - Total in Database 561", 561),
        ("Pozycje od 1 do 10, razem 26", 26),
        ("Pozycje od 11 do 20, razem 26", 26),
        ("Einträge 1 bis 10, insgesamt 26", 26),
        ("Résultats 11 à 20, total 26", 26),
        ("Items 1-10, total 26", 26),
        ("найдено: 1 (на странице 1-1)", 1),
        ("0 results (1500 total)", 0),
        ("найдено: 57 (на странице 11-20)", 57),
        ("Найдено записей: 57", 57),
        ("Showing rows 0 - 24 (3041 total, Query took 0.0012 seconds.)", 3041),
        ("Zobrazuji 1 až 10 z celkem 57 záznamů", 57),
        ("Celkem: 57", 57),
        ("Nájdených 57 záznamov", 57),
        ("57 kayıttan 1 - 10 arasındaki kayıtlar", 57),
        ("Toplam: 57", 57),
        ("Találatok: 57", 57),
        ("I alt: 57", 57),
        ("Visar 1 till 10 av totalt 57 rader", 57),
        ("57 treff", 57),
        ("Yhteensä: 57", 57),
        ("Εμφανίζονται 1 έως 10 από 57 εγγραφές", 57),
        ("Afișate de la 1 la 10 din 57 înregistrări", 57),
        ("Записи з 1 по 10 із 57 записів", 57),
        ("Знайдено: 57", 57),
        ("Rasta 57 įrašų", 57),
        ("S'han trobat 57 registres", 57),
        ("Показани резултати от 1 до 10 от общо 57", 57),
        ("Hiển thị 1 đến 10 trong tổng số 57 mục", 57),
        ("검색결과 57건", 57),
        ("Displaying rows 1 thru 20 of 22", 22),
        ("Record Count: 28", 28),
    ],
)
def test_counts(text: str, number: int) -> None:
    found = best_count([text])
    assert found
    assert (found.number, found.exact) == (number, "nviron" not in text)


@pytest.mark.parametrize(
    "text",
    [
        "Page 1 of 3",
        "Seite 2 von 10",
        "Price: $1,234.00",
        "from 1,200 € to 3,400 €",
        "12 May 2010 records",
        "Copyright 2010 results",
        "10 results per page",
        "20 Treffer pro Seite",
        "3 items in your cart",
        "0.23 seconds",
        "5 years found",
        "Open 9-17, 24 hours",
        "97 of 104 people found this helpful",
        "W3 Total Cache",
        "Total eclipse on 9 March 2016",
        "London 2015 opens with record crowds",
        "+1 (646) 851-2228 available now",
        "Lazio-Torino 1-1 (13′ Frydek)",
        "Question No. 3922 for answer",
        "6. No match for asiarch",
        "30-minute session (available anytime)",
        "Room 101",
        "Results 1 to 10",
        "Pozycje od 11 do 20",
        "Chapter 57 (pages 1-10)",
        "Total: 0 Known, 120 Unknown (unresolved ip) - 120 Unique visitors",
        "Sida 2 av 10",
        "Strana 1 zo 12",
        "1998",
        "",
    ],
)
def test_what_counts_nothing(text: str) -> None:
    assert best_count([text]) is None


@pytest.mark.parametrize(
    "text",
    [
        "about 1,200 results", "1,000+ results", "ca. 500 Treffer", "более 100 записей", "close to 900 results", "an estimated 730 results",
        "730 results (estimated)", "500 and more books found", "less than 100 results", "fewer than 100 results", "fast 1.000 Treffer",
        "annähernd 700 Treffer", "presque 900 résultats", "env. 730 résultats", "pelo menos 500 resultados", "ruim 1.000 resultaten",
        "minstens 500 resultaten", "więcej niż 1000 wyników", "co najmniej 500 wyników", "ok. 730 wyników", "не менее 500 результатов",
        "nästan 900 träffar", "næsten 900 resultater", "nesten 900 treff", "lähes 900 tulosta", "melkein 900 tulosta", "téměř 900 výsledků",
        "takmer 900 výsledkov", "majdnem 900 találat", "beveik 900 rezultatų", "近900条结果", "至少500条结果",
    ],
)  # fmt: skip
def test_rough_counts(text: str) -> None:
    found = best_count([text])
    assert found
    assert not found.exact


def test_a_range_says_how_many_are_shown_and_is_surer_than_a_word() -> None:
    found = best_count(["500,000 records in our files. Results 11 - 20 of 57"])
    assert found
    assert (found.number, found.shown) == (57, 10)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("Only the first 1,000 entries are shown.", 1000),
        ("The list is cut off after 100 records.", 100),
        ("Es werden nur die ersten 100 Treffer angezeigt.", 100),
        ("La liste est limitée à 100 réponses.", 100),
        ("Seules les 100 premières fiches sont affichées.", 100),
        ("Solo se muestran los primeros 200 resultados", 200),
        ("Vengono mostrati solo i primi 200 risultati", 200),
        ("Lista jest ograniczona do 100 rekordów.", 100),
        ("Показаны только первые 500 записей.", 500),
        ("最大 100 件まで表示", 100),
        ("Abstracts are limited to 500 characters.", 0),
        ("Show the first 10 of 57 results", 0),
        ("Results 1 to 10 of 57 are shown", 0),
    ],
)
def test_limits(text: str, limit: int) -> None:
    assert read_limit(text) == limit


def test_a_limit_is_no_count() -> None:
    assert best_count(["Only the first 1,000 results are shown"]) is None
    both = best_count(["2,345 results. Only the first 1,000 results are shown."])
    assert both
    assert (both.number, both.limit) == (2345, 1000)


@pytest.mark.parametrize(
    "text",
    [
        "no results", "0 results", "Nothing matched", "Your search did not match any documents", "No books were found", "Keine Treffer",
        "Leider nichts gefunden.", "aucun résultat", "Aucune fiche ne correspond", "No se encontraron resultados", "sin resultados",
        "Nessun risultato", "Nenhum resultado encontrado", "Geen resultaten", "Brak wyników", "Nie znaleziono", "ничего не найдено", "該当なし",
        "見つかりませんでした", "没有找到",
    ],
)  # fmt: skip
def test_nothing_found(text: str) -> None:
    assert says_nothing_found(text)


@pytest.mark.parametrize("text", ["57 results", "Notes on results", "Contact us", "10 results found"])
def test_something_else_than_nothing(text: str) -> None:
    assert not says_nothing_found(text)


def test_a_line_with_the_numbers_that_were_seen_counts_in_any_language() -> None:
    found = read_range("Zeeltewn 1 ap 10, ooln 345", 10)
    assert found
    assert (found.number, found.shown) == (345, 10)
    assert read_range("Zeeltewn 1 ap 20, ooln 345", 10) is None


def test_of_several_lines_the_surest() -> None:
    found = best_count(["1 2 3 4 5", "Sort by: year", "Hits 1 to 10 out of 57", "Only the first 50 are shown"], 10)
    assert found
    assert (found.number, found.limit) == (57, 50)
    assert best_count([], 10) is None


@pytest.mark.parametrize(
    ("text", "shown", "number"),
    [
        ("Showing 10 of 57", 10, 57),
        ("10 von 57 Treffern", 10, 57),
        ("10 of 57 shown", 10, 57),
        ("Showing 19 of 19 printers.", 19, 19),
        ("Showing 10 of 57", 12, None),  # something else than what is there
        ("Showing 10 of 57 pages", 10, None),
        ("Show page 10 of 57", 10, None),
        ("10 of 57 people found this helpful", 10, None),
        ("Step 10 of 57", 10, None),
        ("Showing 10 of 5", 10, None),
    ],
)
def test_so_many_of_all_count_where_so_many_are_seen(text: str, shown: int, number: int | None) -> None:
    found = best_count([text], shown)
    assert (found.number if found else None) == number


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    best_count([text])
    says_nothing_found(text)


@pytest.mark.parametrize(
    "text", ["1 " * 100_000, "no " * 70_000, "9" * 200_000, "result " * 30_000, "1-" * 100_000, "aucun " * 30_000]
)
def test_hostile_texts_are_read_in_bounded_time(text: str) -> None:
    best_count([text])
    says_nothing_found(text)


def test_a_bare_count_of_things_counts_only_outside_a_basket() -> None:
    found = best_count(["(557 artikelen) Bekijk 240 artikelen per pagina"], 24)
    assert found
    assert found.number == 557
    assert best_count(["(3 items) $12.00"]) is None


def test_a_long_text_is_no_count_line() -> None:
    text = "I was here last night with two other friends (3 total). The atmosphere of the restaurant was all that we had hoped for."
    assert best_count([text]) is None
    found = best_count([text, "Your search returned 57 matches."])
    assert found
    assert found.number == 57


OTHER_SCRIPTS = [
    ("تم العثور على 57 نتيجة", 57),
    ("٥٧ نتيجة", 57),
    ("النتائج ١ - ١٠ من ٢٬٣٤٥", 2345),
    ("عرض 1 إلى 10 من أصل 57 سجلا", 57),
    ("عدد النتائج: ١٢٣", 123),
    ("\u200fإجمالي النتائج: \u200e1,234\u200f", 1234),
    ("۵۷ نتیجه یافت شد", 57),
    ("نمایش ۱ تا ۱۰ از ۱٬۲۳۴", 1234),
    ("تعداد نتایج: ۵۷", 57),
    ("۵۷ مورد یافت شد", 57),
    ("कुल ५७ परिणाम", 57),
    ("1,23,456 परिणाम मिले", 123456),
    ("५७ में से 1-10", 57),
    ("พบ ๕๗ รายการ", 57),
    ("แสดง 1-10 จาก 57 รายการ", 57),
    ("ทั้งหมด ๑,๒๓๔ รายการ", 1234),
    ("נמצאו 57 תוצאות", 57),
    ("1-10 מתוך 57", 57),
]


@pytest.mark.parametrize(("text", "number"), OTHER_SCRIPTS, ids=[row[0] for row in OTHER_SCRIPTS])
def test_other_scripts_and_their_digits(text: str, number: int) -> None:
    found = best_count([text])
    assert found
    assert (found.number, found.exact) == (number, True)
    best = best_count([text])
    assert best
    assert best.number == number


@pytest.mark.parametrize(
    "text",
    ["صفحة ١ من ٦", "صفحه ۱ از ۶", "หน้า 1 จาก 6", "١٠ نتائج في الصفحة", "0٫23 ثانية", "10 รายการต่อหน้า", "लगे 3 दिन"],
)
def test_other_numbers_of_other_scripts(text: str) -> None:
    assert best_count([text]) is None


@pytest.mark.parametrize("text", ["حوالي ١٬٢٠٠ نتيجة", "بیش از ۱۰۰ نتیجه", "लगभग 500 परिणाम", "ประมาณ 500 รายการ"])
def test_rough_counts_of_other_scripts(text: str) -> None:
    found = best_count([text])
    assert found
    assert not found.exact


@pytest.mark.parametrize(
    "text",
    [
        "لا توجد نتائج",
        "لم يتم العثور على أي كتاب",
        "هیچ نتیجه‌ای یافت نشد",
        "موردی یافت نشد",
        "कोई परिणाम नहीं मिला",
        "ไม่พบข้อมูล",
        "לא נמצאו תוצאות",
    ],
)
def test_nothing_found_in_other_scripts(text: str) -> None:
    assert says_nothing_found(text)


@pytest.mark.parametrize("text", ["لا توجد تعليقات", "العثور على مكتبة"])
def test_other_words_of_other_scripts(text: str) -> None:
    assert not says_nothing_found(text)


@pytest.mark.parametrize(
    ("lines", "shown", "asked", "empty"),
    [
        (["No results found"], 0, "", True),
        (["0 Treffer"], 0, "", True),
        (["1-10 of 57 results"], 10, "", False),
        (["No results found"], 10, "", False),  # a text that a script shows when it is needed
        (["No results for zubaki. You may like these:"], 10, "zubaki", True),
        (["Welcome"], 0, "", False),
        (["Welcome"], 5, "", False),
    ],
)
def test_empty(lines: list[str], shown: int, asked: str, empty: bool) -> None:
    verdict = judge_empty(lines, shown, asked=asked)
    assert verdict.yes is empty
    assert verdict.reason


def test_a_count_of_none_is_empty() -> None:
    assert judge_empty(["x"], 0, Count(0)).yes


@pytest.mark.parametrize(
    ("lines", "shown", "more", "number"),
    [
        (["3041 vehicles"], 20, True, 3041),
        (["List (6000)", "Create"], 20, True, 6000),
        (["33,442 car models"], 50, True, 33442),
        (["14 vehicles"], 14, False, 14),
        (["Displaying all 14 vehicles"], 14, False, 14),
        (["Items: 26"], 10, True, 26),
        (["Items: 26"], 10, False, None),
        (["Year: 1998"], 10, True, None),
        (["14 vehicles"], 14, True, None),  # there are more: it counts something else
        (["3041 vehicles"], 20, False, None),  # there are no more
        (["Fiction (120)", "Music (88)", "Maps (40)"], 20, True, None),  # facets
        (["30 minutes"], 20, True, None),
        (["120 pages"], 20, True, None),
        (["25 items in your basket"], 20, True, None),
        (["since 1998"], 20, True, None),
    ],
)
def test_a_number_with_a_word_is_a_total_where_it_fits_what_comes(
    lines: list[str], shown: int, more: bool, number: int | None
) -> None:
    found = read_bare_total(lines, shown, more)
    assert (found.number if found else None) == number


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Page 1 of 46", 455), ("Seite 1 von 12", 115), ("page 13 of 12", None), ("home page", None), ("homepage 3 of 12", None),
        ("Page: 3 out of 12", 115), ("Página 3 de 12", 115), ("Pagina 3 van 12", 115), ("Strona 3 z 12", 115), ("Страница 3 из 12", 115),
        ("Strana 3 zo 12", 115), ("3. oldal / 12", 115), ("Sayfa 3 / 12", 115), ("Sida 3 av 12", 115), ("Side 3 af 12", 115),
        ("Sivu 3 / 12", 115), ("Σελίδα 3 από 12", 115), ("Pagina 3 din 12", 115), ("Сторінка 3 з 12", 115), ("Puslapis 3 iš 12", 115),
        ("Pàgina 3 de 12", 115), ("第 3 页，共 12 页", 115), ("第3页/共12页", 115), ("3 / 12 ページ", 115), ("3 / 12 페이지", 115), ("صفحة 3 من 12", 115),
        ("صفحه ۳ از ۱۲", 115), ("עמוד 3 מתוך 12", 115), ("पृष्ठ 3 / 12", 115), ("หน้า 3 จาก 12", 115), ("Halaman 3 dari 12", 115),
    ],
)  # fmt: skip
def test_a_page_of_pages_says_about_how_many(line: str, number: int | None) -> None:
    found = read_page_total([line], 10)
    assert (found.number if found else None) == number
    assert found is None or not found.exact


def test_links_to_pages_tell_which_number_is_the_total() -> None:
    lines = ["120 Main Street", "3041 vehicles"]
    assert read_bare_total(lines, 20, True) is None
    found = read_bare_total(lines, 20, True, pages=153)
    assert found
    assert found.number == 3041
    assert read_bare_total(["120 Main Street"], 20, True, pages=153) is None
    by_pages = read_page_total(lines, 20, last_page=153)
    assert by_pages
    assert (by_pages.number, by_pages.exact) == (3050, False)


@pytest.mark.parametrize(
    ("line", "pages", "number"),
    [
        ("1234 … 3940 2000 films", 40, 2000),  # links without a blank between them
        ("1 2 3 … 39 40 2000 films", 40, 2000),
        ("« 1 2 3 » 1,999 films", 40, 1999),
        ("1 2 3 … 39 40 1 999 films", 40, 1999),  # a blank between thousands
        ("1 2 3 … 39 40 2001 films", 40, None),  # it would fill 41 pages
        ("1 2 3 … 39 40 1950 films", 40, None),  # it would fill 39
        ("Route 1 2 3 2000 films", 40, None),  # no links to pages
        ("1 2 3 … 39 40 2000 films", 0, None),  # nobody knows how many pages there are
    ],
)
def test_a_total_stands_after_the_links_to_pages(line: str, pages: int, number: int | None) -> None:
    found = read_bare_total([line], 50, True, pages)
    assert (found.number if found else None) == number


@pytest.mark.parametrize("line", ["33442 rows", "33442 rows in set", "33,442 rows where make = Ford"])
def test_rows_are_counted(line: str) -> None:
    found = best_count([line])
    assert found is not None
    assert found.number == 33442


# what a list of 4,000 says in each language of the tables: a range of it, a sentence, a number with a word
IN_EACH_LANGUAGE = {
    "en": ["1-20 of 4,000", "Showing 1 to 20 of 4,000 entries", "4,000 results", "4000 rows"],
    "de": ["1-20 von 4.000", "Ergebnisse 1 bis 20 von 4.000", "4.000 Treffer", "4.000 Einträge"],
    "fr": ["1-20 sur 4 000", "Résultats 1 à 20 sur 4 000", "4 000 résultats", "4 000 notices"],
    "es": ["1-20 de 4.000", "Resultados 1 a 20 de 4.000", "4.000 resultados", "4.000 registros"],
    "it": ["1-20 di 4.000", "Risultati da 1 a 20 di 4.000", "4.000 risultati", "4.000 record"],
    "pt": ["1-20 de 4.000", "Resultados 1 a 20 de 4.000", "4.000 resultados", "4.000 registros"],
    "nl": ["1-20 van 4.000", "Resultaten 1 tot 20 van 4.000", "4.000 resultaten", "4.000 treffers"],
    "pl": ["1-20 z 4 000", "Wyniki 1 do 20 z 4 000", "4 000 wyników", "4000 rekordów"],
    "cs": ["1-20 z 4 000", "Záznamy 1 až 20 z 4 000", "4 000 výsledků", "4000 záznamů"],
    "sk": ["1-20 z 4 000", "Záznamy 1 až 20 z 4 000", "4 000 výsledkov", "4000 záznamov"],
    "hu": ["1-20 / 4 000", "1-20. találat, összesen 4 000", "4 000 találat", "4000 rekord"],
    "ru": ["1-20 из 4 000", "Результаты с 1 по 20 из 4 000", "4 000 результатов", "найдено 4000 записей"],
    "uk": ["1-20 з 4 000", "4 000 результатів"],
    "sv": ["1-20 av 4 000", "Visar 1 till 20 av 4 000", "4 000 träffar", "4000 resultat"],
    "da": ["1-20 af 4.000", "Viser 1 til 20 af 4.000", "4.000 resultater", "4000 poster"],
    "no": ["1-20 av 4 000", "Viser 1 til 20 av 4 000", "4 000 treff", "4000 resultater"],
    "fi": ["1-20 / 4 000", "4 000 tulosta", "4000 osumaa"],
    "tr": ["1-20 / 4.000", "4.000 sonuç", "4.000 kayıt bulundu"],
    "el": ["1-20 από 4.000", "4.000 αποτελέσματα"],
    "ro": ["1-20 din 4.000", "4.000 rezultate"],
    "lt": ["1-20 iš 4 000", "4 000 rezultatų", "4000 įrašų"],
    "ca": ["1-20 de 4.000", "4.000 resultats"],
    "ja": ["4,000件中 1-20件", "全4,000件", "検索結果 4,000件"],
    "zh": ["共4,000条", "共 4000 条记录", "第1-20条，共4000条", "4000 个结果"],
    "ko": ["총 4,000건", "4,000개의 결과", "검색결과 4,000건"],
    "ar": ["1-20 من 4,000", "4,000 نتيجة"],
    "fa": ["1-20 از 4,000", "۴٬۰۰۰ نتیجه"],
    "he": ["1-20 מתוך 4,000", "4,000 תוצאות"],
    "hi": ["4,000 परिणाम"],
    "th": ["4,000 รายการ"],
    "id": ["1-20 dari 4.000", "4.000 hasil"],
    "vi": ["1-20 trong 4.000", "4.000 kết quả"],
    "bg": ["1-20 от 4 000", "4 000 резултата"],
}


@pytest.mark.parametrize(
    ("language", "line"), [(language, line) for language, lines in IN_EACH_LANGUAGE.items() for line in lines]
)
def test_each_language_counts(language: str, line: str) -> None:
    found = best_count([line], 20) or read_bare_total([line], 20, True)
    assert found
    assert (found.number, found.exact) == (4000, True)


# a lower bound that is read as a total would prove a list complete that is cut there
LOWER_BOUNDS = [
    "1-20 of 1,000+",
    "More than 1,000 results",
    "over 1,000 results",
    "mehr als 1.000 Treffer",
    "über 1.000 Treffer",
    "plus de 1 000 résultats",
    "environ 1 000 résultats",
    "más de 1.000 resultados",
    "oltre 1.000 risultati",
    "più di 1.000 risultati",
    "mais de 1.000 resultados",
    "meer dan 1.000 resultaten",
    "ponad 1 000 wyników",
    "více než 1 000 výsledků",
    "viac ako 1 000 výsledkov",
    "több mint 1 000 találat",
    "более 1 000 результатов",
    "понад 1 000 результатів",
    "mer än 1 000 träffar",
    "mere end 1.000 resultater",
    "mer enn 1 000 treff",
    "yli 1 000 tulosta",
    "πάνω από 1.000 αποτελέσματα",
    "peste 1.000 rezultate",
    "daugiau nei 1 000 rezultatų",
    "més de 1.000 resultats",
    "1,000件以上",
    "超过 1000 条结果",
    "1,000건 이상",
    "أكثر من 1,000 نتيجة",
    "بیش از 1,000 نتیجه",
    "יותר מ-1,000 תוצאות",
    "มากกว่า 1,000 รายการ",
    "at least 1,000 results",
    "mindestens 1.000 Treffer",
    "au moins 1 000 résultats",
    "> 1,000 results",
    "1-20 of more than 1,000",
    "1 – 20 von mehr als 1.000",
    "1000+ Treffer",
    "≥ 1000 results",
]


@pytest.mark.parametrize("line", LOWER_BOUNDS)
def test_a_lower_bound_is_no_total(line: str) -> None:
    found = best_count([line], 20)
    assert found
    assert (found.number, found.exact) == (1000, False)


@pytest.mark.parametrize(
    ("line", "shown"),
    [("1 ~ 20 / 57", 20), ("Home > 57 results", 20), ("第1~20条，共57条", 20)],
    ids=["a sign between the ends of a range", "a path of links", "a range in Chinese"],
)
def test_signs_that_stand_elsewhere_make_no_count_rough(line: str, shown: int) -> None:
    found = best_count([line], shown)
    assert found
    assert (found.number, found.exact) == (57, True)
