"""Every kind of mistake that the card room makes on purpose, by the code of the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from auditor.simulate.beat import Script
from auditor.simulate.mistakes import board, button, chips, deal, deck, feed, rulings
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


class Mistake(NamedTuple):
    """A mistake is made in the script of a hand, once it is written.

    `make` returns the faults that are in it then; none where the hand has no room for the mistake, and then it has
    changed nothing. `plan` comes first where the hand must be dealt for it; it says whether it can be.
    """

    make: Callable[[Script, Random], list[Fault]]
    plan: Callable[[HandPlan, Random], bool] | None = None


MISTAKES: dict[str, Mistake] = {
    "DCK101": Mistake(deck.duplicate, deck.plan_duplicate),
    "DCK102": Mistake(deck.wrong_back, deck.plan_wrong_back),
    "DCK103": Mistake(deck.wrong_back_in_stub),
    "DCK107": Mistake(deck.missing_card),
    "DEAL101": Mistake(deal.expose_early_card),
    "DEAL102": Mistake(deal.expose_two_cards),
    "DEAL103": Mistake(deal.box_two_cards),
    "DEAL104": Mistake(deal.deal_two_extra_cards, deal.plan_two_extra_cards),
    "DEAL105": Mistake(deal.deal_short_hand, deal.plan_short_hand),
    "DEAL106": Mistake(deal.swap_two_cards),
    "DEAL108": Mistake(deal.start_at_wrong_seat),
    "DEAL109": Mistake(deal.deal_to_ineligible),
    "DEAL110": Mistake(deal.pass_over, deal.plan_to_pass_over),
    "DEAL111": Mistake(deal.deal_extra_card, deal.plan_extra_card),
    "DEAL112": Mistake(deal.expose_one_card),
    "BTN101": Mistake(button.wrong_button, button.plan_wrong_button),
    "BRD101": Mistake(board.turn_too_early),
    "BRD102": Mistake(board.flop_of_four),
    "BRD103": Mistake(board.wrong_count),
    "BRD104": Mistake(board.forget_burn),
    "BRD105": Mistake(board.burn_twice),
    "BET101": Mistake(chips.act_out_of_turn),
    "BET102": Mistake(chips.act_without_cards),
    "BET105": Mistake(chips.raise_too_little),
    "POT101": Mistake(chips.award_too_little),
    "FEED101": Mistake(feed.lose_event),
    "FEED102": Mistake(feed.contradict),
    "FEED106": Mistake(feed.speak_after_end),
    "FEED107": Mistake(feed.name_no_seat),
    "FEED108": Mistake(feed.break_line),
    "RUL101": Mistake(rulings.improper_misdeal),
    "RUL103": Mistake(deck.duplicate_paid, deck.plan_duplicate),
    "RUL106": Mistake(board.leave_too_early),
}


def botch(
    fresh: Callable[[], HandPlan], deal_hand: Callable[[HandPlan, Random], Script], kinds: Iterable[str], rng: Random
) -> tuple[Script, list[Fault]]:
    """A hand with one mistake in it: of the kinds allowed, in random order, the first that a hand has room for.

    The hand is dealt anew where a kind was planned for and then found no room: what was prepared must not stay in it.
    """
    script = None
    order = sorted(kinds)
    for kind in rng.sample(order, len(order)):
        mistake = MISTAKES[kind]
        if mistake.plan is not None:
            plan = fresh()
            if mistake.plan(plan, rng):
                attempt = deal_hand(plan, rng)
                if faults := mistake.make(attempt, rng):
                    return attempt, faults
            continue
        script = script or deal_hand(fresh(), rng)
        if faults := mistake.make(script, rng):
            return script, faults
    return script or deal_hand(fresh(), rng), []
