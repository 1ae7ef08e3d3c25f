"""Mistakes that lie in the deck: a face that it holds twice, a card of another deck, a card too few."""

from __future__ import annotations

from random import Random

from auditor.events import HandEnded, PotAwarded, StubInspected
from auditor.simulate.beat import Beat, Script
from auditor.simulate.deck import PlayingCard
from auditor.simulate.mistakes.floor import put, void_hand
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def plan_duplicate(plan: HandPlan, rng: Random) -> bool:
    """A second card of a face that will be dealt takes the place of another card of the deck."""
    hole_cards = 2 * len(plan.dealt)
    manner = rng.random()
    first = rng.randrange(hole_cards - 1)
    if manner < 0.6:  # in two hands
        second = rng.randrange(first + 1, hole_cards)
    elif manner < 0.85:  # in a hand and on the flop, behind the burn
        second = hole_cards + rng.randint(1, 3)
    else:  # in a hand, but not read before it is shown
        second = rng.randrange(first + 1, hole_cards)
    double = plan.deck.second(plan.cards[first].face)
    plan.cards[second] = double
    if manner >= 0.85:
        plan.unread.add(double)
    return True


def duplicate(script: Script, rng: Random) -> list[Fault]:
    """DCK101: two cards of one face are found. Either all action is void, or the pot is paid out all the same."""
    return _duplicate(script, rng, void=rng.random() < 0.5)


def void_duplicate(script: Script, rng: Random) -> list[Fault]:
    """Two cards of one face are found, and all action is void."""
    return _duplicate(script, rng, void=True)


def duplicate_paid(script: Script, rng: Random) -> list[Fault]:
    """RUL103: two cards of one face, and the pot was awarded."""
    return _duplicate(script, rng, void=False)


def _duplicate(script: Script, rng: Random, *, void: bool) -> list[Fault]:
    twins = _first_twins(script)
    if twins is None:
        return []
    proof, face, seats = twins
    fault = Fault("DCK101", proof, f"{face} is twice in the hand", seats=seats, cards=(face,))
    return void_or_pay(script, rng, fault, void=void)


def _first_twins(script: Script) -> tuple[Beat, str, tuple[int, ...]] | None:
    """The beat in play that shows a face for the second time, on another card; and the seats that hold them."""
    seen: dict[str, tuple[PlayingCard, Beat]] = {}
    for beat in script.beats[: script.end_of_play]:
        for card in () if beat.unread else beat.cards:
            earlier, where = seen.setdefault(card.face, (card, beat))
            if earlier != card:
                seats = [b.seat for b in (where, beat) if "seat" in b.fields]
                return beat, card.face, tuple(dict.fromkeys(seats))
    return None


def plan_wrong_back(plan: HandPlan, rng: Random) -> bool:
    """A card has come in from the other deck, in the place of its own twin."""
    hole_cards = 2 * len(plan.dealt)
    place = rng.randrange(hole_cards) if rng.random() < 0.7 else hole_cards + rng.randrange(4)
    plan.cards[place] = plan.other_deck.card(plan.cards[place].face)
    return True


def wrong_back(script: Script, rng: Random) -> list[Fault]:
    """DCK102: a card of the other deck comes into play."""
    right = script.plan.deck.back
    for beat in script.beats[: script.end_of_play]:
        for card in beat.cards:
            if card.back != right:
                seats = (beat.seat,) if "seat" in beat.fields else ()
                cards = () if beat.unread else (card.face,)
                what = f"a card with a {card.back} back came out of the {right} deck"
                fault = Fault("DCK102", beat, what, seats=seats, cards=cards)
                return void_or_pay(script, rng, fault, void=rng.random() < 0.5)
    return []


def void_or_pay(script: Script, rng: Random, fault: Fault, *, void: bool) -> list[Fault]:
    assert fault.proof is not None
    fault.prescribed = "void_action"
    if void:
        seen = max(script.beats.index(fault.proof) + 1, script.after_deal)
        found = rng.randint(seen, script.end_of_play)
        freeroll = _freeroll(script, fault, found)
        void_hand(script, found, rng, fault.rule, fault.cards[0] if fault.cards else None)
        fault.handled = "as_prescribed"
        return [fault, *freeroll]
    fault.handled = "contrary"
    award = script.beats[script.first_of(PotAwarded)]
    what = f"the pot was awarded in spite of {fault.rule}"
    paid = Fault("RUL103", award, what, seats=(award.seat,), cards=fault.cards)
    return [fault, *_freeroll(script, fault, script.end_of_play), paid]


def _freeroll(script: Script, fault: Fault, found: int) -> list[Fault]:
    """DCK108: the one seat that could see the defect bets or raises before it is found.

    Two seats with a card each see one of the twins; one seat sees its own and the board's.
    """
    assert fault.proof is not None
    if len(fault.seats) != 1 or fault.rule not in ("DCK101", "DCK102"):
        return []
    for index in script.actions:
        beat = script.beats[index]
        raises = beat.seat == fault.seats[0] and beat.fields["action"] in ("bet", "raise")
        if raises and script.beats.index(fault.proof) < index < found:
            what = f"seat {beat.seat} could see {fault.rule}, and played for the pot"
            return [Fault("DCK108", beat, what, fault.seats, prescribed="pot_carries_over")]
    return []


def wrong_back_in_stub(script: Script, rng: Random) -> list[Fault]:
    """DCK103: when the hand is over, a card of the other deck is found in the stub. The result stands."""
    place = rng.randrange(len(script.stub))
    strange = script.plan.other_deck.card(script.stub[place].face)
    script.stub[place] = strange
    proof = inspect_stub(script)
    what = f"a card with a {strange.back} back lay in the stub"
    return [Fault("DCK103", proof, what, cards=(strange.face,), prescribed="action_stands", handled="as_prescribed")]


def missing_card(script: Script, rng: Random) -> list[Fault]:
    """DCK107: when the hand is over, the stub turns out to be one card short. The result stands."""
    gone = script.stub.pop(rng.randrange(len(script.stub)))
    proof = inspect_stub(script)
    what = f"{gone.face} is missing from the deck"
    return [Fault("DCK107", proof, what, cards=(gone.face,), prescribed="action_stands", handled="as_prescribed")]


def inspect_stub(script: Script) -> Beat:
    """The stub is spread face up before the hand is closed."""
    cards = tuple(script.stub)
    beat = script.beat(StubInspected, 15.0, cards, cards=tuple(card.seen for card in cards))
    put(script, script.beats[script.first_of(HandEnded)], beat)
    return beat
