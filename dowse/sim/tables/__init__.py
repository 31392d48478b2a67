"""The databases behind simulated query forms.

A made database holds up to half a million records in constant memory: no record is kept. Each attribute has a keyed
shuffle of the record numbers (`shuffle`), and a power law that shares the places of the shuffle among the values
(`law`). So the value of a record is arithmetic, and the records of a value are those of a row of places. Sets of
places are joined and cut without listing records (`matches`). A database read from a file (`files`) is asked in the
same way.
"""

from __future__ import annotations

from dowse.sim.tables.blocks import Block, Stock, draw_shape
from dowse.sim.tables.files import read_table
from dowse.sim.tables.records import Records
from dowse.sim.tables.table import Ask, Attribute, Order, Table
from dowse.sim.tables.topics import TOPIC_NAMES, describe_topic
from dowse.sim.wording import Wording

__all__ = (
    "TOPIC_NAMES",
    "Ask",
    "Attribute",
    "Order",
    "Table",
    "describe_topic",
    "make_table",
    "read_table",
)


def make_table(topic: str, wording: Wording, key: str, sizes: tuple[int, ...]) -> Table:
    """Make a database: the first size is what it began with, each later one was added since.

    A block of records depends on the key, its position and its own size only, so what is added changes nothing older.
    """
    attributes = describe_topic(topic, wording)
    stock = Stock(topic, wording, f"{topic}/{key}", draw_shape(key))
    return Records(attributes, [Block(stock, at, size, attributes) for at, size in enumerate(sizes)])
