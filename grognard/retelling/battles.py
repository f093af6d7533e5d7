"""The odds of what dice decided, and what came of it: the one place where they are worked out.

Where the ruleset has a forecast of what was chosen, that says what could come of it; else the
action is repeated with other dice (:mod:`grognard.retelling.luck`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from grognard.explain.forecasts import Phrases
from grognard.lexicon.catalogue import words_in
from grognard.retelling.account import Forces
from grognard.retelling.luck import Luck
from grognard.retelling.moments import Course, Moment
from runtime.model import ForecastSpec
from runtime.runs.forecast import Foretold, arguments, came, foresee, of_option
from runtime.state import RulesetFault
from runtime.view import Unseen, view

#: How many ways of a forecast are gone, how many samples are taken where there are more.
_WAYS, _SAMPLES = 4_000, 200
#: Never reached: the same record gives the same page on any machine.
_SECONDS = 600.0
#: How many decisions may lie between the choice that a forecast is of and its dice.
_APART = 3
#: How many values of an outcome are drawn.
_DRAWN = 12


@dataclass(frozen=True)
class RollOdds:
    """What a roll could bring: *title* says what is counted, *outcomes* are each a text, its share
    in hundredths, and whether it came; *note* says how to read them.
    """

    title: str
    outcomes: tuple[tuple[str, float, bool], ...]
    note: str = ""

    @property
    def data(self) -> list[Any]:
        """As plain data."""
        shares = [[text, round(share, 1), int(came)] for text, share, came in self.outcomes]
        return [self.title, shares, self.note]


class Battles:
    """Says of an action that led to dice what could have come of it.  It is to be asked of each
    moment.
    """

    def __init__(self, course: Course, forces: Forces) -> None:
        self.course = course
        self.forces = forces
        self.luck = Luck(course, forces)
        wording = course.game.wording
        self.phrases = Phrases(wording, words_in(wording.language))
        #: what was chosen last of which there are forecasts
        self._chosen: Moment | None = None

    def of(self, moment: Moment) -> list[RollOdds]:
        """The odds of a moment; nothing where no dice were rolled."""
        if moment.before is None or self.course.side is not None:
            return []
        if any(of_option(self.course.spec, moment.before.point, moment.option)):
            self._chosen = moment
        if not moment.rolls:
            return []
        chosen, self._chosen = self._chosen, None
        if chosen is not None and moment.number - chosen.number <= _APART:
            try:
                odds_found = [
                    odds
                    for forecast in self._forecasts(chosen)
                    for odds in self._forecast_odds(chosen, forecast, moment)
                ]
            except (RulesetFault, Unseen):
                odds_found = []
            if odds_found:
                return odds_found
        return self._loss_odds(moment)

    def _forecasts(self, chosen: Moment) -> Iterator[ForecastSpec]:
        assert chosen.before is not None
        return of_option(self.course.spec, chosen.before.point, chosen.option)

    def _forecast_odds(
        self, chosen: Moment, forecast: ForecastSpec, moment: Moment
    ) -> Iterator[RollOdds]:
        """What a forecast says of a choice, and which of it the dice of a moment made true."""
        program, before = self.course.program, chosen.before
        assert before is not None
        seen = view(before, chosen.side)
        args = arguments(self.course.spec, before.point, chosen.option, seen.about)
        rng = Random(f"{self.course.played.seed}:{chosen.number}")
        foreseen = foresee(
            program,
            seen,
            forecast,
            args,
            rng,
            option=chosen.option,
            most=_WAYS,
            times=_SAMPLES,
            seconds=_SECONDS,
        )
        happened = self._actual_values(forecast, args, chosen, moment)
        sampled = "" if foreseen.exact else self.course.word("sampled", foreseen.ways)
        single: list[tuple[str, float, bool]] = []
        for outcome in foreseen.outcomes:
            values = happened.get(outcome.name)
            if outcome.number and len(outcome.alternatives) > 1:
                yield self._number(outcome, values, sampled)
            elif not outcome.certain:
                single += self._outcome_odds(outcome, values)
        if single:
            yield RollOdds(sampled, tuple(single))

    def _actual_values(
        self, forecast: ForecastSpec, args: tuple[Any, ...], chosen: Moment, moment: Moment
    ) -> dict[str, tuple[Any, ...]]:
        """The values of the outcomes with the dice that fell; nothing where these do not fit the
        forecast.
        """
        assert chosen.before is not None
        dice: dict[str, list[Any]] = {}
        for roll in moment.rolls:
            dice.setdefault(self.course.spec.dice[roll.die].name, []).extend(roll.faces)
        try:
            return came(
                self.course.program, chosen.before, forecast.name, args, dice, chosen.option
            )
        except RulesetFault:
            return {}

    def _number(
        self, outcome: Foretold, happened: tuple[Any, ...] | None, sampled: str
    ) -> RollOdds:
        """A number: its mean, and how likely each is."""
        drawn = [
            (str(one.values[0]), 100 * float(one.chance), one.values == happened)
            for one in outcome.alternatives[:_DRAWN]
        ]
        title = self.phrases.mean(outcome)
        return RollOdds(" ".join(filter(None, (title, sampled))), tuple(drawn))

    def _outcome_odds(
        self, outcome: Foretold, happened: tuple[Any, ...] | None
    ) -> Iterator[tuple[str, float, bool]]:
        """What may come or not."""
        for one in outcome.alternatives[:_DRAWN]:
            yield self.phrases.worded(outcome, one), 100 * float(one.chance), one.values == happened

    def _loss_odds(self, moment: Moment) -> list[RollOdds]:
        """What came of the action with other dice: for each side that could lose something."""
        word = self.course.word
        names, unit = self.course.sides, self.forces.unit
        all_odds = []
        for chance in self.luck.of(moment):
            title = word("loses_unit" if unit else "loses", names[chance.side], unit)
            counts = dict(chance.seen)
            counts.setdefault(chance.lost, 0)
            outcomes = tuple(
                (str(loss), 100 * counts[loss] / chance.times, loss == chance.lost)
                for loss in sorted(counts)
            )
            note = word("expected", chance.lost, float(chance.mean), f"{100 * chance.share:.0f}")
            all_odds.append(RollOdds(title, outcomes, note))
        return all_odds
