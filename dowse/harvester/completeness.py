"""Whether all records were harvested: by counts, by lists that ended, by a selector's proof; and what speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from dowse.harvester.checks import Contradiction, Contradictions
from dowse.harvester.door import SORTED_BY, first_words
from dowse.harvester.listing import ListView
from dowse.harvester.loop import ProbingSelector, ResultPage, key_of
from dowse.harvester.resume import HarvestRun, estimate
from dowse.harvester.sitemap import NamedRecords, find_name_query
from dowse.harvester.trials import OpenedDoor
from dowse.model import Query, Record, Value
from dowse.reasons import ContradictionKind, HarvestNotice, StopReason
from dowse.select.selector import ProvingSelector, QueryProgress, takes_alone
from dowse.yields.size import SizeEstimate, open_upwards

IN_LIST = "a place in this list"  # what bounds a claim about a page that lists records and asks nothing
MAX_CHECK_TRIES = 20  # records that are looked at for a value that was not asked for
MAX_STALE_QUERIES = 12  # in a row without a new record, after a list of everything ended, before no more are asked
MAX_HELD_CHECKS = 3  # queries for values of records where a list ended without a count
MAX_ROUND_CHECKS = 6  # the same where it ended at a number that programs are set to
MAX_CHECK_PAGES = 3  # of the answer to one of them, which is read to its end
MIN_CONFIRMING_ANSWERS = 2  # of them, that ended and brought known records alone
# in these answers: of a list that lacks one record in ten, so many are all known once in eight times
MIN_CONFIRMED_RECORDS = 20
# the same where a list has 100, 500 or 10,000 records: of one that is cut and lacks one in twenty, once in twenty times
MIN_CONFIRMED_ROUND = 60
MIN_ROUND_NUMBER = 50
ROUND_BEGINNINGS = frozenset({"1", "2", "25", "5"})  # of 100, 200, 250, 500: limits that people set


def is_round(records: int) -> bool:
    """Return True if so many records are as many as a limit would let through."""
    return records >= MIN_ROUND_NUMBER and str(records).rstrip("0") in ROUND_BEGINNINGS


@dataclass(slots=True)
class CompletenessJudge:
    """Judges whether all records were harvested: by counts, by the selector's proof, never where answers contradict."""

    run: HarvestRun
    opened: OpenedDoor
    selector: ProbingSelector
    contradictions: Contradictions
    whole: str = ""  # the proof by a query for everything that was read to its end
    is_counted: bool = True  # it stated how many records there are
    stale: int = 0  # queries in a row without a new record since then
    named: NamedRecords = field(default_factory=lambda: NamedRecords(0, ()))  # by the sitemap
    answered_before: frozenset[Query] = frozenset()  # queries whose answers came as trials, or in an earlier run
    # queries asked after a list of everything, or to look again, that brought records, all of them known
    answered: int = 0
    confirmed: int = 0  # records that they showed
    # views that were asked for, and whether they were read to their end
    seen: dict[Query, bool] = field(default_factory=dict)
    beyond: Counter[Query] = field(default_factory=Counter)  # views -> records that nothing before them showed

    @property
    def bounded(self) -> str:
        """The filter that the form sends with every query, where it cannot be emptied."""
        return str(self.opened.learned.get("bounded", ""))

    def has_all(self, asked: QueryProgress) -> bool:
        """Return True if all that a query for everything lists was harvested, no answer contradicts and other queries agree."""
        run = self.run
        if asked.query == Query() and asked.done and asked.records:
            self._note_whole(asked)
        proof = self.whole
        is_again = not asked.new and asked.records  # one more answer, and nothing new in it
        if not proof and (is_again or self.selector.checked):
            proof = self._compare_total()
        if not proof:
            return False
        listing = self.opened.source.listing
        kept_back = self.bounded or self._find_kept_back() or (listing.only if listing else "")
        if kept_back:
            run.complete_for = run.complete_for or f"all {asked.records or run.records:,} with {kept_back}"
            return False
        if self.answered and self._is_confirmed():
            self.selector.drop_checks()  # no more than are needed
        if self.selector.begin_checks() or not self._is_confirmed():
            return False
        return self._prove_unless_beside(proof)

    def _prove_unless_beside(self, proof: str) -> bool:
        """Return True if a proof holds for the search itself, not for a list beside it."""
        run = self.run
        if self.is_beside:
            run.proof = (
                "a list beside the search ended, and other queries brought nothing new; the search may find others"
            )
            return False
        if self.beyond and not self._find_missed_view() and self._choose_view() is None:
            run.complete_for = f"all {run.records:,} of the form and of {self._name_views()}"
        return self._prove(proof)

    @property
    def is_beside(self) -> bool:
        """Return True if what lists everything is a page or a file of the site that nobody counts, not the search itself."""
        listing = self.opened.source.listing
        return listing is not None and listing.own_layout and not self.is_counted

    def why_enough(self, result: ResultPage) -> StopReason | None:
        """Return why nothing more is asked though nothing is proven: a list of everything ended, and nothing new comes."""
        if not self.whole:
            return None
        learned = self.opened.learned
        if self.beyond and self.run.complete_for and not self.selector.first:
            return StopReason.ALL_SHOWN
        if self.bounded and (learned.get("unreachable") or learned.get("path filter") == self.bounded):
            return StopReason.ALL_SHOWN
        if self.is_beside and self.selector.checked and not self.selector.checks and self._is_confirmed():
            return StopReason.NOTHING_NEW
        self.stale = 0 if result.asked.new else self.stale + (result.asked.pages > 0 and result.answer.requests > 0)
        if self.stale < MAX_STALE_QUERIES:
            return None
        named = self.choose_named()  # what the sitemap names is asked for first
        self.selector.first += [named] if named else []
        return None if named else StopReason.NOTHING_NEW

    def _note_whole(self, asked: QueryProgress) -> None:
        """Note that a list of everything was read to its end: as many as it reported, or without a word of how many there are."""
        if asked.total is not None and asked.exact:
            if asked.records == asked.total and self.run.records >= asked.total:
                self.whole = f"a query for everything listed all {asked.total:,} records that it reported"
        elif self._is_ended(asked) and not asked.limit and not asked.repeats:
            self.whole = f"a query for everything listed {asked.records:,} records and ended there"
            self.is_counted = False

    def _is_ended(self, asked: QueryProgress) -> bool:
        """Return True if a list went on as far as it seemed to: as many pages as were linked, give or take one.

        As many records as it says there are at least (1,000+) are no end.
        """
        page = self.selector.interface.page_size
        return asked.total is None or 0 < abs(asked.records - asked.total) <= page

    @property
    def wanted_confirmations(self) -> float:
        """How many known records other queries have to show: a list without a count may be cut anywhere, others at a limit."""
        wanted = MIN_CONFIRMED_ROUND if is_round(self.run.records) else 0 if self.is_counted else MIN_CONFIRMED_RECORDS
        return min(wanted, self.run.records / 2)

    def _is_confirmed(self) -> bool:
        """Return True if other queries have shown enough records, all of them known."""
        wanted = self.wanted_confirmations
        return not wanted or (self.answered >= MIN_CONFIRMING_ANSWERS and self.confirmed >= wanted)

    def choose_checks(self) -> list[Query]:
        """Return queries that have to bring nothing new if everything was harvested: values of records, a common word, a choice."""
        prover = self.selector.selector
        proves = isinstance(prover, ProvingSelector) and prover.verdict().yes
        if self.bounded or not (self.whole or self._compare_total() or proves):
            return []
        rng, interface, asked = Random(self.run.settings.seed + 2), self.selector.interface, self.selector.asked
        paid = [query for query in self.selector.first if query.values and query in self.answered_before]
        others = [Query((value,)) for value in self.selector.values if takes_alone(interface, value.attribute)]
        if takes_alone(interface, ""):
            others += [Query((Value("", word),)) for word in first_words(self.opened.source.door, None)]
        rng.shuffle(others)
        wanted = self.wanted_confirmations
        self.selector.check_pages = MAX_CHECK_PAGES if wanted else 1
        most = MAX_ROUND_CHECKS if wanted > MIN_CONFIRMED_RECORDS else MAX_HELD_CHECKS if wanted else 1
        held = self._choose_held(rng)
        # a choice that no record shows may change what is shown of them; it is asked where there is nothing else
        shown = {"", *self.opened.attributes.asks.values()}
        others = [each for each in others if each.values[0].attribute in shown] or ([] if held else others)
        other = paid or [each for each in others if each not in asked][:1]
        return list(dict.fromkeys([*other, *[each for each in held if each not in asked][:most]]))

    def _choose_held(self, rng: Random) -> list[Query]:
        """Return queries for values of random records; where no count was stated, for those that a few pages show to their end.

        What comes first may come first in every answer: a list that is cut is found out by the ends of others.
        """
        graph, interface = self.selector.graph, self.selector.interface
        most = MAX_CHECK_PAGES * interface.page_size
        held: list[Query] = []
        for _ in range(MAX_CHECK_TRIES if graph.record_count else 0):
            numbers = graph.values_of(rng.randrange(graph.record_count))
            able = [each for each in numbers if takes_alone(interface, graph.value(each).attribute)]
            if able and not self.wanted_confirmations:
                held.append(Query((graph.value(rng.choice(able)),)))
            elif able:
                best = max(able, key=lambda each: (graph.count(each) <= most, graph.count(each)))
                held.append(Query((graph.value(best),)))
        return list(dict.fromkeys(held))

    def note(self, result: ResultPage) -> None:
        """Look for what contradicts what; a check that brings new records shows that not everything was harvested."""
        asked = result.asked
        views = self.opened.source.views
        if asked.query in views:
            self._note_view(result)
        else:
            self.contradictions.note(result)
        if result.over and asked.query == Query():
            self._ask_in_other_orders(asked)
        if result.over and (asked.query == Query() or asked.query in views):
            self.selector.first += filter(None, [self._choose_view()])
        is_check = asked.query in self.selector.checks or (self.whole and self.is_counted and asked.query != Query())
        is_read = is_check and result.over and asked.done and not asked.new
        if is_read and 0 < asked.records < self.run.records:  # all of them once more would be the same list again
            self.answered += 1
            self.confirmed += asked.records
        if result.new and result.asked.query in self.selector.checks:
            case = f"everything seemed to be harvested, and the query {str(result.asked.query)!r} brought {len(result.new):,} more"
            self.contradictions.add(Contradiction(ContradictionKind.NOT_EVERYTHING, case))

    def _ask_in_other_orders(self, asked: QueryProgress) -> None:
        """Ask for a list of everything that was cut in other orders first: each begins with other records."""
        total = asked.total if asked.exact else None
        if asked.records and (asked.limit or (total is not None and asked.records < total)):
            orders = [Query((Value(SORTED_BY, label),)) for label in self.opened.source.field_map.orders]
            self.selector.first[:0] = [query for query in orders if query not in self.selector.asked]

    def _find_kept_back(self) -> str:
        """Return the choices that the form comes with, where other choices showed records that were not harvested; else nothing.

        Records of an API that counts itself are known by other keys, and prove nothing anyway.
        """
        listing = self.opened.source.listing
        if listing is not None and listing.own_count:
            return ""
        return " and ".join(
            words for words, keys in self.opened.learned.get("witnesses", {}).items() if self._count_missing(keys)
        )

    def _note_view(self, result: ResultPage) -> None:
        """Count what a link beside the form shows that nothing before it showed, and whether it was read to its end."""
        asked, answer = result.asked, result.answer
        self.beyond.update({asked.query: len(result.new)} if result.new else {})
        agrees = not asked.exact or not answer.records or answer.total in (None, asked.total)
        self.seen[asked.query] = (
            self.seen.get(asked.query, True) and agrees
        )  # further pages may be those of another list
        if result.over:
            is_counted = asked.exact and asked.total is not None
            is_read = (
                asked.done and not asked.overflowed and (not is_counted or asked.records - asked.repeats == asked.total)
            )
            self.seen[asked.query] &= is_read

    def _choose_view(self) -> Query | None:
        """Return a link beside the form that shows records which were not harvested, or one like those that did, once each."""
        source, asked = self.opened.source, self.selector.asked
        wider = {source.views[query].sets[0] for query in self.beyond}
        left = [view for query, view in source.views.items() if query not in asked and query not in self.selector.first]
        able = (
            view
            for view in left
            if (view.sets[0] in wider if view.is_alike is None else view.is_alike and self._misses(view))
        )
        return next((view.query for view in able), None)

    def _misses(self, view: ListView) -> bool:
        """Return True if a link beside the form showed records that were not harvested, or counts more than were."""
        listing = self.opened.source.listing
        is_comparable = listing is None or not listing.own_values
        return view.total > self.run.records or (is_comparable and self._count_missing(view.keys) > 0)

    def _find_missed_view(self) -> str:
        """Return the name of a link beside the form with records that were not harvested, or nothing."""
        views = self.opened.source.views
        cut = (views[query].name for query, is_read in self.seen.items() if not is_read)
        return next((view.name for view in views.values() if self._misses(view)), "") or next(cut, "")

    def _name_views(self) -> str:
        names = ", ".join(repr(self.opened.source.views[query].name) for query in self.beyond)
        return f"the {'link' if len(self.beyond) == 1 else 'links'} {names}"

    def _compare_views(self) -> str:
        """Return which link beside the form shows more than the form, harvested or not; else nothing."""
        missed = self._find_missed_view()
        if missed:
            return f"the link {missed!r} shows records that were not harvested"
        if not self.beyond:
            return ""
        count = sum(self.beyond.values())
        return f"{self._name_views()} beside the form showed {count:,} records that it does not list; there may be more such"

    def _count_missing(self, keys: Sequence[str]) -> int:
        return sum(bytes.fromhex(key) not in self.run.harvested.keys for key in keys)

    def _compare_total(self) -> str:
        """Return the proof that as many records were harvested as a query for everything reports, or nothing."""
        total = self.selector.captures.total
        if total is None or self.run.records != total:
            return ""
        return f"{total:,} records were harvested, as many as a query for everything reports"

    def _prove(self, proof: str) -> bool:
        """Accept a proof, unless answers contradict each other: that is noted instead."""
        doubt = self._why_unproven()
        self.run.complete, self.run.proof = not doubt, doubt or proof
        return self.run.complete

    def _why_unproven(self) -> str:
        """Return why nothing is proven, whatever counts and covers show; nothing where answers agree."""
        found = self._why_contradicted()
        missing = len(self._find_unharvested())
        if missing and not found:
            found = f"the sitemap names records that were not harvested, {missing:,} of {len(self.named.sample):,} that were looked for"
        kept_back = self._find_kept_back()
        seen = f"other choices than {kept_back} show records that were not harvested" if kept_back else ""
        return found or self._doubt_identity() or seen or self._compare_views() or self._compare_sorted()

    def _why_contradicted(self) -> str:
        """Return how answers contradict each other, or what they count."""
        at_trials, untrue = self.opened.learned.get("doubt"), self.opened.source.untrue_count
        grave = [Contradiction(at_trials[0], at_trials[1], count=at_trials[2])] if at_trials else []
        grave += [Contradiction(ContradictionKind.PAGES_AFTER_COUNT, untrue)] if untrue else []
        for each in grave:
            self.run.monitor.noticed.setdefault(str(each.kind), each.count)
        if grave:
            return f"answers contradict each other: {grave[0].case}"
        listed = self.run.records - sum(self.beyond.values())
        return self.contradictions.why_unproven(listed, self.opened.source.ineffective.reasons)

    def _doubt_identity(self) -> str:
        """Return why it cannot be told which records are the same, or nothing."""
        unstable, harvested = self.opened.source.reader.unstable, self.run.harvested
        if unstable.doubt:
            return f"it cannot be told which records are the same: {unstable.doubt}"
        if harvested.copies:
            return f"it cannot be told which records are the same: {len(harvested.copies):,} have the values of another and another address"
        return ""

    def _note_identity(self) -> None:
        """Count what may be copies, and what no record is known by."""
        harvested = self.run.harvested
        twins, unstable = (
            len(harvested.twins) + len(harvested.same_ids) + harvested.alike,
            self.opened.source.reader.unstable.describe(),
        )
        for notice, count in (
            (HarvestNotice.TWINS, twins),
            (HarvestNotice.UNSTABLE, len(unstable)),
            (HarvestNotice.NAMED_ELSEWHERE, self.named.count if self._find_unharvested() else 0),
        ):
            if count:
                self.run.monitor.noticed[notice] = count

    def _find_unharvested(self) -> list[str]:
        """Return the addresses of a sample of the sitemap that no harvested record has."""
        clean, keys = self.opened.source.reader.unstable.clean_record, self.run.harvested.keys
        return [url for url in self.named.sample if key_of(clean(Record((), url, url))) not in keys]

    def choose_named(self) -> Query | None:
        """Return a link with more than the form shows, or a query for a record that the sitemap names and nobody found, once for each."""
        view = self._choose_view()
        if view is not None:
            return view
        if self.bounded or not takes_alone(self.selector.interface, ""):
            return None
        asked = self.selector.asked
        queries = (find_name_query(url) for url in self._find_unharvested())
        return next((query for query in queries if query is not None and query not in asked), None)

    def _compare_sorted(self) -> str:
        """Return that records which come first in another order were not harvested, or nothing."""
        missing = self._count_missing(self.opened.learned.get("sorted", ()))
        return f"sorted otherwise, the list begins with {missing:,} records that were not harvested" if missing else ""

    def conclude(self) -> None:
        """Decide at the end whether everything was harvested, or estimate how much there is."""
        run, prover = self.run, self.selector.selector
        self._note_identity()
        by_count = self._compare_total() if run.stopped is StopReason.NOTHING_TO_ASK else ""
        if isinstance(prover, ProvingSelector) and not run.complete:
            judged = prover.verdict()
            run.proof = judged.reason
            if judged.yes and self._prove(judged.reason):
                run.certificate = prover.certificate()
        if by_count and not run.complete:
            self._prove(by_count)
        if run.complete and self.bounded:
            run.complete, run.complete_for = False, f"all {run.records:,} with {self.bounded}"
        if run.complete:
            run.complete_for = ""
            count = float(run.records)
            run.size = SizeEstimate(count, count, count, "proof", 1.0, 1.0, 1.0, (run.proof,))
            return
        # where answers contradict each other, nor is a part known to be all
        run.complete_for = "" if self._why_contradicted() or self._doubt_identity() else run.complete_for
        bound = f"the form asks only for {self.bounded}, which could not be emptied" if self.bounded else ""
        if self.bounded == IN_LIST:
            bound = "a list was read as it is; whether there are records that it does not show cannot be told"
        run.proof = bound or self._why_unproven() or run.proof
        estimate(run, self.selector)
        same = str(run.stopped) if run.stopped is StopReason.SAME_RECORDS else ""
        seen = run.proof if run.proof == self._compare_views() else ""
        if run.size and (bound or same or seen or self._counts_a_limit() or run.proof == self._doubt_identity() != ""):
            run.size = open_upwards(run.size, bound or same or run.proof)

    def _counts_a_limit(self) -> bool:
        """Return True if what answers report is rather a limit than a count: then it says nothing of how many there are."""
        kinds = {kind for kind, _ in self.contradictions.found}
        is_denied = ContradictionKind.NOT_EVERYTHING in kinds and bool(self.whole) and not self.is_beside
        return is_denied or ContradictionKind.SAME_COUNT in kinds
