"""Every kind of mistake that the card room makes on purpose, by the code of the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from auditor.simulate.beat import Script
from auditor.simulate.mistakes import (
    board,
    button,
    buying,
    chips,
    deal,
    deck,
    feed,
    hands,
    pots,
    preparation,
    rulings,
    strange,
    wagers,
)
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


class Mistake(NamedTuple):
    """A mistake is made in the script of a hand, once it is written.

    `make` returns the faults that are in it then; none where the hand has no room for the mistake, and then it has
    changed nothing, or where only the next hand shows it. `plan` comes first where the hand must be dealt for it; it
    says whether it can be.
    """

    make: Callable[[Script, Random], list[Fault]]
    plan: Callable[[HandPlan, Random], bool] | None = None
    tries: int = 1  # hands that are dealt, where it is rare that one has room for it


MISTAKES: dict[str, Mistake] = {
    "BUY101": Mistake(buying.buy_in_short),
    "BUY102": Mistake(buying.buy_in_short_again),
    "BUY103": Mistake(buying.add_on_during_hand),
    "BUY104": Mistake(buying.chips_moved, buying.plan_chips_added),
    "BUY105": Mistake(buying.chips_moved, buying.plan_chips_removed),
    "SHF101": Mistake(preparation.forget_shuffle, preparation.plan_player_dealt),
    "SHF102": Mistake(preparation.forget_cut, preparation.plan_player_dealt),
    "SHF103": Mistake(preparation.riffle_too_little, preparation.plan_player_dealt),
    "SHF104": Mistake(preparation.cut_too_shallow, preparation.plan_player_dealt),
    "SHF105": Mistake(preparation.leave_bottom_open, preparation.plan_player_dealt),
    "SHF106": Mistake(preparation.shuffle_by_wrong_player, preparation.plan_player_dealt),
    "SHF107": Mistake(preparation.cut_by_wrong_player, preparation.plan_player_dealt),
    "SHF108": Mistake(preparation.complain_late, preparation.plan_player_dealt),
    "DCK101": Mistake(deck.duplicate, deck.plan_duplicate),
    "DCK102": Mistake(deck.wrong_back, deck.plan_wrong_back),
    "DCK103": Mistake(deck.wrong_back_in_stub),
    "DCK104": Mistake(strange.box_one_card),
    "DCK105": Mistake(strange.deal_joker),
    "DCK106": Mistake(strange.play_joker, tries=3),
    "DCK107": Mistake(deck.missing_card),
    "DCK108": Mistake(strange.freeroll, strange.plan_twin_on_flop, tries=15),
    "DCK109": Mistake(strange.deal_in_stranger, strange.plan_twin_on_flop, tries=15),
    "DCK110": Mistake(strange.low_card, strange.plan_low_card, tries=3),
    "DCK111": Mistake(strange.same_deck, strange.plan_same_deck),
    "DCK112": Mistake(strange.swap_tag, tries=3),
    "DCK113": Mistake(strange.cross_read, tries=3),
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
    "DEAL113": Mistake(deal.honour_late_claim),
    "BTN101": Mistake(button.wrong_button, button.plan_wrong_button),
    "BTN102": Mistake(button.leave_button_wrong, button.plan_wrong_button, tries=2),
    "BTN103": Mistake(button.blind_of_another, button.plan_blind_of_another),
    "BTN104": Mistake(button.no_small_blind, button.plan_no_small_blind),
    "BTN105": Mistake(button.wrong_amount, button.plan_wrong_amount),
    "BRD101": Mistake(board.turn_too_early),
    "BRD102": Mistake(board.flop_of_four),
    "BRD103": Mistake(board.wrong_count),
    "BRD104": Mistake(board.forget_burn),
    "BRD105": Mistake(board.burn_twice),
    "BRD106": Mistake(board.redeal_flop_wrongly, tries=3),
    "BRD107": Mistake(board.fix_turn_wrongly, tries=5),
    "BRD108": Mistake(board.fix_river_wrongly, tries=8),
    "BRD109": Mistake(board.turn_one_by_one, tries=2),
    "HND102": Mistake(hands.throw_forward, tries=5),
    "HND104": Mistake(hands.play_wrong_number, hands.plan_wrong_number, tries=10),
    "HND106": Mistake(hands.run_out_of_time, tries=3),
    "HND107": Mistake(hands.throw_into_hand, tries=3),
    "HND108": Mistake(hands.play_dead_hand, tries=4),
    "HND109": Mistake(hands.retrieve_without_cause, tries=3),
    "HND110": Mistake(hands.redress_unprotected, tries=3),
    "HND111": Mistake(hands.refuse_dropped_card),
    "BET101": Mistake(chips.act_out_of_turn),
    "BET102": Mistake(chips.act_without_cards),
    "BET105": Mistake(chips.raise_too_little),
    "BET103": Mistake(wagers.check_facing_bet, tries=5),
    "BET104": Mistake(wagers.call_too_little, tries=5),
    "BET106": Mistake(wagers.reopen, wagers.plan_short_all_in, tries=12),
    "BET107": Mistake(wagers.bet_over_limit, tries=5),
    "BET108": Mistake(wagers.bet_more_than_stack, tries=5),
    "BET109": Mistake(wagers.close_too_early, tries=8),
    "BET110": Mistake(wagers.act_after_showdown, tries=5),
    "POT101": Mistake(chips.award_too_little),
    "POT102": Mistake(pots.award_from_side_pot, tries=15),
    "POT103": Mistake(pots.keep_uncalled_bet, tries=15),
    "POT104": Mistake(pots.award_wrong_winner, tries=8),
    "POT105": Mistake(pots.award_to_folded, tries=3),
    "POT106": Mistake(pots.misplace_odd_chip, pots.plan_tie, tries=10),
    "POT107": Mistake(pots.take_wrong_rake),
    "POT108": Mistake(pots.award_twice),
    "POT109": Mistake(pots.report_other_totals),
    "FEED101": Mistake(feed.lose_event),
    "FEED102": Mistake(feed.contradict),
    "FEED103": Mistake(feed.come_too_late),
    "FEED104": Mistake(feed.set_clock_back),
    "FEED105": Mistake(feed.leave_open),
    "FEED106": Mistake(feed.speak_after_end),
    "FEED107": Mistake(feed.name_no_seat),
    "FEED108": Mistake(feed.break_line),
    "RUL101": Mistake(rulings.improper_misdeal),
    "RUL102": Mistake(rulings.refuse_misdeal, rulings.plan_refusal),
    "RUL104": Mistake(rulings.refund_wrongly, deck.plan_duplicate, tries=2),
    "RUL108": Mistake(deal.keep_exposed_card, tries=2),
    "RUL109": Mistake(deal.waste_exposed_card, tries=2),
    "RUL110": Mistake(rulings.redeal_badly),
    "RUL111": Mistake(rulings.refund_fouled, rulings.plan_fouled_blind, tries=3),
    "RUL103": Mistake(deck.duplicate_paid, deck.plan_duplicate),
    "RUL105": Mistake(strange.void_for_scrap),
    "RUL107": Mistake(hands.let_dead_hand_live, tries=3),
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
        for attempt in range(mistake.tries):
            if mistake.plan is not None or attempt:
                dealt = _dealt_for(mistake, fresh(), deal_hand, rng)
            else:
                dealt = script = script or deal_hand(fresh(), rng)
            if dealt is None:
                continue
            faults = mistake.make(dealt, rng)
            if faults or dealt.sequel is not None:
                return dealt, faults
    return script or deal_hand(fresh(), rng), []


def _dealt_for(
    mistake: Mistake, plan: HandPlan, deal_hand: Callable[[HandPlan, Random], Script], rng: Random
) -> Script | None:
    """A hand that is dealt for a mistake; None where it cannot be."""
    if mistake.plan is not None and not mistake.plan(plan, rng):
        return None
    return deal_hand(plan, rng)
