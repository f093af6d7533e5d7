"""The words of the page and the report, by the keys that template and script of the page know them
by; in other languages they are messages of the catalogues (:mod:`grognard.lexicon.catalogue`).
"""

from __future__ import annotations

from grognard.lexicon.catalogue import words_in
from runtime.words.said import fill_wording

WORDS: dict[str, str] = {
    "page": "A game to look at again",
    "set_up": "The set-up",
    "decision": "Decision {0} of {1}",
    "turn": "Turn {0}",
    "turns": "Turn",
    "next": "Next: {0}",
    "over": "The game is over",
    "unfinished": "The game goes on",
    "seen_by_all": "What everybody sees",
    "seen_by": "What {0} sees",
    "first": "To the start",
    "last": "To the end",
    "back": "One decision back",
    "forward": "One decision on",
    "turn_back": "One turn back",
    "turn_forward": "One turn on",
    "run": "Run",
    "stop": "Stop",
    "place": "Place in the game",
    "told": "What is told",
    "table": "Table",
    "log": "Log",
    "hands": "Hands",
    "off_board": "Off the board",
    "key": "Key",
    "course": "Course",
    "board": "The board",
    "closer": "Closer",
    "farther": "Farther",
    "whole": "The whole board",
    "theme": "Light or dark",
    "no_cards": "no cards",
    "unseen_cards": "not to be seen from here",
    "nowhere": "off the board",
    "dice": "Dice",
    "loses": "{0} loses",
    "loses_unit": "{0} loses ({1})",
    "sampled": "(from {0: 1 one sample | # samples})",
    "expected": "{0} came of it; {1} were to be expected. As much or more: {2} of 100.",
    "points": "Points",
    "strength": "Strength on the board",
    "noscript": "The board needs JavaScript. The log of the game stands below.",
    # the report
    "who": "{0}: {1}",
    "length": "{0: 1 one decision | # decisions} in {1: 1 one turn | # turns}",
    "the_end": "How it ended",
    "last_words": "The last that the log tells:",
    "goes_on": "The game goes on; what follows is what {0} so far.",
    "everybody_sees": "everybody has seen",
    "side_sees": "{0} has seen",
    "was_played": "has been played",
    "stand": "Where the sides stand",
    "by_turn": "Turn by turn",
    "by_turn_points": "{0}: as they stand at the end of the turn.",
    "by_turn_lost": "Strength{0} and pieces are what a side has lost in it, a minus what it has "
    "gained; turns in which nothing of that has changed are left out.",
    "unit": " ({0})",
    "col_lost": "lost {0}",
    "col_left": "pieces off {0}",
    "total": "total",
    "losses": "Who left the board",
    "nobody_left": "Nobody left the board.",
    "left_list": "{0}: {1}.",
    "luck": "Luck",
    "luck_what": "Every action that led to dice was taken again {0} times from the same position "
    "with other dice; what it cost then is what was to be expected.",
    "luck_side": "{0} lost {1}{2} by dice, where {3} were to be expected: {4}.",
    "luck_few": "too few dice to tell",
    "luck_much_less": "far less than its share",
    "luck_less": "less than its share",
    "luck_even": "about its share",
    "luck_more": "more than its share",
    "luck_much_more": "far more than its share",
    "no_luck": "Dice have decided nothing.",
    "dice_faces": "The dice",
    "dice_what": "Each face as often as it came, "
    "and in brackets as often as it was to be expected.",
    "col_die": "die",
    "col_rolled": "rolled",
    "all_sides": "all sides",
    "other": "not told whose",
    "turning": "Turning points",
    "turn_lost": "{0} lost {1}{2}",
    "turn_gained": "{0} gained {1}{2}",
    "turn_left": "{0} lost {1: 1 a piece | # pieces}: {2}",
    "turn_points": "the points went from {0} to {1}",
    "nothing_turned": "No turn stands out.",
    "keys": "← → a decision · Shift ← → a step of the turn · PageUp PageDown a turn · "
    "Home End the ends · space runs · + − 0 the board closer, farther, whole · swipe on the board",
}


def page_words(language: str) -> dict[str, str]:
    """All of them in a language; what it lacks in English."""
    words = words_in(language)
    return {key: words(message) for key, message in WORDS.items()}


def word(key: str, language: str = "en", *arguments: object) -> str:
    """A text of the page or the report; English where the language has none."""
    words = words_in(language)
    return fill_wording(
        words(WORDS[key]),
        [words.number(a, 1) if isinstance(a, float) else str(a) for a in arguments],
    )
