"""How many records there are, as a page says it: count lines, limits and empty answers in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from dowse.model import Verdict

MAX_COUNT_CHARS: Final = 200_000  # of a text that are looked at
MAX_COUNT_NUMBERS: Final = 2_000  # of a text that are looked at
WINDOW_CHARS: Final = 60  # on each side of a number, in which words speak of it
KEPT_CHARS: Final = 40  # on each side of a number that are quoted
MAX_COUNT: Final = 10**12
MAX_COUNT_LINES: Final = 400  # of an answer that are looked at for a word that nothing was found
MAX_COUNT_LINE_CHARS: Final = 400  # of one of these
LONG_LINE_CHARS: Final = 100  # from which on a line is rather a text than a count line


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are, as a page says it."""

    number: int
    exact: bool = True  # not when it says about, more than, or 1,000+
    words: str = ""  # as it stands there
    limit: int = 0  # the most that is shown, where it says so
    shown: int = 0  # how many of them stand on this page, where it says so


def _either(*words: str) -> str:
    """Return an expression for any of these; no ending is longer than 20 letters, so that one endless word is read once."""
    bounded = (group.replace(r"\w+", r"\w{1,20}").replace(r"\w*", r"\w{0,20}") for group in words)
    return "|".join(word for group in bounded for word in group.split("; "))


# What is found. Each a whole word unless it ends in \w*; in the order of languages en de fr es it pt nl pl ru and others.
_NOUNS = _either(
    "results?; hits?; match(?:es)?; records?; answers?; entr(?:y|ies); findings?; occurrences?; rows?",
    "treffern?; ergebnis(?:se|sen)?; resultate?n?; datens[äa]tzen?; eintr[äa]ge?n?; fundstellen?; antworten; zeilen",
    "r[ée]sultats?; r[ée]ponses?; fiches?; notices?; enregistrements?; occurrences?; correspondances?; lignes?",
    "resultados?; respuestas?; registros?; fichas?; coincidencias?; entradas?; aciertos; filas?",
    "risultat[oi]; record; schede; corrispondenze; riscontri; voci; righe",
    "registos?; respostas?; ocorr[êe]ncias?",
    "resultaten; treffers?; gevonden items; vermeldingen",
    "wynik(?:i|[óo]w)?; trafie[ńn]; trafienia; rekord(?:y|[óo]w)?; wpis(?:y|[óo]w)?; pozycj[iea]; odpowiedzi",
    "результат\\w*; запис[ьейия]+; совпадени[йяе]; ответ(?:ов|а)?; позици[йия]; карточ\\w+",
    "tr[äa]ffar; resultater; tulosta; sonu[çc]; kay[ıi]t; v[ýy]sledk\\w+; tal[áa]lat\\w*; αποτελέσματα",
    "نتيجة; نتائج; النتائج; سجلا?; سجلات; السجلات; نتیجه; نتایج; رکورد; परिणाम; रिकॉर्ड; नतीज; ผลลัพธ์; ผลการค้นหา; รายการ; תוצאות; תוצאה; רשומות",
)
# What may be found, but also stands in a menu or a basket: it counts only beside a word of finding.
_THINGS = _either(
    "items?; documents?; articles?; listings?; titles?; products?; objects?; books?; offers?; ads?",
    "artikeln?; dokumente?n?; titeln?; produkte?n?; angebote?n?; anzeigen; b[üu]cher",
    "documents?; articles?; titres?; produits?; annonces?; ouvrages?; offres?",
    "documentos?; art[íi]culos?; t[íi]tulos?; productos?; anuncios?; ofertas?",
    "document[oi]; articol[oi]; titol[oi]; prodott[oi]; annunc[io]+; offert[ea]",
    "artigos?; produtos?; documenten; artikelen; producten; advertenties",
    "عنصرا?; عناصر; مادة; مواد; كتابا?; كتب; وثيقة; وثائق; مورد; کتاب; سند; पुस्तक; เล่ม; รายชื่อ; פריטים; ספרים",
    "dokument\\w*; artyku\\w+; produkt\\w*; og[łl]osze\\w*; документ\\w*; стат\\w+; товар\\w*; объявлени\\w+",
)
# Words of finding; they say that the number beside them is a count.
_FOUND = _either(
    "found; returned; matched; matching; match; retrieved; available; total; in all; altogether; in total",
    "gefunden\\w*; insgesamt; gesamt; vorhanden; liegen vor; gibt es",
    "trouv[ée]\\w*; au total; en tout; correspond\\w*",
    "encontrad\\w+; hallad\\w+; en total; coinciden",
    "trovat[oiae]; in totale; in tutto; corrispond\\w+",
    "no total; ao todo; localizad\\w+",
    "gevonden; in totaal; totaal",
    "znalezion\\w*; [łl][ąa]cznie; razem; wszystkich; pasuj\\w+",
    "найден\\w*; нашл\\w+; всего; подход\\w+; обнаружен\\w*",
    "hittades; fundet; funnet; l[öo]ytyi; bulundu; nalezen\\w*; tal[áa]lt\\w*; βρέθηκαν",
    "وجدت; موجودة; مطابقة; متاحة; في المجموع; إجمالا; یافت شد; پیدا شد; یافت شده; मिल; पाए गए; พบ; ทั้งหมด; נמצאו; בסך הכל",
)
# A word of finding that stands before its number: "found 57", "returned 57", "there are 57".
_FINDING = _either(
    "found; returned; yielded; gave; matched; matches; there are; there is; total(?: of| in (?:the )?[^\\W\\d]{1,20})?; we have; lists",
    "gefunden\\w*; insgesamt; gesamt; fand(?:en)?; ergab(?:en)?; lieferte; es gibt; anzahl",
    "trouv[ée]\\w*; a donn[ée]; au total; total(?: de)?; il y a; compte; nombre de r[ée]sultats",
    "encontrad\\w+; se encontraron; se han encontrado; ha dado; ha devuelto; hay; hallad\\w+; en total",
    "trovat[oiae]; ha dato; ha prodotto; totale(?: di)?; ci sono; sono stat[ie] trovat[ie]",
    "encontramos; foram encontrad\\w+; h[áa]; retornou; total(?: de)?",
    "gevonden; totaal; er zijn; leverde; aantal",
    "znalezion\\w*; znale[źz]li[śs]my; [łl][ąa]cznie; razem; jest; liczba wynik[óo]w",
    "найден\\w*; нашл\\w+; всего; обнаружен\\w*; количество",
    "hittade; fandt; fant; l[öo]ytyi; bulundu; nalezeno; tal[áa]latok",
    "العثور على; عثر على; عثرنا على; وجدنا; وجد; إجمالي(?: النتائج| السجلات)?; المجموع; عدد (?:النتائج|السجلات); هناك; يوجد; توجد",
    "تعداد(?: نتایج| کل| رکوردها)?; مجموع; कुल; พบ(?:ทั้งหมด)?; ทั้งหมด; จำนวน(?:ทั้งหมด)?; รวม; נמצאו; סך הכל; בסך הכל",
)
_ABOUT = _either(
    "about; around; approximately; approx\\.?; roughly; some; more than; over; at least; nearly; almost; up to",
    "etwa; ungef[äa]hr; circa; ca\\.?; rund; knapp; mehr als; [üu]ber; gut; mindestens",
    "environ; pr[èe]s de; plus de; quelque; autour de; à peu pr[èe]s; au moins",
    "unos; unas; alrededor de; aproximadamente; cerca de; m[áa]s de; casi; al menos",
    "pi[ùu] di; quasi; all'incirca; almeno; aproximadamente; mais de; quase",
    "ongeveer; meer dan; zo'n; bijna; oko[łl]o; ponad; mniej wi[ęe]cej; prawie; przesz[łl]o",
    "около; примерно; приблизительно; более; свыше; больше; порядка; почти",
    "约; 約; およそ; 大約; 大约; 超过; 약",
    "حوالي; حوالى; نحو; تقريبا; ما يقارب; أكثر من; حدود; حدودا; تقریبا; بیش از; نزدیک به; लगभग; करीब; ประมาณ; มากกว่า; בערך; יותר מ",
)
_TO = r"(?:-|–|—|−|‒|~|〜|～|\.\.\.?|…|to|through|bis|à|au|a|al|a la|até|t/m|tot|do|по|до|から|至|och|till|til|sampai|hingga|až|đến|ila|إلى|الى|حتى|تا|से|ถึง|עד)"
_OF = (
    r"(?:of|out of|von|aus|de|sur|di|su|da|van|z|ze|spośród|из|av|af|/|\||\(|,|;|:|total|gesamt|insgesamt|de un total de"
    r"|من أصل|من إجمالي|من مجموع|من|از مجموع|از کل|از|จากทั้งหมด|จาก|מתוך"
    r"|di un totale di|of a total of|sur un total de|dari|od|iz|trong|/ ?toplam|ud af|件目|件|/全|全|中|的)"
)
_SIGNS = frozenset("/|(,;:")
_GROUPED = r"\d{1,3}(?:,\d{3}){1,8}|\d{1,2}(?:,\d\d){1,4},\d{3}|\d{1,3}(?:[٬،]\d{3}){1,8}|\d{1,3}(?:\.\d{3}){1,8}|\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3}){1,8}|\d{1,12}"
_NUMBER = re.compile(
    rf"(?<![\d.,٬٫،/:#$€£¥№A-Za-z])(?<!\d[ \u00a0])(?:{_GROUPED})(?![\d%٪‰°])(?![.,٬٫،:/]\d)(?!-?[A-Za-z′″])"
)  # W3, 10th and 30-minute are words
_GAP = r"(?:\W{0,4}[^\W\d]{1,20}){0,3}\W{1,4}"  # up to three words between

_RANGE_BEFORE = re.compile(
    rf"(?<![\d.,])({_GROUPED}) ?(?:件目?|條|条)? ?{_TO} ?(?:la )?({_GROUPED}) ?[(\[]? ?({_OF})(?: (?:the|a|an|den|des|les|los|i|total|totale))?(?: (?:{_ABOUT}))? ?$"
)
_RANGE_AFTER = re.compile(
    rf"^ ?(?:件|건|條|条|में से)(?:中|のうち|，|、|,| )? ?({_GROUPED}) ?(?:件目?)? ?{_TO} ?({_GROUPED})"
)
_NOUN_AFTER = re.compile(rf"^\+? ?(?:[^\W\d]{{1,20}} ){{0,2}}?(?:{_NOUNS})\b")
_FOUND_AFTER = re.compile(rf"^\+?{_GAP}(?:{_FOUND})\b")
_THING_AFTER = re.compile(rf"^\+? ?(?:[^\W\d]{{1,20}} ){{0,2}}?(?:{_THINGS})\b")
_NOUN_BEFORE = re.compile(
    rf"(?<!\w)(?:{_NOUNS})(?: (?:{_FOUND}))? ?[:=(]\W{{0,3}}$|(?<!\w)(?:{_NOUNS}) (?:{_FOUND}) ?$"
)
_FINDING_BEFORE = re.compile(rf"(?<!\w)(?:{_FINDING})\W{{1,3}}(?:(?:{_ABOUT})\W{{1,2}})?$")
_ABOUT_BEFORE = re.compile(rf"(?<!\w)(?:{_ABOUT}) ?$")
_EASTERN_AFTER = re.compile(
    r"^\+? ?(?!件 ?(?:追加|更新|新着))(?:(?:件|건|条|條|筆)(?=$|[\s,.、。，)）\]】/|のがをはでも中見み該あヒ表]|結果|结果|记录|記錄|数据)|个结果|個結果)"
)
_EASTERN_BEFORE = re.compile(
    r"(?:検索結果|該当|ヒット|全|計|共(?:找到|有)?|找到|검색 ?결과|총) ?[:：]? ?(?:約|约|약)? ?$"
)

_PER_PAGE = re.compile(
    r"^\W{0,2}(?:[^\W\d]{1,20} ){0,2}(?:[^\W\d]{1,20})? ?(?:per|pro|par|por|a|each|na|op|auf der|je|на) ?(?:page|seite|pagina|p[áa]gina|stron\w*|страниц\w*)"
    r"|^ ?件 ?(?:ずつ|表示|/|ごと)|^ ?(?:[^\W\d]{1,20} ){0,2}(?:في (?:ال)?صفحة|لكل صفحة|در (?:هر )?صفحه|ต่อหน้า|प्रति पृष्ठ|בעמוד|לעמוד)|^ ?(?:รายการ)?ต่อหน้า"
)
_PAGES = re.compile(
    r"^\W{0,2}(?:pages?|seiten?|p[áa]ginas?|pagin[ae]|stron\w*|страниц\w*|ページ|页|頁|صفح(?:ة|ات|ه)|หน้า|पृष्ठ|עמודים)\b"
)
_PAGE_BEFORE = re.compile(
    r"(?:page|seite|p[áa]gina|pagina|strona|страница|ページ|第|صفحة|صفحه|หน้า(?:ที่)?|पृष्ठ|עמוד) ?(?:\d{1,6} ?(?:of|von|de|sur|di|van|z|из|/|من|از|จาก|מתוך) ?)?$"
)
_TIME_AFTER = re.compile(
    r"^ ?(?:seconds?|secs?|ms|minutes?|hours?|days?|years?|sekunden?|minuten|tage?n?|jahre?n?|secondes?|jours?|ans|segundos|d[íi]as|años|secondi|giorni|anni|секунд\w*|дн\w+|лет|秒|日|年|月|ثانية|ثوان|ثانیه|دقيقة|दिन|วินาที|שניות)\b"
)
_YEAR_BEFORE = re.compile(
    r"(?:©|copyright|\(c\)|since|seit|depuis|desde|dal|in|im|from|until|jan\w*|feb\w*|mar\w*|apr\w*|may|mai|jun\w*|jul\w*|aug\w*|sep\w*|o[ck]t\w*|nov\w*|de[cz]\w*)\W{0,2}$"
)
_MARK_AFTER = re.compile(r"^[.)] ?[^\W\d]")  # 6. No match for this
_DATE_AFTER = re.compile(r"^\.? ?(?:de )?[^\W\d]{3,10}\.?,? (?:de )?(?:19|20)\d\d(?!\d)")  # 9 March 2016
_JOINED_BEFORE = re.compile(r"\d ?[-–] ?$|(?<!\w)(?:no|nr|nº)\.? ?$")  # a telephone number, the end of a range, No. 5
_PEOPLE_AFTER = re.compile(
    r"^ ?(?:of \d+ )?(?:people|persons?|users?|customers?|readers?|members?|guests?|visitors?|personen|nutzer|besucher|personnes|personas|persone|pessoas|personen|os[óo]b|человек)\b"
)
_PLAIN_NOUN_AFTER = re.compile(
    rf"^\+? ?(?:{_NOUNS}|{_THINGS})\b|^ ?(?:件|건|条|條)|^ ?[^\W\d]{{2,20}} (?:{_FOUND})\b|^[^\w]{{0,3}}$"
)
_FORUM_AFTER = re.compile(
    r"^ ?[^\W\d]{2,20} ?[•·|,;–-] ?(?:page|seite|p[áa]gina|pagina|strona|страница|sida|side) ?:? ?\d"
)  # 96 topics • Page 1 of 4
_CURRENCY = re.compile(r"^ ?(?:€|\$|£|¥|円|元|руб|zł|usd|eur|gbp|chf|kr\b)")
_DIRECTION = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_CURRENCY_BEFORE = re.compile(r"(?:€|\$|£|¥|usd|eur|gbp|chf|kr|zł) ?$")
# What makes a number something else than a count: a date, people, a price, a time, a page.
_OTHERS_AFTER = (_DATE_AFTER, _PEOPLE_AFTER, _CURRENCY, _TIME_AFTER, _PAGES, _PER_PAGE)
_OTHERS_BEFORE = (_JOINED_BEFORE, _CURRENCY_BEFORE, _PAGE_BEFORE)


def _without_direction_marks(text: str) -> str:
    """Return a text without marks of its direction, which stand between words and numbers and are not seen."""
    return text if text.isascii() else _DIRECTION.sub("", text)


def _find_counts(line: str, limit: int, shown: int) -> Iterator[tuple[int, Count]]:
    """Yield the numbers in a line that count something, each with a rank from 1 to 5: how clearly it does."""
    for place, found in enumerate(_NUMBER.finditer(line)):
        if place >= MAX_COUNT_NUMBERS:
            break
        number = to_number(found[0])
        before = line[max(0, found.start() - WINDOW_CHARS) : found.start()].lower()
        after = line[found.end() : found.end() + WINDOW_CHARS].lower()
        rank, own = _rank(number, found[0], before, after)
        is_text = rank <= 2 and len(line) > LONG_LINE_CHARS  # a long text must say it more clearly
        if not rank or is_text or (limit and number == limit and _speaks_of_limit(before, after)):
            continue
        words = " ".join(line[max(0, found.start() - KEPT_CHARS) : found.end() + KEPT_CHARS].split())
        exact = not (_ABOUT_BEFORE.search(before) or after.startswith("+"))
        yield rank, Count(number, exact, words, shown=own or shown)
    # a line that is no more than a count of things
    bare = _BARE_COUNT.match(line)
    if bare and not _BASKET.search(line) and to_number(bare[1]) > max(1, shown):
        yield 1, Count(to_number(bare[1]), True, " ".join(line[:KEPT_CHARS].split()), shown=shown)


def _rank(number: int, written: str, before: str, after: str) -> tuple[int, int]:
    """Return how clearly a number counts what was found (0: not at all), and how many of them it says are shown."""
    own = _range_size(number, before, after)
    if own:
        return 5, own
    if _is_other(number, written, before, after):
        return 0, 0
    noun, finding = bool(_NOUN_AFTER.match(after)), bool(_FINDING_BEFORE.search(before))
    is_thing_found = (noun or _THING_AFTER.match(after)) and (finding or _FOUND_AFTER.match(after))
    if is_thing_found or _FORUM_AFTER.match(after) or _EASTERN_BEFORE.search(before):
        return 4, 0
    if noun or _NOUN_BEFORE.search(before) or _EASTERN_AFTER.match(after):
        return 3, 0
    return (2, 0) if finding or _FOUND_AFTER.match(after) else (0, 0)


def _range_size(number: int, before: str, after: str) -> int:
    """Return how many records a range has that ends before or begins after a number of all records, or 0."""
    found = _RANGE_BEFORE.search(before) or _RANGE_AFTER.match(after)
    if not found:
        return 0
    first, last = to_number(found[1]), to_number(found[2])
    if found.re is _RANGE_BEFORE and found[3] in _SIGNS and not first == 1 < last:  # opening hours, a score
        return 0
    return last - first + 1 if 0 < first <= last <= number and last - first < 1_000 else 0


def _is_other(number: int, written: str, before: str, after: str) -> bool:
    """Return True if a number is a price, a date, a time, a page, a mark in a list, or how many stand on a page."""
    if any(pattern.match(after) for pattern in _OTHERS_AFTER) or any(
        pattern.search(before) for pattern in _OTHERS_BEFORE
    ):
        return True
    if not before.strip() and _MARK_AFTER.match(after):
        return True
    is_year = written.isdigit() and 1900 <= number <= 2100
    return is_year and bool(_YEAR_BEFORE.search(before) or not _PLAIN_NOUN_AFTER.match(after))


def to_number(written: str) -> int:
    """Return 1,234 or 1.234 or 1 234 as a number."""
    return min(MAX_COUNT, int("".join(letter for letter in written if letter.isdigit()) or "0"))


def read_range(text: str, shown: int) -> Count | None:
    """Return the number in a line that also says from 1 to as many as were seen: in any language a count line."""
    numbers = [to_number(found) for found in _NUMBER.findall(text[: WINDOW_CHARS * 4])]
    if not 3 <= len(numbers) <= 4 or 1 not in numbers or shown < 2 or shown not in numbers:
        return None
    numbers.remove(1)
    numbers.remove(shown)
    most = max(numbers)
    exact = not any(
        _ABOUT_BEFORE.search(text[: found.start()].lower()) for found in _NUMBER.finditer(text[: WINDOW_CHARS * 4])
    )
    return Count(most, exact, " ".join(text[:200].split()), read_limit(text), shown) if most >= shown else None


# -- limits: "only the first 1,000 are shown"

_FIRST = _either(
    "first; top; die ersten; der ersten; ersten; erste; les; primeros; primeras; primi; prime; primeir[oa]s; eerste; pierwsz\\w+; перв\\w+; 最初の; 先頭; はじめの; 上位; 前; 처음",
)
_CAPPED = _either(
    "limited to; limit(?: of)?; maximum(?: of)?; max\\.?; at most; no more than; up to; capped at; only",
    "begrenzt auf; beschr[äa]nkt auf; maximal; h[öo]chstens; nur; nicht mehr als; bis zu",
    "limit[ée]\\w* à; maximum(?: de)?; au plus; au maximum; seuls?; seulement; pas plus de",
    "limitad[oa]s? a; m[áa]ximo(?: de)?; como m[áa]ximo; solo; s[óo]lo; no m[áa]s de; hasta",
    "limitat[oiae] a; massimo(?: di)?; al massimo; solo; non pi[ùu] di; fino a; no m[áa]ximo; apenas; at[ée]",
    "beperkt tot; maximaal; hoogstens; alleen; niet meer dan",
    "ograniczon\\w+ do; maksymalnie; najwy[żz]ej; tylko; co najwy[żz]ej; nie wi[ęe]cej ni[żz]",
    "ограничен\\w*; не более; максимум; только; не больше; лишь",
    "最大; 最多; 最高; 限; 최대",
)
# Words of an end: they say so by themselves, beside a word for what is found.
_ENDS = _either(
    "limited to; restricted to; capped at; cut off (?:after|at); truncated (?:after|at|to); ends? (?:after|at); stops? (?:after|at)",
    "begrenzt auf; beschr[äa]nkt auf; endet (?:nach|bei); abgebrochen (?:nach|bei); abgeschnitten (?:nach|bei); gek[üu]rzt auf",
    "limit[ée]\\w* à; s'arr[êe]te (?:à|apr[èe]s); tronqu[ée]\\w* à; coup[ée]\\w* (?:à|apr[èe]s); se limit[ea]n? (?:à|a)",
    "limitad[oa]s? a; se (?:detiene|corta|interrumpe) (?:en|a|tras); termina (?:en|tras|em|ap[óo]s); limitat[oiae] a; si ferma (?:a|ai|alle?|dopo); troncat[oa] (?:a|ai|dopo)",
    "beperkt tot; stopt (?:na|bij); afgekapt (?:na|op|bij); eindigt (?:na|bij)",
    "ograniczon\\w+ do; urywa si[ęe] (?:po|na); ko[ńn]czy si[ęe] (?:po|na); obci[ęe]t\\w+ (?:po|do)",
    "ограничен\\w*; обрывается (?:после|на); заканчивается (?:после|на); обрезан\\w* (?:после|до|на)",
)
_SHOWN = _either(
    "shown; displayed; listed; are shown; are displayed; can be seen; viewable; accessible; show; display",
    "angezeigt; gezeigt; dargestellt; aufgef[üu]hrt; zeigen; anzeigen; sichtbar; zu sehen",
    "affich\\w+; montr\\w+; visibles?; pr[ée]sent[ée]\\w*; muestra\\w*; mostra\\w*; visualiza\\w*; ense[ñn]a\\w*; exib\\w+; ven",
    "getoond; weergegeven; wy[śs]wietl\\w+; pokaz\\w+; widoczn\\w+; показ\\w+; отображ\\w+; выводи\\w+; вид\\w+",
    "表示; 显示; 顯示; 표시",
)
_LIMIT = re.compile(
    rf"(?:(?:{_FIRST}|{_CAPPED})\W{{0,3}}(?:(?:the|die|les|los|las|i|os|as|de|{_FIRST})\W{{1,2}}){{0,2}})({_GROUPED})(?!\d)",
    re.IGNORECASE,
)
_LIMIT_EAST = re.compile(rf"({_GROUPED}) ?(?:件|条|건)(?:まで|以内|のみ|만|だけ|で打ち切)")
_END = re.compile(
    rf"(?:{_ENDS})\W{{1,2}}(?:(?:the|die|den|les|los|las|i|{_FIRST})\W{{1,2}}){{0,2}}({_GROUPED})(?!\d) ?(?:[^\W\d]{{1,20}} )?(?:{_NOUNS}|{_THINGS})\b",
    re.IGNORECASE,
)
_SHOWN_NEAR = re.compile(rf"(?:{_SHOWN})", re.IGNORECASE)
_CAPPED_NEAR = re.compile(rf"(?<!\w)(?:{_FIRST}|{_CAPPED})\W", re.IGNORECASE)


def read_limit(text: str) -> int:
    """Return the most records that a page says it shows of all there are, or 0."""
    for found in _LIMIT.finditer(text[:MAX_COUNT_CHARS]):
        near = text[max(0, found.start() - WINDOW_CHARS) : found.end() + WINDOW_CHARS]
        number = to_number(found[1])
        if number > 1 and _SHOWN_NEAR.search(near) and not _is_range_end(text, found.end()):
            return number
    stated = _END.search(text[:MAX_COUNT_CHARS]) or _LIMIT_EAST.search(text[:MAX_COUNT_CHARS])
    return to_number(stated[1]) if stated else 0


def _is_range_end(text: str, end: int) -> bool:
    """Return True if the number is the first of a range, from 1 to 10, or those on a page: the first 10 of 57."""
    return bool(re.match(rf" ?(?:{_TO}|{_OF}) ?\d", text[end : end + 12].lower()))


def _speaks_of_limit(before: str, after: str) -> bool:
    near = f"{before}0{after}"
    if _LIMIT_EAST.match(f"0{after}"):
        return True
    return bool(_END.search(f"{before}{WINDOW_CHARS}{after}")) or bool(
        _SHOWN_NEAR.search(near) and _CAPPED_NEAR.search(near)
    )


# -- nothing found

_NOTHING = re.compile(
    r"\b(?:no|zero|0) (?:[^\W\d]{1,20} ){0,3}?(?:results?|match(?:es)?|hits?|records?|items?|entries|documents?|found|available|answers?)\b"
    r"|\bnothing (?:was |has been |could be )?(?:found|matche[sd])|\bdid not match any|\bnot? (?:find|found) any|\bcould ?n[o']t find|\bno [^\W\d]{1,20} (?:was|were) found"
    r"|\bkeine? (?:[^\W\d]{1,20} ){0,3}?(?:treffer|ergebnisse?|resultate|daten|eintr|gefunden|vorhanden)|\bnichts (?:passendes )?gefunden|\bohne (?:treffer|ergebnis)|\b0 (?:treffer|ergebnisse)"
    r"|\baucune? (?:[^\W\d]{1,20} ){0,3}?(?:r[ée]sultats?|r[ée]ponse|correspondance|trouv[ée]\w*|enregistrement|fiche|notice)|\bn'a (?:rien )?(?:donn[ée]|trouv[ée]|retourn[ée])|\brien trouv|\bpas de r[ée]sultat"
    r"|\bning[úu]n\w* (?:[^\W\d]{1,20} ){0,3}?(?:resultado|registro|coincidencia|encontrad\w+|respuesta)|\bno (?:se|ha|hay|hemos) (?:[^\W\d]{1,20} ){0,3}?(?:encontr\w+|hall\w+|resultados?|coincid\w+|nada)|\bsin resultados"
    r"|\bnessun[oa]? (?:[^\W\d]{1,20} ){0,3}?(?:risultat\w+|corrispond\w+|trovat\w+|record|scheda)|\bnon (?:[^\W\d]{1,20} ){0,3}?(?:trovat\w+|risultati)"
    r"|\bnenhum\w? (?:[^\W\d]{1,20} ){0,3}?(?:resultado|registr?o|encontrad\w+)|\bn[ãa]o (?:[^\W\d]{1,20} ){0,3}?(?:encontr\w+|resultados?|localizad\w+)"
    r"|\bgeen (?:[^\W\d]{1,20} ){0,3}?(?:resultaten|treffers?|gevonden)|\bniets gevonden"
    r"|\bbrak (?:wynik|trafie|rekord|danych|pasuj)|\bnie (?:znalezion|znale[źz]|uda[łl]o)|\bnic nie znalezion"
    r"|ничего не (?:найден|нашл)|\bне (?:найден|нашл|удалось|дал)|\bнет (?:[^\W\d]{1,20} ){0,2}?(?:результат|запис|совпад|данн)|совпадений нет"
    r"|見つかりません|該当(?:する[^\s。]{0,20})?(?:なし|はありません|がありません|ありません)|ありませんでした|(?<!\d)0 ?件|没有(?:找到|结果|符合)|未找到|无结果|沒有|找不到|검색 ?결과가 없|결과 ?없음"
    r"|\binga (?:[^\W\d]{1,20} ){0,2}?(?:tr[äa]ffar|resultat)|\bingen (?:[^\W\d]{1,20} ){0,2}?(?:resultat|treff)|\bei (?:[^\W\d]{1,20} ){0,2}?(?:tuloksia|osumia|l[öo]yty)|لا (?:توجد|يوجد) (?:أي |أية |هناك )?(?:نتائج|نتيجة|سجلات|سجل|بيانات|كتب|مواد|عناصر|مطابق)|لا نتائج|لم (?:يتم العثور|نعثر|يعثر|نجد)|هیچ (?:نتیجه|مورد|رکورد)|(?:یافت|پیدا) نشد|نتیجه ?ای (?:یافت|پیدا) ن|नहीं मिल|परिणाम नहीं|ไม่พบ|ไม่มีผลลัพธ์|לא נמצא|אין תוצאות|sonu[çc] bulunamad|kay[ıi]t bulunamad|nenalezen|nincs tal[áa]lat|δεν βρέθηκ",
    re.IGNORECASE,
)

# A line that is no more than a count of things; in brackets it may go on.
_BARE_COUNT = re.compile(rf"\W{{0,3}}\(({_GROUPED}) (?:[^\W\d]{{1,20}} )?(?:{_THINGS})\)", re.IGNORECASE)
_BASKET = re.compile(
    r"€|\$|£|cart|basket|bag\b|warenkorb|panier|cesta|carrito|carrello|mandje|koszyk|корзин|カート|购物车",
    re.IGNORECASE,
)


def says_nothing_found(text: str) -> bool:
    """Return True if a text says that nothing was found."""
    return bool(_NOTHING.search(_without_direction_marks(text[:MAX_COUNT_CHARS])))


def best_count(lines: Iterable[str], shown: int = 0) -> Count | None:
    """Return the clearest count among lines of an answer, with the limit that any of them states."""
    lines = [_without_direction_marks(line[:MAX_COUNT_CHARS]) for line in lines]
    limit = next((found for found in map(read_limit, lines) if found), 0)
    ranges = (read_range(line, shown) for line in lines)
    best = next((count for count in ranges if count), None)
    if best is None:
        ranked = [pair for line in lines for pair in _find_counts(line, limit, shown)]
        best = max(ranked, key=lambda pair: pair[0])[1] if ranked else None
    return replace(best, limit=limit or best.limit) if best else None


def judge_empty(lines: Iterable[str], shown: int = 0, count: Count | None = None, asked: str = "") -> Verdict:
    """Judge whether an answer says that nothing was found; the lines are those outside its records."""
    lines = list(islice(lines, MAX_COUNT_LINES))
    count = count or best_count(lines, shown)
    if count is not None and count.number > 0:
        return Verdict(False, f"it counts {count.number:,}")
    telling = [line for line in lines if says_nothing_found(line[:MAX_COUNT_LINE_CHARS])]
    if telling and shown < 3:
        return Verdict(True, f"it says: {telling[0][:100]}")
    quoted = [line for line in telling if asked and asked.lower() in line.lower()]
    if quoted:  # what is shown is something to look at instead
        return Verdict(True, f"it says: {quoted[0][:100]}")
    if count is not None:
        return Verdict(True, "it counts none")
    return Verdict(False, f"{shown:,} records" if shown else "neither records nor a word that there are none")
