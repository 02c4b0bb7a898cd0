"""Runs every benchmark of a build as a plan of small units and writes the report on them."""
