"""The 14 features of paper 2 (Barbosa and Freire, WebDB 2005, section 3.3), from a form's controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

FEATURES = (
    "hidden tags", "checkboxes", "radio tags", "file inputs", "submit tags", "image inputs", "buttons", "resets",
    "password tags", "textboxes", "items in selects", "text sizes in textboxes", "post", "search in the form",
)  # fmt: skip
NOMINAL = (12, 13)  # the places of the two that are not counts
WORD = "search"
_TYPES = ("hidden", "checkbox", "radio", "file", "submit", "image", "button", "reset", "password", "text")
_COUNTED = (*_TYPES, "option")
_TEXT_SIZE = 20  # of a textbox that does not say (HTML 4.01, 17.4: up to the browser; all take 20)
_SIZE_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Control:
    """A control or option of a form: its tag, its type and its size as written."""

    tag: str
    type: str = ""
    size: str = ""


def name_control(control: Control) -> str:
    """Return what a control is counted as: an input of a type nobody knew in 2005 is a textbox, as it was then."""
    said = control.type.strip().lower()
    if control.tag == "input":
        return said if said in _TYPES else "text"
    if control.tag == "button":
        return said if said in ("reset", "button") else "submit"
    return control.tag


def measure_form(controls: Iterable[Control], method: str, inside: str) -> list[float]:
    """Return the 14 features of a form, `inside` being all that is written from its start tag to its end tag."""
    counts: Counter[str] = Counter()
    sizes = 0
    for control in controls:
        name = name_control(control)
        counts[name] += 1
        sizes += _read_size(control.size) if name == "text" else 0
    post = method.strip().lower() == "post"
    return [*(float(counts[name]) for name in _COUNTED), float(sizes), float(post), float(WORD in inside.lower())]


def _read_size(said: str) -> int:
    said = said.strip()
    return min(int(said), _SIZE_LIMIT) if said.isascii() and said.isdigit() and len(said) < 10 else _TEXT_SIZE
