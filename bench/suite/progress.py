"""How far a plan is, and how long the rest will take."""

import shutil
import sys
import time

_BAR = 24


def duration(seconds):
    """Like 1:02:03 or 2:03."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class Progress:
    """A bar in a terminal; elsewhere a line for each unit that is done.

    What is left is estimated, and corrected by how long the units so far took beside their estimates.
    """

    def __init__(self, units, stream=sys.stdout, clock=time.monotonic):
        self._all = len(units)
        self._total_s = self._left_s = sum(each.estimated_s for each in units)
        self._estimated_s = self._taken_s = 0.0
        self._number = 0
        self._stream = stream
        self._clock = clock
        self._is_terminal = stream.isatty()
        self._unit = None
        self._begun = 0.0

    def skip(self, unit):
        """It was measured before."""
        self._number += 1
        self._left_s -= unit.estimated_s
        self._total_s -= unit.estimated_s

    def begin(self, unit):
        self._number += 1
        self._unit = unit
        self._begun = self._clock()
        self.tick()

    def tick(self):
        """To be called now and then while a unit is measured."""
        if self._is_terminal:
            self._stream.write(f"\r\033[K{self._line(self._clock() - self._begun)}")
            self._stream.flush()

    def end(self, outcome):
        taken_s = self._clock() - self._begun
        self._taken_s += taken_s
        self._estimated_s += self._unit.estimated_s
        self._left_s -= self._unit.estimated_s
        if not self._is_terminal or outcome:
            self.say(f"{self._line(0)}{': ' if outcome else ''}{outcome}")

    def say(self, text):
        """A line that stays."""
        self._stream.write(("\r\033[K" if self._is_terminal else "") + text + "\n")
        self._stream.flush()

    def close(self):
        if self._is_terminal:
            self._stream.write("\r\033[K")
            self._stream.flush()

    def seconds_left(self, running_s=0.0):
        # A few short units say little about the rest.
        trust_s = 30.0
        slower = (self._taken_s + trust_s) / (self._estimated_s + trust_s)
        return max(0.0, self._left_s * slower - running_s)

    def _line(self, running_s):
        done_s = self._total_s - self._left_s + min(running_s, self._unit.estimated_s)
        share = done_s / self._total_s if self._total_s else 1.0
        filled = round(share * _BAR)
        text = (f"[{'#' * filled}{'-' * (_BAR - filled)}] {share * 100:3.0f} %  {self._number}/{self._all}  "
                f"{duration(self.seconds_left(running_s))} left  {self._unit.name}")
        return text[:_columns() - 1] if self._is_terminal else text


def _columns():
    return shutil.get_terminal_size().columns
