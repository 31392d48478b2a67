"""The words for controls: headings, labels, and what stands beside them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from dowse.page.layout import HEADING, LABEL, LINK, Cell, Layout, Mark, Run, climb
from dowse.page.parser import DOCUMENT, HtmlNode, Tree, attribute, descend, is_same
from dowse.page.text import collapse, read_words, read_words_before

# --- heading
# What stands over a form: a heading in it before the first control, or just before it.

MAX_WORDS = 200  # characters
MAX_INSIDE = 16  # tags and texts in a form before its heading
MAX_BEFORE = 6  # tags and texts between a heading and the form under it
MAX_UP = 3  # elements around a form that may stand under a heading
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption"})
_BOLD = frozenset({"strong", "b"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_HOLDERS = frozenset({"div", "header", "p", "center", "td", "hgroup"})


def find_heading(form: HtmlNode) -> str:
    """Return the heading of a form, or nothing."""
    return _find_inside(form) or _find_before(form)


def _find_inside(form: HtmlNode) -> str:
    for part in islice(descend(form), MAX_INSIDE):
        tag = part.tag
        if tag in HEADINGS:
            return read_words(part, MAX_WORDS)
        if tag in _CONTROLS and attribute(part, "type") != "hidden":
            return ""
    return ""


def _find_before(form: HtmlNode) -> str:
    place = form
    for _ in range(MAX_UP):
        before = place.prev
        for _ in range(MAX_BEFORE):
            if before is None:
                break
            if _heads(before):
                return read_words(before, MAX_WORDS)
            before = before.prev
        if place.parent is None or place.parent.tag in ("body", "html", "form", DOCUMENT):
            return ""
        place = place.parent
    return ""


def _heads(part: HtmlNode) -> bool:
    """Return True if an element is a heading, a line of bold words, or holds one and little else."""
    tag = part.tag
    if tag in HEADINGS or tag in _BOLD:
        return True
    if tag not in _HOLDERS:
        return False
    inside = [each.tag for each in islice(descend(part), 3)]
    return any(each in HEADINGS or each in _BOLD for each in inside)


# --- labels
# What a page calls its controls in so many words: label for, a label around, aria-labelledby.

_BOXES = ("radio", "checkbox")
MAX_LABELS = 5_000
MAX_LABEL_WORDS = 200
MAX_REFERENCES = 10  # ids in one aria-labelledby


class Labels:
    """The labels of one page, and its elements by id."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._ids: dict[str, HtmlNode] | None = None
        self._around: dict[Any, Any] = {}  # control -> the label it stands in
        self._taken: dict[Any, Any] = {}  # label -> the first control in it
        self._shared: set[Any] = set()
        self._inside: dict[str, Any] = {}  # id of a control -> the label around it that names it by its id
        self._for: dict[str, HtmlNode] | None = None
        self._controls: Collection[HtmlNode] = ()
        self._control_ids: set[str] | None = None

    def wrap(self, label: HtmlNode, control: HtmlNode) -> None:
        """Note that a control stands in a label; a label names the only control in it."""
        if attribute(control, "type") == "hidden":
            return
        named = attribute(label, "for")
        if named:
            if named == attribute(control, "id"):
                self._inside.setdefault(named, label)
            return
        if label in self._taken:
            first = self._taken[label]
            if (
                self._around.pop(first, None) is not None
            ):  # its words stand between controls: layout tells which are whose
                self._shared.add(first)
            return
        self._taken[label] = control
        self._around[control] = label

    def shares(self, control: HtmlNode) -> bool:
        """Return True if a control is the first of several in one label: the words before it are its own."""
        return control in self._shared

    def know(self, controls: Collection[HtmlNode]) -> None:
        """Take the controls of the page: a label for none of them speaks for what is next to it."""
        self._controls = controls

    def is_taken(self, label: HtmlNode) -> bool:
        """Return True if a label speaks for a control."""
        named = attribute(label, "for")
        if named:
            if self._control_ids is None:
                self._control_ids = {attribute(control, "id") or "" for control in self._controls}
            return named in self._control_ids and is_same(self._inside.get(named, label), label)
        first = self._taken.get(label)
        return first is not None and first in self._around

    def find_id(self, id: str) -> HtmlNode | None:
        """Return the first element with an id; most pages never ask."""
        if self._ids is None:
            self._ids = {}
            for element in self._tree.select("[id]"):
                self._ids.setdefault(attribute(element, "id") or "", element)
        return self._ids.get(id) if id else None

    def _named(self) -> dict[str, HtmlNode]:
        """Return the labels by the id they are for, read when the first control asks."""
        if self._for is None:
            self._for = dict(
                self._inside
            )  # where two name one box, the one around it is its own, the other its group's
            for label in self._tree.tags("label")[:MAX_LABELS]:
                named = attribute(label, "for")
                if named:
                    self._for.setdefault(named, label)
        return self._for

    def of(self, control: HtmlNode, given: Mapping[str, Any]) -> str:
        """Return what a control with these attributes is called, or nothing."""
        around = self._around.get(control)
        label = self._named().get(given.get("id") or "") or around
        words = self._read_label(label) if label is not None else ""
        if (
            label is not None
            and words
            and (is_same(label, around) or is_same(label, self._inside.get(given.get("id") or "")))
        ):
            words = self._read_before(label, control, given) or words
        words = words or self._referred(given.get("aria-labelledby"))
        return self._read(control) if not words and control.tag == "button" else words

    def _read_label(self, label: HtmlNode) -> str:
        """Return the words of a label, without a heading at its start that has more words after it."""
        words = self._read(label)
        first = label.first_child
        if first is not None and first.tag in HEADINGS:
            return words[len(self._read(first)) :].strip() or words
        return words

    def _read_before(self, label: HtmlNode, control: HtmlNode, given: Mapping[str, Any]) -> str:
        """Return the words of a label before what it stands around: those after it are a unit or a hint.

        A box to tick is called by what follows it.
        """
        first = label.first_child
        if (given.get("type") or "").lower() in _BOXES or (first is not None and first.tag in HEADINGS):
            return ""
        words = read_words_before(label, control, MAX_LABEL_WORDS)
        return words if any(letter.isalpha() for letter in words) else ""

    def _referred(self, ids: str | None) -> str:
        if not ids:
            return ""
        found = map(self.find_id, ids[:1000].split()[:MAX_REFERENCES])
        return collapse(" ".join(self._read(element) for element in found if element is not None), MAX_LABEL_WORDS)

    def _read(self, element: HtmlNode) -> str:
        return read_words(element, MAX_LABEL_WORDS)


# --- beside
# Which words belong to which control, by where they stand: left of it, above it, in its cell or row.
#
# Words on the same line count first, then a label that names no control, then the table (the
# same cell, the cell to the left, the cell above), then the block before. A box to tick is
# called by the words after it, and shares what stands over its group.

MAX_CAPTION = 100  # characters of words that can be a caption; more are a text
MAX_SENTENCE = 3  # words of a caption that ends like a sentence
MAX_CAPTION_WORDS = 14
MAX_LINKS = 2  # in a run; more are a way through the site
MAX_WORDS_BEFORE = 50  # runs before a control that are looked at
MAX_BELOW = 40  # controls under a heading that are looked at
MAX_CELL_RUNS = 4  # runs in a cell that heads a row
MAX_ROWS_UP = 50  # rows that are climbed to the head of a column
MAX_CANDIDATES = 3  # words that are weighed for one control
MAX_CLIMB = 2  # tables in tables that are climbed
BOXES = frozenset({"checkbox", "radio"})
_HINT_SIGNS = "(*※（[＊"  # before what is said of a caption, in a line of its own
_END_WORDS = frozenset(
    "from to min max min. max. minimum maximum between and until since after before start end day month year von bis ab "
    "de du à au desde hasta da a do od от до с по fra til från till van tot".split()
)  # words that name no attribute: what stands over them does
_DASHES = ("-", "–", "—", "~", "～", "〜", "..", "...", "…", "<>")
_TOLERANCES = ("+/-", "±", "+-")
MAX_JOINER = 5  # characters of what stands between two ends
_ENDS = ":：?？"  # of words that ask what follows
MOST_DIGITS = 4  # of a caption; more are a telephone number or a date
_BUTTONS = frozenset({"submit", "image", "reset", "button"})


class Beside(NamedTuple):
    """The words for one control."""

    near: str = ""
    group: str = ""


NOTHING = Beside()


class Captions:
    """The words for the controls of one form, found control by control."""

    def __init__(
        self,
        layout: Layout,
        kinds: Mapping[Any, str],
        named: Mapping[Any, str],
        hinted: set[Any],
        start: tuple[int, int] = (0, 0),
    ) -> None:
        self._layout = layout
        self._kinds = kinds  # of the form's controls
        self._named = named  # those that a label speaks for
        self._hinted = hinted  # those that say themselves what they ask for
        self._start = start  # runs and controls before the form, where broken markup has its controls beside it
        self._questions = 0  # controls, and groups of boxes, that can be seen
        self._taken: set[int] = set()  # runs that are said of one control, and so of no other
        self.beside: dict[Any, Beside] = {}

    def find(self) -> None:
        """Find the words for every control of the form."""
        of_control = self._layout.of_control
        marks = [of_control[control] for control in self._kinds if control in of_control]
        self._questions = self._count_questions(marks)
        after = self._speaks_after(marks)
        start = 0
        while start < len(marks):
            end = start + 1
            if self._is_box(marks[start]):
                while end < len(marks) and self._is_box(marks[end]):
                    end += 1
                self._find_boxes(marks[start:end], after)
            elif self._kind(marks[start]) not in _BUTTONS:
                self._find_one(marks[start], after)
            start = end
        self._drop_title([mark for mark in marks if self._kind(mark) not in _BUTTONS])

    def _count_questions(self, marks: list[Mark]) -> int:
        count, was_box = 0, False
        for mark in marks:
            is_box = self._is_box(mark)
            count += self._kind(mark) not in _BUTTONS and not (was_box and is_box)
            was_box = is_box
        return count

    def _drop_title(self, marks: list[Mark]) -> None:
        """Take the words over the first control from it when no other has any: they stand over the form."""
        if not marks or (marks[0].control in self._named and not self._is_box(marks[0])):
            return
        first = marks[0]
        words = self._said_of(first)
        if not words or words[-1] in _ENDS or not self._is_far(first, words):
            return
        others = [mark for mark in marks if self._said_of(mark) != words]
        hinted = first.control in self._hinted
        if any(self._has_caption(mark, hinted) for mark in others) or not (hinted or self._questions > 3):
            return
        for mark in marks:
            if self._said_of(mark) == words:
                self._unsay(mark)

    def _has_caption(self, mark: Mark, far: bool) -> bool:
        """Return True if a label or words beside it stand for a control; where asked for, only words in another block count."""
        if mark.control in self._named and not self._is_box(mark):
            return True
        words = self._said_of(mark)
        return bool(words) and (not far or self._is_far(mark, words))

    def _said_of(self, mark: Mark) -> str:
        beside = self.beside.get(mark.control, NOTHING)
        return beside.group if self._is_box(mark) else beside.near

    def _unsay(self, mark: Mark) -> None:
        beside = self.beside[mark.control]
        self.beside[mark.control] = beside._replace(group="") if self._is_box(mark) else beside._replace(near="")

    def _is_far(self, mark: Mark, words: str) -> bool:
        """Return True if words stand in another block than the control, and not in its row of a table."""
        before = self._layout.runs[max(0, mark.runs - MAX_WORDS_BEFORE) : mark.runs]
        run = next((run for run in before if run.words == words), None)
        if run is None or run.kind == LABEL or run.place.block == mark.place.block:
            return False
        return run.place.cell is None or run.place.row is not mark.place.row

    @property
    def heading(self) -> str:
        """The first heading or line of bold words over the controls, unless it is said of one of them."""
        first = self._layout.marks[0].runs if self._layout.marks else 0
        for run in self._layout.runs[:first]:
            if run.kind == HEADING or (run.kind and run.number not in self._taken and run.kind != LINK):
                return run.words
        return ""

    def _kind(self, mark: Mark) -> str:
        return self._kinds.get(mark.control, "")

    def _is_box(self, mark: Mark) -> bool:
        return self._kind(mark) in BOXES

    # --- one control

    def _find_one(self, mark: Mark, after: bool) -> None:
        if mark.control in self._named:
            near: Run | None = None
            found = list(islice(self._around(mark, self._between(mark)), MAX_CANDIDATES))
        else:
            found = list(islice(self._behind(mark) if after else self._candidates(mark), MAX_CANDIDATES))
            near = next((run for run in found if run.words[0] not in _HINT_SIGNS), found[0] if found else None)
        if near is not None:
            self._taken.add(near.number)
        group = next((run for run in found if run is not near and run.number not in self._taken), None)
        said = near.words if near else self._named.get(mark.control, "")
        if group is None and (is_end(said) or not (said or mark.control in self._hinted)):
            group = self._heading_of(mark)
        self.beside[mark.control] = Beside(near.words if near else "", group.words if group else "")

    def _heading_of(self, mark: Mark) -> Run | None:
        """Return what stands over a control whose own words name no attribute, even if others share it."""
        between = self._between(mark)
        heading = next((run for run in reversed(between) if run.kind == HEADING), None)
        return next((run for run in self._before(mark, between) if not is_end(run.words)), heading)

    def _candidates(self, mark: Mark) -> Iterator[Run]:
        """Yield what may name a control, the nearest first."""
        between = self._between(mark)
        beside = [run for run in reversed(between) if run.line == mark.line and (run.kind != LINK or not mark.number)]
        yield from (run for run in beside if _is_short(run) and (run.has_letter or self._joins(run, mark)))
        yield from (run for run in reversed(between) if run.kind == LABEL and run.line != mark.line)
        yield from self._around(mark, between)
        yield from self._before(mark, between)

    def _joins(self, run: Run, mark: Mark) -> bool:
        """Return True if words, or a dash, stand between two controls of one kind on a line, and are as short as "to"."""
        if not mark.number or len(run.words) > MAX_JOINER:
            return False
        if run.words in _TOLERANCES:
            return True
        before = self._layout.marks[mark.number - 1]
        if before.line != mark.line or run.number != before.runs or mark.runs != before.runs + 1:
            return False
        if self._kind(before) != self._kind(mark) or self._is_box(mark):
            return False
        return run.has_letter or run.words in _DASHES

    def _between(self, mark: Mark) -> list[Run]:
        """Return the runs between a control and the one before it, without those that are said of another."""
        marks, runs = self._layout.marks, self._layout.runs
        first = marks[mark.number - 1].runs if mark.number else 0
        before = runs[max(first, mark.runs - MAX_WORDS_BEFORE) : mark.runs]
        return [
            run
            for run in before
            if run.number not in self._taken and _shares_section(run, mark) and not self._stands_over(run, mark)
        ]

    def _stands_over(self, run: Run, mark: Mark) -> bool:
        """Return True if words are the title of a form: they stand before it, over its first row."""
        if run.number >= self._start[0] or mark.number < self._start[1] or run.place.row is mark.place.row:
            return False
        cell = run.place.cell
        return cell is None or len(cell.row.cells) == 1

    def _around(self, mark: Mark, between: list[Run]) -> Iterator[Run]:
        """Yield what a table says: the cell to the left, or the head of the column."""
        cell = mark.place.cell
        for _ in range(MAX_CLIMB):
            if cell is None:
                return
            above = [run for run in between if run.place.cell is cell and run.line != mark.line]
            yield from (run for run in reversed(above) if _is_caption(run) and run.kind != HEADING)
            run = _row_head(cell) or _left(cell) or _head(cell)
            if run is not None and not self._is_said(run) and not self._stands_over(run, mark):
                yield run
            cell = cell.outer

    def _is_said(self, run: Run) -> bool:
        return run.number in self._taken or (run.kind == HEADING and not self._is_alone(run))

    def _before(self, mark: Mark, between: list[Run]) -> Iterator[Run]:
        """Yield captions in the blocks before a control: of its own cell, or of one around its table."""
        cells = set(_cells_around(mark.place.cell))
        for run in reversed(between):
            if run.kind == HEADING and not self._is_alone(run):
                return  # what stands before a heading says nothing of what stands after it
            if run.line == mark.line or run.kind in (LINK, LABEL) or not _is_among(run.place.cell, cells):
                continue
            if _is_caption(run):
                yield run

    def _is_alone(self, heading: Run) -> bool:
        """Return True if a heading stands over one control only, or one group of boxes."""
        layout = self._layout
        later = layout.headings[bisect(layout.headings, heading.number) :][:1]
        below = 0
        first = bisect(layout.mark_runs, heading.number)
        for mark in layout.marks[first : first + MAX_BELOW]:
            if (later and mark.runs > later[0]) or mark.place.section != heading.place.section:
                break
            if below and (self._is_box(mark) or self._joined(mark)):
                continue
            below += self._kind(mark) not in _BUTTONS
        return below <= 1 and self._questions > below

    def _joined(self, mark: Mark) -> bool:
        """Return True if a control is the second end of what the one before it began."""
        runs = self._layout.runs
        return mark.runs > 0 and self._joins(runs[mark.runs - 1], mark)

    # --- words after a control

    def _after(self, mark: Mark) -> Run | None:
        """Return the words that follow a control on its line, or in the cell to its right."""
        runs, marks = self._layout.runs, self._layout.marks
        stop = marks[mark.number + 1].runs if mark.number + 1 < len(marks) else len(runs)
        if mark.runs < stop:
            run = runs[mark.runs]
            if run.line == mark.line:
                return run if run.has_letter else None
        return _right(mark.place.cell)

    def _behind(self, mark: Mark) -> Iterator[Run]:
        """Yield what may name a control in a form that writes its captions behind."""
        yield from (run for run in (self._after(mark), _right(mark.place.cell)) if run is not None)

    def _speaks_after(self, marks: list[Mark]) -> bool:
        """Return True if the form writes its captions behind its controls: none at its first, one at its last, one at most."""
        asked = [m for m in marks if m.control not in self._named and not self._is_box(m)]
        asked = [m for m in asked if self._kind(m) not in _BUTTONS]
        if not asked or asked[0].control in self._hinted:
            return False
        if self._after(asked[-1]) is None or self._is_beside(asked[0]):
            return False
        following = list(map(self._after, asked))
        if len(asked) == 1 and following[0] is not None and any(map(str.isdigit, following[0].words)):
            return False  # an example of what to type
        return sum(run is not None and run.kind != LINK for run in following) * 2 > len(asked)

    def _is_beside(self, mark: Mark) -> bool:
        """Return True if words stand on the line of a control, or in the cell to its left, or over it in its block."""
        if _left(mark.place.cell) is not None:
            return True
        return any(run.line == mark.line or run.place.block == mark.place.block for run in self._between(mark))

    # --- boxes

    def _find_boxes(self, marks: list[Mark], after: bool) -> None:
        own = self._own_words(marks)
        group, bound = "", -1
        before: Mark | None = None
        for mark in marks:
            heading = self._box_heading(mark, before) if not after else None
            if heading is not None:
                group, bound = heading.words, _common_block(heading, mark)
                self._taken.add(heading.number)
            elif before is None or not _is_inside(mark, bound):
                group, bound = "", -1
            run = own.get(mark.number)
            if after and heading is None:
                behind = _right(mark.place.cell)
                group = behind.words if behind is not None and behind.number not in self._taken else ""
            self.beside[mark.control] = Beside(run.words if run else "", group)
            before = mark

    def _own_words(self, marks: list[Mark]) -> dict[int, Run]:
        """Return what each box is called: the words after it, or before it where none follow the last."""
        bare = [mark for mark in marks if mark.control not in self._named]
        if not bare:
            return {}
        last = bare[-1]
        behind = self._after(last) is not None or not any(run.line == last.line for run in self._between(last))
        own: dict[int, Run] = {}
        for mark in bare:
            run = (self._after(mark) or self._under(mark)) if behind else next(self._same_line(mark), None)
            if run is not None:
                own[mark.number] = run
                self._taken.add(run.number)
        return own

    def _under(self, mark: Mark) -> Run | None:
        """Return the words in a block right after a box, where both stand in a block of their own."""
        runs, marks = self._layout.runs, self._layout.marks
        following = marks[mark.number + 1] if mark.number + 1 < len(marks) else None
        if mark.runs >= (following.runs if following else len(runs)):
            return None
        run, block = runs[mark.runs], mark.place.block
        if not block or (following and following.place.block == block) or run.place.up is None:
            return None
        return run if run.place.up.block == block and _is_short(run) and run.has_letter else None

    def _same_line(self, mark: Mark) -> Iterator[Run]:
        return (run for run in reversed(self._between(mark)) if run.line == mark.line)

    def _box_heading(self, mark: Mark, before: Mark | None) -> Run | None:
        """Return what stands over a box; inside a row with a head of its own, other words open no new group."""
        row = next((run for run in map(_left, _cells_around(mark.place.cell)) if run is not None), None)
        if row is not None and row.kind != LABEL and before is not None and _shares_cell(row, mark, before):
            return None
        return next((run for run in self._candidates(mark) if _is_caption(run) and not self._follows(run, mark)), None)

    def _follows(self, run: Run, mark: Mark) -> bool:
        """Return True if words are the end of a line that another control began: 10 [  ] miles [x] new only."""
        if run.line != mark.line or not mark.number or run.words[-1] in _ENDS:
            return False
        before = self._layout.marks[mark.number - 1]
        return before.line == mark.line and not self._is_box(before) and before.control in self._kinds


def is_end(words: str) -> bool:
    """Return True if words are no more than an end of a range, or a part of a date."""
    return words.strip(" :").lower() in _END_WORDS


def _shares_section(run: Run, mark: Mark) -> bool:
    """Return True if words stand in no set of fields that ends before the control."""
    section = run.place.section
    return section in (0, mark.place.section) or section in climb(mark.place)


def _cells_around(cell: Cell | None) -> Iterator[Cell | None]:
    for _ in range(MAX_CLIMB + 1):
        yield cell
        if cell is None:
            return
        cell = cell.outer


def _is_among(cell: Cell | None, cells: set[Cell | None]) -> bool:
    """Return True if a cell is one of some, or stands in one of them as the only cell of a row."""
    if cell in cells:
        return True
    return cell is not None and cell.outer in cells and not cell.row.controls and len(cell.row.cells) == 1


def _left(cell: Cell | None) -> Run | None:
    """Return the words of the cell to the left, when there is no control in it."""
    if cell is None or cell.column == 0:
        return None
    return _caption_of(cell.row.cells[cell.column - 1])


def _row_head(cell: Cell) -> Run | None:
    """Return the words of the first cell of a row that is described by several cells, under a row that heads them all.

    Name, type, operator, value: what stands nearest to the control (the type) is the same in many rows.
    """
    cells = cell.row.cells
    if cell.column < 2 or cells[0].controls or cells[1].controls:
        return None
    row = cell.row.above
    for _ in range(MAX_ROWS_UP):
        if row is None or len(row.cells) != len(cells):
            return None
        if not row.controls:
            heads = [_caption_of(each) for each in row.cells]
            return _caption_of(cells[0]) if all(heads) and _caption_of(cells[1]) else None
        row = row.above
    return None


def _right(cell: Cell | None) -> Run | None:
    if cell is None or cell.column + 1 >= len(cell.row.cells):
        return None
    return _caption_of(cell.row.cells[cell.column + 1])


def _head(cell: Cell) -> Run | None:
    """Return the words of the cell above, over other rows with controls."""
    row = cell.row.above
    for _ in range(MAX_ROWS_UP):
        if row is None or cell.column >= len(row.cells):
            return None
        over = row.cells[cell.column]
        if not row.controls:
            return _caption_of(over) if over.runs else None
        if len(row.cells) != len(cell.row.cells) or len(row.cells) < 2 or over.runs:
            return None
        row = row.above
    return None


def _caption_of(cell: Cell) -> Run | None:
    if cell.controls or len(cell.runs) > MAX_CELL_RUNS:
        return None
    return next((run for run in cell.runs if _is_caption(run)), None)


def _shares_cell(row: Run, mark: Mark, before: Mark) -> bool:
    """Return True if two boxes stand in the same row that these words head."""
    cells = [cell for cell in _cells_around(before.place.cell) if cell is not None]
    return any(cell in cells for cell in _cells_around(mark.place.cell) if cell is not None and _left(cell) is row)


def _common_block(run: Run, mark: Mark) -> int:
    around = set(climb(run.place))
    return next((block for block in climb(mark.place) if block in around), -1)


def _is_inside(mark: Mark, block: int) -> bool:
    return block >= 0 and block in climb(mark.place)


def _is_short(run: Run) -> bool:
    return len(run.words) <= MAX_CAPTION and run.links < MAX_LINKS


def _is_caption(run: Run) -> bool:
    """Return True if words are short enough to name something, and no sentence."""
    words = run.words
    if not _is_short(run) or not run.has_letter:
        return False
    count = words.count(" ") + 1
    if sum(map(str.isdigit, words)) > MOST_DIGITS:
        return False
    return count <= MAX_CAPTION_WORDS and not (words[-1] in ".!。" and words[-3:] != "..." and count > MAX_SENTENCE)
