"""What a hand is played at: the game, the stakes, and who is in it."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.events import Stakes
from auditor.feeds.pokerstars.hand import Hand
from auditor.feeds.pokerstars.lines import Line
from auditor.games import GAMES, Game

_LARGER = {("omaha", 5): "omaha5", ("omaha_hilo", 5): "omaha5_hilo", ("omaha", 6): "omaha6"}


def dealt_in(hand: Hand) -> frozenset[int]:
    """Who plays the hand. The mark "is sitting out" does not tell it: in a tournament such a player is dealt in, and in
    a cash game one may come back in time. Who plays acts, or posts, or is in the summary."""
    seen = {line.seat for line in hand.lines if line.seat >= 0}
    if hand.summary is not None and hand.summary.whole:
        return frozenset(seen | hand.summary.seats.keys())
    return frozenset(seen | {each.seat for each in hand.players if not each.away})


def game_of(hand: Hand) -> Game:
    """The game by its name; some rooms call Omaha of five or six cards by the name of the game of four."""
    sizes = {len(line.cards) for line in hand.lines if line.verb == "dealt"}
    if hand.header.room == "PokerStars" or len(sizes) != 1:
        return GAMES[hand.header.game]
    return GAMES[_LARGER.get((hand.header.game, sizes.pop()), hand.header.game)]


def big_blind_seat(hand: Hand) -> int | None:
    """Who is the big blind: others post one as well, when they come to the table or come back."""
    marked = hand.summary.seat_at("big blind") if hand.summary is not None else None
    posts = [line for line in hand.lines if line.verb in ("big_blind", "both_blinds", "button_blind")]
    if any(line.seat == marked for line in posts):
        return marked
    return next((line.seat for line in posts if line.verb != "both_blinds"), None)


def stakes_of(hand: Hand) -> Stakes:
    header = hand.header
    small, big = _posted(hand.lines, "small_blind"), _posted(hand.lines, "big_blind")
    ante = max((line.amount for line in hand.lines if line.verb == "ante"), default=0)
    amounts = {
        "ante": max(header.ante, ante),
        "bring_in": max((line.amount for line in hand.lines if line.verb == "bring_in"), default=0),
    }
    if not GAMES[header.game].button:
        return Stakes(small_bet=header.first, big_bet=header.second, **amounts)
    if header.button_blind:
        return Stakes(big_blind=header.button_blind, **amounts)
    if header.betting != "limit":
        return Stakes(small_blind=header.first or small, big_blind=header.second or big, **amounts)
    # The stakes of a limit game are its bets; a tool may write the blinds there.
    bet = header.second if big and big == header.second else header.first
    big_bet = 2 * bet if bet == header.second else header.second
    return Stakes(small_blind=small or bet // 2, big_blind=big or bet, small_bet=bet, big_bet=big_bet, **amounts)


def _posted(lines: Sequence[Line], kind: str) -> int:
    """The amount of a blind, 0 where nobody posted it in full."""
    return next((line.amount for line in lines if line.verb == kind and not line.all_in), 0)
