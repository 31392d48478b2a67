"""How fast Dowse judges real forms, and how soon its models are there: each time in a fresh process.

`python -m bench.kindspeed PAGES` prints the seconds of one core over all pages of that folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from bench.judges.trials import clock
from bench.places import ROOT
from dowse.form.judge import judge_form, load_models
from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.train.forms import find_data

PROCESSES = 9
_LOAD = """
import json, time
begun = time.perf_counter()
from dowse.form import judge
imported = time.perf_counter()
models = judge.load_models()
loaded = time.perf_counter()
print(json.dumps({"import ms": 1000 * (imported - begun), "load ms": 1000 * (loaded - imported)}))
"""


def measure_load() -> dict[str, Any]:
    """Return how long the models take to load, and their bytes."""
    runs = [json.loads(_run("-c", _LOAD)) for _ in range(PROCESSES)]
    size = len((ROOT / "dowse" / "form" / "models" / "forms.json").read_bytes())
    times = {name: median(one[name] for one in runs) for name in runs[0]}
    return {**times, "bytes": size, "processes": PROCESSES, "runs": runs}


def measure_speed() -> dict[str, float]:
    """Return the forms that a fresh process judges in a second: form by form, and from HTML."""
    return dict(json.loads(_run("-m", "bench.kindspeed", str(find_data() / "html"))))


def _run(*words: str) -> str:
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def read_pages(folder: Path) -> list[Response]:
    """Return the stored pages of a folder, as if they had just come."""
    kind = (("content-type", "text/html; charset=utf-8"),)
    names = sorted(folder.glob("*.html"), key=lambda path: (len(path.name), path.name))
    return [Response(f"http://{path.stem}.example/", 200, kind, path.read_bytes()) for path in names]


def time_judging(responses: list[Response]) -> dict[str, float]:
    """Judge every form of the pages once; then read the pages again and judge, a page at a time."""
    load_models()
    pairs = [(form, page) for page in map(read_page, responses) for form in page.forms if form.made == "html"]
    _, single = clock(lambda: [judge_form(form, page) for form, page in pairs])
    judged, whole = clock(lambda: sum(_read_and_judge(response) for response in responses))
    return {"single": len(pairs) / single, "pages": judged / whole}


def _read_and_judge(response: Response) -> int:
    page: Page = read_page(response)
    forms: list[Form] = [form for form in page.forms if form.made == "html"]
    for form in page.forms:
        judge_form(form, page)
    return len(forms)


if __name__ == "__main__":
    print(json.dumps(time_judging(read_pages(Path(sys.argv[1])))))
