"""What databases are about: the attributes of each topic, their values and how they hang together."""

from __future__ import annotations

from dataclasses import dataclass

_FIRST = (
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Elena",
    "Frank",
    "Grace",
    "Henry",
    "Ines",
    "Jonas",
    "Karin",
    "Liam",
    "Maria",
    "Noah",
    "Olga",
    "Paul",
    "Quinn",
    "Rosa",
    "Samuel",
    "Tara",
)
_LAST = (
    "Adler",
    "Becker",
    "Castro",
    "Dubois",
    "Eriksen",
    "Fischer",
    "García",
    "Hoffman",
    "Ivanov",
    "Jensen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
    "Petrov",
    "Quist",
    "Rossi",
    "Schmidt",
    "Tanaka",
    "Ueda",
    "Vargas",
    "Weber",
    "Xu",
    "Young",
    "Zimmer",
    "Andersson",
    "Brandt",
    "Conti",
    "Duarte",
    "Engel",
)
NAMES = tuple(f"{_FIRST[n % 20]} {_LAST[n * 7 % 31]}" for n in range(200))
_CITIES = (
    "Springfield",
    "Riverton",
    "Lakewood",
    "Fairview",
    "Georgetown",
    "Ashford",
    "Milton",
    "Kingsbury",
    "Oakdale",
    "Newport",
    "Easton",
    "Clifton",
    "Brighton",
    "Harlow",
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column of a database, and where its values come from."""

    name: str
    kind: str  # choice, several, number, title, child
    labels: tuple[str, ...]
    values: tuple[str, ...] = ()
    parent: str = ""  # the attribute that a child's value depends on
    children: tuple[tuple[str, tuple[str, ...]], ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject: what sites on it write about, and what their databases hold."""

    name: str
    noun: str
    nouns: tuple[str, ...]
    attributes: tuple[Attribute, ...]

    def attribute(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        return next(each for each in self.attributes if each.name == name)


def _choice(name: str, labels: str, values: str) -> Attribute:
    return Attribute(name, "choice", tuple(labels.split("|")), tuple(values.split("|")))


def _several(name: str, labels: str, values: tuple[str, ...]) -> Attribute:
    return Attribute(name, "several", tuple(labels.split("|")), values)


def _title(name: str, labels: str, heads: str, tails: str) -> Attribute:
    values = tuple(f"{head} {tail}" for head in heads.split("|") for tail in tails.split("|"))
    return Attribute(name, "title", tuple(labels.split("|")), values)


def _number(name: str, labels: str, low: int, high: int, step: int = 1) -> Attribute:
    return Attribute(name, "number", tuple(labels.split("|")), low=low, high=high, step=step)


def _child(name: str, labels: str, parent: str, table: str) -> Attribute:
    rows = tuple((head, tuple(tail.split(","))) for head, _, tail in (row.partition(":") for row in table.split("|")))
    return Attribute(name, "child", tuple(labels.split("|")), parent=parent, children=rows)


_MODELS = (
    "Toyota:Corolla,Camry,Yaris,RAV4|Ford:Focus,Fiesta,Mustang,Escort|Honda:Civic,Accord,Jazz|Volkswagen:Golf,Polo,Passat|"
    "BMW:318,520,X3|Fiat:Panda,Punto,Tipo|Renault:Clio,Megane|Volvo:V70,S40,XC60|Mazda:323,626|Saab:900,9000"
)
_DISTRICTS = "|".join(f"{city}:Old Town,{city} North,{city} Hills,Station" for city in _CITIES)
_GENERA = (
    "Rosaceae:Rosa,Prunus,Malus,Rubus|Asteraceae:Aster,Dahlia,Bellis|Lamiaceae:Salvia,Mentha,Thymus|Fabaceae:Lupinus,Vicia|"
    "Liliaceae:Lilium,Tulipa|Ericaceae:Erica,Calluna|Poaceae:Festuca,Poa|Apiaceae:Daucus,Anethum"
)

TOPICS: dict[str, Topic] = {
    topic.name: topic
    for topic in (
        Topic(
            "books",
            "Books",
            ("books", "authors", "novels", "paperbacks", "first editions"),
            (
                _title(
                    "title",
                    "Title|Book title|Name of book",
                    "The Silent|A Winter|Lost|The Glass|Beyond the|Seven|Under the|Last|The Painted",
                    "Garden|River|House|Letters|Mountain|Orchard|Harbour|Road|Mirror|Season|Clock",
                ),
                _several("author", "Author|Writer|By", NAMES),
                _choice(
                    "genre",
                    "Genre|Category|Subject",
                    "Fiction|Mystery|History|Biography|Science|Travel|Poetry|Children|Art|Cooking",
                ),
                _choice(
                    "publisher",
                    "Publisher|Press|Published by",
                    "Harrow & Sons|Bluebird Press|Meridian|Northgate|Lantern Books|Old Mill|Quay",
                ),
                _number("year", "Year|Published|Publication year", 1950, 2006),
                _number("price", "Price|Cost", 4, 80),
                _choice("format", "Format|Binding", "Paperback|Hardcover|Audio|Large print"),
            ),
        ),
        Topic(
            "cars",
            "Cars",
            ("cars", "engines", "dealers", "test drives", "used vehicles"),
            (
                _choice(
                    "make", "Make|Manufacturer|Brand", "|".join(row.partition(":")[0] for row in _MODELS.split("|"))
                ),
                _child("model", "Model|Type", "make", _MODELS),
                _number("year", "Year|Model year|Built", 1985, 2006),
                _number("price", "Price|Asking price", 500, 40000, 500),
                _number("mileage", "Mileage|Miles|Odometer", 0, 200000, 5000),
                _choice("fuel", "Fuel|Engine", "Petrol|Diesel|Hybrid|Electric|LPG"),
                _choice("colour", "Colour|Paint", "Silver|Black|White|Blue|Red|Green"),
            ),
        ),
        Topic(
            "jobs",
            "Jobs",
            ("jobs", "careers", "employers", "interviews", "vacancies"),
            (
                _title(
                    "position",
                    "Position|Job title|Vacancy",
                    "Senior|Junior|Assistant|Lead|Temporary|Night|Chief",
                    "Accountant|Nurse|Engineer|Driver|Teacher|Cook|Analyst|Carpenter|Clerk|Designer|Technician",
                ),
                _choice(
                    "company",
                    "Company|Employer|Organisation",
                    "Acme Freight|Borealis|City Hospital|Delta Foods|Everline|Foundry Group|Grand Hotel|Hillside School",
                ),
                _choice("city", "City|Location|Where|Place of work", "|".join(_CITIES)),
                _choice(
                    "category",
                    "Category|Industry|Field",
                    "Health|Engineering|Office|Transport|Education|Hospitality|Trades|Finance",
                ),
                _choice("contract", "Contract|Type of contract", "Full time|Part time|Seasonal|Internship"),
                _number("salary", "Salary|Pay", 15000, 95000, 1000),
            ),
        ),
        Topic(
            "homes",
            "Homes",
            ("homes", "apartments", "landlords", "open houses", "mortgages"),
            (
                _choice("city", "City|Town|Location", "|".join(_CITIES)),
                _child("district", "District|Area|Neighbourhood", "city", _DISTRICTS),
                _choice("type", "Type|Property type|Kind", "House|Apartment|Studio|Cottage|Loft|Farm"),
                _number("bedrooms", "Bedrooms|Beds|Rooms", 1, 7),
                _number("price", "Price|Rent|Asking price", 60, 900, 10),
                _number("surface", "Surface|Square metres|Size", 20, 320, 5),
                _several(
                    "features",
                    "Features|Amenities",
                    ("Garden", "Garage", "Balcony", "Fireplace", "Cellar", "Lift", "Pool"),
                ),
            ),
        ),
        Topic(
            "recipes",
            "Recipes",
            ("recipes", "kitchens", "soups", "dinners", "ingredients"),
            (
                _title(
                    "name",
                    "Recipe|Dish|Name",
                    "Roasted|Grilled|Spicy|Creamy|Grandmother's|Quick|Sweet|Stuffed",
                    "Peppers|Chicken|Noodles|Potatoes|Lentil soup|Salmon|Pancakes|Pie|Rice|Beans|Aubergine",
                ),
                _choice(
                    "cuisine", "Cuisine|Origin|Country", "Italian|Indian|French|Mexican|Thai|Greek|Polish|Moroccan"
                ),
                _choice("course", "Course|Meal", "Main|Starter|Dessert|Soup|Salad|Snack"),
                _several(
                    "ingredient",
                    "Ingredient|Made with|Contains",
                    (
                        "Garlic",
                        "Onion",
                        "Tomato",
                        "Butter",
                        "Basil",
                        "Ginger",
                        "Lemon",
                        "Cream",
                        "Chili",
                        "Honey",
                        "Mint",
                        "Olives",
                    ),
                ),
                _number("minutes", "Minutes|Time|Cooking time", 5, 180, 5),
            ),
        ),
        Topic(
            "films",
            "Films",
            ("films", "directors", "cinemas", "festivals", "screenplays"),
            (
                _title(
                    "title",
                    "Title|Film|Movie title",
                    "Return of the|Midnight|The Paper|Broken|City of|My|The Thirteenth|Electric",
                    "Train|Strangers|Summer|King|Detective|Lights|Island|Brother|Machine|Dance",
                ),
                _choice("director", "Director|Directed by", "|".join(NAMES[:40])),
                _several("actor", "Actor|Starring|Cast", NAMES),
                _choice("genre", "Genre|Kind", "Drama|Comedy|Thriller|Western|Horror|Musical|Documentary|Animation"),
                _choice("country", "Country|Made in", "USA|France|Italy|Japan|India|Sweden|Mexico"),
                _number("year", "Year|Released", 1930, 2006),
            ),
        ),
        Topic(
            "papers",
            "Papers",
            ("papers", "journals", "conferences", "reviewers", "citations"),
            (
                _title(
                    "title",
                    "Title|Paper title",
                    "On the|Towards|Fast|A survey of|Notes on|Optimal|Robust|Learning",
                    "graph partitions|query plans|protein folds|sparse matrices|routing tables|crystal growth|tree indexes|soil samples",
                ),
                _several("author", "Author|Authors|Written by", NAMES),
                _choice(
                    "journal",
                    "Journal|Published in|Venue",
                    "Annals of Systems|J. Applied Data|Proc. Networks|Letters in Biology|Acta Mechanica|Bulletin of Geology",
                ),
                _number("year", "Year|Date", 1975, 2006),
                _several(
                    "keyword",
                    "Subject|Topic|Index term",
                    (
                        "databases",
                        "graphs",
                        "genomics",
                        "networks",
                        "materials",
                        "logic",
                        "climate",
                        "vision",
                        "hydrology",
                    ),
                ),
            ),
        ),
        Topic(
            "plants",
            "Plants",
            ("plants", "gardens", "seeds", "perennials", "nurseries"),
            (
                _title(
                    "name",
                    "Name|Common name|Plant",
                    "Mountain|Golden|Creeping|Dwarf|Wild|Giant|Blue|Scarlet",
                    "bell|sage|lily|mint|rose|fescue|heather|clover|daisy|cherry",
                ),
                _choice("family", "Family|Plant family", "|".join(row.partition(":")[0] for row in _GENERA.split("|"))),
                _child("genus", "Genus|Latin name", "family", _GENERA),
                _choice("flower", "Flower|Flower colour|Bloom", "White|Yellow|Pink|Blue|Red|Violet"),
                _number("height", "Height|Height in cm", 5, 400, 5),
                _choice("soil", "Soil|Ground", "Sandy|Clay|Loam|Chalk|Peat"),
            ),
        ),
    )
}
TOPIC_NAMES = tuple(TOPICS)
