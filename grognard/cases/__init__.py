"""Cases: rulebook examples as data, and running them.

A file of cases is YAML::

    ruleset: cc_ancients
    scenario: cc_ancients/akragas          # sides and everything a position does not say
    cases:
      - name: Losses do not reduce dice rules: [CCA-9.5] position:                          # like a
        scenario's; kinds of pieces named here replace its own
          pieces:
            Unit:
              - {side: bottom, type: HI, hex: E5, name: hi} fields: {hi.blocks: 1, top.banners: 3,
                active: bottom}     # anything the scenario cannot say piles: {"hand[bottom]":
                [rally], stock: [rally, rally]}    # the last card is on top effects: [charge]
                # in force; with a value: pinned(hi) run: attack_unit(hi, foe, E6, attack)
                # without: the whole game from play() dice: [light, flag, heavy]
                # or {battle: [...], d6: [...], draw: [hi]} actions: [stand, "to B4", {do: decline,
                by: top}, {expect: {...}}] expect:
          fields: {foe.blocks: 2, foe.hex: none} decision: {side: top, prompt: retreat, about: [hi]}
          # or: none offered: [retreat B4] not_offered: [retreat B5] options: [retreat B4, retreat
          B3]                        # exactly these, in any order values: {"close_dice(hi, E6,
          attack)": 5}   # or {is: 5, rule: attackers_dice, cites: CCA-11.23} refused:
          {"may_order(hi, rally)": CCA-7.6}               # a permission that refuses, and why
          piles: {"hand[top]": [rally]} over: false winner: bottom
          # or tie, none, or several: [top, left] ranks: {bottom: 1, top: 2} log: [some words] sees:
          # what a side sees
            bottom: {fields: {foe.nerve: unseen}, piles: {"hand[top]": 3}, not_log: [some words]}
"""

from grognard.cases.file import Case, CaseError, CaseFile, read_cases
from grognard.cases.running import CaseRunner, Outcome
from grognard.cases.suite import RulesetErrors, Unread, case_files, run_files, runner_for

__all__ = [
    "Case",
    "CaseError",
    "CaseFile",
    "CaseRunner",
    "Outcome",
    "RulesetErrors",
    "Unread",
    "case_files",
    "read_cases",
    "run_files",
    "runner_for",
]
