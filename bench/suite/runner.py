"""Measures the units of a plan one after the other, and keeps what they find."""

import time
from datetime import datetime, timezone

from .processes import Failed


def measure_all(units, store, key, progress, session, is_fresh=False):
    """Gives the names of the units that failed. What the store has under the same key is not measured again."""
    failed = []
    for unit in units:
        its_key = {**key, "how": unit.how}
        if not is_fresh and store.has(unit.name, its_key):
            progress.skip(unit)
            continue
        progress.begin(unit)
        record = {"unit": unit.name, "kind": unit.kind, "key": its_key,
                  "started": datetime.now(timezone.utc).isoformat(timespec="seconds")}
        begun = time.monotonic()
        outcome = ""
        try:
            record.update(status="done", result=unit.measure(session))
        except (Failed, OSError) as error:
            record.update(status="failed", error=str(error))
            failed.append(unit.name)
            outcome = f"failed, {last_line(str(error))}"
        record["seconds"] = round(time.monotonic() - begun, 2)
        store.write(unit.name, record)
        progress.end(outcome)
    return failed


def last_line(said):
    return (said.strip().splitlines() or ["without a word"])[-1]
