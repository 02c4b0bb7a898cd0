"""The parts of the report that compare no throughput: what building costs, and what is counted."""

from . import rivals, text

_BUILD_COST, _COUNTS = "build_cost", "counts"
BUILD_COST = "What building costs"


def of(records):
    """Pairs of a heading and its text."""
    writers = {_BUILD_COST: (BUILD_COST, build_cost),
               _COUNTS: ("Allocations and system calls for a request", counts)}
    return [(writers[record["kind"]][0], writers[record["kind"]][1](record["result"]))
            for record in records if record["kind"] in writers and record["status"] == "done"]


def build_cost(result):
    rows = []
    for each in result["costs"]:
        rows.append([each["what"], cost(each), text_of(each["unit"], each["bar"]) if each["bar"] else "–", kept(each)])
    return (f"With {result['compiler']}, {result['flags']}. Seconds are those of the compiler's processor time, the "
            f"smallest of {result['repetitions']} runs; wall clock in parentheses.\n\n"
            + text.table(["", "cost", "at most", ""], rows))


def build_cost_line(result):
    """For the terminal."""
    return "Build: " + "; ".join(
        f"{each['what']} {cost(each)}" + (f", at most {text_of(each['unit'], each['bar'])}" if each["bar"] else "")
        for each in result["costs"])


def cost(each):
    wall = f" ({text_of('s', each['wall_s'])})" if "wall_s" in each else ""
    return text_of(each["unit"], each["value"]) + wall


def kept(each):
    if not each["bar"]:
        return ""
    return "kept" if each["value"] <= each["bar"] else "**missed**"


def text_of(unit, value):
    return text.size(value) if unit == "B" else f"{value:.2f} s"


def per_request(count):
    # A few that start-up took more or less are none.
    return f"{max(count, 0):.2f}"


def counts(result):
    rows = []
    for each in result["counts"]:
        name = f"`{each['peer']}`"
        rows.append([f"{each['scenario']}, {each['payload']}, {each['connections']} connections",
                     f"**{name}**" if rivals.is_eddy(each["peer"]) else name,
                     f"{each['requests']:,}", per_request(each["system_calls"]),
                     "–" if each["allocations"] is None else per_request(each["allocations"])])
    return (f"Counted, not sampled: allocations by a library that is loaded into the server, system calls by "
            f"{result['tool']}. Each server answers an exact number of requests and then, started anew, "
            f"more of them; the difference is divided by the requests between. Allocations are calls of malloc and its "
            f"kin, those of operator new included; Go has an allocator of its own. How many system calls a server needs "
            f"with many connections depends on how many requests it finds waiting.\n\n"
            + text.table(["configuration", "server", "requests", "system calls", "allocations"], rows, left=2))
