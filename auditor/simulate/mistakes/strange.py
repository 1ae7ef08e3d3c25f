"""Strange cards: boxed ones, jokers, twins that a player keeps quiet about, a tag on the wrong card, the wrong deck."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from auditor.cards import JOKER
from auditor.events import BoardDealt, CardDealt, CardReturned, HandEnded, HandStarted, PotAwarded
from auditor.simulate.beat import Beat, Script, Sequel, wagered
from auditor.simulate.deck import PlayingCard
from auditor.simulate.mistakes.buying import replace_player
from auditor.simulate.mistakes.deal import dealt, turn_into
from auditor.simulate.mistakes.deck import void_or_pay
from auditor.simulate.mistakes.floor import announced, behind, ruled, void_hand
from auditor.simulate.mistakes.hands import acts, cards_of, gave_up, shows
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def box_one_card(script: Script, rng: Random) -> list[Fault]:
    """DCK104: one card lies faced in the deck. It is a scrap of paper, and the card below replaces it."""
    boxed = script.spare_card()
    return [_scrap(script, rng, "DCK104", boxed, "a boxed card came out of the deck")]


def deal_joker(script: Script, rng: Random) -> list[Fault]:
    """DCK105: a joker is in the deck. It is a scrap of paper, and the card below replaces it."""
    return [_scrap(script, rng, "DCK105", _joker(script), "a joker came out of the deck")]


def _joker(script: Script) -> PlayingCard:
    deck = script.plan.deck
    return PlayingCard(JOKER, deck.back, f"{deck.deck_id}-J1")


def _scrap(script: Script, rng: Random, rule: str, scrap: PlayingCard, what: str) -> Fault:
    beat = script.beats[rng.choice(script.deal)]
    kept = beat.cards[0]
    turn_into(beat, scrap)
    beat.fields.update(boxed=rule == "DCK104", exposed_by=None)
    aside = script.beat(
        CardReturned, 3.0, (scrap,), **{"from": "seat"}, seat=beat.seat, card=scrap.face, to="set_aside"
    )
    behind(script, beat, aside, dealt(script, beat.seat, kept, replaces=scrap.face))
    return Fault(rule, beat, what, (beat.seat,), (scrap.face,), prescribed="scrap_card")


def void_for_scrap(script: Script, rng: Random) -> list[Fault]:
    """RUL105: all action is voided for a boxed card or a joker, which let it stand."""
    fault = rng.choice((box_one_card, deal_joker))(script, rng)[0]
    late = [index for index in script.actions[1:] if index < script.end_of_play]
    index = rng.choice(late) + 1 if late else script.after_deal
    ruling = void_hand(script, index, rng, fault.rule)
    what = f"all action was voided for {fault.rule}"
    return [fault, Fault("RUL105", ruling, what, fault.seats, fault.cards, prescribed="action_stands")]


def play_joker(script: Script, rng: Random) -> list[Fault]:
    """DCK106: a player acts on a hand that holds a joker, and says nothing. The hand is given up in the end."""
    losers = gave_up(script)
    fitting = [beat for beat in acts(script) if beat.seat in losers and beat.fields["action"] != "fold"]
    if not fitting:
        return []
    seat = rng.choice(fitting).seat
    first = next(beat for beat in fitting if beat.seat == seat)
    beat = rng.choice(cards_of(script, seat)[:2])
    script.stub.insert(0, beat.cards[0])
    turn_into(beat, _joker(script))
    beat.fields["exposed_by"] = None
    found = Fault("DCK105", beat, "a joker was dealt", (seat,), (JOKER,), prescribed="scrap_card")
    what = f"seat {seat} acted on a hand that holds a joker"
    return [found, Fault("DCK106", first, what, (seat,), (JOKER,), prescribed="hand_dead")]


def plan_twin_on_flop(plan: HandPlan, rng: Random) -> bool:
    """A card of a player who is in to the end lies on the flop too; and that player bets when he sees it."""
    order = plan.dealt
    seat = rng.choice(order)
    place = order.index(seat) + rng.choice((0, len(order)))
    flop = 2 * len(order) + rng.randint(1, 3)
    plan.cards[flop] = plan.deck.second(plan.cards[place].face)
    return True


def freeroll(script: Script, rng: Random) -> list[Fault]:
    """DCK108: the player who could see both twins bet. The pot is paid out all the same, or carried over."""
    return _freeroll(script, rng, carry=rng.random() < 0.5 and script.plan.hands_left > 0)


def deal_in_stranger(script: Script, rng: Random) -> list[Fault]:
    """DCK109: the pot is carried over, and a player who had no hand on that deal is dealt in on the next."""
    faults = _freeroll(script, rng, carry=True) if script.plan.hands_left else []
    if faults:
        _change_player(script, rng)
    return faults


def _freeroll(script: Script, rng: Random, *, carry: bool) -> list[Fault]:
    boards = script.all_of(BoardDealt)
    if not boards or script.beats[boards[0]].fields.get("rabbit"):
        return []
    flop = script.beats[boards[0]]
    faces = {card.face: card for card in flop.cards}
    twins = [(s, c) for s, hole in script.holes.items() for c in hole if c.face in faces and c != faces[c.face]]
    if len(twins) != 1:
        return []
    (seat, card), known = twins[0], cards_of(script, twins[0][0])
    after = script.beats[boards[0] : script.end_of_play]
    bets = [b for b in after if b.fields.get("action") in ("bet", "raise") and b.seat == seat]
    if not bets or any(beat.unread for beat in known):
        return []
    twin = Fault("DCK101", flop, f"{card.face} is twice in the hand", (seat,), (card.face,))
    what = f"seat {seat} could see {card.face} twice, and bet"
    seen = Fault("DCK108", bets[0], what, (seat,), (card.face,), prescribed="pot_carries_over")
    if not carry:
        twin.prescribed, twin.handled = "void_action", "contrary"
        award = script.beats[script.first_of(PotAwarded)]
        return [twin, seen, Fault("RUL103", award, "the pot was awarded in spite of DCK101", (award.seat,))]
    twin.handled = seen.handled = "as_prescribed"
    carry_over(script, rng, rng.randint(script.beats.index(bets[0]) + 1, script.end_of_play), card.face)
    return [twin, seen]


def carry_over(script: Script, rng: Random, index: int, card: str) -> None:
    """The hand ends at this place of the script, and its pot waits for the next one."""
    script.ending = "carried"
    words = (announced(script, rng, "DCK101"), ruled(script, "pot_carries_over", card=card))
    script.beats[index:] = [*words, script.beat(HandEnded, 3.0)]
    pot = sum(wagered(script.beats).values()) + script.plan.carried_pot
    players = {h.player_id for h in script.plan.holders if h.seat in script.plan.dealt}

    def carried(plan: HandPlan) -> None:
        plan.carried_pot = pot

    def strangers(following: Script) -> list[Fault]:
        """Whoever came in between has no part in it."""
        plan = following.plan
        new = [s for s in plan.dealt if plan.holder(s).player_id not in players]
        first = next((b for b in following.beats if b.model is CardDealt and b.seat in new), None)
        if first is None:
            return []
        return [Fault("DCK109", first, "a player who was not dealt in on the forfeited deal got a hand", tuple(new))]

    script.sequel = Sequel(make=strangers, plan=carried)


def _change_player(script: Script, rng: Random) -> None:
    """Behind the hand, a player leaves, and another takes the seat."""
    replace_player(script, rng.choice(script.plan.dealt), script.plan.setting.buy_in)


def plan_low_card(plan: HandPlan, rng: Random) -> bool:
    """A card that short deck does not know is among those that come out up to the flop."""
    if not plan.setting.short_deck:
        return False
    hole_cards = 2 * len(plan.dealt)
    place = rng.randrange(hole_cards) if rng.random() < 0.7 else hole_cards + rng.randrange(4)
    plan.cards[place] = plan.deck.stranger(rng)
    return True


def low_card(script: Script, rng: Random) -> list[Fault]:
    """DCK110: a card that the game's deck does not hold."""
    for beat in script.beats[: script.end_of_play]:
        for card in () if beat.unread else beat.cards:
            if card.face not in script.plan.deck.faces:
                seats = (beat.seat,) if "seat" in beat.fields else ()
                fault = Fault("DCK110", beat, f"{card.face} came out of a short deck", seats, (card.face,))
                return void_or_pay(script, rng, fault, void=rng.random() < 0.5)
    return []


def swap_tag(script: Script, rng: Random) -> list[Fault]:
    """DCK112: a board card is read under the id of a hole card."""
    boards = [i for i in script.all_of(BoardDealt) if not script.beats[i].fields.get("rabbit")]
    read = [script.beats[i] for i in script.deal if not script.beats[i].unread]
    if not boards or not read:
        return []
    beat, other = script.beats[rng.choice(boards)], rng.choice(read).cards[0]
    items = list(beat.fields["cards"])
    place = rng.randrange(len(items))
    items[place] = replace(items[place], card_id=other.card_id)
    beat.fields["cards"] = tuple(items)
    what = f"card {other.card_id} was read as {other.face} and as {items[place].card}"
    return [Fault("DCK112", beat, what, cards=(other.face, items[place].card))]


def cross_read(script: Script, rng: Random) -> list[Fault]:
    """DCK113: an antenna reads a card of the next seat in place of one of its own seat's. Neither hand is shown."""
    seats = sorted(holder.seat for holder in script.plan.holders)
    neighbours = set(zip(seats, seats[1:] + seats[:1], strict=True))
    hidden = {b.seat for b in (script.beats[i] for i in script.deal)} - shows(script)
    read = [script.beats[i] for i in script.deal if not script.beats[i].unread and script.beats[i].seat in hidden]
    pairs = [(own, other) for own in read for other in read if _are(own, other, neighbours)]
    if not pairs:
        return []
    own, other = rng.choice(pairs)
    own.fields.update(card=other.fields["card"], card_id=other.fields["card_id"])
    for i in script.deal:
        script.beats[i].fields["read_at"] = "seat"
    proof = max(own, other, key=script.beats.index)
    what = f"{other.fields['card']} of seat {other.seat} was read at seat {own.seat} too"
    return [Fault("DCK113", proof, what, (own.seat, other.seat), (other.fields["card"],))]


def _are(own: Beat, other: Beat, neighbours: set[tuple[int, int]]) -> bool:
    return own.seat != other.seat and bool(neighbours & {(own.seat, other.seat), (other.seat, own.seat)})


def plan_same_deck(plan: HandPlan, rng: Random) -> bool:
    """The deck of the last hand is used again."""
    if not plan.counted:
        return False
    plan.deck, plan.other_deck = plan.other_deck, plan.deck
    plan.cards = plan.deck.shuffled(rng)
    return True


def same_deck(script: Script, _rng: Random) -> list[Fault]:
    """DCK111: a table with two decks uses the same one twice running."""
    proof = script.beats[script.first_of(HandStarted)]
    return [Fault("DCK111", proof, f"deck {script.plan.deck.deck_id} was used twice running")]
