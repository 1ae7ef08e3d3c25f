"""Deals one hand from shuffle to `hand_ended`, by the book."""

from __future__ import annotations

from random import Random

from auditor.cards import UNREAD
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsReleased,
    CardsShown,
    ChipsReturned,
    DeckCut,
    DeckShuffled,
    ForcedBetPosted,
    HandEnded,
    HandSeat,
    HandStarted,
    PlayerActed,
    PotAwarded,
    RakeTaken,
)
from auditor.simulate.beat import RaiseMade, Script
from auditor.simulate.betting import Act, Rounds
from auditor.simulate.deck import PlayingCard
from auditor.simulate.plan import HandPlan
from auditor.simulate.player import Turn, decide
from auditor.simulate.showdown import Result, judge, uncontested

_STREET_CARDS = (0, 3, 1, 1)
_FLASHED_RATE = 0.002  # of the cards dealt: the player lifts it too high
_DROPPED_RATE = 0.005  # of the hands: a player drops a card face up
_SHOWN_ANYWAY_RATE = 0.4  # of the beaten hands at a showdown
_RABBIT_RATE = 0.1  # of the hands that end before the river


def deal_hand(plan: HandPlan, rng: Random) -> Script:
    """The script of one whole hand."""
    return _Dealing(plan, rng).hand()


class _Dealing:
    """One hand while it is dealt."""

    def __init__(self, plan: HandPlan, rng: Random) -> None:
        self.plan = plan
        self.rng = rng
        self.script = Script(plan, stub=list(reversed(plan.cards)))
        self.rounds = Rounds(plan, self._straddler())
        self.holes: dict[int, list[PlayingCard]] = {seat: [] for seat in plan.dealt}
        self.boards: list[list[PlayingCard]] = [[]]
        self.aggressor: int | None = None  # of the last street that was bet

    def _straddler(self) -> int | None:
        dealt = self.plan.dealt
        straddles = len(dealt) >= 4 and self.rng.random() < self.plan.setting.straddle_rate
        return dealt[2] if straddles else None

    def hand(self) -> Script:
        self._prepare()
        self._start()
        self._post()
        self._deal()
        self._bet()
        self._pay()
        self.script.holes, self.script.board_cards = self.holes, self.boards[0]
        self.script.say(HandEnded, 2.0)
        # The stub was a pile with its top card last; from here on the bottom card is last.
        self.script.stub.reverse()
        return self.script

    def _prepare(self) -> None:
        """Shuffle and cut, which are the table's: the hand has not started."""
        plan, rng, script = self.plan, self.rng, self.script
        deck_id = plan.deck.deck_id
        if plan.setting.player_dealt:
            self._prepare_by_players()
            return
        if plan.setting.machine_shuffle:
            script.say(DeckShuffled, 12.0, hand_id=None, deck_id=deck_id, by="machine")
        else:
            script.say(DeckShuffled, 20.0, hand_id=None, deck_id=deck_id, by="dealer", riffles=rng.randint(4, 7))
        top = rng.randint(10, len(plan.cards) - 10)
        packets = (top, len(plan.cards) - top)
        script.say(DeckCut, 2.0, hand_id=None, packets=packets, by="dealer", cut_card=True)

    def _prepare_by_players(self) -> None:
        """The player on the dealer's left shuffles, the one on the right cuts; the button deals."""
        plan, rng = self.plan, self.rng
        order = plan.entitled
        shuffler, cutter = order[0], order[-2]
        self.script.say(
            DeckShuffled,
            25.0,
            hand_id=None,
            deck_id=plan.deck.deck_id,
            by="player",
            seat=shuffler,
            riffles=rng.randint(4, 7),
        )
        top = rng.randint(10, len(plan.cards) - 10)
        packets = (top, len(plan.cards) - top)
        self.script.say(DeckCut, 3.0, hand_id=None, packets=packets, by="player", seat=cutter, cut_card=True)

    def _start(self) -> None:
        plan = self.plan
        small, big = plan.blinds
        self.script.say(
            HandStarted,
            1.0,
            button_seat=plan.button,
            seats=tuple(
                HandSeat(seat=h.seat, player_id=h.player_id, stack=h.stack, entitled=h.entitled) for h in plan.holders
            ),
            small_blind_seat=small,
            big_blind_seat=big,
            dealer_id=None if plan.setting.player_dealt else plan.dealer_id,
            dealer_seat=plan.button if plan.setting.player_dealt else None,
            deck_id=plan.deck.deck_id,
            deck_back=plan.deck.back,
            redeal_of=plan.redeal_of,
            carried_pot=plan.carried_pot,
        )

    def _post(self) -> None:
        for post in self.rounds.posts:
            self.script.say(ForcedBetPosted, 0.6, seat=post.seat, kind=post.kind, amount=post.amount)

    def _deal(self) -> None:
        for _ in range(2):
            for seat, hole in self.holes.items():
                card = self.script.stub.pop()
                hole.append(card)
                self._deal_card(seat, card)

    def _deal_card(self, seat: int, card: PlayingCard) -> None:
        rng = self.rng
        if card in self.plan.unread or rng.random() < self.plan.setting.unread_rate:
            seen = {"card": UNREAD}
        else:
            seen = {"card": card.face, "card_id": card.card_id}
            if rng.random() < _FLASHED_RATE:
                seen["exposed_by"] = "player"
        self.script.say(CardDealt, 0.4, (card,), seat=seat, back=card.back, **seen)

    def _bet(self) -> None:
        """All betting rounds, and the board as they call for it."""
        rounds, street = self.rounds, 0
        while (turn := rounds.turn()) is not None:
            if rounds.street != street:
                street = rounds.street
                self._board(street, 1)
                self.aggressor = None
            self._act(turn)
        if (uncalled := rounds.uncalled()) is not None:
            seat, amount = uncalled
            self.script.say(ChipsReturned, 1.5, seat=seat, amount=amount, reason="uncalled")
        if len(rounds.live) > 1:
            self._run_out(street)

    def _act(self, turn: Turn) -> None:
        rounds, rng = self.rounds, self.rng
        if turn.seat in self.plan.must_fold:
            act = rounds.fold()
        else:
            scheme = self.plan.scheme
            decision = scheme(turn) if scheme is not None else None
            if decision is None:
                decision = decide(rng, turn, self.plan.holder(turn.seat).looseness)
            if decision.move == "raise":
                act = rounds.raise_to(decision.raise_to)
                self.aggressor = act.seat
            else:
                act = rounds.fold() if decision.move == "fold" else rounds.check_or_call()
        self._write(act)

    def _write(self, act: Act) -> None:
        thought = round(self.rng.uniform(1.0, 12.0), 1)
        beat = self.script.say(
            PlayerActed, thought, seat=act.seat, action=act.action, amount=act.amount, all_in=act.all_in
        )
        if act.action in ("bet", "raise"):
            made = self.script.raises if act.action == "raise" else self.script.bets
            made.append(RaiseMade(beat, act.high, act.to, act.least_to))
        if act.action == "raise":
            return
        if act.action != "fold" and self.rng.random() < _DROPPED_RATE:
            card = self.rng.choice(self.holes[act.seat])
            self.script.say(CardExposed, 1.0, (card,), seat=act.seat, card=card.face, by="player")

    def _run_out(self, street: int) -> None:
        """The streets that are left when nobody can bet any more, twice where the players agree."""
        left = range(street + 1, len(_STREET_CARDS))
        if left and self.rng.random() < self.plan.setting.run_twice_rate:
            self.boards.append(list(self.boards[0]))
        for number in range(1, len(self.boards) + 1):
            for later in left:
                self._board(later, number)

    def _board(self, street: int, number: int) -> None:
        stub = self.script.stub
        burn = stub.pop()
        if self.plan.setting.burns_read:
            self.script.say(CardBurned, 1.5, (burn,), card=burn.face, back=burn.back, card_id=burn.card_id)
        else:
            self.script.say(CardBurned, 1.5, (burn,), card=UNREAD, back=burn.back)
        cards = tuple(stub.pop() for _ in range(_STREET_CARDS[street]))
        self.boards[number - 1].extend(cards)
        self.script.say(BoardDealt, 1.0, cards, cards=tuple(card.seen for card in cards), board=number)

    def _pay(self) -> None:
        live, plan, setting = self.rounds.live, self.plan, self.plan.setting
        flop_seen = bool(self.boards[0])
        if len(live) == 1:
            uncalled = self.rounds.uncalled()
            pot = self.rounds.total - (uncalled[1] if uncalled else 0) + plan.carried_pot
            self._award(uncontested(setting, live[0], pot, flop_seen))
            self._rabbit()
            return
        holes = {seat: self.holes[seat] for seat in live}
        pots = self.rounds.pots()
        if plan.carried_pot:
            pots[0] = pots[0]._replace(amount=pots[0].amount + plan.carried_pot)
        self.script.pots = pots
        result = judge(setting, pots, holes, self.boards, flop_seen)
        self._show(live, result.winners)
        self._award(result)

    def _show(self, live: list[int], winners: set[int]) -> None:
        """The last aggressor shows first, and then in turn; a beaten hand may be mucked."""
        first = live.index(self.aggressor) if self.aggressor in live else 0
        for place, seat in enumerate(live[first:] + live[:first]):
            if place == 0 or seat in winners or self.rng.random() < _SHOWN_ANYWAY_RATE:
                cards = tuple(self.holes[seat])
                self.script.say(CardsShown, 2.0, cards, seat=seat, cards=tuple(card.seen for card in cards))
            else:
                self.script.say(CardsReleased, 2.0, seat=seat, manner="muck")

    def _award(self, result: Result) -> None:
        if result.rake:
            self.script.say(RakeTaken, 1.0, amount=result.rake)
        for award in result.awards:
            self.script.say(PotAwarded, 2.0, seat=award.seat, amount=award.amount, pot=award.pot)

    def _rabbit(self) -> None:
        missing = 5 - len(self.boards[0])
        if missing and self.rng.random() < _RABBIT_RATE:
            cards = tuple(self.script.stub.pop() for _ in range(missing))
            self.script.say(BoardDealt, 4.0, cards, cards=tuple(card.seen for card in cards), rabbit=True)
