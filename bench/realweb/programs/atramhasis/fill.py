"""Make a vocabulary of places, with a collection for each country, and one of kinds of objects; run by the program's own Python."""

import json
import sys
from pathlib import Path

from atramhasis.data.models import Base, ExpandStrategy, IDGenerationStrategy, Provider
from skosprovider_sqlalchemy.models import Base as SkosBase
from skosprovider_sqlalchemy.models import Collection, Concept, ConceptScheme, Initialiser, Label, Language, Note
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

folder = Path(sys.argv[1])


def add_scheme(session, name, title):
    address = f"http://atramhasis.real.example/conceptschemes/{name}"
    scheme = ConceptScheme(uri=address, labels=[Label(title, "prefLabel", "en")])
    session.add(scheme)
    session.flush()
    meta = {"default_language": "en", "subject": [], "atramhasis.id_generation_strategy": "NUMERIC"}
    provider = Provider(id=name, conceptscheme=scheme, uri_pattern=address + "/c/%s", meta=meta)
    provider.expand_strategy = ExpandStrategy.RECURSE
    provider.id_generation_strategy = IDGenerationStrategy.NUMERIC
    session.add(provider)
    return scheme


def add_things(session, scheme, name):
    countries = {}
    with open(folder / f"{name}.jsonl", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    for record in records:
        thing = Concept(concept_id=record["number"], uri=f"{scheme.uri}/c/{record['number']}", conceptscheme=scheme)
        thing.labels.append(Label(record["label"], "prefLabel", "en"))
        if "note" in record:
            thing.notes.append(Note(record["note"], "note", "en"))
            countries.setdefault(record["country"], set()).add(thing)
        session.add(thing)
    for number, country in enumerate(sorted(countries), len(records) + 1):
        thing = Collection(concept_id=number, uri=f"{scheme.uri}/c/{number}", conceptscheme=scheme)
        thing.labels.append(Label(country, "prefLabel", "en"))
        thing.members = countries[country]
        session.add(thing)


engine = create_engine(f"sqlite:///{folder / 'data.db'}")
SkosBase.metadata.create_all(engine)
Base.metadata.create_all(engine)
with Session(engine) as session:
    Initialiser(session).init_all()
    if session.get(Language, "en") is None:
        session.add(Language("en", "English"))
    for name, title in (("places", "Places"), ("objects", "Kinds of objects")):
        add_things(session, add_scheme(session, name.upper(), title), name)
    session.commit()
