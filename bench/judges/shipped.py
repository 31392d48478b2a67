"""The speed of the model that comes with Formasaurus; its verdicts say nothing here, for it has learned from these forms."""

from __future__ import annotations

from typing import Any

from formasaurus.classifiers import get_instance
from formasaurus.html import get_forms, load_html

from bench.judges.pages import list_pages, read_page
from bench.judges.trials import clock


def time_shipped() -> dict[str, Any]:
    """Return the speed of the model that Formasaurus ships, over all forms of all pages; it has learned from them."""
    pages = [read_page(name) for name in list_pages()]
    shipped = get_instance()
    shipped.extract_forms(pages[0], proba=False, fields=False)  # what is made once, at the first form, is not counted
    forms, extracting = clock(lambda: sum(len(shipped.extract_forms(page, fields=False)) for page in pages))
    trees, parsing = clock(lambda: [load_html(page) for page in pages])
    judged, judging = clock(
        lambda: [shipped.form_classifier.classify(form) for tree in trees for form in get_forms(tree)]
    )
    every = [form for tree in trees for form in get_forms(tree)]
    _, together = clock(lambda: shipped.form_classifier.model.predict(every))
    return {
        "judge": "formasaurus-shipped",
        "trained_on_these_forms": True,
        "pages": len(pages),
        "forms": forms,
        "extract_seconds": extracting,
        "parse_seconds": parsing,
        "single_seconds": judging,
        "batch_seconds": together,
        "forms_per_second_extract": forms / extracting,
        "forms_per_second_single": len(judged) / judging,
        "forms_per_second_batch": len(every) / together,
    }
