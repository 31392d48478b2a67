"""A judge's trial: every form judged by a model that has not seen its registrable domain, and the time it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, Any

from bench.judges.figures import Claim, Opinion, measure_domains, measure_forms

if TYPE_CHECKING:  # a trial itself needs no learner
    from bench.judges.learners import Learn
    from bench.judges.pages import Sample


@dataclass(frozen=True, slots=True)
class Trial:
    """What a judge said of all forms, and its seconds of one core, features included."""

    judge: str
    samples: Sequence[Sample]
    opinions: Sequence[Opinion]
    training: float
    judging: float  # the forms of a fold at once
    single: float  # form by form, as a crawler meets them


def try_judge(name: str, learn: Learn, samples: Sequence[Sample]) -> Trial:
    """Train and ask a judge, fold by fold."""
    opinions: dict[int, Opinion] = {}
    training = judging = single = 0.0
    for fold in sorted({sample.row.fold for sample in samples}):
        asked = [number for number, sample in enumerate(samples) if sample.row.fold == fold]
        elements = [samples[number].element for number in asked]
        seen = [sample for sample in samples if sample.row.fold != fold]
        judge, seconds = clock(lambda seen=seen: learn(seen))
        training += seconds
        said, seconds = clock(lambda judge=judge, elements=elements: judge(elements))
        judging += seconds
        single += clock(lambda judge=judge, elements=elements: [judge([element]) for element in elements])[1]
        opinions |= zip(asked, said, strict=True)
    return Trial(name, samples, [opinions[number] for number in range(len(samples))], training, judging, single)


def list_opinions(trial: Trial) -> list[dict[str, Any]]:
    """Return a line for each form."""
    return [
        {
            "page": sample.row.page,
            "form": sample.row.form,
            "judge": trial.judge,
            "said": opinion.said,
            "search": int(opinion.search),
            "score": round(opinion.score, 6),
        }
        for sample, opinion in zip(trial.samples, trial.opinions, strict=True)
    ]


def sum_up(trial: Trial) -> dict[str, Any]:
    """Return the line of the judge itself."""
    claims = [
        Claim(sample.row.domain, sample.row.type, opinion.said, opinion.search)
        for sample, opinion in zip(trial.samples, trial.opinions, strict=True)
    ]
    return {
        "judge": trial.judge,
        "forms": len(claims),
        "domains": len({claim.domain for claim in claims}),
        "training_seconds": trial.training,
        "judging_seconds": trial.judging,
        "single_seconds": trial.single,
        "forms_per_second": len(claims) / trial.judging if trial.judging else None,
        "forms_per_second_single": len(claims) / trial.single if trial.single else None,
        "by_form": measure_forms(claims),
        "by_domain": measure_domains(claims),
    }


def clock(work: Callable[[], Any]) -> tuple[Any, float]:
    """Do some work and return what came of it and its seconds of a core: other programs on the machine do not count."""
    start = process_time()
    done = work()
    return done, process_time() - start
