"""Mistakes of the deal: cards exposed, boxed, in the wrong order or number, to the wrong seats."""

from __future__ import annotations

from random import Random

from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardReturned,
    CardsReleased,
    IrregularityAnnounced,
    PotAwarded,
)
from auditor.findings import Handled
from auditor.simulate.beat import Beat, Script
from auditor.simulate.deck import PlayingCard
from auditor.simulate.mistakes.floor import (
    announced,
    behind,
    call_in_time,
    play_on,
    put,
    ruled,
    settle_misdeal_ground,
)
from auditor.simulate.plan import HandPlan, clockwise
from auditor.simulate.truth import Fault


def expose_early_card(script: Script, rng: Random) -> list[Fault]:
    """DEAL101: the first or the second card of the hand is exposed by the dealer."""
    ordinal = rng.randrange(2)
    beat = script.beats[script.deal[ordinal]]
    proof = _expose(script, beat, rng)
    what = f"card {ordinal + 1} of the hand was exposed as it was dealt"
    return [settle_misdeal_ground(script, rng, _of_card("DEAL101", proof, beat, what))]


def expose_two_cards(script: Script, rng: Random) -> list[Fault]:
    """DEAL102: two cards are exposed, neither of them the first or the second of the hand."""
    first, second = (script.beats[index] for index in sorted(rng.sample(script.deal[2:], 2)))
    _expose(script, first, rng)
    proof = _expose(script, second, rng)
    fault = Fault(
        "DEAL102",
        proof,
        "the dealer exposed two cards",
        seats=tuple(dict.fromkeys((first.seat, second.seat))),
        cards=(first.cards[0].face, second.cards[0].face),
    )
    return [settle_misdeal_ground(script, rng, fault)]


def expose_one_card(script: Script, rng: Random) -> list[Fault]:
    """DEAL112: one later card is exposed. By the book it is replaced after the deal and becomes the burn card."""
    if rng.random() < 0.5:
        return keep_exposed_card(script, rng)
    beat = script.beats[rng.choice(script.deal[2:])]
    # The hand is to be played as it was: so its card is the replacement, and one from the bottom was exposed.
    kept, exposed = beat.cards[0], script.spare_card()
    turn_into(beat, exposed)
    proof = _expose(script, beat, rng)
    fault = _of_card("DEAL112", proof, beat, "a hole card was exposed, replaced after the deal and used as the burn")
    fault.prescribed, fault.handled = "use_as_burn", "as_prescribed"
    replacement = dealt(script, beat.seat, kept, replaces=exposed.face)
    _after_deal(script, announced(script, rng, "DEAL112"), *_becomes_burn(script, beat.seat, exposed), replacement)
    return [fault]


def keep_exposed_card(script: Script, rng: Random) -> list[Fault]:
    """RUL108: a player keeps the hole card that the dealer exposed."""
    beat = script.beats[rng.choice(script.deal[2:])]
    proof = _expose(script, beat, rng)
    fault = _of_card("DEAL112", proof, beat, "a hole card was exposed, and its player kept it")
    fault.prescribed, fault.handled = "use_as_burn", _left_alone(script)
    return [fault, *_kept(script, beat)]


def _kept(script: Script, exposed: Beat) -> list[Fault]:
    """RUL108: the exposed card is still in a hand that is played when the flop comes, or the pot is paid."""
    proof = script.first_of(BoardDealt, PotAwarded)
    actions = [script.beats[index] for index in script.actions if index < proof]
    if any(beat.seat == exposed.seat and beat.fields["action"] == "fold" for beat in actions):
        return []
    return [_of_card("RUL108", script.beats[proof], exposed, "the exposed card was kept")]


def waste_exposed_card(script: Script, rng: Random) -> list[Fault]:
    """RUL109: an exposed hole card is replaced, and goes back into the deck, or the muck, instead of being burned."""
    boards = script.all_of(BoardDealt)
    if not boards or script.beats[boards[0]].fields.get("rabbit"):
        return []
    beat = script.beats[rng.choice(script.deal[2:])]
    kept, exposed = beat.cards[0], script.spare_card()
    turn_into(beat, exposed)
    proof = _expose(script, beat, rng)
    fault = _of_card("DEAL112", proof, beat, "a hole card was exposed, and replaced")
    fault.prescribed = "use_as_burn"
    to = rng.choice(("stub", "muck"))
    back = script.beat(CardReturned, 3.0, (exposed,), **{"from": "seat"}, seat=beat.seat, card=exposed.face, to=to)
    _after_deal(script, back, dealt(script, beat.seat, kept, replaces=exposed.face))
    flop = script.beats[script.first_of(BoardDealt)]
    return [fault, _of_card("RUL109", flop, beat, f"the exposed card went to the {to} and was not burned")]


def honour_late_claim(script: Script, rng: Random) -> list[Fault]:
    """DEAL113: a player who had looked claims that a card was exposed, and gets another one."""
    beat = script.beats[rng.choice(script.deal)]
    kept, claimed, seat = beat.cards[0], script.spare_card(), beat.seat
    turn_into(beat, claimed)
    beat.fields["exposed_by"] = None
    claim = script.beat(
        IrregularityAnnounced, 5.0, by="player", seat=seat, rule="DEAL112", card=claimed.face, looked=True
    )
    replacement = dealt(script, seat, kept, replaces=claimed.face)
    ruling, back = _becomes_burn(script, seat, claimed)
    ruling.fields["seat"] = seat
    _after_deal(script, claim, ruling, back, replacement)
    fault = _of_card("DEAL113", ruling, beat, "a claim made after looking was honoured")
    fault.prescribed, fault.handled = "card_stands", "contrary"
    return [fault]


def box_two_cards(script: Script, rng: Random) -> list[Fault]:
    """DEAL103: two cards lie faced in the deck. Each is a scrap of paper and replaced by the card below it."""
    first, second = (script.beats[index] for index in sorted(rng.sample(script.deal, 2)))
    proofs, faces = [], []
    for beat in (first, second):
        kept, boxed = beat.cards[0], script.spare_card()
        turn_into(beat, boxed)
        beat.fields["boxed"] = True
        aside = script.beat(
            CardReturned, 3.0, (boxed,), **{"from": "seat"}, seat=beat.seat, card=boxed.face, to="set_aside"
        )
        behind(script, beat, aside, dealt(script, beat.seat, kept, replaces=boxed.face))
        proofs.append(beat)
        faces.append(boxed.face)
    seats = tuple(dict.fromkeys((first.seat, second.seat)))
    fault = Fault("DEAL103", proofs[1], "two boxed cards came out of the deck", seats=seats, cards=tuple(faces))
    return [settle_misdeal_ground(script, rng, fault)]


def plan_two_extra_cards(plan: HandPlan, rng: Random) -> bool:
    """The two hands with three cards are fouled: where the hand is played on, they are given up."""
    if len(plan.dealt) > 2 and rng.random() < 0.5:
        plan.must_fold.update(plan.dealt[:2])
    return True


def deal_two_extra_cards(script: Script, rng: Random) -> list[Fault]:
    """DEAL104: the dealer goes round once too often and stops after two seats."""
    seats = tuple(script.plan.dealt[:2])
    cards = [script.spare_card() for _ in seats]
    extras = [dealt(script, seat, card) for seat, card in zip(seats, cards, strict=True)]
    _after_deal(script, *extras)
    faces = tuple(card.face for card in cards)
    fault = Fault("DEAL104", extras[1], "two extra cards were dealt in the starting hands", seats=seats, cards=faces)
    if script.plan.must_fold:
        play_on(script, rng, fault)
        return [fault]
    return [call_in_time(script, rng, fault)]  # played on, the two hands would be dead


def plan_short_hand(plan: HandPlan, _rng: Random) -> bool:
    """The button gets one card: a fouled hand, which is given up."""
    plan.must_fold.add(plan.dealt[-1])
    return True


def deal_short_hand(script: Script, rng: Random) -> list[Fault]:
    """DEAL105: the deal stops one card early. The button has one card, and the hand is played on."""
    last = script.deal[-1]
    missing = script.beats.pop(last)
    script.stub.insert(0, missing.cards[0])
    proof = script.beats[script.deal[-1]]
    fault = Fault("DEAL105", proof, "the button got only one card", seats=(missing.seat,))
    play_on(script, rng, fault)
    return [fault]


def swap_two_cards(script: Script, rng: Random) -> list[Fault]:
    """DEAL106: two neighbours get their cards in the wrong order."""
    return [settle_misdeal_ground(script, rng, cards_in_wrong_order(script, rng))]


def cards_in_wrong_order(script: Script, rng: Random) -> Fault:
    """Two cards dealt in a row change places. The first card of the hand is not one of them."""
    deal = script.deal
    places = [i for i in range(1, len(deal) - 1) if script.beats[deal[i]].seat != script.beats[deal[i + 1]].seat]
    place = rng.choice(places)
    here, there = deal[place], deal[place + 1]
    script.beats[here], script.beats[there] = script.beats[there], script.beats[here]
    early, late = script.beats[here].seat, script.beats[there].seat
    # Until the seat that was passed over gets its card too, it might have been left out.
    proof = script.beats[there]
    return Fault("DEAL106", proof, f"seat {early} got a card before seat {late}", seats=(early, late))


def start_at_wrong_seat(script: Script, rng: Random) -> list[Fault]:
    """DEAL108: the deal begins one seat too far, and goes round from there."""
    deal, count = script.deal, len(script.plan.dealt)
    beats = [script.beats[index] for index in deal]
    rounds = [beats[start : start + count] for start in range(0, len(beats), count)]
    for index, beat in zip(deal, [beat for lap in rounds for beat in (*lap[1:], lap[0])], strict=True):
        script.beats[index] = beat
    proof = script.beats[deal[0]]
    fault = Fault("DEAL108", proof, f"the first card went to seat {proof.seat}", seats=(proof.seat,))
    # Until the seat that was passed over gets its card too, it might have been left out.
    return [settle_misdeal_ground(script, rng, fault, clear=script.beats[deal[count - 1]])]


def deal_to_ineligible(script: Script, rng: Random) -> list[Fault]:
    """DEAL109: an empty seat, or a player who sits out, gets a hand. It is not the first seat to be dealt to."""
    plan = script.plan
    order_of_deal = plan.dealt
    seats = clockwise(list(range(1, plan.setting.max_seats + 1)), plan.button)
    idle = [seat for seat in seats if seat not in order_of_deal and seats.index(seat) > seats.index(order_of_deal[0])]
    if not idle:
        return []
    seat = rng.choice(idle)
    order = clockwise([*order_of_deal, seat], plan.button)
    follower = order[(order.index(seat) + 1) % len(order)]
    cards = [script.spare_card(), script.spare_card()]
    extras = [dealt(script, seat, card) for card in cards]
    own = [script.beats[index] for index in script.deal if script.beats[index].seat == follower]
    if follower == order_of_deal[0]:  # it is the last seat of the round
        _after_deal(script, extras[1])
        put(script, own[1], extras[0])
    else:
        put(script, own[0], extras[0])
        put(script, own[1], extras[1])
    sitting_out = any(holder.seat == seat for holder in plan.holders)
    if sitting_out:
        _after_deal(script, script.beat(CardsReleased, 2.0, seat=seat, manner="killed_by_dealer"))
    who = "a player who sits out" if sitting_out else "an empty seat"
    fault = Fault("DEAL109", extras[0], f"{who} was dealt a hand", seats=(seat,), cards=(cards[0].face,))
    return [settle_misdeal_ground(script, rng, fault)]


def plan_to_pass_over(plan: HandPlan, rng: Random) -> bool:
    """A seat that posts nothing and is not the first is passed over."""
    if plan.setting.ante or plan.setting.straddle_rate or len(plan.entitled) < 4:
        return False
    plan.skipped = rng.choice(plan.entitled[2:])
    return True


def pass_over(script: Script, rng: Random) -> list[Fault]:
    """DEAL110: a player entitled to a hand gets none."""
    seat = script.plan.skipped
    assert seat is not None
    proof = script.beats[script.deal[-1]]
    fault = Fault("DEAL110", proof, "an entitled player got no cards", seats=(seat,))
    return [settle_misdeal_ground(script, rng, fault)]


def plan_extra_card(plan: HandPlan, rng: Random) -> bool:
    """Where the first player is left with three cards, the hand is fouled and given up."""
    if rng.random() < 0.5:
        plan.must_fold.add(plan.dealt[0])
    return True


def deal_extra_card(script: Script, rng: Random) -> list[Fault]:
    """DEAL111: one card too many, to the first player when everyone has the starting hand."""
    seat, card = script.plan.dealt[0], script.spare_card()
    extra = dealt(script, seat, card)
    fault = Fault("DEAL111", extra, "one extra card was dealt", seats=(seat,), cards=(card.face,))
    fault.prescribed = "use_as_burn"
    if script.plan.must_fold:
        _after_deal(script, extra)
        fault.handled = _left_alone(script)
    else:
        _after_deal(script, extra, announced(script, rng, "DEAL111"), *_becomes_burn(script, seat, card))
        fault.handled = "as_prescribed"
    return [fault]


def _left_alone(script: Script) -> Handled | None:
    """Nobody made the card the burn. Where no burn was due, opinions may differ on whether anybody had to."""
    return "unaddressed" if script.all_of(CardBurned) else None


def _of_card(rule: str, proof: Beat, dealt: Beat, what: str) -> Fault:
    return Fault(rule, proof, what, seats=(dealt.seat,), cards=(dealt.cards[0].face,))


def _expose(script: Script, beat: Beat, rng: Random) -> Beat:
    """A card is exposed as it is dealt: it lands face up, it is flashed, or someone reports it a moment later.

    Returns the beat that shows it.
    """
    card = beat.cards[0]
    beat.fields.update(card=card.face, card_id=card.card_id, exposed_by=None)
    manner = rng.random()
    if manner < 0.4:
        beat.fields["exposed_by"] = "dealer"
    elif manner < 0.75:
        beat.fields["face"] = "up"
    else:
        report = script.beat(CardExposed, 0.2, (card,), seat=beat.seat, card=card.face, by="dealer")
        behind(script, beat, report)
        return report
    return beat


def turn_into(beat: Beat, card: PlayingCard) -> None:
    """Another card is dealt in this beat."""
    beat.cards = (card,)
    beat.fields.update(card=card.face, back=card.back, card_id=card.card_id)


def dealt(script: Script, seat: int, card: PlayingCard, **more: object) -> Beat:
    return script.beat(CardDealt, 0.5, (card,), seat=seat, card=card.face, back=card.back, card_id=card.card_id, **more)


def _after_deal(script: Script, *beats: Beat) -> None:
    index = script.after_deal
    script.beats[index:index] = beats


def _becomes_burn(script: Script, seat: int, card: PlayingCard) -> tuple[Beat, Beat]:
    """A card goes back to be the burn card: the next burn is this card."""
    for index in script.all_of(CardBurned)[:1]:
        burn = script.beats[index]
        script.stub.insert(0, burn.cards[0])
        turn_into(burn, card)
    back = script.beat(CardReturned, 3.0, (card,), **{"from": "seat"}, seat=seat, card=card.face, to="burn")
    return ruled(script, "use_as_burn", card=card.face), back
