"""Forms that are not doors to a database, and outnumber those that are."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dowse.sim.chance import between, pick
from dowse.sim.formplan import FormPlan, Placement
from dowse.sim.habits import Habits
from dowse.sim.view import Choice, Part, Question


@dataclass(frozen=True, slots=True)
class Decoy:
    """A sort of form that many sites have: how many have it, where, and in which variants."""

    purpose: str  # key of the wording's titles and buttons
    kind: str  # one of dowse.model.KINDS
    share: float
    places: tuple[str, ...]  # header, footer, root, articles, or the depth of a page of its own
    variants: tuple[str, ...]  # field:control, separated by blanks; the fields are keys of the wording
    method: str = "POST"


DECOYS = (
    Decoy(
        "site_search",
        "site-search",
        0.45,
        ("header", "header", "footer", "1"),
        ("search_site:text", "search_site:search", "search_site:text format:hidden"),
        "GET",
    ),
    Decoy(
        "login",
        "login",
        0.35,
        ("1", "1", "header", "root"),
        (
            "user:text password:password",
            "email:email password:password remember:checkbox",
            "user:text password:password website:hidden",
        ),
    ),
    Decoy(
        "newsletter",
        "subscribe",
        0.40,
        ("footer", "footer", "root", "articles"),
        ("email:email", "email:text format:select", "firstname:text email:email agree:checkbox", "email:text newsletter:radio"),
    ),
    Decoy(
        "contact",
        "contact",
        0.55,
        ("1",),
        (
            "name:text email:text message:textarea",
            "subject:select email:text message:textarea captcha:text",
            "firstname:text lastname:text phone:tel message:textarea remember:checkbox",
            "title:select name:text company:text address:text city:text country:select email:email message:textarea",
        ),
    ),
    Decoy(
        "registration",
        "registration",
        0.20,
        ("2", "1"),
        (
            "user:text email:text password:password password2:password agree:checkbox",
            "firstname:text lastname:text country:select email:text password:password birthday:date",
            "title:radio firstname:text lastname:text address:text zip:text city:text country:select phone:tel email:email"
            " password:password password2:password agree:checkbox",
        ),
    ),
    Decoy("recovery", "other", 0.14, ("2",), ("email:text", "user:text captcha:text", "email:email birthday:date")),
    Decoy(
        "comment",
        "contact",
        0.22,
        ("articles",),
        ("name:text email:text website:text comment:textarea", "name:text comment:textarea captcha:text", "rating:radio comment:textarea"),
    ),
    Decoy("guestbook", "contact", 0.06, ("1",), ("name:text city:text website:text message:textarea",)),
    Decoy("feedback", "contact", 0.10, ("2", "footer"), ("rating:radio comment:textarea", "rating:select comment:textarea email:email")),
    Decoy(
        "poll",
        "other",
        0.15,
        ("root", "2", "articles"),
        ("poll:radio", "poll:radio format:hidden", "poll:checkbox-set"),
    ),
    Decoy("cart", "order", 0.16, ("2", "articles", "articles"), ("quantity:number card:hidden", "quantity:select gift:checkbox card:hidden", "size:select quantity:text card:hidden")),
    Decoy(
        "checkout",
        "order",
        0.08,
        ("2", "3"),
        ("name:text card:text address:textarea coupon:text", "firstname:text lastname:text address:text zip:text city:text country:select card:text agree:checkbox"),
    ),
    Decoy("donation", "order", 0.05, ("1", "2"), ("amount:radio name:text email:text card:text", "amount:text gift:select email:email")),
    Decoy(
        "configurator",
        "configure",
        0.12,
        ("2", "3", "articles", "articles"),
        ("colour:select size:select coupon:text card:hidden", "colour:radio gift:select format:select card:hidden", "size:radio colour:select gift:checkbox-set quantity:number card:hidden"),
    ),
    Decoy("booking", "other", 0.08, ("1", "2"), ("date:date time:text persons:number name:text phone:tel", "persons:select date:date email:email message:textarea")),
    Decoy("currency", "other", 0.06, ("header", "footer"), ("currency:select",), "GET"),
    Decoy("language", "other", 0.08, ("header", "footer"), ("language:select", "country:select language:select"), "GET"),
)  # fmt: skip
ROOT_SHARE = 0.36  # of those with a page of their own: so root pages have as large a part of them as of query forms
NEUTRAL: dict[str, tuple[str, ...]] = {
    "currency": ("EUR", "USD", "GBP", "JPY", "PLN", "CHF"),
    "quantity": ("1", "2", "3", "5", "10"),
    "persons": ("1", "2", "3", "4", "6", "8"),
    "amount": ("10", "25", "50", "100"),
}


def plan_decoys(rng: Random, habits: Habits, deepest: int, taken: set[str]) -> list[Placement]:
    """Plan the decoys of a site, each with a place of its own that answers it."""
    return [_place(rng, decoy, habits, deepest, taken) for decoy in DECOYS if rng.random() < decoy.share]


def _place(rng: Random, decoy: Decoy, habits: Habits, deepest: int, taken: set[str]) -> Placement:
    place = pick(rng, decoy.places)
    if (place == "articles" and deepest < 2) or (place.isdigit() and rng.random() < ROOT_SHARE):
        place = "root"
    words = habits.wording
    title = pick(rng, words.titles[decoy.purpose])
    questions = [_ask(rng, text, habits) for text in pick(rng, decoy.variants).split()]
    changes = next((each.parts[0].name for each in questions if each.kind == "state" and place == "articles"), "")
    form = FormPlan(
        kind=decoy.kind,
        purpose=decoy.purpose,
        heading=title,
        method=decoy.method,
        action=habits.action(rng, decoy.purpose, taken),
        questions=tuple(questions),
        buttons=((pick(rng, ("", "", habits.name("submit"))), pick(rng, words.buttons[decoy.purpose])),),
        reset=pick(rng, words.says["reset_buttons"]) if rng.random() < 0.06 else "",
        place=place if place in ("header", "footer", "articles") else "content",
        changes=changes,
    )
    depth = min(int(place), deepest) if place.isdigit() else 0
    return Placement(form, depth, title, pick(rng, ("menu", "menu", "content")))


def _ask(rng: Random, text: str, habits: Habits) -> Question:
    field, control = text.split(":")
    labels = habits.wording.choices["poll_question"] if field == "poll" else habits.wording.fields.get(field, ("",))
    if control == "hidden":
        name, _ = pick(rng, habits.family.addresses.hidden)
        return Question("", "state", (Part(name, "hidden", value=str(between(rng, 1, 999))),))
    name = habits.name("rating" if field == "poll" else "format" if field == "newsletter" else field)
    label = pick(rng, labels)
    if control == "checkbox":
        return Question(label, "other", (Part(name, "checkbox", value="1"),))
    if control in ("select", "radio", "checkbox-set"):
        return Question(label, "other", (Part(name, control.removesuffix("-set"), _choices(field, habits)),))
    return Question(label, "other", (Part(name, control),))


def _choices(field: str, habits: Habits) -> tuple[Choice, ...]:
    key = {"poll": "poll_answer"}.get(field, field)
    values = NEUTRAL.get(field) or habits.wording.choices[key]
    if habits.codes == "number":
        return tuple((str(number), value) for number, value in enumerate(values, 1))
    return tuple((value, value) for value in values)
