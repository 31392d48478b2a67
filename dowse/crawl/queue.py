"""The links of a site that wait to be followed, by kind: a guide picks the kind, the queue gives its best link."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from dowse.model import Choice

Waiting = tuple[float, int, Choice]  # the worth is negative, so that the best comes first


@dataclass(slots=True)
class Queue:
    """What waits: within a kind the best comes first, then the oldest. A link that is chosen again waits as it was chosen last."""

    kinds: dict[str, list[Waiting]] = field(default_factory=dict)
    heads: dict[str, Choice] = field(default_factory=dict)  # the best of each kind
    orders: dict[str, int] = field(default_factory=dict)  # address -> when it was chosen last
    offered: int = 0

    def __contains__(self, url: str) -> bool:
        return url in self.orders

    def push(self, choice: Choice) -> None:
        """Let a link wait."""
        self.offered += 1
        self._put(choice, self.offered)

    def put_back(self, choice: Choice) -> None:
        """Let a link that was taken wait again, before all others of its worth."""
        self._put(choice, 0)

    def _put(self, choice: Choice, order: int) -> None:
        url = choice.link.url
        left = [kind for kind, head in self.heads.items() if head.link.url == url] if url in self.orders else ()
        self.orders[url] = order
        heapq.heappush(self.kinds.setdefault(choice.kind, []), (-choice.worth, order, choice))
        for kind in (choice.kind, *left):
            self._find_head(kind)

    def pop(self, kind: str) -> Choice:
        """Return the best link of a kind."""
        choice = heapq.heappop(self.kinds[kind])[2]
        del self.orders[choice.link.url]
        self._find_head(kind)
        return choice

    def _find_head(self, kind: str) -> None:
        """Note the best link of a kind, past those that were chosen again as another."""
        waiting = self.kinds.get(kind, [])
        while waiting and self.orders.get(waiting[0][2].link.url) != waiting[0][1]:
            heapq.heappop(waiting)
        if waiting:
            self.heads[kind] = waiting[0][2]
        else:
            self.kinds.pop(kind, None)
            self.heads.pop(kind, None)

    def rest(self) -> Iterable[Choice]:
        """Return what still waits, in the order it was chosen."""
        waiting = sorted(chain.from_iterable(self.kinds.values()), key=lambda each: each[1])
        return (choice for _, order, choice in waiting if self.orders.get(choice.link.url) == order)
