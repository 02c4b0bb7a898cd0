"""Who stands against whom: eddy's subjects, the peers of each, and what no program can pass."""

import re
from dataclasses import dataclass

# Loops written by hand for one purpose, and what does less: they show the limit, and nobody would choose them instead.
_LIMITS = re.compile(r"raw_.*|liburing.*|bare|.*_spinlock|none")
# In HTTP these do not parse what they are asked, so they are limits too, but for eddy's sockets without HTTP.
_UNPARSED = re.compile(r"asio_.*|libuv.*")
_HTTP = re.compile(r"http_(?!post|tls)")
_WITHOUT_HTTP = re.compile(r"eddy_bare(_.*)?")
_EDDY = re.compile(r"eddy(_.*)?|tasks_eddy(_.*)?|coroutine")
# Subjects of several sizes in one benchmark: libpq_8 stands against eddy_io_uring_8.
_SUFFIX = re.compile(r".*(_\d+|_batches)")
# Forms of eddy's, and of the peers that do the same.
_FORMS = (("functions", "callbacks"), ("tasks", "coroutines"))


@dataclass(frozen=True)
class Line:
    """One of eddy's ways of doing what a configuration is about, and whom it is compared with."""
    eddy: str
    backend: str
    peers: tuple
    limits: tuple


def is_eddy(name):
    return bool(_EDDY.fullmatch(name))


def is_limit(configuration, name):
    if _LIMITS.fullmatch(name):
        return True
    return bool(_HTTP.match(configuration.dimensions.get("scenario", "")) and _UNPARSED.fullmatch(name))


def lines(configuration):
    """One for each of eddy's subjects, in their order."""
    others = [each.name for each in configuration.subjects if not is_eddy(each.name)]
    result = []
    for each in configuration.subjects:
        if is_eddy(each.name):
            result.append(_line(configuration, each.name, others))
    return result


def _line(configuration, eddy, others):
    against = _alike(eddy, others)
    limits = [name for name in against if is_limit(configuration, name)]
    peers = [name for name in against if name not in limits]
    if _WITHOUT_HTTP.fullmatch(eddy):
        peers = [name for name in limits if not _LIMITS.fullmatch(name)]
        limits = [name for name in limits if name not in peers]
    return Line(eddy, backend(eddy), tuple(peers), tuple(limits))


def backend(name):
    return "epoll" if "epoll" in name else "io_uring"


def _alike(eddy, others):
    """Those of the same form, of the same size, in batches too, and with or without locks."""
    suffix = _SUFFIX.fullmatch(eddy)
    if suffix and any(name.endswith(suffix[1]) for name in others):
        return [name for name in others if name.endswith(suffix[1])]
    for ours, theirs in _FORMS:
        if eddy.startswith(f"eddy_{ours}"):
            alike = [name for name in others if theirs in name]
            lockless = [name for name in alike if name.endswith("_lockless")]
            without = [name for name in alike if name not in lockless]
            return lockless if "local" in eddy and lockless else without
    return others
