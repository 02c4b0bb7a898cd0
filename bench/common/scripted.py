"""What programs of contests that are scripts have in common: their options, rounds, table and JSON."""

import argparse
import json
import statistics
import sys


def names(text):
    return text.split(",")


def wanted(name, asked, is_exact):
    return not asked or any(name == each if is_exact else each in name for each in asked)


def parser(about):
    options = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", help="of the build")
    options.add_argument("--list", action="store_true", help="show what there is, measure nothing")
    options.add_argument("--contest", type=names, default=[], help="only contests whose names contain one of these")
    options.add_argument("--contender", type=names, default=[], help="likewise")
    options.add_argument("--exact", action="store_true", help="these are whole names")
    options.add_argument("--warmup", type=float, default=0, help="seconds before each window")
    options.add_argument("--repeat", type=int, default=3, help="rounds: each contender is measured once a round")
    options.add_argument("--json", help="write everything to this file as well, also what there is")
    return options


def run(program, contests, asked, measure):
    """`contests`: pairs of a description (contest, about, item, compares) and its contenders' names.
    `measure(contest, contender)`: a round, {items, seconds, cpu_seconds, times_ns}; raises RuntimeError."""
    chosen = [(each, [one for one in contenders if wanted(one, asked.contender, asked.exact)])
              for each, contenders in contests if wanted(each["contest"], asked.contest, asked.exact)]
    if not any(contenders for _, contenders in chosen):
        sys.exit(f"{program}: there is no such contest or contender; --list shows them")
    if asked.list:
        for each, contenders in chosen:
            print(each["contest"], *contenders, sep="\n  ")
        return write(asked.json, {"program": program, "contests": [
            {**each, "contenders": contenders} for each, contenders in chosen]})
    try:
        made = [_contest(each, contenders, asked.repeat, measure) for each, contenders in chosen]
    except KeyboardInterrupt:
        sys.exit(130)
    except (OSError, RuntimeError) as error:
        sys.exit(f"{program}: {error}")
    write(asked.json, {"program": program, "method": {"rounds": asked.repeat}, "contests": made})


def _contest(described, contenders, repeat, measure):
    rounds = {name: [] for name in contenders}
    for _ in range(repeat):
        for name in contenders:
            rounds[name].append(measure(described["contest"], name))
    print_table(described, rounds)
    return {**described, "contenders": [contender(name, results) for name, results in rounds.items()]}


def contender(name, rounds):
    speeds = [each["items"] / each["seconds"] for each in rounds]
    middle = statistics.median(speeds)
    summary = {"items_per_second": middle, "spread": (max(speeds) - min(speeds)) / middle, "ns_per_item": 1e9 / middle,
               "cpu_ns_per_item": statistics.median(each["cpu_seconds"] / each["items"] for each in rounds) * 1e9}
    return {"contender": name, "summary": summary, "rounds": rounds}


def print_table(described, rounds):
    """Ratios are to the first contender, the median of those within each round; above 1 the first one is better."""
    print(f"{described['contest']}: {described['about']}")
    print(f"  {'contender':14} {described['item'] + 's/s':>12} {'CPU ns':>10} {'ratio':>7} {'CPU ratio':>9}")
    first = next(iter(rounds.values()))
    for name, results in rounds.items():
        told = contender(name, results)["summary"]
        faster = statistics.median((one["items"] / one["seconds"]) / (each["items"] / each["seconds"])
                                   for one, each in zip(first, results, strict=True))
        cheaper = statistics.median((each["cpu_seconds"] / each["items"]) / (one["cpu_seconds"] / one["items"])
                                    for one, each in zip(first, results, strict=True))
        print(f"  {name:14} {told['items_per_second']:>12,.0f} {told['cpu_ns_per_item']:>10,.1f} {faster:>7.2f} {cheaper:>9.2f}",
              flush=True)


def write(path, what):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(what, file, indent=2)
            file.write("\n")
