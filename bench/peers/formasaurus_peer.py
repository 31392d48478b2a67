"""Says with Formasaurus what the forms of pages are for: JSON lines with `html` in, lists of kind and names out.

Run by the Python of Formasaurus's own environment.
"""

from __future__ import annotations

import json
import sys

import formasaurus


def judge_page(html: str) -> list[dict[str, object]]:
    """Return for each form of a page its address as written, the names of its fields, and its kind."""
    judged = []
    for form, said in formasaurus.extract_forms(html, proba=False, fields=False):
        names = sorted({name for each in form.inputs if (name := each.get("name"))})
        judged.append({"action": form.get("action") or "", "names": names, "kind": str(said["form"])})
    return judged


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            forms = judge_page(json.loads(line)["html"])
        except Exception as error:  # a page it cannot read counts against it, and the others go on
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            forms = []
        print(json.dumps(forms))
