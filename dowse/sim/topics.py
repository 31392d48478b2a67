"""What databases are about: the attributes of each topic, their values and how they hang together."""

from __future__ import annotations

from dowse.sim.attributes import Topic, child, choice, number, several, title

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
                title(
                    "title",
                    "Title|Book title|Name of book",
                    "The Silent|A Winter|Lost|The Glass|Beyond the|Seven|Under the|Last|The Painted",
                    "Garden|River|House|Letters|Mountain|Orchard|Harbour|Road|Mirror|Season|Clock",
                ),
                several("author", "Author|Writer|By", NAMES),
                choice(
                    "genre",
                    "Genre|Category|Subject",
                    "Fiction|Mystery|History|Biography|Science|Travel|Poetry|Children|Art|Cooking",
                ),
                choice(
                    "publisher",
                    "Publisher|Press|Published by",
                    "Harrow & Sons|Bluebird Press|Meridian|Northgate|Lantern Books|Old Mill|Quay",
                ),
                number("year", "Year|Published|Publication year", 1950, 2006),
                number("price", "Price|Cost", 4, 80),
                choice("format", "Format|Binding", "Paperback|Hardcover|Audio|Large print"),
            ),
        ),
        Topic(
            "cars",
            "Cars",
            ("cars", "engines", "dealers", "test drives", "used vehicles"),
            (
                choice(
                    "make", "Make|Manufacturer|Brand", "|".join(row.partition(":")[0] for row in _MODELS.split("|"))
                ),
                child("model", "Model|Type", "make", _MODELS),
                number("year", "Year|Model year|Built", 1985, 2006),
                number("price", "Price|Asking price", 500, 40000, 500),
                number("mileage", "Mileage|Miles|Odometer", 0, 200000, 5000),
                choice("fuel", "Fuel|Engine", "Petrol|Diesel|Hybrid|Electric|LPG"),
                choice("colour", "Colour|Paint", "Silver|Black|White|Blue|Red|Green"),
            ),
        ),
        Topic(
            "jobs",
            "Jobs",
            ("jobs", "careers", "employers", "interviews", "vacancies"),
            (
                title(
                    "position",
                    "Position|Job title|Vacancy",
                    "Senior|Junior|Assistant|Lead|Temporary|Night|Chief",
                    "Accountant|Nurse|Engineer|Driver|Teacher|Cook|Analyst|Carpenter|Clerk|Designer|Technician",
                ),
                choice(
                    "company",
                    "Company|Employer|Organisation",
                    "Acme|Borealis|City Hospital|Delta Foods|Everline|Foundry Group|Grand Hotel|Hillside School",
                ),
                choice("city", "City|Location|Where|Place of work", "|".join(_CITIES)),
                choice(
                    "category",
                    "Category|Industry|Field",
                    "Health|Engineering|Office|Transport|Education|Hospitality|Trades|Finance",
                ),
                choice("contract", "Contract|Type of contract", "Full time|Part time|Seasonal|Internship"),
                number("salary", "Salary|Pay", 15000, 95000, 1000),
            ),
        ),
        Topic(
            "homes",
            "Homes",
            ("homes", "apartments", "landlords", "open houses", "mortgages"),
            (
                choice("city", "City|Town|Location", "|".join(_CITIES)),
                child("district", "District|Area|Neighbourhood", "city", _DISTRICTS),
                choice("type", "Type|Property type|Kind", "House|Apartment|Studio|Cottage|Loft|Farm"),
                number("bedrooms", "Bedrooms|Beds|Rooms", 1, 7),
                number("price", "Price|Rent|Asking price", 60, 900, 10),
                number("surface", "Surface|Square metres|Size", 20, 320, 5),
                several(
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
                title(
                    "name",
                    "Recipe|Dish|Name",
                    "Roasted|Grilled|Spicy|Creamy|Grandmother's|Quick|Sweet|Stuffed",
                    "Peppers|Chicken|Noodles|Potatoes|Lentil soup|Salmon|Pancakes|Pie|Rice|Beans|Aubergine",
                ),
                choice("cuisine", "Cuisine|Origin|Country", "Italian|Indian|French|Mexican|Thai|Greek|Polish|Moroccan"),
                choice("course", "Course|Meal", "Main|Starter|Dessert|Soup|Salad|Snack"),
                several(
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
                number("minutes", "Minutes|Time|Cooking time", 5, 180, 5),
            ),
        ),
        Topic(
            "films",
            "Films",
            ("films", "directors", "cinemas", "festivals", "screenplays"),
            (
                title(
                    "title",
                    "Title|Film|Movie title",
                    "Return of the|Midnight|The Paper|Broken|City of|My|The Thirteenth|Electric",
                    "Train|Strangers|Summer|King|Detective|Lights|Island|Brother|Machine|Dance",
                ),
                choice("director", "Director|Directed by", "|".join(NAMES[:40])),
                several("actor", "Actor|Starring|Cast", NAMES),
                choice("genre", "Genre|Kind", "Drama|Comedy|Thriller|Western|Horror|Musical|Documentary|Animation"),
                choice("country", "Country|Made in", "USA|France|Italy|Japan|India|Sweden|Mexico"),
                number("year", "Year|Released", 1930, 2006),
            ),
        ),
        Topic(
            "papers",
            "Papers",
            ("papers", "journals", "conferences", "reviewers", "citations"),
            (
                title(
                    "title",
                    "Title|Paper title",
                    "On the|Towards|Fast|A survey of|Notes on|Optimal|Robust|Learning",
                    "graph partitions|query plans|protein folds|matrices|routing tables|tree indexes|soil samples",
                ),
                several("author", "Author|Authors|Written by", NAMES),
                choice(
                    "journal",
                    "Journal|Published in|Venue",
                    "Annals of Systems|J. Applied Data|Proc. Networks|Letters in Biology|Acta Mechanica|Geology",
                ),
                number("year", "Year|Date", 1975, 2006),
                several(
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
                title(
                    "name",
                    "Name|Common name|Plant",
                    "Mountain|Golden|Creeping|Dwarf|Wild|Giant|Blue|Scarlet",
                    "bell|sage|lily|mint|rose|fescue|heather|clover|daisy|cherry",
                ),
                choice("family", "Family|Plant family", "|".join(row.partition(":")[0] for row in _GENERA.split("|"))),
                child("genus", "Genus|Latin name", "family", _GENERA),
                choice("flower", "Flower|Flower colour|Bloom", "White|Yellow|Pink|Blue|Red|Violet"),
                number("height", "Height|Height in cm", 5, 400, 5),
                choice("soil", "Soil|Ground", "Sandy|Clay|Loam|Chalk|Peat"),
            ),
        ),
    )
}
TOPIC_NAMES = tuple(TOPICS)
