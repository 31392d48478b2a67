"""Query forms: from one keyword box to eight fields, each over a database of its site."""

from __future__ import annotations

from random import Random

from dowse.sim import words
from dowse.sim.attributes import Attribute, Topic
from dowse.sim.chance import Shares, by_share, skewed
from dowse.sim.databases import DatabasePlan, choices_of
from dowse.sim.formplan import Choice, FieldPlan, FormPlan, Placement
from dowse.sim.habits import Habits
from dowse.sim.topics import TOPIC_NAMES, TOPICS

DEEP_SHARE = 0.25  # sites with a database; paper 1 says "most have none"
FORM_COUNTS = (1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 10)  # 4.2 on average, paper 1
# Paper 1, Figure 3: 94 % within depth 3, none below 5; Figure 17: 29 % on the root page.
DEPTHS: Shares = (("0", 0.28), ("1", 0.30), ("2", 0.22), ("3", 0.14), ("4", 0.04), ("5", 0.02))
MENU_SHARE = 0.87  # paper 1, Section 4.1: of the query forms that are not on root pages
ACTIONS = (
    "/results",
    "/find.php",
    "/catalog/query.asp",
    "/s",
    "/search/results.html",
    "/db/list",
    "/lookup.cgi",
    "/browse.jsp",
    "/cgi/search.pl",
    "/listings",
    "/api/find",
    "/qry.dll",
    "/do/search",
    "/inventory.cfm",
)
HIDDEN: tuple[Choice, ...] = (
    ("lang", "en"),
    ("mode", "adv"),
    ("submitted", "1"),
    ("src", "web"),
    ("cmd", "find"),
    ("v", "2"),
)
BOXES = ("one", "pair", "two", "few", "many", "many")


def plan_databases(rng: Random, topic: str, key: str, host: str) -> tuple[DatabasePlan, ...]:
    """Plan the databases of a deep-web site: mostly one, on its topic."""
    count = 1 + (rng.random() < 0.25) + (rng.random() < 0.08)
    topics = [topic] + [rng.choice(TOPIC_NAMES) for _ in range(count - 1)]
    return tuple(
        DatabasePlan(number, f"{host}/{number}", each, int(50 + 350 * rng.random() ** 2), f"{key}/db{number}")
        for number, each in enumerate(topics)
    )


def plan_query_forms(rng: Random, databases: tuple[DatabasePlan, ...], habits: Habits) -> list[Placement]:
    """Plan the query forms of a site; no two send the same names to the same place."""
    wanted = max(rng.choice(FORM_COUNTS), len(databases))
    actions = rng.sample(ACTIONS, len(databases) + 2)
    placed: dict[tuple[str, tuple[str, ...]], Placement] = {}
    everywhere = "header" if rng.random() < 0.2 else "content"
    for number in range(wanted * 4):
        database = databases[len(placed) % len(databases)]
        own = _Writer(rng, TOPICS[database.topic], habits, database.number)
        action = actions[database.number] if rng.random() < 0.8 else actions[-1 - (database.number + number) % 2]
        form = own.write(
            f"/{database.topic}{database.number}{action}" if database.number else action,
            "header" if not placed and everywhere == "header" else "content",
        )
        placed.setdefault((form.action, form.names), _place(rng, form, own.topic))
        if len(placed) == wanted:
            break
    return list(placed.values())


def _place(rng: Random, form: FormPlan, topic: Topic) -> Placement:
    if form.place != "content":
        return Placement(form, 0)
    depth = int(by_share(rng, DEPTHS) or "1")
    menu = "in" if rng.random() < MENU_SHARE else "out"
    titles = words.SEARCH_PAGES if menu == "in" else words.ADVANCED
    return Placement(form, depth, rng.choice(titles).format(n=topic.noun), menu)


class _Writer:
    """Writes forms over one database with its author's names."""

    def __init__(self, rng: Random, topic: Topic, habits: Habits, number: int) -> None:
        self.rng, self.topic, self.habits, self.number = rng, topic, habits, number

    def write(self, action: str, place: str) -> FormPlan:
        """Write one form: some of the attributes, with controls that suit them."""
        rng = self.rng
        box = "one" if place == "header" else rng.choice(BOXES)
        fields = self._fields(box)
        if rng.random() < 0.3:
            name, value = rng.choice(HIDDEN)
            fields.append(FieldPlan(name, "hidden", value=value))
        return FormPlan(
            kind="database",
            heading=rng.choice(words.SEARCH_PAGES).format(n=self.topic.noun),
            method="POST" if rng.random() < 0.15 else "GET",
            action=action,
            fields=tuple(fields),
            button=self.habits.button,
            button_name=rng.choice(("", "", "submit", "go", "btn")),
            place=place,
            database=self.number,
        )

    def _fields(self, box: str) -> list[FieldPlan]:
        rng = self.rng
        if box == "one":
            return [self._keyword()] if rng.random() < 0.7 else self._controls(self.topic.attributes[0])[:1]
        wanted = {"pair": 1, "two": 2, "few": 3, "many": len(self.topic.attributes)}[box]
        chosen = sorted(rng.sample(range(len(self.topic.attributes)), wanted))
        fields = [self._keyword()] if box == "pair" or rng.random() < 0.4 else []
        for number in chosen:
            fields += self._controls(self.topic.attributes[number])
        return fields[:8]

    def _keyword(self) -> FieldPlan:
        names = words.KEYWORD_NAMES
        name = names[sum(self.habits.site_name.encode()) % len(names)]
        return FieldPlan(name, "text", self.rng.choice(words.KEYWORD_LABELS), operator="keyword")

    def _controls(self, attribute: Attribute) -> list[FieldPlan]:
        label, name = self.rng.choice(attribute.labels), self._name(attribute)
        if attribute.kind == "number":
            return self._range(attribute, name, label)
        if attribute.kind in ("title", "several") and len(attribute.values) > 14:
            return [FieldPlan(name, "text", label, operator="contains", attribute=attribute.name)]
        choices = self._choices(attribute)
        control = "radio" if len(choices) <= 6 and self.rng.random() < 0.4 else "select"
        return [FieldPlan(name, control, label, choices, operator="equals", attribute=attribute.name)]

    def _choices(self, attribute: Attribute) -> tuple[Choice, ...]:
        values = choices_of(attribute)
        if (
            len(self.habits.site_name) + self.topic.attributes.index(attribute)
        ) % 4 == 0:  # codes, the same in every form
            return tuple((str(number), value) for number, value in enumerate(values, 1))
        return tuple((value, value) for value in values)

    def _range(self, attribute: Attribute, name: str, label: str) -> list[FieldPlan]:
        low, high = skewed(self.rng, (("min", "max"), ("from", "to"), ("lo", "hi"), ("1", "2")))
        choices: tuple[Choice, ...] = ()
        if self.rng.random() < 0.5:
            step = max(attribute.step, (attribute.high - attribute.low) // 8)
            choices = tuple((str(value), str(value)) for value in range(attribute.low, attribute.high, step))
        control = "select" if choices else "text"
        ends = ((low, "min", f"{label} from"), (high, "max", "to"))
        return [
            FieldPlan(f"{name}_{end}", control, text, choices, "", operator, attribute.name)
            for end, operator, text in ends
        ]

    def _name(self, attribute: Attribute) -> str:
        plain, style = attribute.name, self.habits.names
        position = self.topic.attributes.index(attribute)
        if style == "short":
            return plain[0] + "".join(letter for letter in plain[1:] if letter not in "aeiou") + str(position)
        if style == "prefixed":
            return f"f_{self.topic.name[:-1]}_{plain}"
        if style == "camel":
            return f"search{plain.title()}"
        return f"p{position + 1}" if style == "opaque" else plain
