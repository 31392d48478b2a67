"""What forms say about themselves, in the languages people write them in; the patterns are for lower case."""

from __future__ import annotations

import re

from dowse.model import Field, Form

BUTTON_TYPES = frozenset({"submit", "button", "image", "reset"})
OWN_TEXT = 80  # characters of text for each control, from which a form has swallowed its page
STATE_TYPES = frozenset({"hidden"}) | BUTTON_TYPES
TYPED_TYPES = frozenset({"text", "search", "email", "tel", "url", "number", "date", "textarea", "password", "range"})
CHOICE_TYPES = frozenset({"select", "radio", "checkbox"})

SEARCH = re.compile(
    r"search|find\b|finder|look ?up|looking for|query|keyword|browse|filter|show results|buscar|búsqueda|busca|pesquis|procurar|recherche|chercher|trouver"
    r"|such(?:e|en|begriff)|finden|zoek|cerca|ricerca|trova|sök|søg|søk|haku|etsi|szukaj|wyszukaj|hledat|vyhled|keres|ara(?:ma)?\b"
    r"|поиск|найти|искать|搜索|搜尋|查询|検索|검색|بحث|αναζήτηση|tìm",
)
SEARCH_NAMES = re.compile(
    r"^(?:q|s|qs|query|search\w*|keywords?|kw|k|term|terms?|text|suche|recherche|buscar|busca|p|wd)$", re.IGNORECASE
)
CATALOGUE = re.compile(
    r"catalog|inventory|listings?\b|databases?\b|\bdb\b|directory|archive|collections?\b|katalog|verzeichnis|annuaire|catálogo|elenco|каталог",
)
SITE = re.compile(
    r"this site|site search|search (?:the |our )?(?:web ?site|site|pages)|entire site|auf dieser seite|website durchsuchen"
    r"|sur (?:ce|le) site|en (?:este|el) sitio|nel sito|op deze site|на сайте",
)
LOGIN = re.compile(
    r"log[ -]?in|log[ -]?on|sign[ -]?in|anmeld|einlogg|connexion|se connecter|iniciar sesi|acceder|accedi|entrar|inlogg|zaloguj|войти|вход"
    r"|登录|ログイン|로그인|password",
)
REGISTRATION = re.compile(
    r"regist(?:er|ration|rieren|ro|rati)|sign[ -]?up|create (?:an |your )?account|join (?:us|now)|inscri|s'inscrire|crear cuenta|konto (?:erstellen|anlegen)"
    r"|neues konto|crea account|rejestr|зарегистр|регистра|注册|会員登録|new user",
)
SUBSCRIBE = re.compile(
    r"subscri|newsletter|mailing ?list|e-?mail updates|news by e-?mail|stay (?:informed|in touch)|get updates|abonnier|abonnez|suscr|iscriviti|rundbrief"
    r"|inscreva|boletín|infolettre|nieuwsbrief|nyhetsbrev|рассылк|подпис|メルマガ|订阅",
)
CONTACT = re.compile(
    r"contact|message|enquir|inquir|feedback|comment|write to us|your question|kontakt|nachricht|mensaje|messagio|messaggio|bericht|consulta|comentario"
    r"|commentaire|сообщение|комментар|お問い合わせ|留言",
)
ORDER = re.compile(
    r"add to (?:cart|basket|bag)|\bcart\b|\bbasket\b|check ?out|buy now|\bbuy\b|place (?:your )?order|quantity|\bqty\b|warenkorb|kaufen|bestell"
    r"|panier|acheter|commander|carrito|comprar|carrello|acquista|winkelwagen|корзин|купить|购物车|カート",
)
CHOOSER = re.compile(
    r"language|currency|country|locale|\blang\b|sprache|langue|idioma|währung|devise|moneda|taal|язык|валюта|theme|time ?zone|per page|items per",
)
POLL = re.compile(
    r"\bvote\b|\bpoll\b|survey|umfrage|abstimm|sondage|encuesta|sondaggio|rate this|votar|голосов", re.IGNORECASE
)
RECOVERY = re.compile(
    r"forgot|reset (?:your )?password|recover|lost password|vergessen|oublié|olvid|dimenticat", re.IGNORECASE
)
GENERIC = re.compile(
    r"[\W\d_]+|\b(?:search|find|go|submit|ok|query|keywords?|enter|your|the|this|our|site|web|website|here|for|a|an|of|in|to|all|and|or|any|advanced"
    r"|text|term|terms|quick|help|more|options|suche|suchen|recherche|rechercher|buscar|busca|cerca|zoeken|sök|type|what|are|you|looking|by)\b",
)


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"[_\-/.]+")


def visible_fields(form: Form) -> list[Field]:
    """Return the controls a person fills in."""
    return [field for field in form.fields if field.type not in STATE_TYPES]


def buttons(form: Form) -> list[Field]:
    """Return the controls a person presses."""
    return [field for field in form.fields if field.type in BUTTON_TYPES]


def own_text(form: Form) -> str:
    """Return the words inside a form, unless there are so many that it was never closed."""
    return form.text if len(form.text) <= OWN_TEXT * (1 + len(form.fields)) else ""


def says(form: Form) -> str:
    """Return all that the form says, in markup and on screen, as one text in lower case to look for words in."""
    parts = [form.id, form.name, form.css, own_text(form), form.action.partition("//")[2].partition("/")[2]]
    for field in form.fields:
        parts += (field.name, field.id, field.label, field.placeholder, field.title)
        if field.type in BUTTON_TYPES:
            parts.append(field.value)
    text = _CAMEL.sub(" ", " ".join(part for part in parts if part))
    return _JOINTS.sub(" ", text).lower()


def subject_words(form: Form) -> str:
    """Return the words on screen that are not about searching as such: what is searched."""
    shown = [own_text(form), *(field.placeholder or field.label for field in visible_fields(form))]
    return GENERIC.sub(" ", " ".join(shown).lower()).strip()
