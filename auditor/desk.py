"""One table under audit: its events in order, its state, its rules, and its open findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from auditor import incidents
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardReturned,
    CardsDiscarded,
    CardsReleased,
    CardsRetrieved,
    CardsShown,
    ChipsReturned,
    ClockExpired,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    IrregularityAnnounced,
    PlayerActed,
    PotAwarded,
    RulingMade,
    TableClosed,
    TableOpened,
)
from auditor.findings import Finding, HandSummary, finding_id
from auditor.intake import CLOCK_SKEW, Disposition, Outcomes, TableRecord
from auditor.ordering import Kept, Ordering
from auditor.rules.registry import NOTHING, RULES, Checks, Plan, Planner
from auditor.rules.rule import HandCancelled, Hit, Rule
from auditor.table import board, deal, deck
from auditor.table.evolve import HAND_STEPS, close_hand, evolve, join_midway, lose_track, observed
from auditor.table.hand import Hand, Irregularity
from auditor.table.remedies import refund_differences
from auditor.table.shape import DealSettled, measure
from auditor.table.table import Table
from auditor.wire import parse

#: Play that goes on: the deal is over, and what is missing from it is missing.
_PLAY = (PlayerActed, CardBurned, BoardDealt, ClockExpired, CardsDiscarded)
#: What cannot come when the next hand is open already: it may be that hand's, under a wrong name.
_PLAYED = frozenset((*_PLAY, CardDealt, ForcedBetPosted))
#: The hand is no longer quiet: see `OnceStirred`.
_STIRS = frozenset(
    {
        IrregularityAnnounced, RulingMade, CardsShown, CardsReleased, CardsRetrieved, CardReturned, CardExposed,
        ClockExpired, PotAwarded,
    }
)  # fmt: skip
#: The hand goes on with what lies on the board.
_PLAYS_ON = (PlayerActed, BoardDealt, PotAwarded)
#: The hand ends before any play, perhaps by a ruling: the deal may have been stopped in its middle.
_STOP = (ChipsReturned, PotAwarded, HandEnded, RulingMade)
_ENDS_DEAL = frozenset((*_PLAY, *_STOP))


class HandLeftOpen(NamedTuple):
    """What comes after a hand comes without the hand's end."""

    seq: int
    at: datetime


#: What a finding may be about besides an event: a moment that lies between two of them.
Moment = DealSettled | board.PrematurePlayed | HandLeftOpen


class Desk:
    """One table under audit: its order, its state, its open findings."""

    __slots__ = (
        "_boundary", "_checks", "_fitted", "_found", "_next_boundary", "_open", "_opened", "_out", "_plan", "_planner",
        "_table_checks", "duplicates", "keep", "order", "partition", "table", "toggled",
    )  # fmt: skip

    def __init__(self, table: Table, planner: Planner, out: Outcomes, *, keep: bool) -> None:
        self.table = table
        self._planner = planner
        self.order = Ordering()
        self.duplicates = 0
        self.partition = 0  # that its events come over
        self.toggled = False  # the table opened or closed
        self.keep = keep
        self._out = out
        self._open: dict[str, Finding] = {}  # of the open hand, not settled yet
        self._found: dict[str, Finding] = {}  # of the open hand, all of them
        self._fitted: list[int] = []  # numbers that came late and took their place after all
        self._boundary: tuple[int, bytes] = (0, table.dump()) if keep else (0, b"")
        self._next_boundary = self._boundary
        self._opened = table.memory.opened
        self._plan_table()
        self._plan = Plan(NOTHING, NOTHING)
        self._checks: Checks = NOTHING  # those of the plan that are to be asked now

    @property
    def closed(self) -> bool:
        return self.table.memory.closed and not self.order.waiting

    # --- order ------------------------------------------------------------------------------------------------------

    def arrive(self, event: Event, kept: Kept, of_file: bool = False) -> Disposition:
        """An event comes in, in its turn or not; `kept` is what is kept of it to know a copy. `of_file`: it comes from
        a file, which may be read again."""
        order = self.order
        if event.seq != order.next_seq:
            return self._out_of_turn(event, kept, of_file)
        order.pass_on(event, kept)
        self._apply(event)
        if order.waiting:
            self._catch_up()
        return "accepted"

    def _out_of_turn(self, event: Event, kept: Kept, of_file: bool) -> Disposition:
        disposition = self.order.hold(event, kept, of_file=of_file)
        if disposition == "accepted":
            if self.order.overfull():
                self.give_up_gap()
        elif disposition == "duplicate":
            self.duplicates += 1
            self._out.duplicates += 1
        elif disposition == "conflict":
            came = f"A second, different event came under number {event.seq}: {event.type}."
            self._tell_of_arrival("FEED102", event, came)
        elif disposition == "late":
            again = "; the hand was audited again with it" if self._fits(event) else ""
            if again:
                self._audit_again(event, kept)
            came = f"Event {event.seq} ({event.type}) came when its place had been given up{again}."
            self._tell_of_arrival("FEED103", event, came)
        return disposition

    def _tell_of_arrival(self, code: str, event: Event, message: str) -> None:
        """A finding on how an event came. Where the hand was by then is chance, so nothing of it is told."""
        rule, table_id = RULES[code], self.table.table_id
        own_id = finding_id(code, table_id, event.hand_id, event.seq, (), ())
        self._out.findings[own_id] = Finding(
            finding_id=own_id, rule=code, name=rule.name, severity=rule.severity, table_id=table_id,
            hand_id=event.hand_id, seq=event.seq, at=event.at, message=message, handled="not_applicable",
            incident=own_id, evidence=(event.seq,), source_rule=rule.source,
        )  # fmt: skip

    def _catch_up(self) -> None:
        while (ready := self.order.ready()) is not None:
            self.order.pass_on(*ready)
            self._apply(ready[0])

    def give_up_gap(self) -> None:
        """Go on behind the first gap, flag it, and mark what it may have touched as incomplete."""
        first, last = self.order.give_up()
        ready = self.order.ready()
        assert ready is not None
        self._miss(first, last, ready[0])
        self.order.pass_on(*ready)
        self._apply(ready[0])
        self._catch_up()

    def _miss(self, first: int, last: int, event: Event) -> None:
        """Events are missing before this one."""
        self.table.memory.lost_track = True
        self._lose_track()
        missing = f"event {first} is" if first == last else f"events {first} to {last} are"
        self._feed("FEED101", event, f"The feed has a gap: {missing} missing before event {event.seq}.")

    def _lose_track(self) -> None:
        """Something is missing: what argues from silence is silent from here on, and what was found is degraded."""
        self._leave_button()
        lose_track(self.table)
        if self.table.hand.open:
            self._follow(self._planner.plan(self.table.hand.game.name, frozenset()))
            for own_id, finding in list(self._found.items()):
                self._degrade(own_id, finding)

    def _degrade(self, own_id: str, finding: Finding) -> None:
        if finding.degraded:
            return
        degraded = self._found[own_id] = finding.model_copy(update={"degraded": True})
        if own_id in self._open:
            self._open[own_id] = degraded
        elif not (self.keep or own_id in self._out.findings):
            return  # it was settled and has gone out
        self._out.findings[own_id] = degraded

    # --- a late event of the open hand ------------------------------------------------------------------------------

    def _fits(self, event: Event) -> bool:
        """Whether a late event can still be put in its place: the hand is open, and what it began with is at hand."""
        hand = self.table.hand
        return self.keep and hand.open and event.seq > self._next_boundary[0] and event.hand_id in (None, hand.hand_id)

    def _audit_again(self, event: Event, kept: Kept) -> None:
        """Audit the open hand once more from the boundary before it, with the late event in its place.

        Findings have deterministic ids, so what is found again replaces itself; what is not, is withdrawn.
        """
        self.order.fit_in(event, kept)
        self._fitted.append(event.seq)
        before, closed = self._found, self._out.hands_closed
        after, memory = self._next_boundary
        self.table = Table.load(self.table.table_id, memory)
        self._open, self._found = {}, {}
        self._plan_table()
        for seq, known in self.order.passed_on(after):
            again = parse(known) if isinstance(known, bytes) else known
            if seq != after + 1:
                self._miss(after + 1, seq - 1, again)
            self._apply(again)
            after = seq
        self._out.hands_closed = closed
        for own_id, finding in before.items():
            if own_id not in self._found and RULES[finding.rule].family != "FEED":  # a gap was one, though it filled
                self._withdraw(finding, event.seq)

    def _withdraw(self, finding: Finding, late: int) -> None:
        message = f"{finding.message} Withdrawn: event {late}, which came late, shows that it was not so."
        self._update(finding, message=message, handled="not_applicable", degraded=True, confidence="possible")

    def _feed(self, code: str, event: Event | Moment, message: str) -> None:
        self._record(RULES[code], (Hit(message),), event)

    # --- one event in order -----------------------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        kind = event.__class__
        if not self._opened and kind is not TableOpened:
            self._never_opened(event)
        at, memory = event.at, self.table.memory
        clock = memory.clock
        if clock is not None and at < clock:
            self._clock_went_back(event, clock)
        memory.clock = at
        hand_id = event.hand_id
        if hand_id is None:
            self._apply_to_table(event)
        elif type(event) is HandStarted:
            self._start_hand(event)
        elif hand_id == self.table.hand.hand_id or self._joins_midway(event):
            self._apply_to_hand(event, kind)

    def _apply_to_hand(self, event: Event, kind: type[Any]) -> None:
        table = self.table
        hand = table.hand
        if not hand.deal_judged and kind in _ENDS_DEAL:
            self._settle_deal(event, kind)
        if hand.premature and kind in _PLAYS_ON and board.plays_on(hand, event):
            self._check_moment(board.PrematurePlayed(event.seq, event.at))
            board.play_on_with_premature(hand)
        checks = self._checks
        if type(event) is not PlayerActed:
            asked = checks.by_event.get(kind, ())
            if type(event) is HandEnded and event.cancelled:
                hand.cancelled = True
                asked = checks.by_event.get(HandCancelled, ())
            elif type(event) is CardDealt and deck.is_plain(hand, event):
                asked = checks.for_plain_card
        elif event.seat == hand.turn and not hand.dead:
            asked = checks.by_action[event.action]  # the action is on a seat whose hand is live
        else:
            asked = checks.by_odd_action[event.action]
        for rule, check in asked:
            hits = check(table, event)
            if hits:
                self._record(rule, hits, event)
        if kind in _STIRS:
            self._checks = self._plan.stirred
        step = HAND_STEPS.get(kind)
        if step is not None:
            step(hand, event)
        elif kind is HandEnded:
            self._end_hand(event.seq, event.at, "ended")

    def _settle_deal(self, event: Event, kind: type[Any]) -> None:
        interrupted = kind not in _PLAY
        if type(event) is RulingMade and event.ruling not in ("misdeal", "void_action"):
            return  # the deal goes on
        if type(event) is ChipsReturned and event.reason == "correction":
            return  # a blind is put right
        hand = self.table.hand
        if hand.cross_reads:
            deck.sort_out_cross_reads(hand)
        if hand.deal_settled:
            interrupted = False  # the first player had acted
        elif type(event) is PlayerActed and deal.lacks_top_card(hand):
            deal.settle(hand)  # a deal that stopped one card early may be completed yet
            return
        self._check_moment(measure(hand, DealSettled(event.seq, event.at, interrupted)))
        if not hand.deal_settled:
            deal.settle(hand)
        deal.judge(hand)

    def _check_moment(self, moment: Moment) -> None:
        for rule, check in self._checks.by_event.get(moment.__class__, ()):
            hits = check(self.table, moment)
            if hits:
                self._record(rule, hits, moment)

    def _apply_to_table(self, event: Event) -> None:
        kind = event.__class__
        if kind is TableClosed and self.table.hand.open:
            self._hand_left_open(event)
        for rule, check in self._table_checks.by_event.get(kind, ()):
            hits = check(self.table, event)
            if hits:
                self._record(rule, hits, event)
        if kind is TableOpened or kind is TableClosed:
            self._leave_button()
        evolve(self.table, event)
        if kind is TableOpened:
            self._opened = True
            self._plan_table()
            self.toggled = True
        elif kind is TableClosed:
            self.toggled = True

    def _follow(self, plan: Plan) -> None:
        """From now on, in this hand, by this plan."""
        stirred = self._checks is self._plan.stirred
        self._plan = plan
        self._checks = plan.stirred if stirred else plan.quiet

    def _plan_table(self) -> None:
        memory = self.table.memory
        self._table_checks = self._planner.plan(memory.game, observed(memory.observes)).stirred

    def _never_opened(self, event: Event) -> None:
        self._opened = True
        if not self.table.memory.lost_track:  # its start lies in a gap, which was flagged
            self._feed("FEED106", event, f"Events come for table {event.table_id}, which was never opened.")

    def _clock_went_back(self, event: Event, before: datetime) -> None:
        """Told once a hand: a clock that runs behind another does so at every turn from one to the other."""
        memory = self.table.memory
        if before - event.at <= CLOCK_SKEW or memory.clock_told:
            return
        memory.clock_told = True
        back = f"{(before - event.at).total_seconds():,.0f} seconds"
        self._feed("FEED104", event, f"Event {event.seq} ({event.type}) is {back} older than the event before it.")

    def _joins_midway(self, event: Event) -> bool:
        """Whether a hand that is not open can be gone on with: only where a gap swallowed its start."""
        memory, hand_id = self.table.memory, event.hand_id
        assert hand_id is not None
        if memory.lost_track:
            if self.table.hand.open:
                self._hand_left_open(event)
            join_midway(self.table, hand_id, event.seq, event.at)
            self._follow(self._planner.plan(self.table.hand.game.name, frozenset()))
            return True
        last = hand_id == memory.last_hand_id
        if memory.told_stray != hand_id and not (last and type(event) is BoardDealt and event.rabbit):
            memory.told_stray = hand_id
            when = "after it had ended" if last else "while it was not open"
            self._feed("FEED106", event, f"An event of hand {hand_id} ({event.type}) came {when}.")
            if not last or (self.table.hand.open and event.__class__ in _PLAYED):
                self._lose_track()  # a hand passed unaudited, or the one that is open lacks an event
        return False

    # --- the hand begins and ends -----------------------------------------------------------------------------------

    def _start_hand(self, event: HandStarted) -> None:
        table = self.table
        if table.hand.open:
            self._hand_left_open(event)
        if self.keep and event.seq - 1 != self._next_boundary[0]:  # else the hand is audited again
            # A hand behind: a copy of an event of the last hand must still be known as one after a restart.
            self._boundary, self._next_boundary = self._next_boundary, (event.seq - 1, table.dump())
            self._fitted = [seq for seq in self._fitted if seq > self._boundary[0]]
        self._settle_button(event)
        game = event.game or table.memory.game
        observes = observed(table.memory.observes if event.observes is None else event.observes)
        self._plan = self._planner.plan(game, observes)
        self._checks = self._plan.quiet
        found = [
            (rule, hits) for rule, check in self._checks.by_event.get(HandStarted, ()) if (hits := check(table, event))
        ]
        evolve(table, event)
        if table.memory.button is not None:
            table.memory.button.incident = None  # settled
        for rule, hits in found:  # they belong to the hand that starts
            self._record(rule, hits, event)

    def _settle_button(self, event: HandStarted) -> None:
        last = self.table.memory.button
        if last is None or last.incident is None:
            return
        prescribed, handled = incidents.settle_button(last, event, last.attention)
        self._update(last.incident, prescribed=prescribed, handled=handled)

    def _leave_button(self) -> None:
        """Whether the next hand corrects a wrong button, nobody will know."""
        last = self.table.memory.button
        if last is not None and last.incident is not None:
            self._update(last.incident, prescribed="correct_button_next_hand", handled="not_applicable")
            last.incident = None

    def _hand_left_open(self, event: Event) -> None:
        hand = self.table.hand
        if hand.verdict == "misdeal" and not refund_differences(hand):
            self._end_hand(event.seq, event.at, "ended")  # a misdeal ends the hand, whether its end is told or not
            return
        if not hand.gap:
            came = "the table closed" if event.hand_id is None else f"hand {event.hand_id} started"
            left_open = HandLeftOpen(event.seq, event.at)
            self._feed("FEED105", left_open, f"Hand {hand.hand_id} was still open when {came}.")
        self._end_hand(event.seq, event.at, "not_closed")

    def _end_hand(self, seq: int, at: datetime, status: str) -> None:
        hand = self.table.hand
        waiting: Finding | None = None
        for irregularity in hand.irregularities:
            finding = self._open.pop(irregularity.finding_id, None)
            if finding is None:
                continue
            prescribed, handled = incidents.settle(hand, irregularity)
            if incidents.awaits_next_hand(hand, irregularity):
                waiting = finding
                continue
            self._update(finding, prescribed=prescribed, handled=handled)
        if status == "ended":
            verdict = hand.verdict
            void = hand.cancelled or verdict == "void_action"
            status = "misdeal" if verdict == "misdeal" else "void" if void else status
        self._found = {}
        self._out.hands_closed += 1
        if self.keep:
            self._summarise(status, seq, at)
        close_hand(self.table, ended=status != "not_closed")
        if waiting is not None:
            self._keep_for_next_hand(waiting)

    def _keep_for_next_hand(self, finding: Finding) -> None:
        button = self.table.memory.button
        if button is None:
            self._update(finding, handled="not_applicable")
        else:
            button.incident = finding

    # --- outcomes ---------------------------------------------------------------------------------------------------

    def _record(self, rule: Rule, hits: Sequence[Hit], event: Event | Moment) -> None:
        for hit in hits:
            finding = self._finding(rule, hit, event)
            if finding.finding_id in self._open:
                continue
            self._out.findings[finding.finding_id] = finding
            hand = self.table.hand
            if hand.open and finding.hand_id == hand.hand_id:
                hand.irregularities.append(_irregularity(rule, finding, hand))
                self._found[finding.finding_id] = finding
                self._checks = self._plan.stirred
                if not finding.settled:
                    self._open[finding.finding_id] = finding

    def _finding(self, rule: Rule, hit: Hit, event: Event | Moment) -> Finding:
        hand = self.table.hand
        hand_id = hand.hand_id if isinstance(event, Moment) else event.hand_id
        within = hand.open and hand_id == hand.hand_id
        prescribed = hit.prescribed or rule.prescribes
        if rule.misdeal_ground and hand.window_closed:
            prescribed = "play_on"
        seq = event.seq if hit.seq is None else hit.seq
        own_id = finding_id(rule.code, self.table.table_id, hand_id, seq, hit.seats, hit.cards)
        return Finding(
            finding_id=own_id,
            rule=rule.code,
            name=rule.name,
            severity=rule.severity,
            table_id=self.table.table_id,
            hand_id=hand_id,
            seq=seq,
            at=event.at if hit.at is None else hit.at,
            street=hand.street_name if within else None,
            seats=hit.seats,
            cards=hit.cards,
            message=hit.message,
            prescribed=prescribed,
            handled="open" if within and prescribed != "none" else "not_applicable",
            degraded=within and hand.gap,
            confidence=hit.confidence,
            incident=hit.cause or self._before(hit) or own_id,
            dealer_id=hand.dealer_id if within else self.table.memory.dealer_id,
            evidence=hit.evidence or (seq,),
            source_rule=rule.source,
        )

    def _before(self, hit: Hit) -> str | None:
        """The incident of the finding behind which a hit stands."""
        first = self.table.hand.found(hit.behind) if hit.behind is not None else None
        return first.incident if first is not None else None

    def _update(self, finding: Finding, **changes: Any) -> None:
        # Settled findings go behind those of later events: the order of outcomes is the order in which they settled.
        self._out.findings.pop(finding.finding_id, None)
        self._out.findings[finding.finding_id] = finding.model_copy(update=changes)

    def _summarise(self, status: Any, seq: int | None = None, at: datetime | None = None) -> None:
        hand, memory = self.table.hand, self.table.memory
        key = (self.table.table_id, hand.hand_id, hand.started_seq)
        self._out.hands[key] = HandSummary(
            table_id=self.table.table_id,
            hand_id=hand.hand_id,
            started_seq=hand.started_seq,
            started_at=hand.started_at,
            ended_seq=seq,
            ended_at=at,
            status=status,
            complete=not hand.gap,
            game=hand.game.name,
            betting=hand.betting,
            dealer_id=hand.dealer_id,
            location=memory.location,
            button_seat=hand.button,
            players=len(hand.entitled),
            street=hand.street_name,
            board=tuple(hand.board),
            pot=hand.pot,
            redeal_of=hand.redeal_of,
        )

    def use(self, out: Outcomes) -> None:
        """From now on, outcomes go here."""
        self._out = out

    def show_open_hand(self) -> None:
        """The open hand, as it stands, into the outcomes."""
        if self.table.hand.open:
            self._summarise("open")

    def record(self) -> TableRecord:
        """What a restart needs of this table."""
        memory = self.table.memory
        return TableRecord(
            table_id=self.table.table_id,
            partition=self.partition,
            location=memory.location,
            game=memory.game,
            betting=memory.betting,
            open=not memory.closed,
            boundary_seq=self._boundary[0],
            next_seq=self.order.next_seq,
            duplicates=self.duplicates,
            late=tuple(self._fitted),
            memory=self._boundary[1],
        )

    def tail(self) -> list[tuple[int, bytes]]:
        """The events behind the boundary, by number: with the record, all that a restart needs. Only of events that
        came as bytes."""
        waiting = [(seq, kept) for seq, (_, kept) in self.order.waiting.items()]
        known = [*self.order.passed_on(self._boundary[0]), *sorted(waiting)]
        return [(seq, kept) for seq, kept in known if isinstance(kept, bytes)]

    def replay(self, record: TableRecord, raws: Iterable[bytes]) -> None:
        """Fold the stored events behind the boundary once more, in order, as they were folded before."""
        self.order = Ordering(record.boundary_seq + 1)
        self.duplicates = record.duplicates
        self.partition = record.partition
        self._fitted = list(record.late)
        self._boundary = self._next_boundary = (record.boundary_seq, record.memory)
        for raw in raws:
            event = parse(raw)
            self.arrive(event, raw)
            if event.seq < record.next_seq and self.order.waiting:
                self.give_up_gap()  # it was given up before


def _irregularity(rule: Rule, finding: Finding, hand: Hand) -> Irregularity:
    assert finding.seq is not None
    return Irregularity(
        code=rule.code,
        finding_id=finding.finding_id,
        severity=rule.severity,
        prescribed=finding.prescribed,
        seq=finding.seq,
        seats=finding.seats,
        cards=finding.cards,
        misdeal_ground=rule.misdeal_ground,
        street=hand.street,
        after_award=bool(hand.awarded),
        incident=finding.incident,
        actions=hand.actions,
    )
