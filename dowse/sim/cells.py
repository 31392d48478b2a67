"""Which topic and language a site has, in constant time both ways: from its number, and to a site that has them.

Sites come in blocks of 64. Each block has eight sites on every topic, in an order of its own: three in English and five
in other languages, which take turns from block to block.
"""

from __future__ import annotations

from dowse.sim.chance import mix
from dowse.sim.tables import TOPIC_NAMES
from dowse.sim.wording import LANGUAGES

BLOCK = 64
TOPIC_SITES = 8  # of a block
ENGLISH = 3  # of them
OTHERS = LANGUAGES[1:]


def cell_of(key: int, index: int) -> tuple[str, str]:
    """Return a site's topic and language."""
    block, place = divmod(index, BLOCK)
    factor, shift = _order(key, block)
    cell = (place - shift) * pow(factor, -1, BLOCK) % BLOCK
    topic, turn = divmod(cell, TOPIC_SITES)
    return TOPIC_NAMES[topic], _language(block, turn)


def site_like(key: int, block: int, topic: str, language: str, chance: int) -> int:
    """Return a site of a block with that topic, and with that language when the block has one."""
    turns = [turn for turn in range(TOPIC_SITES) if _language(block, turn) == language] or [chance % TOPIC_SITES]
    cell = TOPIC_NAMES.index(topic) * TOPIC_SITES + turns[chance % len(turns)]
    factor, shift = _order(key, block)
    return block * BLOCK + (cell * factor + shift) % BLOCK


def _order(key: int, block: int) -> tuple[int, int]:
    bits = mix(key ^ 0x51735, block)
    return bits % (BLOCK // 2) * 2 + 1, bits >> 32


def _language(block: int, turn: int) -> str:
    if turn < ENGLISH:
        return LANGUAGES[0]
    others = TOPIC_SITES - ENGLISH
    return OTHERS[(turn - ENGLISH + others * block) % len(OTHERS)]
