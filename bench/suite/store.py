"""The results of units, each in a file of its own, so that what was measured need not be measured again."""

import json
import os
import re
from pathlib import Path


class Store:
    """The folder that holds them."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def path_of(self, unit_name):
        return self.folder / (re.sub(r"[^\w.-]+", "_", unit_name) + ".json")

    def read(self, unit_name):
        """What was recorded of a unit, or None."""
        try:
            return json.loads(self.path_of(unit_name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write(self, unit_name, record):
        """All of it or nothing, whenever it is interrupted."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path_of(unit_name)
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        os.replace(unfinished, path)

    def has(self, unit_name, key):
        """Whether the unit was measured, without failing, under the same key."""
        record = self.read(unit_name)
        return record is not None and record["status"] == "done" and record["key"] == key

    def records(self):
        """All that are there, in the order of their names."""
        found = []
        for path in sorted(self.folder.glob("*.json")):
            record = json.loads(path.read_text(encoding="utf-8"))
            if "unit" in record:
                found.append(record)
        return found
