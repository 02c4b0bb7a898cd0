"""The report as Markdown."""

from collections import defaultdict

from . import benchmark, details, judged, summary, text
from .sections import BUILD_COST

_TITLES = {
    "eddy-bench": "Servers",
    "eddy-bench-dispatch": "Functions and tasks handed to threads",
    "eddy-bench-files": "Files",
    "eddy-bench-lto": "Link-time optimisation",
    "eddy-bench-pipeline": "A server that waits for another one",
    "eddy-bench-pq": "Queries to PostgreSQL",
    "eddy-bench-sockets": "Sockets and pipes",
    "eddy-bench-sync": "Waiting for each other",
    "eddy-bench-tasks": "Tasks",
    "eddy-bench-timers": "Timers",
    "eddy-bench-tools": "Servers, asked by hey, ab and h2load",
    "eddy-micro": "Single steps",
}


def write(run, results, pictures, sections):
    """`run`: what is known of the whole run; `results`: its configurations; `pictures`: by program and scenario;
    `sections`: pairs of a heading and its text, of what is no comparison."""
    compared = [each for result in results for each in judged.judge(result)]
    parts = [_head(run), _at_a_glance(run, compared), _by_scenario(compared)]
    parts += [f"## {heading}\n\n{body}" for heading, body in sections]
    parts += [_machine(run), _method(run)]
    parts += _programs(results, compared, pictures, run["pictures"])
    parts.append("## Every comparison\n\n" + text.folded("All configurations", summary.all_of_them(compared)))
    return "\n".join(part.rstrip() + "\n" for part in parts)


def write_summary(run, results, sections, whole):
    """The beginning of the report, short enough to be kept with the sources. `whole`: where the report is."""
    compared = [each for result in results for each in judged.judge(result)]
    costs = [f"## {heading}\n\n{body}" for heading, body in sections if heading == BUILD_COST]

    def page(slower_max):
        glance = ["## At a glance\n", _COMPARED, summary.at_a_glance(compared), "### Where eddy is slower\n",
                  summary.slower(compared, slower_max)]
        parts = [_head(run, f" This is its summary; tables of all configurations and pictures are in `{whole}` after a run."),
                 "\n".join(glance), *_missing(run), _by_scenario(compared), *costs, _machine(run)]
        return "\n".join(part.rstrip() + "\n" for part in parts)

    text_of_all = page(None)
    beyond = text_of_all.count("\n") - _SUMMARY_LINES_MAX
    if beyond <= 0:
        return text_of_all
    return page(max(summary.slower(compared).count("\n") - 2 - beyond - 2, 0))


def _head(run, more=""):
    again = "bench-quick" if run["profile"] == "quick" else "bench"
    return (f"# Benchmarks\n\n"
            f"eddy beside what else one could take, as measured by `make {again}`, which also writes this page.{more} How it "
            f"is measured and who the peers are: [bench/README.md]({run['readme']}).\n\n"
            f"Profile {run['profile']}, of {run['date']}, at {run['commit']}.\n")


# What the summary may have; scripts/tree_rules/documents.py holds it.
_SUMMARY_LINES_MAX = 300
_COMPARED = ("In each configuration eddy is compared with the peer that it does worst against. A ratio above 1 says that "
             "eddy is better. *slower*: below 0.97, and the interval lies below 1; *faster*: above 1.03, and the "
             "interval lies above 1; *even*: all else.\n")


def _at_a_glance(run, compared):
    parts = ["## At a glance\n", _COMPARED,
             summary.at_a_glance(compared),
             "### Where eddy is slower\n", summary.slower(compared),
             "### Where eddy is further than 5 % from the limit\n",
             "Limits are loops written by hand for one purpose, on the same interface of the system where there are "
             "several, and in HTTP also servers that do not parse what they are asked. Compared by processor time "
             "where that is measured.\n",
             text.folded("The list", summary.beyond_the_limit(compared))]
    return "\n".join([*parts, *_missing(run)])


def _missing(run):
    parts = []
    if run["failed"]:
        parts += ["### Not measured\n", "These failed, so there are no figures of them:\n",
                  "\n".join(f"- {name}: {error}" for name, error in run["failed"]) + "\n"]
    if run["missing"]:
        parts.append(f"**This report is not whole**: {run['missing']} of {len(run['units'])} units have not been "
                     "measured yet.\n")
    return parts


def _by_scenario(compared):
    return ("## By scenario\n\nHow many configurations are faster / even / slower than the best peer; by throughput, items "
            "per second, and by CPU, items per second of the processor time of all threads.\n\n"
            + summary.by_family(compared))


def _machine(run):
    rows = [*run["machine"].items(), ("load average when it began", f"{run['load_average']:.2f}")]
    return ("## Machine and versions\n\n" + text.table(["", ""], rows, left=2) + "\n"
            + text.table(["", "version"], list(run["versions"].items()), left=2))


def _method(run):
    reduced = ""
    if run["left_out"]:
        reduced = (f" This profile is made to take ten minutes: of the {run['left_out'] + run['planned']} "
                   f"benchmarks it measures {run['planned']}, one in the middle of each family.")
    few = ""
    if run["rounds"] < 5:
        few = " With so few rounds that is about from the smallest ratio to the largest."
    return (f"## Method\n\n{run['rounds']} rounds; in each every subject is measured once, in turn, in a process of its "
            f"own. Servers are measured for {run['seconds']:g} s after a warm-up, other benchmarks for parts of that."
            f"{reduced}\n\nFigures are medians of the rounds; *spread* is (largest - smallest) / median. Ratios are "
            f"medians of the ratios within each round; in brackets their 95 % interval, found by drawing the rounds "
            f"anew 2000 times (bootstrap, with a fixed seed).{few} Nothing is left out of them. Raw figures of every round "
            f"are kept as JSON in `{run['folder']}`, and `bench/suite/report.py` writes this page from them.\n")


def _programs(results, compared, pictures, folder):
    by_program = defaultdict(lambda: defaultdict(list))
    for each in results:
        by_program[each.program][each.dimensions.get("scenario", each.family)].append(each)
    for program, scenarios in by_program.items():
        parts = [f"## {_TITLES.get(program, program)}\n", f"Measured by `{program}`.\n"]
        for name, members in scenarios.items():
            parts += _scenario(name, members, compared, pictures.get((program, name), ()), folder)
        yield "\n".join(parts)


def _scenario(name, members, compared, pictures, folder):
    yield f"### {name}\n"
    about = dict.fromkeys(each.about for each in members if each.about)
    if about:
        yield "; ".join(about) + ".\n"
    for file, title in pictures:
        yield f"![{title}]({folder}/{file})\n"
    for each in members:
        own = [one for one in compared if one.configuration is each]
        yield text.folded(each.name, details.figures(each) + "\n" + details.ratios(each, own))


def results_of(records):
    """Of all benchmarks that were measured."""
    return [benchmark.read(record["result"]) for record in records
            if record["kind"] == "benchmark" and record["status"] == "done"]
