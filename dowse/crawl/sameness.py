"""What a site shows about its own addresses: parameters and orders that do not matter."""

from __future__ import annotations

from dataclasses import dataclass, field

from dowse.crawl.shape import parameters, path_and_query
from dowse.url import sorted_parameters

WITNESSES = 2  # equal pages until a parameter counts as noise
MAX_PARAMETERS = 8


@dataclass(slots=True)
class Sameness:
    """Learns, from pages that were equal or not, which addresses of a site mean the same."""

    noise: set[str] = field(default_factory=set)
    order_matters: bool = True
    _contents: dict[str, int] = field(default_factory=dict)  # an address without one parameter -> content seen there
    _equal: dict[str, int] = field(default_factory=dict)
    _different: set[str] = field(default_factory=set)
    _orders: dict[str, tuple[str, int]] = field(default_factory=dict)  # sorted address -> first address, content

    def key(self, url: str) -> str:
        """Return the address as the site means it."""
        if "?" not in url:
            return url
        if self.noise:
            url = _without(url, self.noise)
        return url if self.order_matters else sorted_parameters(url)

    def learn(self, url: str, content: int) -> bool:
        """Take note of what an address showed; say whether addresses have a new meaning now."""
        pairs = parameters(path_and_query(url)[1])
        if not pairs or len(pairs) > MAX_PARAMETERS:
            return False
        before = len(self.noise), self.order_matters
        self._learn_order(url, content)
        for name in {name for name, _ in pairs} - self.noise:
            self._learn_parameter(name, _without(url, {name}), content)
        return before != (len(self.noise), self.order_matters)

    def _learn_order(self, url: str, content: int) -> None:
        first, seen = self._orders.setdefault(sorted_parameters(url), (url, content))
        if first != url and seen == content:
            self.order_matters = False

    def _learn_parameter(self, name: str, rest: str, content: int) -> None:
        group = f"{name} {rest}"
        if group not in self._contents:
            self._contents[group] = content
            return
        if self._contents[group] != content:
            self._different.add(name)
            return
        self._equal[name] = self._equal.get(name, 0) + 1
        if self._equal[name] >= WITNESSES and name not in self._different:
            self.noise.add(name)


def _without(url: str, names: set[str]) -> str:
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part.partition("=")[0] not in names]
    return f"{head}?{'&'.join(kept)}" if kept else head
