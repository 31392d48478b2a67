"""Words that forms are written with: ends of ranges, parts of dates, ways of matching, orders, pages."""

from __future__ import annotations

import re


def _words(*words: str) -> re.Pattern[str]:
    """Return a pattern for any of these words, whole."""
    return re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)")


def _whole(*words: str) -> re.Pattern[str]:
    """Return a pattern for a text that is one of these and nothing else."""
    return re.compile(r"(?:" + "|".join(words) + r")\Z")


# --- ends of a range

LOW_WORDS = (
    "from", "min", "minimum", "minimal", "minimale", "minimaler", "minimális", "mindestens", "at least", "between", "lowest", "low", "lower", "over", "starting", "start", "since", "after", "more than", "not less than", "earliest",
    "beginning", "older than", "above", "no earlier than", "von", "vom", "ab", "seit", "zwischen", "über", "de", "du", "depuis", "entre", "à partir de", "au moins", "desde", "mínimo", "mínima", "mín", "a partir de", "no antes de", "dal", "da", "dalla", "almeno", "tra", "minimo", "minima",
    "van", "vanaf", "tussen", "minimaal", "minstens", "od", "minimalna", "minimalny", "co najmniej", "między", "от", "с", "со", "не менее", "не раньше", "минимум", "мин", "fra", "mindst", "minst", "från", "mellan", "mellem", "-tól", "-től", "tól", "től", "legalább", "alsó", "alespoň", "najmenej", "nejméně", "до этого", "nuo", "począwszy od", "poczynając od", "bis mindestens", "ab dem", "au minimum", "como mínimo", "a partire da", "no mínimo", "начиная с", "wenigstens", "nie mniej niż", "non meno di", "no menos de", "以上", "から", "より", "自", "下限", "最小", "最低", "≥", ">=", ">",
)  # fmt: skip
HIGH_WORDS = (
    "to", "max", "maximum", "maximal", "maximale", "maximaler", "maximális", "höchstens", "at most", "and", "highest", "high", "upper", "up to", "under", "below", "until", "till", "through", "thru", "before", "end", "ending", "less than", "not more than", "no more than", "latest",
    "no later than", "bis", "zu", "und", "unter", "vor", "à", "a", "au", "et", "jusqu'à", "jusque", "jusqu'au", "au plus", "hasta", "y", "máximo", "máxima", "máx", "como máximo", "até", "e", "al", "alla", "fino a", "massimo", "massima", "non più di", "entro", "tot", "tot en met", "t/m", "en", "maximaal", "do", "maksymalna", "maks", "nie więcej niż", "i", "a do",
    "до", "по", "не более", "не позже", "максимум", "макс", "til", "højst", "till", "högst", "och", "og", "-ig", "ig", "felső", "legfeljebb", "nejvýše", "najviac", "iki", "aż do", "bis zu", "au maximum", "no más de", "al massimo", "no máximo", "hooguit", "вплоть до", "nicht mehr als", "pas plus de", "não mais de", "以下", "まで", "至", "上限", "最大", "最高", "~", "～", "〜", "..", "...", "…", "<>", "–", "-", "—", "≤", "<=", "<",
)  # fmt: skip
CONNECTORS = _whole(*(re.escape(word) for word in HIGH_WORDS), "to:?", "/", "bis:?")
_LOW = "|".join(sorted(map(re.escape, (w for w in LOW_WORDS if w[0].isalpha())), key=len, reverse=True))
_HIGH = "|".join(sorted(map(re.escape, (w for w in HIGH_WORDS if w[0].isalpha())), key=len, reverse=True))
LOW = re.compile(rf"(?<!\w)(?:{_LOW})(?!\w)|(?:から|以上|下限)|-?t[óő]l\b")
HIGH = re.compile(rf"(?<!\w)(?:{_HIGH})(?!\w)|(?:まで|以下|上限)|-?ig\b")
# at the end of a caption ("Year from") or at its start ("Min price"): weak words such as "de" count only there
_CONJUNCTIONS = frozenset(
    {"and", "und", "et", "en", "y", "e", "i", "og", "och", "entre", "du", "de la", "с", "со", "по"}
)
_LOW_LAST = "|".join(word for word in _LOW.split("|") if word not in _CONJUNCTIONS)
_HIGH_LAST = "|".join(word for word in _HIGH.split("|") if word not in _CONJUNCTIONS)
_BEFORE_END = r"(?<![\s,:(\-–])[\s,:(\-–]++"  # all the signs that stand there, looked at once
LOW_END = re.compile(rf"{_BEFORE_END}(?:{_LOW_LAST})[.:)]*\Z|-?t[óő]l\Z")
HIGH_END = re.compile(rf"{_BEFORE_END}(?:{_HIGH_LAST})[.:)]*\Z|-?ig\Z")
_STRONG_ENDS = (
    "from|to|min|max|minimum|maximum|lowest|highest|earliest|latest|start|end|mindest|höchst|minimale?|maximale?|minimális|maximális|mínim[oa]|máxim[oa]|minim[oa]|massim[oa]|minimaal|maximaal|minimaln[aey]|maksymaln[aey]"
    "|von|bis|ab|od|do|от|до|desde|hasta|até|dal|al|da|fra|til|från|till|vanaf|tot|de|à|начиная|мин|макс"
)
END_START = re.compile(rf"(?:{_STRONG_ENDS})\b[.:]?\s+")
ONE_END = _words(
    "at least", "at most", "up to", "or more", "or less", "minimum", "maximum", "min", "max", "within", "no more than", "not older than", "newer than", "older than", "posted after", "posted before", "neuer als", "älter als", "plus récent que", "plus ancien que", "posterior(?:es)? a", "anterior(?:es)? a", "más recientes? que", "mais recente que", "più recente di", "nieuwer dan", "nowsze niż", "новее", "старше", "не старее", "nyere end", "nyare än", "novější než", "since", "mindestens", "höchstens", "maximal", "innerhalb", "au moins", "au plus", "jusqu'à", "depuis",
    "como mínimo", "como máximo", "desde", "hasta", "almeno", "fino a", "al massimo", "minstens", "hoogstens", "co najmniej", "najwyżej", "не менее", "не более", "legalább", "legfeljebb", "mindst", "højst", "minst", "högst",
)  # fmt: skip
DISTANCE = _words(
    "distance", "radius", "within", "miles", "umkreis", "entfernung", "rayon", "distancia", "distância", "radio", "raio", "distanza", "raggio", "afstand", "straal", "odległość", "promień", "расстояние", "радиус", "távolság", "avstånd", "vzdálenost", "vzdialenosť", "距離",
)  # fmt: skip

# --- dates

DAY = _words(
    "day",
    "days",
    "dd",
    "tag",
    "jour",
    "día",
    "dia",
    "giorno",
    "dag",
    "dzień",
    "день",
    "дд",
    "jj",
    "gg",
    "nap",
    "den",
    "deň",
    "日",
)
MONTH = _words(
    "month", "mm", "mon", "monat", "mois", "mes", "mês", "mese", "maand", "miesiąc", "месяц", "мм", "hónap", "måned", "månad", "měsíc", "mesiac", "月",
)  # fmt: skip
YEAR = _words(
    "year", "yyyy", "yy", "yr", "jahr", "baujahr", "année", "annee", "an", "año", "ano", "anno", "jaar", "rok", "год", "гггг", "гг", "jjjj", "aaaa", "rrrr", "év", "år", "年",
)  # fmt: skip
DATE = _words(
    "date", "dates", "datum", "datums", "dato", "datę", "data", "fecha", "дата", "даты", "dátum", "dátuma", "päivämäärä", "datepicker", "check in", "check out", "checkin", "checkout", "check-in", "check-out", "arrival", "departure", "arriving on", "departing on", "returning on", "departing", "returning", "anreise", "abreise", "arrivée", "départ",
    "llegada", "salida", "arrivo", "partenza", "aankomst", "vertrek", "ankomst", "afrejse", "udrejse", "hjemrejse", "przyjazd", "wyjazd", "заезд", "выезд", "posted on", "created on", "日付", "期間", "日程", "when",
)  # fmt: skip
NOT_A_DATE = _words(
    "city",
    "place",
    "station",
    "airport",
    "stadt",
    "ort",
    "ville",
    "ciudad",
    "database",
    "base",
    "type",
    "port",
    "location",
    "time",
)
STAY_IN = _words(
    "check ?-?in",
    "checkin",
    "arrival",
    "anreise",
    "arrivée",
    "llegada",
    "arrivo",
    "aankomst",
    "ankomst",
    "przyjazd",
    "заезд",
    "příjezd",
    "chegada",
    "incheckning",
)
STAY_OUT = _words(
    "check ?-?out",
    "checkout",
    "departure",
    "abreise",
    "départ",
    "salida",
    "partenza",
    "vertrek",
    "afrejse",
    "wyjazd",
    "выезд",
    "odjezd",
    "saída",
    "partida",
)
PERIOD = re.compile(
    r"\b(?:last|past|previous)\b.{0,200}\b(?:hours?|days?|weeks?|months?|years?|visit)\b|\b(?:a |one |\d+ )(?:hours?|days?|weeks?|months?|years?) ago\b|\byesterday\b|\btoday\b|\bany (?:date|time)\b"
    r"|letzten?\b.{0,200}\b(?:tage?n?|wochen?|monate?n?|stunden)\b|\bgestern\b|\bheute\b|\bhier\b|\bsemaine derni|\bmois derni|dernier|\baujourd|ayer|últim[oa]s?\b|\bhoy\b|ultim[oaie]\b.{0,200}(?:giorn|settiman|mes)|\bieri\b|\boggi\b"
    r"|afgelopen|gisteren|vandaag|ostatni|wczoraj|dzisiaj|за последн|\bвчера\b|\bсегодня\b|\bнедел|utolsó|tegnap|\bseneste\b|\bsenaste\b|\bigår\b|posledn|včera|過去|昨日|今日|\b(?:24|48|72) ?(?:h|hours|std|часа)\b"
)
DURATION = re.compile(
    r"(?<!\d)\d++ ?(?:hours?|days?|weeks?|months?|years?|std|stunden?|tage?|wochen?|monate?|jahre?|heures?|jours?|semaines?|mois|ans?|horas?|días?|dias?|semanas?|mes(?:es)?|años?|anos?|ore|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|uur|uren|dag(?:en|e|ar)?|weken|week|maand(?:en)?|jaar|dni|dzień|tydzień|tygodni\w*|miesiąc\w*|rok|lat[a]?|час\w*|день|дн[яей]+|недел\w*|месяц\w*|год\w*|лет|nap|hét|hónap|év|uger?|måneder?|år|vecko?r?|månad(?:er)?|dny|dnů|týd\w*|měsíc\w*|日|週間?|か月|ヶ月|年)\b"
)
LENGTH = _words(
    "duration",
    "length",
    "nights?",
    "stay",
    "dauer",
    "aufenthalt",
    "nächte",
    "durée",
    "séjour",
    "nuits?",
    "duración",
    "noches",
    "duração",
    "durata",
    "notti",
    "duur",
    "nachten",
    "długość",
    "noclegi",
    "длительность",
    "ночей",
    "varighed",
    "nätter",
    "age",
    "experience",
    "term",
    "warranty",
)
PERIOD_SIGNS = (
    "last",
    "past",
    "previous",
    "ago",
    "yesterday",
    "today",
    "any date",
    "any time",
    "letzte",
    "gestern",
    "heute",
    "hier",
    "derni",
    "aujourd",
    "ayer",
    "últim",
    "hoy",
    "ultim",
    "ieri",
    "oggi",
    "afgelopen",
    "gisteren",
    "vandaag",
    "ostatni",
    "wczoraj",
    "dzisiaj",
    "последн",
    "вчера",
    "сегодня",
    "недел",
    "utolsó",
    "tegnap",
    "seneste",
    "senaste",
    "igår",
    "posledn",
    "včera",
    "過去",
    "昨日",
    "今日",
    "24",
    "48",
    "72",
)  # one of them is in whatever PERIOD finds, and they are found much faster
MONTH_NAMES = re.compile(
    r"(?:jan|sau|vas|kov|bal|geg|bir|lie|rugp|rugs|spa|lap|gruo|tammi|helmi|ene|feb|fev|fév|mrt|maart|mei|már|ápr|máj|jún|júl|szep|out|mar|m[äa]r|apr|avr|abr|mai|maj|may|jun|juin|jul|juil|aug|ago|ao[uû]|sep|set|okt|oct|ott|nov|dec|dez|dic|déc|gen|mag|giu|lug|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|sty|lut|kwi|cze|lip|sie|wrz|pa[źz]|lis|gru|led|úno|bře|dub|kvě|čer|srp|zář|říj|pro|\d{1,2}月)"
)
DATE_VALUE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\Z|[dmyjat]{1,4}[./-][dmyjat]{1,4}[./-][dmyjat]{1,4}\Z")

# --- what asks nothing itself

SORT = _words(
    "sort", "sorts", "sorted", "sorting", "order", "orderby", "order by", "sort by", "ordering", "ordered by", "arrange", "rank by", "ranking", "sortieren", "sortierung", "sortiert", "sortieren nach", "reihenfolge", "trier", "tri", "trier par", "classer", "classer par", "ordenar", "ordenar por", "orden", "ordem", "ordena", "ordina", "ordina per", "ordinamento", "sorteer", "sorteren", "sorteren op", "sortuj", "sortowanie", "sortuj według", "kolejność",
    "сортировка", "сортировать", "сортировать по", "сортировки", "упорядочить", "порядок", "группировать", "rendezés", "rendez", "sorter", "sorter efter", "sortér", "sortera", "sortera efter", "řadit", "seřadit", "řazení", "zoradiť", "triediť", "triedenie", "並び替え", "並べ替え", "ソート", "表示順", "排序", "rūšiuoti",
)  # fmt: skip
DIRECTION = re.compile(
    r"(?:asc|desc)(?:ending)?\b|ascend|descend|aufsteigend|absteigend|croissant|décroissant|ascendente|descendente|crescente|decrescente|oplopend|aflopend|rosnąco|malejąco|возрастан|убыван|növekvő|csökkenő|stigende|faldende|stigande|fallande|vzestupně|sestupně|vzostupne|zostupne|昇順|降順|newest first|oldest first|low to high|high to low"
)
ORDERS = re.compile(
    r"\b(?:relevance|relevancy|best match|most recent|newest|relevanz|pertinence|relevancia|relevância|rilevanza|relevantie|trafność|релевантност|relevancia|relevans|relevance)\b"
)
PAGING = re.compile(
    r"per[ _-]?pag|page[ _-]?siz|results? per|hits per|items per|records per|number of (?:results|records|hits|items)|pro seite|treffer pro|ergebnisse pro|anzahl (?:der )?(?:treffer|ergebnisse)|par page|résultats par|por página|resultados por|per pagina|risultati per|na stron|wyników na|pozycji na|на странице|результатов на|oldalanként|találat/oldal|pr\.? side|per sida|na stránku|na stránce|výsledků na|件表示|表示件数|件数|page[ _-]?length|hits shown"
)
PAGING_NAMES = re.compile(
    r"(?:n?results?|num(?:_?page|_?results?|_?rows|_?hits|_?items)?|rows?|limit|page_?ing|paging|paginate|page_?size|psize|perpage|per_page|hits(?:_?per_?page)?|hitsize|itemsperpage|ipp|rpp|pp|pagelen|page_?length|maxresults?|max_?(?:hits|results|rows|records)|show_?num|count|max_?count|batch(?:_?size)?|b_size|resultsperpage|nb_?par_?page|anzahl|trefferanzahl|items)\Z"
)
DISPLAY = _words(
    "display", "display as", "display format", "view", "view as", "output", "output format", "layout", "show as", "show results as", "results as", "show only headlines", "show abstracts?", "show summaries", "show pictures", "show images", "show thumbnails", "with thumbnails", "list view", "grid view", "map view",
    "anzeigen als", "ansicht", "darstellung", "ausgabe als", "ausgabeformat", "affichage", "afficher", "vista", "mostrar como", "visualizza", "visualizzazione", "weergave", "widok", "wyświetl", "показывать как", "отображение", "nézet", "megjelenítés", "visning", "vis som", "zobrazení", "zobraziť", "zobrazit", "display results as", "show results as", "ergebnisse? anzeigen als", "afficher les résultats sous forme de", "mostrar resultados como", "показывать результаты как", "показывать первые", "return first", "die ersten", "renvoyer les", "表示形式", "表示方法",
)  # fmt: skip
DISPLAY_NAMES = re.compile(
    r"\A(?:\w*_)?(?:display|view|viewmode|view_mode|layout|toggle|show_abstract|showposts|showresults|show_results|showas|output|outputformat|skin|template|resultview|displaymode|showas)\Z"
)
SELECT_ALL = re.compile(
    r"(?:de)?select all|check all|(?:un)?check (?:all|none)|(?:select|toggle) (?:all|none)|alle (?:aus|ab)wählen|tout sélectionner|sélectionner tout|tous/aucun|seleccionar todos?|selecionar tud|selecionar todos|seleziona tutt|alles selecteren|zaznacz wszystk|выбрать все|выделить все|отметить все|összes kijelölése|vælg alle|markera alla|vybrat vše|vybrať všetk|全て選択|すべて選択"
)
CAPTCHA = re.compile("|".join((
    "captcha", "humanverif", "human_verif", "antispam", "anti_spam", "anti-spam", "security_code", "securitycode", "security code", "spamcheck", "spam_check", "sicherheitscode", "are you human", "проверочн", "код с картинки", "honeypot", "nobot", "verification code", "leave this field", "bottest", "against spam",
)))  # fmt: skip

# --- how words are matched

MATCHING = re.compile(
    r"(?<!\w)(?:words?\b|wörter|wort\b|wortlaut|mots?\b|palabras?\b|palavras?\b|parol[ae]\b|woord|słow[oa]\b|słów\b|zwrot|слов[оа]?\b|szavak|szó\b|ord\b|orden|slov[oa]\b|contain|begins?\b|starts?\b|starting with|ends? with|\bexact(?:ly)?\b|\ball (?:of )?(?:the |these |your )?(?:words|terms|keywords)|\bany (?:of )?(?:the |these |your )?(?:words|terms|keywords)|at least one (?:word|of)|one (?:or more )?of the words|\bphrase\b|boolean|\bmatch(?:es)?\b|whole words?|partial|wildcard|fuzzy|without (?:the )?words|none of (?:the )?words|does not|is not\b|equals?\b|\blike\b|sounds like|case sensitive|"
    r"enthält|beginnt|endet|genau|exakt|alle (?:der )?(?:wörter|wörtern|begriffe)|eines der wörter|mindestens ein wort|irgendein wort|ganze(?:s)? wort|wortanfang|"
    r"contient|commence|se termine|exacte?\b|tous les mots|l'un des mots|un des mots|au moins un|n'importe quel mot|expression|mot entier|"
    r"contiene|empieza|comienza|termina|exact[oa]\b|todas las palabras|alguna palabra|cualquier(?:a de las)? palabra|frase\b|"
    r"contém|começa|exat[oa]\b|todas as palavras|qualquer palavra|qualquer uma|alguma palavra|inizia|esatt[oa]\b|tutte le parole|qualsiasi parola|almeno una|una delle parole|"
    r"\bbevat\b|begint|exacte|alle woorden|één van de woorden|een van de woorden|minstens één|zawiera|zaczyna|dokładn|wszystkie słowa|którekolwiek|dowolne słowo|przynajmniej jedno|fraza\b|"
    r"содерж|начина|точн|все слова|всех слов|любое (?:слово|из)|хотя бы одно|фраз|целое слово|tartalmaz|kezdőd|pontos|minden szó|bármely szó|egyik szó|kifejezés|"
    r"indeholder|begynder|præcis|nøjagtig|alle ord|et af ordene|mindst ét|innehåller|börjar|exakt|alla ord|något av orden|fras\b|obsahuje|začíná|začína|přesn|presn|všechna slova|všetky slová|některé slovo|aspoň jedno|fráz|"
    r"を含む|完全一致|前方一致|部分一致|後方一致|すべての(?:語|単語)|いずれか|語句|の語\b|含む|一致|and検索|or検索|fängt an|ist gleich|identisch|égale? à|igual a|es igual|è uguale|uguale a|gelijk aan|równa się|jest równ|равно|совпада|lig med|lika med|rovná se|egyenlő)"
)
SIGNS = _whole(
    "=",
    "==",
    "<",
    ">",
    "<=",
    ">=",
    "=<",
    "=>",
    "<>",
    "!=",
    "≤",
    "≥",
    "≠",
    "and",
    "or",
    "not",
    "and not",
    "und",
    "oder",
    "et",
    "ou",
    "sauf",
    "y",
    "o",
    "no",
    "e",
    "en",
    "of",
    "lub",
    "oraz",
    "i",
    "и",
    "или",
    "és",
    "vagy",
    "og",
    "eller",
    "och",
    "a",
    "nebo",
    "alebo",
    "all",
    "any",
    "alle",
    "is",
    "near",
    "adj",
)
OLDER = re.compile(
    r"\b(?:newer|older|before|after|later|earlier)\b|новее|старше|\bälter|\bneuer|plus récent|plus ancien|und neuer|más reciente|más antiguo|nyere|ældre|újabb|régebbi"
)
MATCHING_NAMES = re.compile(
    r"\A(?:\w+_)?(?:(?:match|exact|usage|flex)\w*+|(?:op|oper|operator|andor|and_or|bool|boolean|wholewords?|fulltext|conj|logic|beforeafter|wildcards?|fuzzy|casesensitive)\d*+)\Z"
)
TOLERANCE = re.compile(
    r"flexib|\bflex\b|±|\+/-|\bfør/efter|før og efter|days? (?:before|earlier)|exact(?:e)? dates?|tage? (?:früher|vor)|jours? avant|tolerance|jours? autour|\bsoundex\b|\bsounds? like\b|phoneti[ck]|phonétique|\bfuzzy\b"
)

# --- captions

ALL = _whole(
    "all", "any", "all of them", "all of these", "everything", "anything", "none", "no preference", "doesn't matter", "either", "both", "alle", "alles", "beliebig", "egal", "keine angabe", "tous", "toutes", "tout", "tous et toutes", "indifférent", "n'importe", "peu importe", "todo", "todos", "todas", "cualquiera", "qualquer", "indiferente", "tutti", "tutte", "tutto", "qualsiasi", "alle", "maakt niet uit", "wszystkie", "wszystko", "dowolny", "dowolna", "dowolne",
    "все", "всё", "любой", "любая", "любое", "любые", "не важно", "неважно", "összes", "bármely", "mind", "mindegy", "alla", "alle typer", "vše", "všechny", "všechno", "všetky", "všetko", "libovolné", "visi", "visos", "全部", "すべて", "全て", "指定なし", "指定しない", "こだわらない", "-", "--", "---", "", "all/any", "n/a", "hepsi", "tümü", "kaikki", "no limits?", "obojętne", "bez znaczenia", "indifferente", "ligegyldigt", "spelar ingen roll", "nerozhoduje", "nezáleží", "unlimited", "unrestricted", "no restrictions?", "bez ograniczeń", "ohne einschränkung", "keine einschränkung", "sans restriction", "sin restricci(?:ón|ones)", "nessuna restrizione", "sem restriç(?:ão|ões)", "geen beperking", "без ограничений", "korlátozás nélkül",
)  # fmt: skip
PROMPT_START = re.compile(
    r"(?:please )?(?:select|choose|pick|enter|all|any|every|search|find|filter|type|show all|sort|click|your)\b|(?:bitte )?(?:wählen|auswählen|alle|beliebige|jede|suchen?|gib|eingeben)\b|(?:veuillez )?(?:choisi|sélection|tou(?:s|te|tes)\b|saisi|entre[zr]|indiqu|rechercher)|(?:por favor )?(?:seleccion|selecion|eli[jg]|escolh|escoj|tod[oa]s|cualquier|qualquer|introdu|busc|procur|pesquis)|(?:selezion|scegli|tutt[eio]|qualsiasi|inserisc|cerca)"
    r"|(?:kies|selecteer|alle|elke|zoek)\b|(?:wybierz|wszystk|dowoln|szukaj|wpisz|podaj)|(?:выбер|все\b|люб|укаж|поиск|найти|введи)|(?:válass|összes|minden|bármely|keres|add meg|írd)|(?:vælg|alle\b|søg|indtast|skriv)|(?:välj|alla\b|sök|ange)|(?:vyber|zvol|všech|vše\b|všetk|hled|hľad|zadej|zadaj)|(?:velg|søk)|(?:visos|visi|pasirink)"
)
PROMPT_END = re.compile(
    r"(?:を選択|を選ぶ|選択してください|を入力|してください|で検索|選択する\]?|filter|wählen|auswählen|auswahl)\Z|filter\b"
)
INVITATION = _whole(
    "(?:please )?(?:select|choose|pick)(?: one| an option| from list| here)?", "(?:bitte )?(?:aus)?wählen(?: sie)?", "bitte wählen sie", "(?:veuillez )?(?:choisir|choisissez|sélectionner|sélectionnez)", "(?:por favor )?(?:seleccion[ae]r?|elija|elegir|escoja|selecion[ae]r?|escolha)",
    "(?:scegli|scegliere|seleziona|selezionare)", "(?:kies|selecteer|maak een keuze|maak uw keuze)", "(?:proszę )?(?:wybrać|wybierz)", "(?:выберите|выбрать|не выбрано)", "(?:válasszon|válassz)", "vælg(?: venligst)?", "välj", "(?:vyberte|zvolte|vyberte si)", "選択(?:してください)?", "velg", "pasirinkite",
)  # fmt: skip
NEGATIVE = _words(
    "no",
    "none",
    "not",
    "kein",
    "keine",
    "ohne",
    "sans",
    "aucun",
    "aucune",
    "sin",
    "ningún",
    "sem",
    "nenhum",
    "nessun",
    "senza",
    "geen",
    "zonder",
    "bez",
    "brak",
    "нет",
    "без",
    "nincs",
    "ingen",
    "utan",
)
TITLE_START = re.compile(
    r"(?:quick|simple|basic|advanced|detailed|easy|power|new|erweiterte|einfache|schnell|расширенный)-? ?(?:search|suche|поиск)\Z|(?:recherche (?:avancée|simple)|búsqueda avanzada|ricerca avanzata|busca avançada)\Z|(?:search|find|locate|look up|browse) (?:a|an|the|our|your|this|all|for a|for an)\b|(?:finden sie|suchen sie|finde|suche) (?:ein|den|die|das|ihr|unser)|(?:trouve[zr]|cherche[zr]|recherche[zr]) (?:un|une|votre|le|la|les|nos)\b|(?:encuentr[ae]|busc[ae]r?) (?:un|una|tu|su|el|la|nuestr)|(?:trova|cerca) (?:un|una|il|la|tuo|i|le)\b|(?:encontre|procure) (?:um|uma|o|a|seu|sua)\b|(?:vind|zoek) (?:een|de|het|uw|je)\b"
)
SEEK = _whole(
    "search", "search for", "find", "suche", "suchen", "suche nach", "recherche", "rechercher", "chercher", "buscar", "busca", "búsqueda", "pesquisar", "pesquisa", "procurar", "cerca", "ricerca", "trova", "zoek", "zoeken", "szukaj", "wyszukaj", "поиск", "найти", "искать", "keres", "keresés", "søg", "sök", "søk", "hledat", "hledej", "hľadať", "vyhledat", "検索", "ieškoti", "paieška",
)  # fmt: skip
LEAD_INS = re.compile(
    r"(?:please |kindly )?(?:enter|select|choose|pick|type(?: in)?|specify|provide|give|input|filter by|filter|search by|search for|search in|search|find by|find|limit (?:to|by)|refine by|narrow by|sort by|show me|by)\b(?: (?:your|the|a|an|one|some|any|in|by|of))*\s+"
    r"|(?:bitte )?(?:geben sie|wählen sie|wähle|suche nach|suchen nach)\b(?: (?:ihre?n?|den|die|das|eine?n?))*\s+|(?:veuillez )?(?:saisir|saisissez|entrez|choisissez|choisir|sélectionnez|sélectionner|indiquez|rechercher par)\b(?: (?:votre|le|la|les|un|une|l))*\s+"
    r"|(?:seleccione|seleccionar|elija|elige|introduzca|introduce|buscar por|selecione|escolha|digite|insira)\b(?: (?:su|el|la|los|las|un|una|o|a|um|uma|seu|sua))*\s+|(?:seleziona|scegli|inserisci|cerca per)\b(?: (?:il|la|lo|un|una))*\s+|(?:kies|selecteer|zoek op)\b(?: (?:een|de|het|uw))*\s+|(?:wybierz|wpisz|podaj)\s+|(?:выберите|введите|укажите)\s+|(?:válassz|válasszon|adja meg)\s+|(?:vælg|indtast)\s+|(?:välj|ange)\s+|(?:vyberte|zadejte|zvolte|zadajte)\s+"
)
ALL_OF = re.compile(
    r"(?:all|any|every|alle|jede[rs]?|beliebige[rs]?|tous les|toutes les|tous|toutes|todos los|todas las|todos os|todas as|todos|todas|tutti i|tutte le|tutti|tutte|qualsiasi|wszystkie|dowoln[yae]|все|любой|любая|összes|bármely|alla|všechny|všetky)\s+"
)
EXTRA_WORDS = _words(
    "optional", "required", "optionnel", "facultatif", "obligatoire", "opcional", "obligatorio", "facoltativo", "obbligatorio", "optioneel", "verplicht", "opcjonalnie", "необязательно", "nepovinné", "valfri", "valgfri", "pflichtfeld",
)  # fmt: skip
