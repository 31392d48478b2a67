"""Forms that are not doors to a database, and outnumber those that are."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dowse.sim import words
from dowse.sim.formplan import FieldPlan, FormPlan, Placement


@dataclass(frozen=True, slots=True)
class Decoy:
    """A sort of form that many sites have: how many have it, where, and in which variants."""

    kind: str
    share: float
    places: tuple[str, ...]  # header, footer, root, or the depth of a page of its own
    titles: tuple[str, ...]
    actions: tuple[str, ...]
    buttons: tuple[str, ...]
    variants: tuple[str, ...]  # name:control:label, separated by commas
    method: str = "POST"


DECOYS = (
    Decoy(
        "site-search",
        0.45,
        ("header", "header", "footer", "1"),
        ("Search this site", "Search", "Find on this site"),
        ("/search", "/site-search.php", "/sitesearch/", "/ht/search.cgi"),
        ("Search", "Go", ">", "Find"),
        (
            "q:text:Search this site",
            "s:text:",
            "searchword:text:Search our pages,where:hidden:site",
            "query:text:Find on this site",
        ),
        "GET",
    ),
    Decoy(
        "login",
        0.35,
        ("1", "1", "header", "root"),
        words.LOGIN,
        ("/login.php", "/signin", "/members/login.asp", "/auth/session"),
        ("Log in", "Sign in", "Enter", "Login"),
        (
            "user:text:User name,pass:password:Password",
            "email:email:E-mail address,password:password:Password,remember:checkbox:Remember me",
            "login:text:Member no.,pin:password:PIN,next:hidden:/",
        ),
    ),
    Decoy(
        "subscribe",
        0.40,
        ("footer", "footer", "root"),
        ("Newsletter", "Stay informed", "Our letter"),
        ("/newsletter", "/subscribe.cgi", "/list/join"),
        ("Subscribe", "Sign me up", "Join", "OK"),
        (
            "email:email:Your e-mail",
            "mail:text:E-mail,format:select:Format",
            "nl_address:text:Get our newsletter,action:radio:I want to",
        ),
    ),
    Decoy(
        "contact",
        0.55,
        ("1",),
        words.CONTACT,
        ("/contact.php", "/cgi/formmail.pl", "/feedback/send", "/mailto.asp"),
        ("Send", "Send message", "Submit", "Mail it"),
        (
            "name:text:Your name,email:text:Your e-mail,message:textarea:Message",
            "subject:select:Subject,from:text:E-mail,comments:textarea:Comments",
            "fullname:text:Name,phone:text:Telephone,text:textarea:How can we help?,copy:checkbox:Send me a copy",
        ),
    ),
    Decoy(
        "registration",
        0.20,
        ("2", "1"),
        words.REGISTER,
        ("/register.php", "/join", "/signup/new"),
        ("Register", "Create account", "Continue"),
        (
            "username:text:Your name,email:text:E-mail,password:password:Password,password2:password:Repeat password,"
            "terms:checkbox:I accept",
            "first:text:First name,last:text:Last name,country:select:Country,mail:text:E-mail,pw:password:Password",
        ),
    ),
    Decoy(
        "order",
        0.22,
        ("2", "2", "3", "1"),
        words.SHOP,
        ("/cart/add", "/basket.php", "/order.asp"),
        ("Add to cart", "Buy now", "Order", "Add to basket"),
        (
            "sku:hidden:A100,qty:number:Quantity",
            "product_id:hidden:77,amount:select:How many,gift:checkbox:Gift wrap",
            "item:hidden:9,name:text:Name on card,card:text:Card number,address:textarea:Delivery address",
        ),
    ),
    Decoy(
        "configure",
        0.09,
        ("2", "3"),
        ("Build yours", "Configure", "Choose your options"),
        ("/configure", "/build.php", "/options/select"),
        ("Update", "Apply options", "Show my configuration", "Recalculate"),
        (
            "colour:select:Colour,size:select:Size,engraving:text:Engraving,product:hidden:12",
            "trim:radio:Trim,wheels:select:Wheels,pack:checkbox:Comfort pack",
        ),
    ),
    Decoy(
        "other",
        0.15,
        ("root", "2"),
        ("Poll", "Your opinion", "Question of the week"),
        ("/poll.php", "/vote", "/survey.cgi"),
        ("Vote", "Cast your vote"),
        ("answer:radio:Do you like our new look?", "choice:radio:How did you find us?,poll:hidden:31"),
    ),
    Decoy(
        "other",
        0.10,
        ("header", "footer"),
        ("Language", "Currency"),
        ("/set", "/prefs/update"),
        ("Change", "OK"),
        ("lang:select:Language", "currency:select:Currency"),
        "GET",
    ),
)
OPTIONS = {
    "format": ("HTML", "Plain text"),
    "action": ("subscribe", "unsubscribe"),
    "subject": ("General", "Press", "Help"),
    "country": ("France", "India", "Kenya", "Peru"),
    "amount": ("1", "2", "3", "5"),
    "colour": ("Black", "White", "Oak"),
    "size": ("S", "M", "L", "XL"),
    "trim": ("Basic", "Sport"),
    "wheels": ("15 inch", "16 inch", "17 inch"),
    "answer": ("Yes", "No", "No opinion"),
    "choice": ("A friend", "A search engine", "By chance"),
    "lang": ("English", "Français", "Deutsch"),
    "currency": ("EUR", "USD", "GBP"),
}


def plan_decoys(rng: Random) -> list[Placement]:
    """Plan the decoys of a site; one action for each, so that they stay apart."""
    placed: dict[str, Placement] = {}
    for decoy in DECOYS:
        if rng.random() < decoy.share:
            one = _place(rng, decoy)
            placed.setdefault(one.form.action, one)
    return list(placed.values())


def _place(rng: Random, decoy: Decoy) -> Placement:
    place, title = rng.choice(decoy.places), rng.choice(decoy.titles)
    form = FormPlan(
        kind=decoy.kind,
        heading=title,
        method=decoy.method,
        action=rng.choice(decoy.actions),
        fields=tuple(_field(text) for text in rng.choice(decoy.variants).split(",")),
        button=rng.choice(decoy.buttons),
        button_name=rng.choice(("", "", "submit", "send")),
        place=place if place in ("header", "footer") else "content",
    )
    return Placement(form, int(place) if place.isdigit() else 0, title, rng.choice(("in", "in", "out")))


def _field(text: str) -> FieldPlan:
    name, control, label = text.split(":")
    if control == "hidden":
        return FieldPlan(name, control, value=label)
    choices = tuple((each, each) for each in OPTIONS.get(name, ())) if control in ("select", "radio") else ()
    return FieldPlan(name, control, label, choices, value="1" if control == "checkbox" else "")
