"""What a list of choices lists, where it can be told from the choices themselves: no word around it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dowse.model import Field

LEAST = 2  # choices that must be of a sort
SHARE = 0.5  # part of all choices that must be
MAX_LOOKED_AT = 40

_LISTS: dict[str, str] = {
    "languages": """
        english deutsch french german spanish italian russian japanese chinese polish portuguese dutch français francais español espanol castellano italiano português portugues
        nederlands polski русский 日本語 中文 简体中文 繁體中文 한국어 svenska dansk norsk suomi čeština slovenčina magyar türkçe ελληνικά українська български română hrvatski srpski slovenščina
        lietuvių latviešu eesti català euskara galego العربية עברית हिन्दी ไทย tiếng englisch französisch spanisch italienisch russisch anglais allemand espagnol italien russe inglés alemán francés
        inglese tedesco francese spagnolo angielski niemiecki francuski английский немецкий французский 英語 ドイツ語 フランス語 british
    """,
    "currencies": """
        eur usd gbp chf jpy pln rub sek nok dkk czk huf cad aud nzd cny inr brl mxn try zar hkd sgd krw thb ron bgn uah euro euros dollar dollars pound pounds franken franc yen złoty zloty рубль доллар евро
        円 ドル ユーロ € $ £ ¥
    """,
    "colours": """
        red green blue black white grey gray yellow orange purple pink brown beige navy silver gold cream rot grün blau schwarz weiß weiss grau gelb braun rosa lila violett silber
        rouge vert bleu noir blanc gris jaune marron rose violet rojo verde azul negro blanco amarillo marrón rosso blu nero bianco grigio giallo marrone
        czerwony zielony niebieski czarny biały szary żółty brązowy красный зелёный зеленый синий чёрный черный белый серый жёлтый желтый коричневый 赤 緑 青 黒 白 灰色 黄 茶 紺 crème creme crema
    """,
    "sizes": """
        xs s m l xl xxl xxxl small medium large klein mittel groß gross petit moyen grand pequeño mediano grande piccolo medio mały średni duży маленький средний большой 小 中 大
    """,
}  # fmt: skip
_KNOWN = {name: frozenset(words.split()) for name, words in _LISTS.items()}


def name_choices(visible: Iterable[Field]) -> Iterator[str]:
    """Yield what the lists of a form list: languages, currencies, colours, sizes."""
    for labels in _gather(visible):
        words = [_first_word(label) for label in labels[:MAX_LOOKED_AT]]
        for name, known in _KNOWN.items():
            hits = sum(1 for word in words if word in known)
            if hits >= LEAST and hits >= SHARE * (len(words) - 1):
                yield name


def _gather(visible: Iterable[Field]) -> Iterator[list[str]]:
    """Yield the labels of each list: of a select, or of the radios or boxes of one name."""
    groups: dict[str, list[str]] = {}
    for field in visible:
        if field.options:
            yield [option.label for option in field.options]
        elif field.type in ("radio", "checkbox"):
            groups.setdefault(field.name, []).append(field.label or field.near or field.value)
    yield from groups.values()


def _first_word(label: str) -> str:
    parts = label.lower().split(None, 1)
    return parts[0].strip("().,:;") if parts else ""
