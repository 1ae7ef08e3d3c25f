"""Mistakes of the board: cards turned too early, too many or too few, burns forgotten or made twice."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

from auditor.events import (
    BoardDealt,
    CardBurned,
    CardReturned,
    CardsShown,
    DeckCut,
    DeckPart,
    DeckShuffled,
    PlayerActed,
    PotAwarded,
    Prescription,
)
from auditor.findings import Handled
from auditor.simulate.beat import Beat, Script
from auditor.simulate.deck import PlayingCard
from auditor.simulate.mistakes.floor import announced, behind, put, ruled
from auditor.simulate.truth import Fault

_FIXES: dict[int, Prescription] = {1: "redeal_flop", 2: "fix_turn", 3: "fix_river"}
_BAD_REPAIRS = {1: "BRD106", 2: "BRD107", 3: "BRD108"}
_NAMES = {1: "flop", 2: "turn", 3: "river"}


class Street(NamedTuple):
    """A board street as it was dealt, with the betting before and after it."""

    number: int  # 1 flop, 2 turn, 3 river
    burn: Beat
    board: Beat
    before: list[Beat]  # actions of the round that had to be complete
    after: list[Beat]  # actions of the round that follows


def streets(script: Script) -> list[Street]:
    """The streets of a hand with one board; none where it was run twice."""
    boards = [i for i in script.all_of(BoardDealt) if not script.beats[i].fields.get("rabbit")]
    if any(script.beats[i].fields["board"] > 1 for i in boards):
        return []
    edges = [0, *boards, len(script.beats)]
    rounds = [
        [beat for beat in script.beats[start:stop] if beat.model is PlayerActed] for start, stop in pairwise(edges)
    ]
    return [
        Street(number, script.beats[i - 1], script.beats[i], rounds[number - 1], rounds[number])
        for number, i in enumerate(boards, 1)
    ]


def turn_too_early(script: Script, rng: Random) -> list[Fault]:
    """BRD101: the dealer burns and turns before the betting round is complete, and the table mends it or does not."""
    early = [street for street in streets(script) if street.before]
    if not early:
        return []
    street = rng.choice(early)
    return _mend_early(script, rng, street) if rng.random() < 0.5 else _leave_early(script, rng, street)


def leave_too_early(script: Script, rng: Random) -> list[Fault]:
    """RUL106: a card turned too early stays on the board."""
    early = [street for street in streets(script) if street.before]
    return _leave_early(script, rng, rng.choice(early)) if early else []


def _leave_early(script: Script, rng: Random, street: Street) -> list[Fault]:
    still_to_act = rng.choice(street.before)
    for beat in (street.burn, street.board):
        script.beats.remove(beat)
    put(script, still_to_act, street.burn, street.board)
    fault = _early_fault(street, street.board)
    fault.handled = "contrary"
    after = script.beats[script.beats.index(street.before[-1]) + 1 :]
    played = next(beat for beat in after if beat.model in (PlayerActed, BoardDealt, PotAwarded))
    return [fault, Fault("RUL106", played, f"the premature {_NAMES[street.number]} stayed", cards=fault.cards)]


def _early_fault(street: Street, proof: Beat) -> Fault:
    return Fault(
        "BRD101",
        proof,
        f"the {_NAMES[street.number]} was turned before the betting was complete",
        cards=tuple(card.face for card in proof.cards),
        prescribed=_FIXES[street.number],
    )


def _mend_early(script: Script, rng: Random, street: Street) -> list[Fault]:
    """Cards from the bottom come too early, so that those which replace them are the ones of the script."""
    still_to_act = rng.choice(street.before)
    cards = [script.spare_card() for _ in street.board.cards]
    burn, early = _burn(script, script.spare_card(), read=not street.burn.unread), _turned(script, cards)
    put(script, still_to_act, burn, early, announced(script, rng, "BRD101"))
    fault = _early_fault(street, early)
    fault.handled = "as_prescribed"
    ruling = ruled(script, _FIXES[street.number])
    if street.number == 1:
        _replace_flop(script, street, ruling, cards)
    elif street.number == 2:
        _replace_turn(script, street, ruling, cards[0])
    else:
        _replace_river(script, street, ruling, cards[0])
    return [fault]


def _wrongly(script: Script, rng: Random, number: int) -> tuple[Fault, Street, Beat, list[PlayingCard]] | None:
    """A street comes too early and is to be mended: the fault so far, the ruling, and the cards that came."""
    street = next((street for street in streets(script) if street.number == number and street.before), None)
    if street is None:
        return None
    cards = [script.spare_card() for _ in street.board.cards]
    burn, early = _burn(script, script.spare_card(), read=not street.burn.unread), _turned(script, cards)
    put(script, rng.choice(street.before), burn, early, announced(script, rng, "BRD101"))
    fault = _early_fault(street, early)
    fault.handled = "contrary"
    return fault, street, ruled(script, _FIXES[number]), cards


def _bad_repair(street: int, proof: Beat, how: str) -> Fault:
    cards = tuple(card.face for card in proof.cards)
    what = f"a premature {_NAMES[street]} was mended {how}"
    return Fault(_BAD_REPAIRS[street], proof, what, cards=cards, prescribed=_FIXES[street])


def _bad_shuffle(script: Script, rng: Random, *includes: DeckPart) -> tuple[tuple[Beat, ...], bool, str]:
    """A reshuffle with something wrong: its beats, whether a burn is made besides, and what is wrong."""
    shuffle, cut = _reshuffle(script, *includes)
    wrong = rng.randrange(4)
    if wrong == 0:
        return (), False, "without a shuffle"
    if wrong == 1:
        return (shuffle,), False, "without a cut"
    if wrong == 2:
        shuffle.fields["includes"] = (*includes, "burns")
        return (shuffle, cut), False, "with the burns mixed in"
    return (shuffle, cut), True, "with a burn"


def redeal_flop_wrongly(script: Script, rng: Random) -> list[Fault]:
    """BRD106: a flop that came too early is dealt again, with a new burn, or without a shuffle or a cut."""
    begun = _wrongly(script, rng, 1)
    if begun is None:
        return []
    fault, street, ruling, cards = begun
    reshuffle, burned, how = _bad_shuffle(script, rng, "stub")
    back = [_back(script, card, "stub") for card in cards]
    put(script, street.burn, ruling, *back, *reshuffle)
    if not burned:
        _leave_out(script, street.burn)
    return [fault, _bad_repair(1, street.board, how)]


def fix_turn_wrongly(script: Script, rng: Random) -> list[Fault]:
    """BRD107: a turn that came too early is not replaced as it should be, or the river behind it is not."""
    begun = _wrongly(script, rng, 2)
    if begun is None:
        return []
    fault, street, ruling, cards = begun
    later = [beat for beat in script.beats[script.beats.index(street.board) + 1 :] if not beat.fields.get("rabbit")]
    burn = next((beat for beat in later if beat.model is CardBurned), None)
    river = next((beat for beat in later if beat.model is BoardDealt), None)
    if burn is None or river is None:
        return [fault, _bad_repair(2, street.board, _replace_turn_wrongly(script, rng, street, ruling, cards[0]))]
    if rng.random() < 0.5:
        how = _replace_turn_wrongly(script, rng, street, ruling, cards[0])
        put(script, burn, *_reshuffle(script, "stub", "set_aside"))
        _leave_out(script, burn)
        return [fault, _bad_repair(2, street.board, how)]
    put(script, street.burn, ruling, _back(script, cards[0], "set_aside"))
    reshuffle, burned, how = _bad_shuffle(script, rng, "stub", "set_aside")
    put(script, burn, *reshuffle)
    if not burned:
        _leave_out(script, burn)
    return [fault, _bad_repair(2, river, f"by a river that came {how}")]


def _replace_turn_wrongly(script: Script, rng: Random, street: Street, ruling: Beat, card: PlayingCard) -> str:
    aside = _back(script, card, "set_aside")
    if rng.random() < 0.5:
        put(script, street.burn, ruling, aside)
        _leave_out(script, street.burn)
        return "without a burn"
    put(script, street.burn, ruling, aside, *_reshuffle(script, "stub"))
    return "from a reshuffled deck"


def fix_river_wrongly(script: Script, rng: Random) -> list[Fault]:
    """BRD108: a river that came too early is replaced with a burn, or without a shuffle or a cut."""
    begun = _wrongly(script, rng, 3)
    if begun is None:
        return []
    fault, street, ruling, cards = begun
    reshuffle, burned, how = _bad_shuffle(script, rng, "stub")
    put(script, street.burn, ruling, _back(script, cards[0], "stub"), *reshuffle)
    if not burned:
        _leave_out(script, street.burn)
    return [fault, _bad_repair(3, street.board, how)]


def turn_one_by_one(script: Script, _rng: Random) -> list[Fault]:
    """BRD109: the cards of the flop are turned one after another."""
    flop = next(iter(streets(script)), None)
    if flop is None:
        return []
    ones = [_turned(script, [card]) for card in flop.board.cards]
    for later in ones[1:]:
        later.wait = 4.0
    put(script, flop.board, *ones)
    script.beats.remove(flop.board)
    return [Fault("BRD109", ones[1], "the flop was turned card by card")]


def _replace_flop(script: Script, street: Street, ruling: Beat, cards: list[PlayingCard]) -> None:
    """The board cards go back, the burn stays; reshuffle, cut, a new flop with no burn."""
    back = [_back(script, card, "stub") for card in cards]
    put(script, street.burn, ruling, *back, *_reshuffle(script, "stub"))
    _leave_out(script, street.burn)


def _replace_turn(script: Script, street: Street, ruling: Beat, card: PlayingCard) -> None:
    """The card is set aside; burn and turn as the fifth card would have come. The river comes from a deck reshuffled
    with the card that was set aside, with no burn.
    """
    put(script, street.burn, ruling, _back(script, card, "set_aside"))
    turned = script.beats.index(street.board)
    for burn in [script.beats[i] for i in script.all_of(CardBurned) if i > turned]:
        put(script, burn, *_reshuffle(script, "stub", "set_aside"))
        _leave_out(script, burn)


def _replace_river(script: Script, street: Street, ruling: Beat, card: PlayingCard) -> None:
    """The card goes back; reshuffle without burns and discards, cut, a new river with no burn."""
    put(script, street.burn, ruling, _back(script, card, "stub"), *_reshuffle(script, "stub"))
    _leave_out(script, street.burn)


def flop_of_four(script: Script, rng: Random) -> list[Fault]:
    """BRD102: four cards on the flop. It is dealt again, or the fourth is taken off and three stand."""
    flop = next(iter(streets(script)), None)
    if flop is None:
        return []
    if rng.random() < 0.5:
        cards = [script.spare_card() for _ in range(4)]
        wrong = _turned(script, cards)
        back = [_back(script, card, "stub") for card in cards]
        words = (announced(script, rng, "BRD102"), ruled(script, "redeal_flop"))
        put(script, flop.board, wrong, *words, *back, *_reshuffle(script, "stub"))
        return [_too_many(wrong, "as_prescribed")]
    extra = script.spare_card()
    _set_cards(flop.board, (*flop.board.cards, extra))
    words = (announced(script, rng, "BRD102"), ruled(script, "card_stands"))
    behind(script, flop.board, *words, _back(script, extra, "stub"))
    return [_too_many(flop.board, "contrary")]


def _too_many(proof: Beat, handled: Handled) -> Fault:
    return Fault(
        "BRD102",
        proof,
        "four cards were turned on the flop",
        cards=tuple(card.face for card in proof.cards),
        prescribed="redeal_flop",
        handled=handled,
    )


def wrong_count(script: Script, rng: Random) -> list[Fault]:
    """BRD103: two cards on the turn or the river, one of which is taken back; or a flop of two."""
    dealt = streets(script)
    short = [street for street in dealt if len(dealt) == 1 and street.after and not script.all_of(CardsShown)]
    long = [street for street in dealt if street.number > 1]
    if not short and not long:
        return []
    street = rng.choice(short + long)
    if street.number == 1:
        script.stub.insert(0, street.board.cards[-1])
        _set_cards(street.board, street.board.cards[:-1])
        # Until somebody acts, the third card may still come.
        proof, what = street.after[0], "a flop of two cards was played"
    else:
        extra = script.spare_card()
        _set_cards(street.board, (*street.board.cards, extra))
        behind(script, street.board, _back(script, extra, "stub"))
        proof, what = street.board, f"two cards were turned on the {_NAMES[street.number]}"
    return [Fault("BRD103", proof, what, cards=tuple(card.face for card in street.board.cards))]


def forget_burn(script: Script, rng: Random) -> list[Fault]:
    """BRD104: no burn before a street. It is put right before anybody bets, or the cards stand."""
    dealt = streets(script)
    if not dealt:
        return []
    street = rng.choice(dealt)
    burned = street.burn.cards[0]
    if rng.random() < 0.5:
        _leave_out(script, street.burn)
        return [Fault("BRD104", street.board, f"there was no burn before the {_NAMES[street.number]}")]
    return [_mend_missing_burn(script, rng, street, burned)]


def _mend_missing_burn(script: Script, rng: Random, street: Street, burned: PlayingCard) -> Fault:
    """The card that should have been burned was turned: it becomes the burn. A flop is dealt again instead."""
    if street.number == 1:
        cards = [script.spare_card() for _ in range(3)]
        wrong = _turned(script, cards)
        words = (announced(script, rng, "BRD104"), ruled(script, "redeal_flop"))
        back = [_back(script, card, "stub") for card in cards]
        put(script, street.burn, wrong, *words, *back, *_reshuffle(script, "stub"))
        _leave_out(script, street.burn)
    else:
        wrong = _turned(script, [burned])
        words = (announced(script, rng, "BRD104"), ruled(script, "correct_burns"))
        put(script, street.burn, wrong, *words, _back(script, burned, "burn"))
        street.burn.fields.update(card=burned.face, card_id=burned.card_id)
    fault = Fault("BRD104", wrong, f"there was no burn before the {_NAMES[street.number]}")
    fault.prescribed = "redeal_flop" if street.number == 1 else "correct_burns"
    fault.handled = "as_prescribed"
    return fault


def burn_twice(script: Script, rng: Random) -> list[Fault]:
    """BRD105: two burns before a street. The second goes back to be the next burn, or nobody minds."""
    dealt = streets(script)
    if not dealt:
        return []
    street = rng.choice(dealt)
    read = not street.burn.unread
    second = script.spare_card()
    proof = _burn(script, second, read=read)
    what = f"two cards were burned before the {_NAMES[street.number]}"
    if not read or rng.random() < 0.5:
        put(script, street.board, proof)
        return [Fault("BRD105", proof, what)]
    words = (announced(script, rng, "BRD105"), ruled(script, "correct_burns", card=second.face))
    back = script.beat(CardReturned, 3.0, (second,), **{"from": "burn"}, card=second.face, to="stub")
    put(script, street.board, proof, *words, back)
    for later in dealt[street.number : street.number + 1]:
        script.stub.insert(0, later.burn.cards[0])
        later.burn.cards = (second,)
        later.burn.fields.update(card=second.face, card_id=second.card_id)
    fault = Fault("BRD105", proof, what)
    fault.prescribed, fault.handled = "correct_burns", "as_prescribed"
    return [fault]


def _burn(script: Script, card: PlayingCard, *, read: bool) -> Beat:
    seen = {"card": card.face, "card_id": card.card_id} if read else {"card": "??"}
    return script.beat(CardBurned, 1.5, (card,), back=card.back, **seen)


def _turned(script: Script, cards: list[PlayingCard]) -> Beat:
    return script.beat(BoardDealt, 1.0, tuple(cards), cards=tuple(card.seen for card in cards), board=1)


def _back(script: Script, card: PlayingCard, to: str) -> Beat:
    """A card leaves the board."""
    return script.beat(CardReturned, 2.0, (card,), **{"from": "board"}, card=card.face, to=to)


def _reshuffle(script: Script, *includes: DeckPart) -> tuple[Beat, Beat]:
    deck = script.plan.deck
    left = len(script.stub)
    shuffle = script.beat(DeckShuffled, 20.0, deck_id=deck.deck_id, by="dealer", riffles=4, includes=includes)
    cut = script.beat(DeckCut, 2.0, packets=(left - left // 2, left // 2), by="dealer", cut_card=True)
    return shuffle, cut


def _leave_out(script: Script, burn: Beat) -> None:
    script.beats.remove(burn)
    script.stub.insert(0, burn.cards[0])


def _set_cards(board: Beat, cards: tuple[PlayingCard, ...]) -> None:
    board.cards = cards
    board.fields["cards"] = tuple(card.seen for card in cards)
