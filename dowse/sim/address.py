"""Addresses within a site: a path and its parameters, and how a page writes a link to one."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote_plus

Params = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Address:
    """A path and its parameters, in order."""

    path: str
    params: Params = ()

    def __str__(self) -> str:
        if not self.params:
            return self.path
        return f"{self.path}?{'&'.join(f'{quote_plus(name)}={quote_plus(value)}' for name, value in self.params)}"

    def get(self, name: str) -> str:
        """Return the first parameter of that name, or nothing."""
        return next((value for key, value in self.params if key == name), "")

    def put(self, *params: tuple[str, str]) -> Address:
        """Return the address with these parameters, in place of others of their names."""
        names = {name for name, _ in params}
        return Address(self.path, (*self.without(*names).params, *params))

    def without(self, *names: str) -> Address:
        """Return the address without the parameters of these names."""
        return Address(self.path, tuple(each for each in self.params if each[0] not in names))


def split_address(text: str, encoding: str = "latin-1") -> Address:
    """Read a path and a query."""
    path, mark, query = text.partition("?")
    return Address(path or "/", read_params(query, encoding) if mark else ())


def read_params(query: str, encoding: str = "latin-1") -> Params:
    """Read parameters; bytes that are not UTF-8 are in the site's own encoding, as old forms send them."""
    try:
        return tuple(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=200))
    except UnicodeDecodeError:
        return tuple(parse_qsl(query, keep_blank_values=True, encoding=encoding, errors="replace", max_num_fields=200))
    except ValueError:  # more fields than anyone sends
        return ()


@dataclass(frozen=True, slots=True)
class LinkWriter:
    """Writes the links of one page the way its author does."""

    origin: str
    here: str  # path of the page
    style: str  # one of habits.HREFS
    ampersand: str
    session: str = ""  # added to every address: `;name=value` to the path, else `name=value` to the query

    def __call__(self, path: str) -> str:
        """Return what to write in href for a path of the same site."""
        return self.plain(self._with_session(path) if self.session else path)

    def plain(self, path: str) -> str:
        """Return the same without a session: what forms send to."""
        if self.style == "absolute":
            path = self.origin + path
        elif self.style == "protocol":
            path = self.origin[5:] + path
        elif self.style == "base":
            path = path[1:] or "./"
        elif self.style == "relative":
            path = relative(self.here, path)
        return path.replace("&", self.ampersand) if self.ampersand != "&" else path

    def _with_session(self, path: str) -> str:
        if not self.session.startswith(";"):
            return f"{path}{'&' if '?' in path else '?'}{self.session}"
        head, mark, query = path.partition("?")
        return f"{head}{self.session}{mark}{query}"


def relative(here: str, there: str) -> str:
    """Return the way from one path to another, with as many dots as it takes."""
    path, mark, query = there.partition("?")
    folders, target = here.partition("?")[0].split("/")[1:-1], path.split("/")[1:]
    same = 0
    while same < min(len(folders), len(target) - 1) and folders[same] == target[same]:
        same += 1
    return ("../" * (len(folders) - same) + "/".join(target[same:]) or "./") + mark + query
