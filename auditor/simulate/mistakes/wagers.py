"""Mistakes of the betting: bets not answered in full, too large, reopened, closed too early, made too late."""

from __future__ import annotations

from random import Random

from auditor.events import CardsShown, ChipsReturned, PlayerActed, PotAwarded
from auditor.simulate.beat import Beat, RaiseMade, Script, wagered
from auditor.simulate.mistakes.board import streets
from auditor.simulate.mistakes.chips import answers, shrink_pot
from auditor.simulate.mistakes.floor import behind
from auditor.simulate.plan import HandPlan
from auditor.simulate.player import Decision, Turn
from auditor.simulate.truth import Fault


def check_facing_bet(script: Script, rng: Random) -> list[Fault]:
    """BET103: a player who should call checks, and gives the hand up later."""
    call = _call_of_loser(script, rng)
    if call is None:
        return []
    seat, owed = call.seat, call.amount
    _cut(script, call, owed)
    call.fields["action"] = "check"
    return [Fault("BET103", call, f"seat {seat} checked and had {owed} to call", (seat,))]


def call_too_little(script: Script, rng: Random) -> list[Fault]:
    """BET104: a call of less than the bet, and no all-in. The player gives the hand up later."""
    call = _call_of_loser(script, rng)
    if call is None or call.amount < 2:
        return []
    seat, owed = call.seat, call.amount
    _cut(script, call, rng.randint(1, owed - 1))
    return [Fault("BET104", call, f"seat {seat} called with {call.amount} and owed {owed}", (seat,))]


def _cut(script: Script, call: Beat, chips: int) -> None:
    call.fields["amount"] -= chips
    shrink_pot(script, chips)


def _call_of_loser(script: Script, rng: Random) -> Beat | None:
    """A call whose player puts no more chips in and folds, while others paid the bet in full. In pot-limit a later
    bet may be as large as the pot was.
    """
    if script.plan.setting.betting == "pot_limit" or not _one_pot(script):
        return None
    acts = [script.beats[index] for index in script.actions]
    calls = [beat for i, beat in enumerate(acts) if beat.fields["action"] == "call" and _is_last_paid(beat, acts[i:])]
    calls = [beat for beat in calls if _most_are_matched(script, without=beat.seat)]
    return rng.choice(calls) if calls else None


def _is_last_paid(call: Beat, acts: list[Beat]) -> bool:
    later = [beat for beat in acts if beat.seat == call.seat and beat is not call]
    return bool(later) and later[-1].fields["action"] == "fold" and not any(beat.amount for beat in later)


def _one_pot(script: Script) -> bool:
    """One winner of one pot, and nobody all-in: chips can change without anything else changing."""
    return len(script.all_of(PotAwarded)) == 1 and not any(script.beats[i].fields["all_in"] for i in script.actions)


def _most_are_matched(script: Script, without: int) -> bool:
    """Two seats besides this one put the most in: no bet is left without an answer."""
    chips = wagered(script.beats)
    paid = sorted((amount for seat, amount in chips.items() if seat != without), reverse=True)
    return len(paid) > 1 and paid[0] == paid[1]


def plan_short_all_in(plan: HandPlan, rng: Random) -> bool:
    """The opener raises, the shortest stack is all-in for a little more, and one more player calls."""
    if plan.setting.betting != "no_limit" or len(plan.dealt) < 3 or plan.setting.straddle_rate:
        return False
    scheme = _ShortAllIn(plan, rng)
    plan.scheme = scheme.move
    return scheme.fits


class _ShortAllIn:
    """Before the flop, by three players; the others fold. Then everybody checks."""

    def __init__(self, plan: HandPlan, rng: Random) -> None:
        setting, order = plan.setting, [*plan.dealt[2:], *plan.dealt[:2]]
        stacks = {seat: plan.holder(seat).stack for seat in order}
        self._short = min(order[1:], key=lambda seat: stacks[seat])
        ante = setting.ante + (setting.big_blind_ante if self._short == plan.blinds[1] else 0)
        self._all_in = stacks[self._short] - ante  # the street's total of the short stack
        # So much that the short stack cannot raise it in full.
        self._open_to = (self._all_in + setting.big_blind) // 2 + rng.randint(1, setting.big_blind // 10)
        before = order[: order.index(self._short)]
        openers = [seat for seat in before if stacks[seat] > 2 * self._all_in + 5 * setting.big_blind]
        self._opener = rng.choice(openers) if openers else 0
        behind_it = order[order.index(self._opener) + 1 :] if openers else []
        callers = [s for s in behind_it if s != self._short and stacks[s] > self._all_in + 5 * setting.big_blind]
        self._caller = rng.choice(callers) if callers else 0
        self.fits = bool(callers) and self._all_in > 3 * setting.big_blind

    def move(self, turn: Turn) -> Decision | None:
        if not turn.preflop:
            return Decision("check_or_call")
        if turn.seat == self._opener:
            return Decision("check_or_call") if turn.high > self._open_to else Decision("raise", self._open_to)
        if turn.seat == self._short:
            return Decision("raise", turn.most_to) if turn.most_to else None
        return Decision("check_or_call" if turn.seat == self._caller else "fold")


def reopen(script: Script, _rng: Random) -> list[Fault]:
    """BET106: the opener, who has acted, raises again, though the all-in did not reopen the betting. The caller gives
    up, and the all-in player has the opener for an only opponent.
    """
    acts = [script.beats[i] for i in script.actions]
    short = next((made for made in script.raises if made.beat.fields["all_in"] and made.to < made.least), None)
    awards = script.all_of(PotAwarded)
    if short is None or len(awards) != 1:
        return []
    opener = script.raises[0].beat.seat
    again = next((beat for beat in acts if beat.seat == opener and beat is not script.raises[0].beat), None)
    behind_it = acts[acts.index(again) + 1 :] if again is not None else []
    callers = {beat.seat for beat in acts if beat.fields["action"] == "call"} - {opener}
    if again is None or len(callers) != 1 or again.fields["action"] != "call":
        return []
    (caller,) = callers
    if script.beats[awards[0]].seat == caller:
        return []
    more = short.to + script.plan.setting.big_blind
    again.fields.update(action="raise", amount=again.amount + more)
    later = next((beat for beat in behind_it if beat.amount), None)
    if later is not None:
        shrink_pot(script, later.amount)
        script.beats.remove(later)
    fold = script.beat(PlayerActed, 3.0, seat=caller, action="fold", amount=0)
    back = script.beat(ChipsReturned, 1.5, seat=again.seat, amount=more, reason="uncalled")
    behind(script, again, fold, back)
    start = script.beats.index(back) + 1
    script.beats[start:] = [beat for beat in script.beats[start:] if not _is_of_round(beat, caller)]
    return [Fault("BET106", again, f"seat {again.seat} raised again behind a short all-in", (again.seat,))]


def _is_of_round(beat: Beat, gone: int) -> bool:
    """It is an action, or something that a player did who is not in the hand any more."""
    return beat.model is PlayerActed or beat.fields.get("seat") == gone


def bet_over_limit(script: Script, rng: Random) -> list[Fault]:
    """BET107: a bet or raise of more than pot-limit or limit allows. Who calls it calls all of it."""
    if script.plan.setting.betting == "no_limit":
        return []
    fitting = [
        (made, most) for made in _unanswered_or_called(script) if (most := _least_too_much(script, made)) is not None
    ]
    if not fitting:
        return []
    made, most = rng.choice(fitting)
    to = most + rng.randint(1, script.plan.setting.big_blind)
    if not _grow(script, made, to - made.to):
        return []
    seat = made.beat.seat
    return [Fault("BET107", made.beat, f"seat {seat} made it {to}, and {most} is the most", (seat,))]


def _least_too_much(script: Script, made: RaiseMade) -> int | None:
    """The most that the limit allows, as a total of the street; None where the stack is too short to go beyond it."""
    setting = script.plan.setting
    if setting.betting == "limit":
        most = made.to
    else:
        before = script.beats[: script.beats.index(made.beat)]
        pot = sum(wagered(before).values())
        paid = made.to - made.beat.amount
        # Some count the small blind for a big one.
        most = 2 * made.high - paid + pot + setting.big_blind - setting.small_blind
    return most if _left(script, made.beat) - made.beat.amount > most + setting.big_blind - made.to else None


def _left(script: Script, beat: Beat) -> int:
    """The stack of a beat's seat before it."""
    before = script.beats[: script.beats.index(beat)]
    return script.plan.holder(beat.seat).stack - wagered(before)[beat.seat]


def _unanswered_or_called(script: Script) -> list[RaiseMade]:
    """Bets and raises that can grow: nobody raised them again, and nobody was all-in."""
    made = [m for m in (*script.bets, *script.raises) if not m.beat.fields["all_in"]]
    return [m for m in made if all(beat.fields["action"] == "call" for beat in answers(script, m))]


def _grow(script: Script, made: RaiseMade, chips: int) -> bool:
    calls = answers(script, made)
    if calls:
        if not _one_pot(script):
            return False
        # All who call must have the chips, and keep some behind all that they bet, called or not.
        payers = {made.beat.seat, *(call.seat for call in calls)}
        bet = wagered(beat for beat in script.beats if beat.model is not ChipsReturned)
        if any(script.plan.holder(seat).stack - bet[seat] <= chips for seat in payers):
            return False
        shrink_pot(script, -chips * (1 + len(calls)))
    else:
        back = [i for i in script.all_of(ChipsReturned) if script.beats[i].seat == made.beat.seat]
        if not back:
            return False
        script.beats[back[0]].fields["amount"] += chips
    for beat in (made.beat, *calls):
        beat.fields["amount"] += chips
    return True


def bet_more_than_stack(script: Script, rng: Random) -> list[Fault]:
    """BET108: a bet or raise of more chips than the player has. All fold."""
    if script.plan.setting.betting != "no_limit":
        return []
    fitting = [made for made in _unanswered_or_called(script) if not answers(script, made)]
    fitting = [made for made in fitting if script.all_of(ChipsReturned)]
    if not fitting:
        return []
    made = rng.choice(fitting)
    left = _left(script, made.beat)
    chips = left - made.beat.amount + rng.randint(1, 5 * script.plan.setting.big_blind)
    if not _grow(script, made, chips):
        return []
    seat = made.beat.seat
    return [Fault("BET108", made.beat, f"seat {seat} put {made.beat.amount} in and had {left}", (seat,))]


def close_too_early(script: Script, _rng: Random) -> list[Fault]:
    """BET109: the showdown begins before the last player has acted on the river."""
    dealt = streets(script)
    # Where the pot is split, the players may have agreed to take their chips back.
    if len(dealt) < 3 or len(dealt[2].after) < 2 or len(script.all_of(PotAwarded)) != 1:
        return []
    last = dealt[2].after[-1]
    # One who throws the cards away instead has folded, in a way.
    if last.fields["action"] != "check" or last.seat not in {script.beats[i].seat for i in script.all_of(CardsShown)}:
        return []
    script.beats.remove(last)
    proof = script.beats[script.first_of(PotAwarded)]
    return [Fault("BET109", proof, f"the showdown began, and seat {last.seat} had still to act", (last.seat,))]


def act_after_showdown(script: Script, rng: Random) -> list[Fault]:
    """BET110: a player acts when the showdown has begun, or the pot has been awarded."""
    shows = [script.beats[i] for i in script.all_of(CardsShown)]
    all_in = {script.beats[i].seat for i in script.actions if script.beats[i].fields["all_in"]}
    able = [show for show in shows if show.seat not in all_in]
    if not able:
        return []
    show = rng.choice(able)
    place = show if rng.random() < 0.6 else script.beats[script.all_of(PotAwarded)[-1]]
    proof = script.beat(PlayerActed, 2.0, seat=show.seat, action="check", amount=0)
    behind(script, place, proof)
    return [Fault("BET110", proof, f"seat {show.seat} acted after the showdown", (show.seat,))]
