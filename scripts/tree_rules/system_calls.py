"""The system is called in one place: modules above io::system ask it for time, randomness, names, files and sockets."""

import re

from .tree import Finding, code_only, line_of

_CALLS = [
    (r"\b(?:getrandom|getentropy|RAND_bytes|RAND_priv_bytes|arc4random\w*)\s*\(|\brandom_device\b", "randomness"),
    (r"\b(?:system_clock|steady_clock|high_resolution_clock)::now\b|(?<!\w)clock::now\b"
     r"|\b(?:clock_gettime|gettimeofday)\s*\(|\btime\s*\(\s*(?:nullptr|NULL|0)\s*\)", "clocks"),
    (r"\b(?:getaddrinfo|getnameinfo|gethostby\w+|if_nametoindex|getifaddrs)\s*\(", "names"),
    (r"(?<![\w>])::(?:open|openat|creat|stat|lstat|fstat|fstatat|access|unlink|rename|mkdir|rmdir|mkfifo)\s*\("
     r"|(?<!\w)(?:std)?::(?:fopen|freopen|tmpfile)\s*\(|\bstd::[io]?fstream\b"
     r"|\bfilesystem::(?!path\b|perms\b|file_time_type\b|filesystem_error\b)\w+", "files"),
    (r"(?<![\w>])::(?:socket|socketpair|bind|listen|connect|accept4?|getsockopt|setsockopt|getsockname|getpeername)\s*\(",
     "sockets"),
    (r"(?<![\w>])::(?:read|write|close|dup[23]?|fcntl|ioctl|pipe2?|signalfd|timerfd_create)\s*\(", "descriptors"),
    (r"(?<![\w>])::(?:fork|execve?|kill|waitpid|waitid)\s*\(|\bposix_spawnp?\s*\(", "processes"),
    (r"(?<![\w>])::(?:isatty|tcgetattr|tcsetattr)\s*\(", "terminals"),
]
_CALLS = [(re.compile(pattern), topic) for pattern, topic in _CALLS]

# What may, and why.
ALLOWED = {
    # Threads that belong to no worker measure each other.
    "src/runtime/pool_work.cpp": {"clocks"},
    "src/runtime/stall_watch.cpp": {"clocks"},
    # A program's keys, read and watched where it makes its contexts, mostly before there is a runtime.
    "src/tls/certificate_loading.cpp": {"files"},
    "src/tls/key_log.cpp": {"files"},
    "src/tls/tls_context.cpp": {"files"},
}


def check(tree):
    for path in tree.below("include", "src"):
        if path.startswith("src/backend/"):
            continue
        code = code_only(tree.text(path))
        for pattern, topic in _CALLS:
            if topic in ALLOWED.get(path, ()):
                continue
            for match in pattern.finditer(code):
                yield Finding(path, line_of(code, match.start()),
                              f"'{match[0].strip('( ')}' asks the system itself: use `{topic}` of io::system "
                              "(io/detail/system.hpp), so that a simulated one can stand in its place")
