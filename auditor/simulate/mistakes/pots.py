"""Mistakes of the pot: who gets which chips, how many, and what the house takes."""

from __future__ import annotations

from random import Random

from auditor.events import (
    CardsReleased,
    CardsShown,
    ChipsReturned,
    HandEnded,
    PotAwarded,
    RakeTaken,
    SeatStack,
    Totals,
)
from auditor.simulate.beat import Beat, Script, wagered, won_and_lost
from auditor.simulate.mistakes.board import streets
from auditor.simulate.mistakes.floor import behind, put
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def _awards(script: Script) -> list[Beat]:
    return [script.beats[i] for i in script.all_of(PotAwarded)]


def _end(script: Script) -> Beat:
    return script.beats[script.first_of(HandEnded)]


def award_from_side_pot(script: Script, rng: Random) -> list[Fault]:
    """POT102: chips of the side pot go to a player who had no chips in it."""
    awards = _awards(script)
    pairs = [
        (main, side)
        for side in awards
        for main in awards
        if side.fields["pot"] > 0 and main.seat not in script.pots[side.fields["pot"]].seats
    ]
    # More than the rake, which could have come out of the main pot or not; and from one winner to one other.
    rake = sum(script.beats[i].amount for i in script.all_of(RakeTaken))
    pairs = [(main, side) for main, side in pairs if side.amount > rake + 2 and _alone(main, awards)]
    if not pairs:
        return []
    main, side = rng.choice(pairs)
    chips = rng.randint(max(side.amount // 2, rake + 1), side.amount - 1)
    main.fields["amount"] += chips
    side.fields["amount"] -= chips
    what = f"{chips} chips of the side pot went to seat {main.seat}, who had none in it"
    return [Fault("POT102", _end(script), what, (main.seat,))]


def _alone(award: Beat, awards: list[Beat]) -> bool:
    """Nobody shares this pot."""
    numbers: list[int] = [other.fields["pot"] for other in awards]
    return numbers.count(award.fields["pot"]) == 1


def keep_uncalled_bet(script: Script, _rng: Random) -> list[Fault]:
    """POT103: a bet that nobody called stays in the pot, and another player wins it."""
    awards = _awards(script)
    back = [script.beats[i] for i in script.all_of(ChipsReturned)]
    if len(awards) != 1 or len(back) != 1 or awards[0].seat == back[0].seat:
        return []
    script.beats.remove(back[0])
    awards[0].fields["amount"] += back[0].amount
    seat = back[0].seat
    what = f"{back[0].amount} chips of seat {seat} that nobody called were won"
    return [Fault("POT103", _end(script), what, (seat,))]


def award_wrong_winner(script: Script, rng: Random) -> list[Fault]:
    """POT104: the pot goes to a hand that was shown and is beaten."""
    awards = _awards(script)
    shown = {script.beats[i].seat for i in script.all_of(CardsShown)}
    beaten = sorted(shown - {award.seat for award in awards})
    if len(awards) != 1 or not beaten or len(script.pots) != 1:
        return []
    right, wrong = awards[0].seat, rng.choice(beaten)
    awards[0].fields["seat"] = wrong
    what = f"seat {wrong} won the pot, and seat {right} has the best hand"
    return [Fault("POT104", _end(script), what, (wrong, right))]


def award_to_folded(script: Script, rng: Random) -> list[Fault]:
    """POT105: the pot goes to a seat that folded, though another hand was in: a dead hand wins."""
    awards = _awards(script)
    folded = [script.beats[i].seat for i in script.actions if script.beats[i].fields["action"] == "fold"]
    if len(awards) != 1 or not folded:
        return []
    award, seat = awards[0], rng.choice(folded)
    award.fields["seat"] = seat
    return [
        Fault("HND108", award, f"seat {seat} had folded, and won the pot", (seat,), prescribed="hand_dead"),
        Fault("POT105", award, f"the pot was awarded to seat {seat}, which had folded", (seat,)),
    ]


def plan_tie(plan: HandPlan, rng: Random) -> bool:
    """A straight from ten to ace is going to be the board: whoever sees it through plays it."""
    straight = [rank + suit for rank, suit in zip("TJQKA", rng.sample("ccdhs", 5), strict=True)]
    rng.shuffle(straight)
    start = 2 * len(plan.dealt) + 1
    places = [start, start + 1, start + 2, start + 4, start + 6]
    for place, face in zip(places, straight, strict=True):
        card = plan.deck.card(face)
        other = plan.cards.index(card)
        plan.cards[place], plan.cards[other] = plan.cards[other], plan.cards[place]
    return True


def misplace_odd_chip(script: Script, rng: Random) -> list[Fault]:
    """POT106: a pot is split, and an odd chip goes to another winner than the first one left of the button."""
    awards = [award for award in _awards(script) if award.fields["pot"] == 0]
    most, least = max(a.amount for a in awards), min(a.amount for a in awards)
    if len(script.pots) != 1 or len(awards) < 2 or most == least or not streets(script):
        return []
    right = rng.choice([award for award in awards if award.amount == most])
    wrong = rng.choice([award for award in awards if award.amount == least])
    right.fields["amount"], wrong.fields["amount"] = least, most
    return [Fault("POT106", _end(script), f"the odd chip went to seat {wrong.seat}", (wrong.seat,))]


def take_wrong_rake(script: Script, rng: Random) -> list[Fault]:
    """POT107: the house takes more or less than its rule says."""
    awards = _awards(script)
    if len(awards) > 1:
        return []  # an odd chip would go astray besides
    award = awards[0]
    taken = [script.beats[i] for i in script.all_of(RakeTaken)]
    rake = sum(beat.amount for beat in taken)
    most = min(award.amount - 1, script.plan.setting.big_blind)
    more = rng.randint(1, most)
    if rake > 1 and rng.random() < 0.5:
        more = -rng.randint(1, rake - 1)
    if taken:
        proof = taken[0]
        proof.fields["amount"] += more
    else:
        proof = script.beat(RakeTaken, 1.0, amount=more)
        put(script, award, proof)
    award.fields["amount"] -= more
    return [Fault("POT107", _end(script), f"the house took {rake + more} and should take {rake}")]


def award_twice(script: Script, rng: Random) -> list[Fault]:
    """POT108: a pot is awarded, and then awarded once more."""
    award = rng.choice(_awards(script))
    again = award.copy()
    behind(script, _awards(script)[-1], again)
    return [Fault("POT108", again, f"pot {award.fields['pot']} was awarded twice", (award.seat,))]


def muck_undeclared(script: Script, rng: Random) -> list[Fault]:
    """POT105: a player throws the cards away, and is given the pot for the board that was played."""
    awards, shows = _awards(script), [script.beats[i] for i in script.all_of(CardsShown)]
    won = [award for award in awards if any(show.seat == award.seat for show in shows)]
    if not won or len(shows) < 2:
        return []
    award = rng.choice(won)
    show = next(show for show in shows if show.seat == award.seat)
    script.beats[script.beats.index(show)] = script.beat(CardsReleased, 2.0, seat=award.seat, manner="muck")
    return [Fault("POT105", award, f"seat {award.seat} had thrown its cards away, and won", (award.seat,))]


def report_other_totals(script: Script, rng: Random) -> list[Fault]:
    """POT109: the table's own totals are of another hand than its events, by the pot, the rake or one stack."""
    net = won_and_lost(script.beats)
    stacks = {holder.seat: holder.stack + net[holder.seat] for holder in script.plan.holders}
    told = {
        "pot": sum(wagered(script.beats).values()) + script.plan.carried_pot,
        "rake": sum(script.beats[i].amount for i in script.all_of(RakeTaken)),
    }
    chips, seats = rng.randint(2, script.plan.setting.big_blind), tuple[int, ...]()
    which = rng.choice((*told, "stack", "stack"))
    if which == "stack":
        seats = (rng.choice(sorted(stacks)),)
        stacks[seats[0]] += chips
    else:
        told[which] += chips
    reported = Totals(**told, stacks=tuple(SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()))
    proof = _end(script)
    proof.fields["reported"] = reported
    return [Fault("POT109", proof, f"the {which} is told with {chips} chips more than it was", seats)]
