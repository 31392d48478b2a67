"""Pages that are no answers though they came with status 200: robot checks, login walls, error pages, limits.

Ordinary answers speak of such things too: a menu has a login, a record is about an internal error. So a
page with records is never in trouble, and elsewhere only whole sentences count, in lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import islice
from typing import Final

from dowse.model import Form, Page, Request, Response
from dowse.url import canonical, same_site


class TroubleKind(StrEnum):
    """Why a page that came is no answer; the value is what people read and what a harvest keeps."""

    ROBOT_CHECK = "a robot check"
    LOGIN = "asks to log in"
    EXPIRED = "the session has expired"
    RATE_LIMITED = "too many requests"
    MAINTENANCE = "closed for maintenance"
    CONSENT = "asks for consent first"
    TOO_SHORT = "the query is too short"
    TOO_BROAD = "the query is too broad"
    ERROR = "an error page"
    OTHER_SITE = "leads to another site"


MAX_TROUBLE_LINES: Final = 400  # of a page that are looked at
MAX_TROUBLE_LINE_CHARS: Final = 400  # of a line that are looked at
MIN_ANSWER_RECORDS: Final = 2  # from which on a page is an answer, whatever else it says
MAX_MESSAGE_PAGE_CHARS: Final = 6_000  # of text; a longer page is more than a message
MAX_REDIRECT_ADDRESS_CHARS: Final = 2_000  # of an address that are looked at


def _any_of(*groups: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{group})" for group in groups), re.IGNORECASE)


_ROBOT: Final = _any_of(
    r"\bare you (?:a )?(?:human|robot)|\b(?:prove|verify|confirm|check)\w*(?: that)? you(?:'re| are) (?:not a robot|(?:a )?human)|\bi'?m not a robot|\bunusual traffic|\bautomated (?:queries|requests|access|traffic)"
    r"|\bchecking (?:if the site connection|your browser)|^just a moment\.{0,3}$|^attention required|\bddos protection|\bcomplete the (?:security check|captcha)|\benter the (?:characters|letters|code) (?:you see|shown|in the image|below)"
    r"|\bsolve the captcha|\bbot (?:detection|protection)|\baccess (?:to this page )?(?:has been |is )?(?:denied|blocked)\b|\benable javascript and cookies to continue|\bpress (?:&|and) hold\b|\bpardon our interruption",
    r"\bsind sie ein (?:mensch|roboter)|\bkein roboter\b|\bungew[öo]hnliche[nr]? (?:datenverkehr|zugriffe)|\bsicherheits(?:abfrage|pr[üu]fung)\b.{0,40}(?:eingeben|l[öo]sen)|\bgeben sie die zeichen",
    r"\b[êe]tes-vous (?:un )?(?:humain|robot)|\bpas un robot\b|\btrafic inhabituel|\bsaisissez les caract[èe]res",
    r"\beres (?:un )?(?:humano|robot)|\bno soy un robot|\bno eres un robot|\btr[áa]fico inusual|\bnon sono un robot|\btraffico (?:insolito|anomalo)|\bn[ãa]o sou um rob[ôo]|\btr[áa]fego incomum",
    r"\bben je een (?:mens|robot)|\bgeen robot\b|\bnie jestem robotem|\bнетипичн\w+ (?:трафик|запрос)|\bвы (?:не )?робот|\bподозрительн\w+ (?:трафик|активность)|ロボットではありません|異常なトラフィック|画像認証|人机验证|安全验证|请输入验证码",
)
_LOGIN: Final = _any_of(
    r"\b(?:please|you (?:must|need to|have to)|must|in order to [^.]{1,40},?) (?:first )?(?:be )?(?:log(?:ged)?[ -]?in|log on|sign(?:ed)?[ -]?in|register(?: or log ?in)?)\b(?! or)[^.]{0,60}(?:to (?:see|view|continue|search|access|use|proceed|read)|first|\.|$)"
    r"|\b(?:log ?in|sign ?in) (?:is )?required|\blogin required|\bmembers only|\bsubscribers only|\b(?:log|sign) in to (?:continue|view|see|search|access|proceed)|\bnot (?:logged|signed) in\b|\bauthori[sz]ation required|\baccess restricted to (?:registered|members)",
    r"\bbitte (?:melden sie sich (?:zuerst |erst )?an|loggen sie sich ein|anmelden|einloggen)|\bsie m[üu]ssen (?:sich (?:zuerst |erst )?(?:anmelden|einloggen)|angemeldet sein|eingeloggt sein)|\bnur f[üu]r (?:registrierte|angemeldete|mitglieder)|\banmeldung erforderlich|\bnicht (?:angemeldet|eingeloggt)\b",
    r"\bveuillez vous (?:connecter|identifier|authentifier)|\bvous devez (?:[êe]tre connect[ée]|vous (?:connecter|identifier))|\bconnexion requise|\br[ée]serv[ée]e?s? aux (?:membres|abonn[ée]s)",
    r"\b(?:inicie|inicia) sesi[óo]n para|\bdebe(?:s)? (?:iniciar sesi[óo]n|identificar\w*|estar registrad\w+)|\bpor favor,? (?:inicie sesi[óo]n|identif[íi]quese)|\bsolo para (?:miembros|usuarios registrados)",
    r"\b(?:effettua(?:re)?|eseguire) (?:il login|l'accesso) per|\bdevi (?:effettuare|eseguire|essere registrat\w+)|\briservat[oa] agli (?:utenti registrati|iscritti|abbonati)|\bfa[çc]a (?:o )?login para|\b[ée] necess[áa]rio (?:fazer login|estar logado|iniciar sess[ãa]o)",
    r"\b(?:log in|meld je aan|meld u aan) om\b|\bu moet (?:ingelogd zijn|inloggen)|\bje moet (?:ingelogd zijn|inloggen)|\bmusisz (?:si[ęe] zalogowa[ćc]|by[ćc] zalogowan\w+)|\bzaloguj si[ęe],? (?:aby|by|[żz]eby)|\bwymagane logowanie",
    r"\bвойдите(?: на сайт| в систему)?,? (?:чтобы|или зарегистрируйтесь)|\b(?:необходимо|требуется|нужно) (?:войти|авториз\w+|зарегистрир\w+)|\bтолько для зарегистрированных|ログイン(?:が必要|してください)|请(?:先)?登录|請(?:先)?登入|로그인(?:이 필요|해 주세요| 후)",
)
_EXPIRED: Final = _any_of(
    r"\b(?:your |the )?session (?:has |is )?(?:expired|timed out|ended|no longer valid|invalid)|\bsession (?:timeout|time-out)\b|\binvalid session\b",
    r"\b(?:ihre |die )?(?:sitzung|session) ist (?:abgelaufen|ung[üu]ltig|beendet)|\b(?:votre |la )?session (?:a expir[ée]|est expir[ée]e)|\b(?:su |la )?sesi[óo]n (?:ha (?:caducado|expirado)|expir[óo])|\b(?:la )?sessione [èe] scaduta|\bsess[ãa]o (?:expirou|expirada)",
    r"\b(?:uw |je |de )?sessie is (?:verlopen|be[ëe]indigd)|\bsesja (?:wygas[łl]a|straci[łl]a wa[żz]no[śs][ćc])|\bсесси[яи] (?:истекла|устарела|завершена)|セッションが(?:切れ|タイムアウト|無効)|会话已(?:过期|失效)|세션이 만료",
)
_RATE_LIMITED: Final = _any_of(
    r"\btoo many (?:requests|queries|searches|attempts|connections)\b|\brate limit(?:ed|ing)?\b.{0,30}(?:exceeded|reached|hit)?|\b(?:quota|limit) (?:has been )?exceeded|\bexceeded (?:the|your) (?:\w+ )?(?:limit|quota|number of (?:requests|searches))|\bslow down\b|\btry again (?:in|after) (?:a few|\d+) (?:seconds|minutes|hours)",
    r"\bzu viele (?:anfragen|suchanfragen|zugriffe)|\btrop de (?:requ[êe]tes|demandes|recherches)|\bdemasiadas (?:solicitudes|peticiones|consultas|b[úu]squedas)|\btroppe (?:richieste|ricerche)|\b(?:muitas|demasiad[ao]s) (?:solicita[çc][õo]es|requisi[çc][õo]es|pedidos)",
    r"\bte veel (?:aanvragen|verzoeken|zoekopdrachten)|\bzbyt wiele (?:zapyta[ńn]|[żz][ąa]da[ńn])|\bслишком много запросов|\bпревышен\w* (?:лимит|количество запросов)|リクエストが多すぎ|アクセスが集中|请求过(?:多|于频繁)|访问(?:过于|太)频繁|요청이 너무 많",
)
_MAINTENANCE: Final = _any_of(
    r"\b(?:under|down for|undergoing|scheduled|closed for) (?:\w+ )?maintenance\b|\b(?:temporarily|currently) (?:unavailable|out of service|offline|down)\b|\bservice unavailable\b|\bmaintenance mode\b|\bwe(?:'ll| will) be (?:right )?back (?:soon|shortly)",
    r"\bwartungs(?:arbeiten|modus)\b|\bwegen wartung\b|\b(?:vor[üu]bergehend|derzeit|zurzeit|momentan) nicht (?:verf[üu]gbar|erreichbar)|\ben (?:cours de )?maintenance\b|\btemporairement (?:indisponible|inaccessible)|\ben mantenimiento\b|\btemporalmente (?:no disponible|fuera de servicio)",
    r"\bin manutenzione\b|\btemporaneamente non (?:disponibile|raggiungibile)|\bem manuten[çc][ãa]o\b|\btemporariamente indispon[íi]vel|\b(?:in|voor) onderhoud\b|\btijdelijk niet (?:beschikbaar|bereikbaar)|\bprzerw[aęy] techniczn\w+|\btymczasowo niedost[ęe]pn\w+",
    r"\bтехническ\w+ (?:работ\w+|обслуживани\w+|перерыв)|\bвременно недоступ\w+|メンテナンス中|一時的に(?:利用|ご利用)(?:でき|いただけ)|(?:系统|网站|系統|網站)(?:正在)?维护|系統維護|점검 ?중",
)
_CONSENT: Final = _any_of(
    r"^before you continue(?: to .{1,40})?$|\b(?:accept|agree to|consent to) (?:the |our |all )?(?:cookies|terms(?: of use| and conditions)?|conditions|privacy policy)(?: [^.]{1,40})? (?:to|before|in order to) (?:continue|proceed|view|access|use|enter|search)|\bplease (?:enable|allow|accept) cookies|\bcookies (?:must be|are (?:required|disabled|not enabled))|\byou must (?:accept|agree)|\bconfirm (?:that )?you are (?:over|at least) \d\d",
    r"\bbevor (?:sie|du) (?:fortf[äa]hr\w+|weiter\w*)|\bbitte (?:akzeptieren sie|aktivieren sie|erlauben sie) (?:die |unsere |alle )?(?:cookies|nutzungsbedingungen)|\bstimmen sie [^.]{1,40} zu,? um (?:fortzufahren|weiter)|\bavant de continuer\b|\bveuillez (?:accepter|activer) les cookies",
    r"\bantes de (?:continuar|ir a)|\b(?:acepte|active|habilite) las cookies|\bprima di (?:continuare|proseguire)|\b(?:accetta|abilita) i cookie per|\b(?:aceite|ative) os cookies|\bvoordat je verdergaat|\baccepteer (?:de )?cookies om|\bzanim przejdziesz|\bпрежде чем (?:перейти|продолжить)|\bвключите (?:файлы )?cookie|Cookieを有効に",
)
_SHORT: Final = _any_of(
    r"\b(?:search (?:term|word|string|phrase|query)s?|quer(?:y|ies)|keywords?)\b.{0,30}\b(?:too short|at least (?:\d{1,2}|one|two|three|four) (?:characters|letters))|\b(?:enter|type|use|supply|provide|specify) (?:at least|a minimum of) (?:\d{1,2}|one|two|three|four|a) (?:\w+ )?(?:characters?|letters?|words?|terms?|search)|\bminimum (?:search )?(?:length|of \d{1,2} characters)|\bplease (?:enter|specify|provide|fill in) (?:a|some|your|one or more|any)? ?(?:search|query|keyword)",
    r"\bsuchbegriff\w* .{0,30}(?:zu kurz|mindestens)|\bmindestens (?:\d{1,2}|ein|zwei|drei|vier|einen) (?:zeichen|buchstaben|suchbegriff)|\bbitte (?:geben sie|gib) (?:einen|mindestens)? ?(?:such|\d)|\bau moins (?:\d{1,2}|un|deux|trois|quatre) (?:caract[èe]res|lettres|mots?)|\bveuillez (?:saisir|entrer|indiquer) (?:un|au moins)",
    r"\b(?:al menos|m[íi]nimo(?: de)?|como m[íi]nimo) (?:\d{1,2}|un|dos|tres|cuatro) (?:caracteres|letras|palabras?)|\bintroduzca (?:un|al menos|alg[úu]n) |\balmeno (?:\d{1,2}|un|due|tre|quattro) (?:caratteri|lettere|parol[ae])|\b(?:pelo menos|no m[íi]nimo) (?:\d{1,2}|um|dois|tr[êe]s|quatro) (?:caracteres|letras|palavras?)",
    r"\b(?:minstens|minimaal|ten minste) (?:\d{1,2}|een|twee|drie|vier) (?:tekens|letters|woord\w*)|\b(?:co najmniej|minimum|przynajmniej) (?:\d{1,2}|jeden|dwa|trzy|cztery) (?:znak\w*|liter\w*|s[łl]ow\w*)|\b(?:не менее|минимум|хотя бы) (?:\d{1,2}|одного|дву\w+|тр[её]х|четыр\w+) (?:символ\w*|букв\w*|слов\w*)|\bслишком короткий|文字以上(?:で|を)?入力|キーワードを入力してください|至少(?:输入|輸入)?\d{0,2}个?(?:字符|字)|请输入(?:关键词|搜索)|글자 이상",
)
_BROAD: Final = _any_of(
    r"\btoo many (?:results|records|hits|matches|entries|rows)\b(?!.{0,20}\bper page)|\b(?:search|query|criteria|request)\b.{0,30}\btoo (?:broad|general|wide|large|unspecific|vague)|\b(?:please )?(?:refine|narrow|restrict|limit)(?: down)? (?:your|the) (?:search|query|criteria|selection)|\bmore than [\d,.]{1,9} (?:results|records|hits|matches)[^.]{0,40}(?:refine|narrow|restrict)",
    r"\bzu viele (?:treffer|ergebnisse|datens[äa]tze)|\b(?:suche|anfrage|suchanfrage)\b.{0,30}\bzu (?:allgemein|ungenau|unspezifisch|umfangreich)|\bschr[äa]nken sie (?:ihre|die) suche|\btrop de (?:r[ée]sultats|r[ée]ponses)|\b(?:affinez|pr[ée]cisez|restreignez) votre (?:recherche|requ[êe]te)",
    r"\bdemasiados resultados|\b(?:refine|limite|acote|concrete) (?:su|la|tu) b[úu]squeda|\btroppi risultati|\b(?:affina|restringi|affinare|restringere) la ricerca|\b(?:demasiados|muitos) resultados|\b(?:refine|restrinja) (?:a|sua) (?:pesquisa|busca)|\bte veel (?:resultaten|treffers)|\bverfijn (?:uw|je) zoek",
    r"\bzbyt (?:wiele|du[żz]o) (?:wynik|trafie|rekord)\w*|\b(?:zaw[ęe][źz]|doprecyzuj) (?:wyszukiwanie|zapytanie)|\bслишком много (?:результат|запис|совпаден)\w*|\bуточните (?:запрос|поиск|условия)|件数が多すぎ|絞り込んでください|(?:结果|結果)(?:太|过)多|검색 ?결과가 너무 많",
)
_ERROR: Final = _any_of(
    r"\byou have an error in your sql syntax|\bsql(?:state)?\[\w{5}\]|\bsqlstate\b|\bora-\d{5}\b|\bmysqli?_\w{3,30}\(\)|\bpg_query\(\)|\bunclosed quotation mark|\bsyntax error at or near|\bodbc (?:sql server )?driver|\bole ?db provider|\bsqlite\d?\.\w{0,20}error|\bunknown column '|\bsql (?:command not properly ended|error)\b|\bdatabase error\b",
    r"\btraceback \(most recent call last\)|\b(?:fatal error|parse error|warning|notice)\b: .{1,200} on line \d+|\bstack ?trace\b|\bjava(?:x)?\.\w{2,20}\.[\w.]{3,80}(?:exception|error)\b|^\s{0,10}at [\w$.]{3,120}\([\w.]{1,60}(?::\d+)?\)|\bserver error in '/|\bunhandled exception|\bruntime error\b|\bnullpointerexception|\bindex was outside the bounds|\bobject reference not set|\b(?:microsoft )?vbscript runtime",
    r"\binternal (?:server )?error\b|\b(?:an|some) (?:\w+ )?error (?:has )?(?:occurred|happened)\b|\b(?:something|things) went wrong\b|\bapplication error\b|\berror while (?:processing|searching|executing|connecting)|\bcould not connect to (?:the )?(?:database|server)|\bbad gateway\b|\bgateway time-?out\b|\bquery (?:failed|timed out)\b|\bsearch (?:is )?(?:failed|unavailable)\b",
    r"\b(?:ein|interner) (?:\w+ )?fehler (?:ist )?(?:aufgetreten|ist aufgetreten)|\bes ist ein (?:\w+ )?fehler aufgetreten|\binterner (?:server)?fehler\b|\bdatenbankfehler\b|\bune erreur (?:\w+ )?(?:est survenue|s'est produite|interne)|\berreur (?:interne|500|de base de donn[ée]es)\b|\bse ha producido un error|\bha ocurrido un error|\berror interno\b|\berror de (?:base de datos|servidor)",
    r"\bsi [èe] verificato un errore|\berrore (?:interno|del server|di sistema)\b|\bocorreu um erro|\berro (?:interno|de banco de dados|no servidor)\b|\ber is een (?:\w+ )?fout opgetreden|\binterne (?:server)?fout\b|\bwyst[ąa]pi[łl] (?:\w+ )?b[łl][ąa]d|\bb[łl][ąa]d (?:serwera|wewn[ęe]trzny|bazy danych)\b|\bпроизошла (?:\w+ )?ошибка|\bвнутренняя ошибка|\bошибка (?:сервера|базы данных|sql)\b|エラーが発生|内部エラー|发生错误|服务器错误|數據庫錯誤|数据库错误|오류가 발생",
)
# What explains the others comes first: an expired session may also ask to log in.
_PATTERNS: Final = (
    (TroubleKind.ROBOT_CHECK, _ROBOT),
    (TroubleKind.EXPIRED, _EXPIRED),
    (TroubleKind.RATE_LIMITED, _RATE_LIMITED),
    (TroubleKind.MAINTENANCE, _MAINTENANCE),
    (TroubleKind.ERROR, _ERROR),
    (TroubleKind.TOO_SHORT, _SHORT),
    (TroubleKind.TOO_BROAD, _BROAD),
    (TroubleKind.LOGIN, _LOGIN),
    (TroubleKind.CONSENT, _CONSENT),
)
_BESIDE_A_FORM: Final = frozenset({TroubleKind.TOO_SHORT, TroubleKind.TOO_BROAD})  # on a page of any length
_BY_STATUS: Final = {
    401: TroubleKind.LOGIN,
    407: TroubleKind.LOGIN,
    419: TroubleKind.EXPIRED,
    429: TroubleKind.RATE_LIMITED,
    440: TroubleKind.EXPIRED,
    503: TroubleKind.MAINTENANCE,
}
# What pages with an error status say of themselves is believed rather than the status.
_TOLD_BY_ERROR_PAGES: Final = frozenset(
    {
        TroubleKind.ROBOT_CHECK,
        TroubleKind.RATE_LIMITED,
        TroubleKind.LOGIN,
        TroubleKind.EXPIRED,
        TroubleKind.MAINTENANCE,
    }
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s|\n")
# A service says what is wrong in one short message: there a single word is enough.
_MESSAGE_PATTERNS: Final = (
    (TroubleKind.ROBOT_CHECK, re.compile(r"captcha|robot check", re.IGNORECASE)),
    (TroubleKind.EXPIRED, re.compile(r"session", re.IGNORECASE)),
    (TroubleKind.RATE_LIMITED, re.compile(r"rate limit|too many requests", re.IGNORECASE)),
    (TroubleKind.LOGIN, re.compile(r"log ?in", re.IGNORECASE)),
    (TroubleKind.CONSENT, re.compile(r"consent", re.IGNORECASE)),
)
_CAPTCHA: Final = re.compile(r"captcha|cf-turnstile|cf_chl|hcaptcha|px-captcha", re.IGNORECASE)
_LOGIN_PAGE: Final = re.compile(
    r"^(?:please )?(?:log ?[io]n|sign ?in|member login|anmeld(?:en|ung)|einloggen|connexion|identification|se connecter|iniciar sesi[óo]n|acceso|accedi|accesso|login|entrar|inloggen|logowanie|zaloguj|вход|авторизация|ログイン|登录|登入|로그인)\b",
    re.IGNORECASE,
)
# A name in an address, whole: a record may be called two-factor-auth, or chocolate-cookies.
_LOGIN_ADDRESS: Final = re.compile(
    r"(?:^|[/.])(?:(?:user|member|account|customer|web|do|my)[-_]?)?(?:log[-_]?[io]n|sign[-_]?in)(?:[-_](?:form|page|required|redirect|user))?(?=$|[/.:])"
    r"|(?:^|[/.])(?:anmeld(?:en|ung)|connexion|iniciar-?sesion|acceso|accedi|entrar|inloggen|logowanie|zaloguj|sso|saml2?|oauth2?|auth|authenticate"
    r"|authori[sz]e|idp|shibboleth|wayf|keycloak)(?=$|[/.:])",
    re.IGNORECASE,
)
_CONSENT_ADDRESS: Final = re.compile(
    r"(?:^|[/.])(?:(?:cookie[-_]?)?consent|cookie[-_]?(?:wall|check|policy)|gdpr|disclaimer|age[-_]?(?:check|gate|verification)|accept[-_]?(?:terms|cookies|conditions)"
    r"|terms[-_]?(?:of[-_]?use|and[-_]?conditions)|einwilligung|nutzungsbedingungen|consentement)(?=$|[/.:])",
    re.IGNORECASE,
)


def judge_redirect(request: Request, response: Response, page: Page | None) -> TroubleKind | None:
    """Return why the page that a request was redirected to is no answer; None if it was not redirected, or to an answer."""
    target = _find_target(response, page)
    if not target or target == request.url:
        return None
    asked, reached = _host_and_path(request.url), _host_and_path(target)
    for kind, pattern in ((TroubleKind.LOGIN, _LOGIN_ADDRESS), (TroubleKind.CONSENT, _CONSENT_ADDRESS)):
        if pattern.search(reached) and not pattern.search(asked):
            return kind
    if 300 <= response.status < 400 and not same_site(request.url, target):
        return TroubleKind.OTHER_SITE
    return TroubleKind.LOGIN if page is not None and asked != reached and _asks_password(page) else None


def _find_target(response: Response, page: Page | None) -> str:
    """Return where a request ended up: by a redirect, also one that nobody followed, or by a short page with a refresh."""
    if 300 <= response.status < 400:
        return canonical(response.header("location"), response.url) or ""
    if response.redirects:
        return response.url
    return page.refresh if page is not None and len(page.text) < MAX_MESSAGE_PAGE_CHARS // 10 else ""


def _host_and_path(url: str) -> str:
    """Return an address without its query, in which any word may stand."""
    return url[:MAX_REDIRECT_ADDRESS_CHARS].partition("://")[2].partition("?")[0]


def judge_trouble(status: int, page: Page, lines: Iterable[str] = (), shown: int = 0) -> str:
    """Return why a page is no answer, a TroubleKind or an error page with its status; nothing for answers, empty ones too.

    `lines` are those outside its records, of which it has `shown`.
    """
    if shown >= MIN_ANSWER_RECORDS:
        return ""
    said = [" ".join(line[:MAX_TROUBLE_LINE_CHARS].split()) for line in islice(lines, MAX_TROUBLE_LINES)]
    if not said:
        said = [part.strip() for part in _SENTENCE_END.split(page.text[:MAX_MESSAGE_PAGE_CHARS])][:MAX_TROUBLE_LINES]
    known: TroubleKind | None = None
    for kind, pattern in _PATTERNS:
        is_title_only = len(page.text) > MAX_MESSAGE_PAGE_CHARS and kind not in _BESIDE_A_FORM
        if any(pattern.search(line) for line in (page.title, *(() if is_title_only else said)) if line):
            known = kind
            break
    if status >= 400 and status not in (404, 410):
        if known in _TOLD_BY_ERROR_PAGES:
            return known
        return _BY_STATUS.get(status) or f"{TroubleKind.ERROR} ({status})"
    return known or _judge_forms(page, shown) or ""


def _judge_forms(page: Page, shown: int) -> TroubleKind | None:
    """Judge a page by a form that fills it: a captcha, a login."""
    if shown or len(page.text) > MAX_MESSAGE_PAGE_CHARS // 2:
        return None
    names = (f"{field.name} {field.id}" for form in page.forms for field in form.fields)
    if not any(map(_takes_words, page.forms)) and any(map(_CAPTCHA.search, names)):
        return TroubleKind.ROBOT_CHECK
    return TroubleKind.LOGIN if _asks_password(page) and _LOGIN_PAGE.match(page.title.strip()) else None


def _asks_password(page: Page) -> bool:
    asks = any(field.type == "password" for form in page.forms for field in form.fields)
    return asks and not any(map(_takes_words, page.forms))


def _takes_words(form: Form) -> bool:
    types = [field.type for field in form.fields]
    return "password" not in types and any(kind in ("text", "search") for kind in types)


def judge_message(message: str) -> TroubleKind | None:
    """Return the trouble that an error message of a service speaks of, if it is one that a harvest must react to."""
    return next((kind for kind, pattern in _MESSAGE_PATTERNS if pattern.search(message)), None)
