"""Query forms: from one keyword box to fifteen fields, each over a database of its site."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from dowse.sim.chance import Shares, by_share, mix, number_of, pick, some
from dowse.sim.databases import DatabasePlan
from dowse.sim.formplan import FormPlan, Placement
from dowse.sim.habits import Habits
from dowse.sim.tables import Attribute
from dowse.sim.view import Choice, Part, Question

DEEP_SHARE = 0.25  # sites with a database; paper 1 says "most have none"
FORM_COUNTS = (1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 10)  # 4.2 on average: Chang et al. 2004, the survey that paper 1 builds on
# Paper 1, Figure 3: 94 % within depth 3, none below 5; Figure 17: 29 % on the root page.
DEPTHS: Shares = (("0", 0.28), ("1", 0.30), ("2", 0.22), ("3", 0.14), ("4", 0.04), ("5", 0.02))
MENU_SHARE = 0.87  # paper 1, Section 4.1: of the query forms that are not on root pages
OTHER_WAYS = ("sitemap", "advanced", "content")  # the first only to pages of the second level
BOXES = ("one", "one", "pair", "two", "few", "few", "many", "all")
MADE: Shares = (("script", 0.04), ("formless", 0.04))
MOST_NAMES = 15
RADIOS = 6  # choices that still make a row of radio buttons
CHECKBOXES = 12
TOKEN = "{token}"  # stands for the value that the page gives it


def plan_query_forms(
    rng: Random,
    databases: tuple[DatabasePlan, ...],
    tables: tuple[tuple[Attribute, ...], ...],
    habits: Habits,
    taken: set[str],
) -> list[Placement]:
    """Plan the query forms of a site; no two send the same names to the same place, but for copies."""
    wanted = max(pick(rng, FORM_COUNTS), len(databases))
    places = [habits.action(rng, "database", taken) for _ in range(4)]
    everywhere = "header" if rng.random() < 0.2 else "content"
    placed: dict[tuple[str, tuple[str, ...]], Placement] = {}
    for _ in range(wanted * 4):
        database = databases[len(placed) % len(databases)]
        writer = QueryForms(rng, tables[database.number], habits, database)
        form = writer.write("", "content" if placed else everywhere)
        form = replace(form, action=_choose_place(rng, form, places))
        placed.setdefault((form.action, form.visible_names), place_form(rng, form, habits, database))
        if len(placed) == wanted:
            break
    return _copy_one(rng, list(placed.values()), habits, databases)


def _copy_one(
    rng: Random, placed: list[Placement], habits: Habits, databases: tuple[DatabasePlan, ...]
) -> list[Placement]:
    """Put a copy of one of the forms on another page of some sites."""
    first = placed[0].form
    if first.place != "content" or first.made != "html" or rng.random() >= 0.25:
        return placed
    again = Placement(first, max(1, placed[0].depth), _page_title(rng, habits, databases[first.database]), "menu")
    return [*placed, again]  # the second of two equal forms is the copy: the plan says so


def asks_token(form: FormPlan) -> bool:
    """Return True if a form carries a token that its answer wants back."""
    return any(part.value == TOKEN for each in form.questions for part in each.parts)


def _choose_place(rng: Random, form: FormPlan, places: list[str]) -> str:
    """Choose what answers: a place for each database, and one for forms whose token could be missing."""
    if form.database:
        return places[3]
    if asks_token(form):
        return places[2]
    return places[0] if rng.random() < 0.8 else places[1]


def place_form(rng: Random, form: FormPlan, habits: Habits, database: DatabasePlan) -> Placement:
    """Choose where a query form goes."""
    if form.place != "content":
        return Placement(form, 0)
    depth = int(by_share(rng, DEPTHS) or "1")
    way = "menu" if rng.random() < MENU_SHARE else pick(rng, OTHER_WAYS if depth == 2 else OTHER_WAYS[1:])
    title = pick(rng, habits.wording.says["advanced"]) if way == "advanced" else _page_title(rng, habits, database)
    return Placement(form, depth, title, way)


def _page_title(rng: Random, habits: Habits, database: DatabasePlan) -> str:
    nouns = habits.topic(database.topic).nouns if database.topic else (database.title,)
    title = pick(rng, habits.wording.says["search_pages"]).format(n=pick(rng, nouns))
    return title[:1].upper() + title[1:]


class QueryForms:
    """Writes forms over one database with its author's names."""

    def __init__(self, rng: Random, attributes: tuple[Attribute, ...], habits: Habits, database: DatabasePlan) -> None:
        self.rng, self.attributes, self.habits, self.database = rng, attributes, habits, database

    def write(self, action: str, place: str) -> FormPlan:
        """Write one form: some of the attributes, with controls that suit them."""
        rng, says = self.rng, self.habits.wording.says
        box = "one" if place == "header" else pick(rng, BOXES)
        questions = self._trim([*self._questions(box), *self._states(box)])
        is_post = rng.random() < 0.15
        changes = ""
        if is_post and rng.random() < 0.5 and not self.database.number:
            questions.append(_state(self.habits.name("token"), TOKEN))
        if place == "header" and rng.random() < 0.5:
            changes = pick(rng, self.habits.family.addresses.hidden)[0]
            questions = [each for each in questions if each.parts[0].name != changes] + [_state(changes, "0")]
        return FormPlan(
            kind="database",
            purpose="database",
            heading=_page_title(rng, self.habits, self.database),
            method="POST" if is_post else "GET",
            action=action,
            questions=tuple(questions),
            buttons=self._buttons(box),
            reset=pick(rng, says["reset_buttons"]) if box in ("many", "all") and rng.random() < 0.4 else "",
            place=place,
            database=self.database.number,
            made=(by_share(rng, MADE) if place == "content" and not is_post else "") or "html",
            changes=changes,
        )

    def _buttons(self, box: str) -> tuple[Choice, ...]:
        rng = self.rng
        labels = [self.habits.says["search_buttons"]]
        if box in ("few", "many", "all") and rng.random() < 0.15:
            labels.append(pick(rng, self.habits.wording.says["advanced"]))
        name = pick(rng, ("", "", self.habits.name("submit")))
        return tuple((f"{name}{place or ''}" if name else "", label) for place, label in enumerate(labels))

    def _trim(self, questions: list[Question]) -> list[Question]:
        """Keep as many questions as fit; no name twice."""
        kept: list[Question] = []
        names: set[str] = set()
        for question in questions:
            own = {part.name for part in question.parts}
            if not own & names and len(names | own) < MOST_NAMES:  # room for a token
                kept.append(question)
                names |= own
        return kept

    def _questions(self, box: str) -> list[Question]:
        rng = self.rng
        if box == "one":
            return [self._keyword()] if rng.random() < 0.7 else self._ask(self.attributes[0])[:1]
        wanted = {"pair": 1, "two": 2, "few": 3, "many": 5, "all": len(self.attributes)}[box]
        chosen = sorted(some(rng, range(len(self.attributes)), wanted))
        questions = []
        if box == "pair" or rng.random() < 0.4:
            questions.append(self._keyword())
            if rng.random() < 0.35:
                questions.append(self._modes("", ("all_words", "any_word", "exact_phrase")))
        for number in chosen:
            questions += self._ask(self.attributes[number])
        return questions

    def _states(self, box: str) -> list[Question]:
        rng, states = self.rng, []
        if box in ("many", "all") and self.database.sorts == "yes" and rng.random() < 0.5:
            states.append(self._sort())
        if box in ("few", "many", "all") and rng.random() < 0.12:
            sizes = tuple((str(size), str(size)) for size in (10, 20, 50))
            part = Part(self.habits.name("page_size"), "select", sizes)
            states.append(Question(self.habits.says["per_page"], "other", (part,), operator=""))
        if rng.random() < 0.3:
            states.append(_state(*pick(rng, self.habits.family.addresses.hidden)))
        return states

    def _sort(self) -> Question:
        choices = tuple((self._name(each), each.labels[0]) for each in self.attributes if each.kind != "several")
        return Question(self.habits.says["sort_by"], "other", (Part(self.habits.name("sort"), "select", choices),))

    def _keyword(self) -> Question:
        control, label = (
            pick(self.rng, ("text", "text", "search")),
            pick(self.rng, self.habits.wording.says["keyword_labels"]),
        )
        return keyword_question(self.habits, label, control)

    def _modes(self, attribute: str, phrases: tuple[str, ...]) -> Question:
        """Ask how words are to be taken; beside the field they stand in."""
        labels = [self.habits.says[each] for each in phrases]
        choices = tuple((str(number), label) for number, label in enumerate(labels, 1))
        name = f"{self.habits.name('operator')}{attribute[:2]}"
        control = pick(self.rng, ("radio", "select"))
        return Question("", "operator", (Part(name, control, choices, "1"),), attribute)

    def _ask(self, attribute: Attribute) -> list[Question]:
        label, name = pick(self.rng, attribute.labels), self._name(attribute)
        if attribute.kind == "number":
            return [self._range(attribute, name, label)]
        if attribute.kind == "date":
            return [self._date(attribute, name, label)]
        if not attribute.choices or (attribute.kind in ("several", "child") and self._manner(attribute) < 0.4):
            return self._text(attribute, name, label)
        return [self._choice(attribute, name, label)]

    def _manner(self, attribute: Attribute) -> float:
        """Return a number from 0 to 1 by which all forms of a site ask an attribute the same way."""
        return mix(self.habits.key, number_of(attribute.name, self.database.number)) / 2**64

    def _text(self, attribute: Attribute, name: str, label: str) -> list[Question]:
        asked = Question(label, "text", (Part(name, "text"),), attribute.name, "contains")
        if self.rng.random() < 0.12:
            return [asked, self._modes(attribute.name, ("contains", "starts_with", "is_exactly"))]
        return [asked]

    def _choice(self, attribute: Attribute, name: str, label: str) -> Question:
        choices = self._coded(attribute.choices)
        drawn = self.rng.random()
        if len(choices) <= CHECKBOXES and drawn < 0.2:
            return Question(label, "several", (Part(name, "checkbox", choices),), attribute.name, "equals")
        control = "radio" if len(choices) <= RADIOS and drawn < 0.5 else "select"
        return Question(label, "choice", (Part(name, control, choices),), attribute.name, "equals")

    def _coded(self, values: tuple[str, ...]) -> tuple[Choice, ...]:
        if self.habits.codes == "number":
            return tuple((str(number), value) for number, value in enumerate(values, 1))
        return tuple((value, value) for value in values)

    def _range(self, attribute: Attribute, name: str, label: str) -> Question:
        rng, says = self.rng, self.habits.says
        choices: tuple[Choice, ...] = ()
        if rng.random() < 0.5:
            choices = tuple((str(value), str(value)) for value in round_numbers(attribute, pick(rng, (5, 8, 12))))
        control = "select" if choices else pick(rng, ("text", "text", "number"))
        manner = self._manner(attribute)
        if manner < 0.1:
            return Question(label, "text", (Part(name, "text"),), attribute.name, "equals")
        if manner < 0.25:
            return Question(label, "range", (Part(name, control, choices, hint=says["to"]),), attribute.name, "max")
        low, high = self.habits.ends
        parts = (
            Part(f"{name}{low}", control, choices, hint=says["from"]),
            Part(f"{name}{high}", control, choices, hint=says["to"]),
        )
        return Question(label, "range", parts, attribute.name, "range")

    def _date(self, attribute: Attribute, name: str, label: str) -> Question:
        says, wording = self.habits.says, self.habits.wording
        if self.rng.random() < 0.3:
            return Question(label, "date", (Part(name, "date", hint=says["from"]),), attribute.name, "since")
        days = tuple((str(day), str(day)) for day in range(1, 32))
        months = tuple((str(number), month) for number, month in enumerate(wording.months, 1))
        years = tuple((str(year), str(year)) for year in range(attribute.high, attribute.low - 1, -1))
        parts = tuple(
            Part(f"{name}{end}", "select", choices, hint=says[hint])
            for end, choices, hint in (("d", days, "day"), ("m", months, "month"), ("y", years, "year"))
        )
        return Question(label, "date", parts, attribute.name, "since")

    def _name(self, attribute: Attribute) -> str:
        return attribute_name(self.habits, self.attributes, attribute)


def attribute_name(habits: Habits, attributes: tuple[Attribute, ...], attribute: Attribute) -> str:
    """Return the name that forms and addresses of a site have for an attribute."""
    plain = attribute.name
    short = plain[0] + "".join(letter for letter in plain[1:] if letter not in "aeiou")
    number = next(place for place, each in enumerate(attributes) if each.name == plain)
    return habits.attributes.format(name=plain, short=f"{short}{number}", number=number + 1)


def keyword_question(habits: Habits, label: str = "", control: str = "text") -> Question:
    """Ask for words anywhere in a record."""
    return Question(label, "keyword", (Part(habits.name("keyword"), control),), "", "keyword")


def round_numbers(attribute: Attribute, count: int) -> list[int]:
    """Return about so many round numbers between the ends of an attribute."""
    rough = max(1, attribute.step, (attribute.high - attribute.low) // count)
    power = 10 ** (len(str(rough)) - 1)
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough)
    first = -(-attribute.low // step) * step
    return list(range(first, attribute.high + 1, step)) or [attribute.low]


def _state(name: str, value: str) -> Question:
    return Question("", "state", (Part(name, "hidden", value=value),))
