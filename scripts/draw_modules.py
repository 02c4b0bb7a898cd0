#!/usr/bin/env python3
"""Draws docs/architecture/modules.svg from the table of layers (MAY_USE of scripts/tree_rules/layers.py)."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from tree_rules import layers, picture  # noqa: E402

if __name__ == "__main__":
    out = Path(__file__).resolve().parent.parent / layers.PICTURE
    out.write_text(picture.draw(layers.MAY_USE), encoding="utf-8")
    print(f"drew {out}")
