"""How the authors of this family name pages, services and fields."""

from __future__ import annotations

from collections.abc import Mapping

from dowse.sim.view import Addresses

_PAGES = (
    "/node/{n}",
    "/{slug}.{n}.aspx",
    "/index.cgi/{n}",
    "/?page_id={n}",
    "/web/guest/{slug}_{n}",
    "/default.wcgi?Nr={n}",
    "/art{n},{slug}.jsp",
    "/de{n}/{slug}.xhtml",
    "/{n}~{slug}",
    "{above}{slug}.{n}.d/",
    "{above}{n}_{slug}/",
    "{above}l{n}/",
)

_ANSWERS = (
    "/{word}.do",
    "/servlet/{word}/exec",
    "/{word}/index.aspx",
    "/{word}.wsp",
    "/isapi/{word}.exe",
    "/app~{word}",
    "/component/{word}/",
    "/-/{word}",
    "/{word}.action",
    "/ext/{word}.ashx",
    "/faces/{word}.jsf",
    "/_{word}.pl",
)

_WORDS: Mapping[str, tuple[str, ...]] = {
    "database": ("finder", "katalog", "opac", "recherche"),
    "site_search": ("volltext", "fulltext", "sitefind", "trova"),
    "login": ("anmelden", "authenticate", "logon", "j_check"),
    "registration": ("inscription", "rejestracja", "konto-neu", "enroll"),
    "newsletter": ("mailing", "infomail", "rundbrief", "boletin"),
    "contact": ("kontakt", "sendmail", "formmailer", "anfrage"),
    "comment": ("respuesta", "posten", "addnote", "replica"),
    "poll": ("glosuj", "umfrage", "sondage", "ballot"),
    "cart": ("carrello", "warenkorb", "panier", "trolley"),
    "configurator": ("builder", "konfig", "customize", "assembler"),
    "currency": ("fx", "devise", "setmoney", "waehrung"),
    "language": ("idioma", "locale", "sprache", "i18n"),
    "recovery": ("resetpw", "forgotten", "passwort", "oubli"),
    "guestbook": ("gaestebuch", "livredor", "signbook", "stammbuch"),
    "booking": ("reserva", "termin", "rendezvous", "prenota"),
    "donation": ("contribuisci", "spende", "sostieni", "pledge"),
    "feedback": ("parere", "meinung", "helpful", "avis"),
    "checkout": ("zahlung", "kasse", "order-step2", "commande"),
}

_DETAILS = (
    "/{db}/record/{n}",
    "/display/{db}:{n}",
    "/{db}.item.{n}.aspx",
    "/permalink/{db}/{n}/",
    "/{db}-view.do?oid={n}",
    "/{db}/x{n}.xhtml",
)

_SERVICES = ("/rest/v1/complete", "/ajax/typeahead.json", "/ws/terms.ashx", "/feeds/lookup.xml")

_NAMES: Mapping[str, tuple[str, ...]] = {
    "submit": ("btnOk", "cmdGo", "ctl00$btnA"),
    "keyword": (
        "txtSearch",
        "kwd",
        "suchbegriff",
        "motcle",
        "searchTerm",
        "tx_find[word]",
        "ctl00$main$tb1",
        "lookfor",
    ),
    "operator": ("ddlMatch", "tx_find[mode]", "verknuepfung", "boolop"),
    "sort": ("sortField", "orderCol", "tx_find[order]", "ctl00$main$ddlOrder"),
    "token": ("__RequestVerificationToken", "form_build_id", "csrfmiddlewaretoken", "_xsrf"),
    "page_size": ("pageLen", "hitsPerPage", "ctl00$main$ddlLen", "anzahl"),
    "user": ("j_username", "txtUser", "benutzer", "edit-login"),
    "password": ("j_password", "txtPwd", "kennwort", "pass1"),
    "password2": ("confirmPassword", "txtPwd2", "kennwort_wdh", "txtPass2"),
    "remember": ("_spring_remember", "chkPersist", "chkAuto", "stay"),
    "email": ("edit-mail", "txtEmail", "courriel", "EMAIL_ADDR", "field_12"),
    "name": ("edit-realname", "txtName", "nom_complet", "field_3"),
    "firstname": ("givenName", "vorname", "txtFirst", "prenom"),
    "lastname": ("familyName", "nachname", "txtLast", "apellido"),
    "phone": ("telNo", "telefono", "txtPhone", "field_7"),
    "company": ("orgName", "firma", "txtCompany", "societe"),
    "address": ("street1", "strasse", "txtAddr", "indirizzo"),
    "city": ("ort", "txtCity", "localite", "addr.town"),
    "zip": ("edit-plz", "txtPostcode", "codepostal", "addr.zip"),
    "country": ("countryCode", "ddlCountry", "edit-land", "pays"),
    "subject": ("betreff", "txtSubject", "objet", "mailSubject"),
    "message": ("nachricht", "txtBody", "contenu", "comments_body", "field_20"),
    "comment": ("kommentar", "txtComment", "replyText", "remarque"),
    "website": ("edit-homepage", "txtUrl", "web_addr", "siteweb"),
    "rating": ("rbStars", "bewertung", "rblScore", "punkte"),
    "quantity": ("numQty", "menge", "txtQty", "cantidad"),
    "size": ("sizeCode", "groesse", "ddlSize", "taille"),
    "colour": ("variantColor", "farbe", "ddlColour", "couleur"),
    "gift": ("giftWrap", "geschenk", "chkGift", "cadeau"),
    "currency": ("currencyIso", "waehrung", "ddlCurrency", "divisa"),
    "language": ("localeId", "sprache", "ddlLang", "setLng"),
    "agree": ("termsAccepted", "agb", "chkTerms", "gdpr_ok"),
    "captcha": ("verifyCode", "sicherheitscode", "txtCaptcha", "challenge_answer"),
    "format": ("mailType", "rblFormat", "ausgabe", "typeEnvoi"),
    "amount": ("sumValue", "betrag", "txtAmount", "montant"),
    "date": ("dateIso", "datum", "txtDate", "giorno"),
    "time": ("slot", "uhrzeit", "ddlTime", "heure"),
    "persons": ("paxCount", "gaeste", "ddlPax", "nb_pers"),
    "card": ("ccNumber", "kartennr", "txtCard", "numcarte"),
    "coupon": ("promoCode", "gutschein", "txtVoucher", "codepromo"),
    "search_site": ("sitekw", "volltextsuche", "ctl00$hdr$tbFind", "cerca"),
    "title": ("ddlAnrede", "anrede", "ddlTitle", "civilite"),
    "birthday": ("dateOfBirth", "geburtstag", "txtDob", "naissance"),
}

_ATTRIBUTES = (
    "tx_find[{name}]",
    "ctl00$main${short}",
    "field_{number}",
    "criteria.{name}",
    "p_{short}",
    "{name}Filter",
    "fld{number}_value",
)

_ENDS = (("_gte", "_lte"), (".lo", ".hi"), ("Von", "Bis"), ("[ge]", "[le]"), ("_mini", "_maxi"))

_PAGING = (
    ("pageIndex", "pages"),
    ("startRecord", "records"),
    ("pgno", "pages"),
    ("skip", "records"),
    ("tx_find[pointer]", "pages"),
    ("firstResult", "records"),
    ("seite", "pages"),
)

_HIDDEN = (
    ("__EVENTTARGET", ""),
    ("__VIEWSTATE", "/wEPDwUKMTY1NDU2MTA1MmRkXq8yB1"),
    ("form_type", "views_exposed"),
    ("no_cache", "1"),
    ("Itemid", "57"),
    ("tmpl", "index"),
    ("utf8", "1"),
)

ADDRESSES = Addresses(
    pages=_PAGES,
    answers=_ANSWERS,
    words=_WORDS,
    details=_DETAILS,
    services=_SERVICES,
    names=_NAMES,
    attributes=_ATTRIBUTES,
    ends=_ENDS,
    paging=_PAGING,
    hidden=_HIDDEN,
)
