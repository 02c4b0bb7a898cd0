"""Measures the units of a plan one after the other, and keeps what they find."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

_LOOK_EVERY_S = 0.25
_PATIENCE_S = 10
_OUTPUT_KEPT = 4000


class UnitFailed(Exception):
    """A unit has no result. Its text says why."""


def measure_all(units, store, key, progress, is_fresh=False):
    """Gives the names of the units that failed. What the store has under the same key is not measured again."""
    failed = []
    for unit in units:
        its_key = {**key, "command": list(unit.command)}
        if not is_fresh and store.has(unit.name, its_key):
            progress.skip(unit)
            continue
        progress.begin(unit)
        record = {"unit": unit.name, "kind": unit.kind, "key": its_key,
                  "started": datetime.now(timezone.utc).isoformat(timespec="seconds")}
        begun = time.monotonic()
        outcome = ""
        try:
            record.update(status="done", result=measure(unit, progress.tick))
        except UnitFailed as error:
            record.update(status="failed", error=str(error))
            failed.append(unit.name)
            outcome = "failed, " + (str(error).strip().splitlines() or ["without a word"])[-1]
        record["seconds"] = round(time.monotonic() - begun, 2)
        store.write(unit.name, record)
        progress.end(outcome)
    return failed


def measure(unit, tick):
    """The JSON that the unit's program writes."""
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "errors"), "w+b") as errors:
        os.chmod(folder, 0o755)  # a database's server does not run as root
        json_file = Path(folder, "result.json")
        allowed_s = 120 + 10 * unit.estimated_s
        try:
            status = _run(unit.command_writing(json_file), errors, folder, allowed_s, tick)
        except OSError as error:
            raise UnitFailed(str(error)) from error
        errors.seek(0)
        said = errors.read().decode(errors="replace")[-_OUTPUT_KEPT:]
        if status is None:
            raise UnitFailed(f"{said}\nhas not ended after {allowed_s:.0f} s")
        if status != 0:
            raise UnitFailed(f"{said}\nexit status {status}" if not said.strip() else said)
        try:
            return json.loads(json_file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UnitFailed(f"{said}\nno JSON: {error}") from error


def _run(command, errors, folder, allowed_s, tick):
    """The exit status, or None when it did not end in time. It has a process group of its own, so that an interrupt
    comes here first, and nothing of it is left when this returns: neither processes nor, as its temporary files are in
    the folder, files."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                               start_new_session=True, env={**os.environ, "TMPDIR": folder})
    try:
        deadline = time.monotonic() + allowed_s
        while time.monotonic() < deadline:
            try:
                return process.wait(_LOOK_EVERY_S)
            except subprocess.TimeoutExpired:
                tick()
        return None
    finally:
        _end(process)


def _end(process):
    """Asks it to end, and insists."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE_S)
