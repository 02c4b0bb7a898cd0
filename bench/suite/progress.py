"""How far a plan is, and how long the rest will take."""

import sys
import time


def duration(seconds):
    """Like 1:02:03 or 2:03."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class Progress:
    """A line that stays for each unit that is done; in a terminal also one that is written anew, for the unit under way.

    What is left is estimated, and corrected by how long the units so far took beside their estimates.
    """

    def __init__(self, units, stream=sys.stdout, clock=time.monotonic):
        self._all, self._number = len(units), 0
        self._left_s = sum(each.estimated_s for each in units)
        # A few short units say little about the rest.
        self._taken_s = self._estimated_s = 30.0
        self._stream, self._clock = stream, clock
        self._unit, self._begun = None, 0.0

    def skip(self, unit):
        """It was measured before."""
        self._number += 1
        self._left_s -= unit.estimated_s

    def begin(self, unit):
        self._number += 1
        self._unit, self._begun = unit, self._clock()
        self.tick()

    def tick(self):
        """To be called now and then while a unit is measured."""
        if self._stream.isatty():
            self._write(self._line(self._clock() - self._begun), "")

    def end(self, outcome):
        self._taken_s += self._clock() - self._begun
        self._estimated_s += self._unit.estimated_s
        self._left_s -= self._unit.estimated_s
        self._write(self._line(0) + (f": {outcome}" if outcome else ""))

    def close(self):
        if self._stream.isatty():
            self._write("", "")

    def seconds_left(self, running_s=0.0):
        return max(0.0, self._left_s * self._taken_s / self._estimated_s - running_s)

    def _line(self, running_s):
        return f"{self._number}/{self._all}  {duration(self.seconds_left(running_s))} left  {self._unit.name}"

    def _write(self, text, end="\n"):
        self._stream.write(("\r\033[K" if self._stream.isatty() else "") + text + end)
        self._stream.flush()
