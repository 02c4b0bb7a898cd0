"""What scripts/lab.py consists of."""
