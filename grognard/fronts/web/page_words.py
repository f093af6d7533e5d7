"""The words of the pages at the table and in the lobby, by the keys that their scripts know; in
other languages they are messages of the catalogues (:mod:`grognard.lexicon.catalogue`).
"""

from __future__ import annotations

from grognard.lexicon.catalogue import words_in
from grognard.retelling.labels import page_words

WORDS: dict[str, str] = {
    # the lobby
    "lobby": "Choose a battle",
    "search": "Search",
    "search_hint": "A battle, a game, a side, a year",
    "all_games": "All games",
    "under_way": "Games under way",
    "finished": "Games that are over",
    "person": "somebody at this screen",
    "link": "somebody who gets a link",
    "links": "Links",
    "links_of": "Links to {0}",
    "link_hint": "Whoever opens a link sits there, on as many devices as he likes. A new link ends "
    "the one of before.",
    "new_link": "A new link for {0}",
    "watchers": "those who look on",
    "send_links": "Send each player his link; it works until you make a new one.",
    "copy": "Copy",
    "copied": "Copied",
    "to_the_board": "To the board",
    "go_on": "Go on",
    "no_game": "You have no game here. Open the link that you were sent.",
    "greedy": "the bot that thinks ahead",
    "random": "a bot that plays at random",
    "novice": "a bot that searches, novice",
    "regular": "a bot that searches, regular",
    "veteran": "a bot that searches, veteran",
    "begin": "Begin",
    "close": "Close",
    "own_scenario": "A scenario of your own",
    "own_hint": "Choose a scenario file (.yaml). It is checked, and can then be played.",
    "own_wrong": "This file cannot be played yet:",
    "line": "line {0}",
    "another_browser": "Another browser or device",
    "another_hint": "Open this link there. It works once.",
    "forget": "Remove",
    "forget_sure": "Remove this game for good?",
    "length": "about {0} decisions",
    "decides_now": "{0} decides",
    "nothing_found": "Nothing like that is here.",
    "loading": "One moment …",
    "your_turn": "It is your turn",
    "myself": "I",
    # clocks
    "clock": "Clock",
    "no_clock": "none",
    "clock_turn": "days for each turn: {0}",
    "clock_game": "minutes a side for the game: {0}",
    "time_left": "{0} has {1} left",
    "time_up": "The time of {0} is up.",
    "on_time": "Lost on time: {0}",
    "days_hours": "{0} d {1} h",
    "claim": "Claim the game",
    "claim_sure": "End this game as lost on time by {0}?",
    # accounts
    "name": "Name",
    "name_hint": "2 to 40 characters",
    "password": "Password",
    "password_hint": "at least 8 characters",
    "sign_in": "Sign in",
    "sign_up": "Make an account",
    "sign_up_hint": "With a name and a password you find your games again in every browser, and "
    "can begin games with others.",
    "or_link": "Who was sent a link to a game needs no account: open the link.",
    "account": "Account: {0}",
    "my_games": "My games",
    "change_password": "Change the password",
    "change_hint": "Your other browsers are signed out.",
    "old_password": "The password until now",
    "new_password": "The new password",
    "sign_out": "Sign out",
    # at the table
    "to_lobby": "All battles",
    "undo": "Undo",
    "hint": "Hint",
    "expects": "What it expects",
    "why": "Why?",
    "ask_why": "What stands behind it",
    "never": "Not again this turn",
    "choose": "Do it",
    "anyway": "Do it all the same",
    "cancel": "Cancel",
    "thinks": "{0} is thinking …",
    "waits": "It is for {0} to decide.",
    "looking_on": "You look on.",
    "type": "Or write what you want to do",
    "send": "Send",
    "several": "What do you mean?",
    "not_possible": "That is not possible",
    "now": "Back to now",
    "since": "Since you last looked: {0}",
    "step_through": "Step through it",
    "happening": "This has happened since",
    "handover": "Hand over to {0}",
    "handover_hint": "Nothing of {0} is on the screen once the other looks.",
    "i_am": "I am {0}",
    "stay": "Look on as {0}",
    "lost": "The connection is lost; trying again …",
    "explain_no_more": "Explain no more questions",
    "fault": "The game cannot go on: {0}",
    "options": "What can be chosen",
    "chosen": "Chosen so far",
}


def table_words(language: str) -> dict[str, str]:
    """All of them, with those of the page of a record."""
    words = words_in(language)
    return {**page_words(language), **{key: words(message) for key, message in WORDS.items()}}
