"""How much of what there is a run has found: by its sample where it has one, else by the links it did not follow."""

from __future__ import annotations

from dowse.engine.auto import list_candidates, sample_name
from dowse.engine.sampling import read_kept
from dowse.sample.judge import Target, judge_sample
from dowse.sample.record import WHOLE
from dowse.store import Store
from dowse.store.samples import Counted, count_levels, count_promised, count_searched, count_unfollowed
from dowse.yields import Interval, Level, estimate_from_promises, estimate_from_unfollowed

SAMPLED = "sampled sites"


def estimate_coverage(store: Store, run: int | None = None, target: Target | None = None) -> Interval | None:
    """Return which part of the query forms of the searched sites was found; None when nothing speaks for a figure."""
    sampled = _by_sample(store, run, target or Target()) if run is not None else None
    if sampled:
        return sampled
    promised = count_promised(store)
    if promised is not None:
        return estimate_from_promises(store.tally().forms, promised)
    levels = [Level(*level) for level in count_levels(store)]
    return estimate_from_unfollowed(levels, count_unfollowed(store))


def _by_sample(store: Store, run: int, target: Target) -> Interval | None:
    """Return the coverage by the run's sample, when the run has searched all that the database holds."""
    kept = read_kept(store, sample_name(run), list_candidates())
    if not any(not each.error for each in kept):
        return None
    searched = store.tally().sites
    judged = judge_sample(kept, list_candidates(), searched, target)
    whole, rest = count_searched(store, run, WHOLE), count_searched(store, run, judged.choice.name)
    if whole.sites + rest.sites != searched:
        return None
    return _join(whole, rest, judged.rest.coverage)


def _join(whole: Counted, rest: Counted, coverage: Interval) -> Interval | None:
    """Return the coverage over sites that were searched whole and others of which so much was found."""
    if not whole.forms + rest.forms:
        return None

    def join(part: float) -> float:
        return (whole.forms + rest.forms) / (whole.forms + rest.forms / part) if part and rest.forms else 1.0

    return Interval(
        join(coverage.value), join(max(coverage.low, 1e-9)), join(coverage.high), f"{SAMPLED}: {coverage.method}"
    )
