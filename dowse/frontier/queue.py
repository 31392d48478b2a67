"""The links that wait, by kind: the best of each first. What a kind is, and which is taken next, says who searches."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from dowse.model import LinkChoice

WaitingLink = tuple[float, int, LinkChoice]  # the worth is negative, so that the best comes first


@dataclass(slots=True)
class LinkQueue:
    """The links that wait, by kind: a guide picks the kind, the queue gives its best link, of equal ones the oldest.

    A link that is chosen again waits as it was chosen last.
    """

    kinds: dict[str, list[WaitingLink]] = field(default_factory=dict)
    heads: dict[str, LinkChoice] = field(default_factory=dict)  # the best of each kind
    orders: dict[str, int] = field(default_factory=dict)  # address -> when it was chosen last
    offered: int = 0

    def __contains__(self, url: str) -> bool:
        return url in self.orders

    def push(self, choice: LinkChoice, order: int | None = None) -> None:
        """Let a link wait, behind those of its worth unless an order is given."""
        if order is None:
            self.offered = order = self.offered + 1
        url = choice.link.url
        left = [kind for kind, head in self.heads.items() if head.link.url == url] if url in self.orders else ()
        self.orders[url] = order
        heapq.heappush(self.kinds.setdefault(choice.kind, []), (-choice.worth, order, choice))
        for kind in (choice.kind, *left):
            self._find_head(kind)

    def put_back(self, choice: LinkChoice) -> None:
        """Let a link that was taken wait again, before all others of its worth."""
        self.push(choice, 0)

    def pop(self, kind: str) -> LinkChoice:
        """Return the best link of a kind."""
        choice = heapq.heappop(self.kinds[kind])[2]
        del self.orders[choice.link.url]
        self._find_head(kind)
        return choice

    def remove(self, url: str) -> None:
        """Let a link wait no longer, if it does."""
        if self.orders.pop(url, None) is not None:
            for kind in [kind for kind, head in self.heads.items() if head.link.url == url]:
                self._find_head(kind)

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

    def rest(self) -> Iterable[LinkChoice]:
        """Return what still waits, in the order it was chosen."""
        waiting = sorted(chain.from_iterable(self.kinds.values()), key=lambda each: each[1])
        return (choice for _, order, choice in waiting if self.orders.get(choice.link.url) == order)
