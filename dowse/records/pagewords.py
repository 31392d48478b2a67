"""Words and signs by which a page leads on to its next page, and those that lead elsewhere.

A text counts only as a whole: "Next" leads on, "Next: how to bake bread" is another text.
"""

from __future__ import annotations

import re

LONGEST = 60  # characters of a text that can be such a word

_RIGHT = "»›>→⇒⟩▶►▸⏵❯⟶≫＞↠⇨➔➜➡"
_LEFT = "«‹<←⇐⟨◀◄◂⏴❮⟵≪＜↞⇦⬅"
_TRIM = re.compile(r"[\s\[\](){}|.…:·•–—_-]+")
_SIGNS = re.compile(rf"[{_RIGHT}{_LEFT}]")
_PAGE = r"(?:page|seite|pagina|página|strona|strony|страница|странице|страницу|sida|side|sivu|sayfa|stránka|strana|oldal|σελίδα|halaman|trang)"


def _either(*groups: str) -> str:
    return "|".join(word for group in groups for word in group.split("; "))


_NEXT = _either(
    "next(?: (?:page|results?|records?|items?|entries|posts|articles|matches|hits|set|batch|screen))?; next page of results; page next; next \\d{1,4}(?: [^\\W\\d]{1,20}){0,2}; go to (?:the )?next page; forward; go forward; nxt; following page",
    "n[äa]chste[nrs]?(?: (?:seite|treffer|ergebnisse|eintr[äa]ge|\\d{1,4}))?; zur n[äa]chsten seite; weiter(?: zur n[äa]chsten seite)?; vorw[äa]rts; vor(?:bl[äa]ttern)?; folgende(?: seite)?; weiterbl[äa]ttern; eine seite vor",
    "suivante?s?; suiv; (?:page|pages) suivantes?; (?:la )?page suivante; r[ée]sultats suivants; aller à la page suivante; les \\d{1,4} suivante?s?",
    "siguientes?; sig(?:uiente)?; (?:p[áa]gina|ir a la p[áa]gina) siguiente; siguiente p[áa]gina; siguientes \\d{1,4}; adelante; seg[üu]ent; p[àa]gina seg[üu]ent",
    "successiv[aoie]; succ; pagina successiva; (?:vai alla )?pagina successiva; avanti; prossim[ao](?: pagina)?; pagina seguente; seguent[ei]; successivi \\d{1,4}",
    "pr[óo]xim[ao]s?(?: p[áa]gina)?; pr[óo]x; p[áa]gina seguinte; seguintes?; avan[çc]ar; p[áa]gina pr[óo]xima; prox p[áa]gina",
    "volgende(?: (?:pagina|resultaten|\\d{1,4}))?; naar volgende pagina; verder",
    "nast[ęe]pn[aeyi]e?(?: (?:strona|wyniki|\\d{1,4}))?; nast; dalej; przejd[źz] do nast[ęe]pnej strony; kolejn[ae](?: strona)?",
    "далее; дальше; следующ(?:ая|ие|ий|ее)(?: (?:страниц\\w{1,3}|результат\\w{1,3}|\\d{1,4}))?; след(?: ?(?:стр|страница))?; впер[её]д; на следующую страницу; наступна(?: сторінка)?; далі; вперед; следваща(?: страница)?; напред; следећа; наредна",
    "次へ; 進む; 次の?ペ[ーイ]ジ(?:へ)?; 次の?\\d{0,4}件(?:へ|を表示)?; 次; 次に進む; 下一[页頁]; 下[页頁]; 后[一]?[页頁]; 後一?頁; 下一步; 下[一]?張; 다음(?: ?페이지)?; 다음 ?\\d{0,4}개?",
    "n[äa]sta(?: sida)?; n[æe]ste(?: side)?; seuraava(?: sivu)?; sonraki(?: sayfa)?; ileri; dal[šs][íi](?: str[áa]nka)?; n[áa]sleduj[íi]c[íi](?: strana)?; nasleduj[úu]ca; [ďd]al[šs]ia; k[öo]vetkez[őo](?: oldal)?; επόμεν[ηο](?: σελίδα)?",
    "urm[ăa]to(?:area|rul|are)(?: pagin[ăa])?; [îi]nainte; sljede[ćc]a(?: stranica)?; naslednja(?: stran)?; slede[ćc]a(?: strana)?; tiếp(?: theo)?; trang (?:sau|tiếp|kế)(?: theo)?; sau; berikut(?:nya)?; selanjutnya; seterusnya",
    "التالي(?:ة)?; الصفحة التالية; بعدی; صفحه بعد; הבא; לעמוד הבא; ถัดไป; หน้าถัดไป; अगला; अगला पृष्ठ; পরবর্তী; kitas; j[äa]rgmine; n[āa]kam[āa]; hurrengoa",
)
_OLDER = _either(
    "older(?: (?:posts?|entries|articles|stories|news|messages|threads|items))?; next (?:entries|posts|articles|stories); previous (?:posts|entries|articles|stories); earlier (?:posts|entries); view older posts",
    "[äa]ltere(?: (?:beitr[äa]ge|artikel|eintr[äa]ge|meldungen))?; articles (?:plus anciens|pr[ée]c[ée]dents); (?:messages|billets) plus anciens; anciens articles; entradas (?:antiguas|anteriores|m[áa]s antiguas); publicaciones anteriores",
    "post pi[ùu] vecchi; articoli (?:precedenti|meno recenti|pi[ùu] vecchi); postagens (?:mais antigas|anteriores); posts (?:mais antigos|anteriores); mensagens antigas; oudere?(?: (?:berichten|artikelen|reviews|recensies|reacties))?; eerdere berichten; starsze(?: (?:wpisy|posty|artyku[łl]y))?",
    "предыдущие (?:записи|сообщения|статьи); (?:более )?старые (?:записи|сообщения|новости); (?:более )?ранние (?:записи|сообщения); 過去の記事(?:へ)?; 前の記事へ; 古い(?:記事|投稿)(?:へ)?; 较旧的文章; 旧文章",
    "[äa]ldre inl[äa]gg; [æe]ldre indl[æe]g; eldre innlegg; vanhemmat(?: artikkelit)?; daha eski (?:yay[ıi]nlar|kay[ıi]tlar); star[šs][íi](?: p[řr][íi]sp[ěe]vky)?; r[ée]gebbi bejegyz[ée]sek",
)
_MORE = _either(
    "more(?: (?:results|records|hits|matches|items|listings|posts|articles|entries|products|events|upcoming events|jobs|stories|news))?; (?:load|show|view|see|get|display) (?:\\d{1,4} )?more(?: (?:results|records|items|posts|articles|entries|products|events|listings|jobs|stories))?",
    "mehr(?: (?:ergebnisse|treffer|anzeigen|laden|artikel|produkte))?; weitere (?:ergebnisse|treffer|artikel|eintr[äa]ge|beitr[äa]ge|produkte)(?: (?:anzeigen|laden))?",
    "plus de (?:r[ée]sultats|r[ée]ponses|produits|articles); (?:afficher|voir|charger) (?:plus|davantage)(?: de (?:r[ée]sultats|produits|articles))?; m[áa]s resultados; (?:ver|cargar|mostrar) m[áa]s(?: resultados)?",
    "altri risultati; (?:mostra|carica|vedi) altr[io](?: risultati)?; mais resultados; (?:ver|carregar|mostrar) mais(?: resultados)?; meer (?:resultaten|laden|tonen|weergeven); (?:toon|laad|bekijk) meer(?: resultaten)?",
    "wi[ęe]cej wynik[óo]w; (?:poka[żz]|za[łl]aduj|zobacz|wczytaj) wi[ęe]cej; (?:показать|загрузить|смотреть) (?:ещ[её]|больше)(?: \\d{1,4})?; больше результатов; ещ[её]",
    "もっと(?:見る|読み込む|表示); さらに(?:表示|読み込む|見る); (?:加载|載入|查看|显示|顯示)?更多(?:结果|結果)?; 더 ?보기; visa fler; vis flere; n[äa]yt[äa] lis[äa][äa]; daha fazla(?: (?:g[öo]ster|y[üu]kle))?; na[čc][íi]st dal[šs][íi]",
)
_BACK = _either(
    "prev(?:ious)?(?: page)?; back; newer(?: (?:posts?|entries|articles))?; zur[üu]ck; vorherige(?: seite)?; vorige(?: seite| pagina)?; pr[ée]c[ée]dente?s?; page pr[ée]c[ée]dente; anterior(?:es)?; p[áa]gina anterior; precedent[ei]; pagina precedente; indietro",
    "poprzedni[ae]?(?: strona)?; wstecz; назад; предыдущая(?: страница)?; пред; 前へ; 前の?ページ; 前; 上一[页頁]; 上[页頁]; 이전(?: ?페이지)?; f[öo]reg[åa]ende; forrige; edellinen; [öo]nceki; p[řr]edchoz[íi]; el[őo]z[őo]; προηγούμεν[ηο]",
)
_FIRST = _either(
    "first(?: page)?; erste(?: seite)?; anfang; premi[èe]re?(?: page)?; d[ée]but; primer[ao]?(?: p[áa]gina)?; inicio; prim[ao](?: pagina)?; inizio; primeir[ao](?: p[áa]gina)?; in[íi]cio; eerste; pierwsza; начало; первая; в начало; 最初; 先頭; 首[页頁]; 第一[页頁]; 처음; top; start",
)
_LAST = _either(
    "last(?: page)?; end; letzte(?: seite)?; ende; zur letzten seite; derni[èe]re?(?: page)?; fin; [úu]ltim[ao]s?(?: p[áa]gina)?; final; fine; laatste(?: pagina)?; einde; ostatni[ae]?(?: strona)?; koniec; последняя(?: страница)?; в конец; конец; 最後(?:へ)?; 末[页頁]; 尾[页頁]; 最后一?[页頁]; 마지막; sista; sidste; siste; viimeinen; son; posledn[íi]; utols[óo]; τελευταία",
)

_KINDS = tuple(
    (kind, re.compile(f"(?:{words})"))
    for kind, words in (
        ("next", _NEXT),
        ("older", _OLDER),
        ("back", _BACK),
        ("first", _FIRST),
        ("last", _LAST),
        ("more", _MORE),
    )
)
# A text of a few words that has one of these may lead on, if its address does too: "fiches suivantes", "the next twenty cars".
_PERHAPS = re.compile(
    r"(?<!\w)(?:next|further|more|older|forward|onward|n[äa]chste[nrs]?|weitere?[nrs]?|[äa]ltere|mehr|suivante?s?|plus|siguientes?|m[áa]s|successiv[aoie]|prossim[aoie]|seguent[ei]|"
    r"avanti|altr[aoie]|pr[óo]xim[ao]s?|seguintes?|mais|volgende|verdere?|meer|oudere?|nast[ęe]pn\w{1,3}|kolejn\w{1,3}|dalsz\w{1,3}|dalej|wi[ęe]cej|следующ\w{2,3}|далее|дальше|вперед|впер[её]д|"
    r"ещ[её]|fler|flere|n[äa]sta|n[æe]ste|seuraav\w{1,4}|sonraki|dal[šs][íi]|k[öo]vetkez[őo]|επόμεν\w{1,3})(?!\w)|次|下一|下[页頁]|更多|다음|더 ?보기"
)
_SINGLE = re.compile(
    r"\b(?:article|post|story|thread|topic|entry|question|lesson|chapter|photo|image|picture|video|product|item|day|week|month|year|event|issue|artikel|beitrag|thema|bild|monat|tag|woche|jahr|produkt|"
    r"mois|jour|semaine|ann[ée]e|produit|art[íi]culo|mes|d[íi]a|semana|a[ñn]o|producto|articolo|mese|giorno|prodotto|artigo|m[êe]s|read|lesen|lire|leer|leggi)\b|記事|月|日|文章|章"
)
MOST_WORDS = 4
_NUMBER = re.compile(
    rf"(?:{_PAGE} ?|第 ?)?(\d{{1,3}}(?:[,.' ]\d{{3}})|\d{{1,6}})(?: ?(?:ページ|页|頁)|(?:st|nd|rd|th|\.) {_PAGE})?"
)


def read_word(text: str) -> str:
    """Return what a link says of where it leads: next, older, more, back, first, last, right or left (signs only), perhaps (one of these words among others); or nothing."""
    said = " ".join(text.lower().split())
    if not said or len(said) > LONGEST:
        return ""
    signs = _SIGNS.findall(said)
    words = _TRIM.sub(" ", _SIGNS.sub(" ", said)).strip()
    if not words:
        return _read_signs(said, signs)
    kind = next((kind for kind, pattern in _KINDS if pattern.fullmatch(words)), "")
    if (
        not kind
        and ":" not in said
        and len(words.split()) <= MOST_WORDS
        and _PERHAPS.search(words)
        and not _SINGLE.search(words)
    ):
        return "perhaps"
    return "last" if kind == "next" and len(signs) > 1 and said.rstrip().endswith("|") else kind


def _read_signs(said: str, signs: list[str]) -> str:
    """Return where signs alone lead: >| and >>> to the end, > and >> and » on."""
    if not signs or len(set(signs)) > 1:
        return ""
    if signs[0] in _LEFT:
        return "left" if len(signs) == 1 and "|" not in said else "first"
    if "|" in said or len(signs) > 2:
        return "last"
    return "right" if len(signs) == 1 and signs[0] not in "»≫" else "right twice"


def read_number(text: str) -> int:
    """Return the number of a page that a link says, or 0."""
    said = " ".join(_TRIM.sub(" ", text.lower()[: LONGEST + 1]).split()) if len(text) <= LONGEST else ""
    found = _NUMBER.fullmatch(said)
    return int("".join(letter for letter in found[1] if letter.isdigit())) if found else 0
