"""What a memcached holds, in a few lines, and random commands with the answers that it must give."""

import base64
import random
import re

VALUE_BYTES_MAX = 1 << 20
COPIED_BYTES_MAX = 12 << 10  # longer ones are sent from where they are kept


def number_in(value):
    """The number with which a value begins, behind white space and before some or the end."""
    digits, end = re.match(rb"[ \t\n\v\f\r]*([0-9]*)(.?)", value, re.DOTALL).groups()
    if not digits:
        return None
    return int(digits) if int(digits) < 2**64 and (not end or end in b" \t\n\v\f\r") else None


class Entry:
    def __init__(self, value, flags):
        self.value, self.flags = value, flags
        self.is_stale = self.win_is_given = False


class Model:
    """Answers commands as the server must."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.entries = {}
        self.keys = [b"key-%d" % number for number in range(40)] + [b"k" * 250, b"\x01odd"]

    def command(self):
        """A command, and the answer to it."""
        kind = self.random.choice(
            ["set", "get", "get", "get_many", "add", "replace", "append", "prepend", "delete", "arithmetic",
             "touch", "gat", "cas_wrong", "meta_get", "meta_get", "meta_set", "meta_set", "meta_delete",
             "meta_arithmetic", "meta_noop", "wrong", "expired", "flush"])
        return getattr(self, kind)()

    def key(self):
        return self.random.choice(self.keys)

    def value(self):
        if self.random.random() < 0.3:
            return b"%d" % self.random.choice([0, 7, 99, 2**64 - 1, self.random.randrange(2**64)])
        size = self.random.choice([0, 1, 10, 100, 1000, self.random.randrange(40000)])
        if self.random.random() < 0.002:
            size = VALUE_BYTES_MAX
        return self.random.randbytes(size)

    def put(self, key, value, flags=0):
        self.entries[key] = Entry(value, flags)

    # -- classic commands --

    def store(self, name, is_stored):
        key, value, flags = self.key(), self.value(), self.random.randrange(2**32)
        quiet = self.random.random() < 0.3
        line = b"%s %s %d %d %d%s\r\n" % (name, key, flags, self.random.choice([0, 1000, 2**31 - 1]), len(value),
                                         b" noreply" if quiet else b"")
        answer = b"NOT_STORED\r\n"
        if is_stored(key):
            answer = b"STORED\r\n"
            self.put(key, value, flags)
        return line + value + b"\r\n", b"" if quiet else answer

    def set(self):
        return self.store(b"set", lambda key: True)

    def add(self):
        return self.store(b"add", lambda key: key not in self.entries)

    def replace(self):
        return self.store(b"replace", lambda key: key in self.entries)

    def join(self, name, joined):
        key, value = self.key(), self.value()[:100]
        entry = self.entries.get(key)
        command = b"%s %s 5 6 %d\r\n%s\r\n" % (name, key, len(value), value)
        if entry is None:
            return command, b"NOT_STORED\r\n"
        if len(entry.value) + len(value) > VALUE_BYTES_MAX:
            return command, b"SERVER_ERROR object too large for cache\r\n"
        self.put(key, joined(entry.value, value), entry.flags)
        return command, b"STORED\r\n"

    def append(self):
        return self.join(b"append", lambda old, new: old + new)

    def prepend(self):
        return self.join(b"prepend", lambda old, new: new + old)

    def value_answer(self, key):
        entry = self.entries.get(key)
        return b"VALUE %s %d %d\r\n%s\r\n" % (key, entry.flags, len(entry.value), entry.value) if entry else b""

    def get(self):
        key = self.key()
        return b"get %s\r\n" % key, self.value_answer(key) + b"END\r\n"

    def get_many(self):
        keys = [self.key() for _ in range(self.random.randrange(1, 30))]
        return b"get " + b" ".join(keys) + b"\r\n", b"".join(map(self.value_answer, keys)) + b"END\r\n"

    def cas_wrong(self):
        key = self.key()
        known = b"EXISTS\r\n" if key in self.entries else b"NOT_FOUND\r\n"
        return b"cas %s 0 0 3 %d\r\nabc\r\n" % (key, 2**64 - 1), known

    def delete(self):
        key = self.key()
        found = self.entries.pop(key, None)
        if self.random.random() < 0.3:
            return b"delete %s noreply\r\n" % key, b""
        return b"delete %s\r\n" % key, b"DELETED\r\n" if found else b"NOT_FOUND\r\n"

    def count(self, key, is_taking, delta):
        """The new number, or None. What has become shorter is filled up with spaces."""
        entry = self.entries[key]
        held = number_in(entry.value)
        if held is None:
            return None
        number = max(held - delta, 0) if is_taking else (held + delta) % 2**64
        text = b"%d" % number
        entry.value = text.ljust(len(entry.value))
        return text

    def key_to_count(self):
        """Not that of a long number: it keeps its length, filled up with spaces, unless it is being sent."""
        while True:
            key = self.key()
            entry = self.entries.get(key)
            if entry is None or len(entry.value) <= COPIED_BYTES_MAX or number_in(entry.value) is None:
                return key

    def arithmetic(self):
        key, is_taking = self.key_to_count(), self.random.random() < 0.5
        delta = self.random.choice([0, 1, 10, 2**64 - 1])
        line = b"%s %s %d\r\n" % (b"decr" if is_taking else b"incr", key, delta)
        if key not in self.entries:
            return line, b"NOT_FOUND\r\n"
        number = self.count(key, is_taking, delta)
        if number is None:
            return line, b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
        return line, number + b"\r\n"

    def touch(self):
        key = self.key()
        if self.random.random() < 0.1:
            found = self.entries.pop(key, None)
            return b"touch %s -1\r\n" % key, b"TOUCHED\r\n" if found else b"NOT_FOUND\r\n"
        return b"touch %s 500\r\n" % key, b"TOUCHED\r\n" if key in self.entries else b"NOT_FOUND\r\n"

    def gat(self):
        keys = [self.key() for _ in range(self.random.randrange(1, 4))]
        return b"gat 700 " + b" ".join(keys) + b"\r\n", b"".join(map(self.value_answer, keys)) + b"END\r\n"

    def expired(self):
        key, value = self.key(), self.value()
        self.entries.pop(key, None)
        return b"set %s 0 -1 %d\r\n%s\r\n" % (key, len(value), value), b"STORED\r\n"

    def flush(self):
        if self.random.random() < 0.9:
            return self.get()
        self.entries.clear()
        return b"flush_all\r\n", b"OK\r\n"

    def wrong(self):
        return self.random.choice([
            (b"nonsense\r\n", b"ERROR\r\n"),
            (b"\r\n", b"ERROR\r\n"),
            (b"get\r\n", b"ERROR\r\n"),
            (b"get %s\r\n" % (b"k" * 251), b"CLIENT_ERROR bad command line format\r\n"),
            (b"set a 0 0 -1\r\n", b"CLIENT_ERROR bad command line format\r\n"),
            (b"set a b 0 3\r\nabc\r\n", b"CLIENT_ERROR bad command line format\r\n"),
            (b"set %s 0 0 3\r\nabc\r\n" % (b"k" * 251), b"CLIENT_ERROR bad command line format\r\n"),
            (b"set a 0 0 2\r\nabcd", b"CLIENT_ERROR bad data chunk\r\n"),
            (b"incr a one\r\n", b"CLIENT_ERROR invalid numeric delta argument\r\n"),
            (b"touch a soon\r\n", b"CLIENT_ERROR invalid exptime argument\r\n"),
            (b"mg a v v\r\n", b"CLIENT_ERROR duplicate flag\r\n"),
            (b"ms a 3 %\r\nabc\r\n", b"CLIENT_ERROR invalid flag\r\n")])

    # -- meta commands --

    def meta_key(self, key):
        """How it stands in a line, with the flag that says so."""
        return (key, b"") if self.random.random() < 0.6 else (base64.b64encode(key), b" b")

    def opaque(self):
        return b" O%d" % self.random.randrange(10**6)

    def meta_get(self):
        key, opaque = self.random.choice(self.keys), self.opaque()
        line_key, flag = self.meta_key(key)
        entry = self.entries.get(key)
        quiet = self.random.random() < 0.3
        makes = self.random.random() < 0.1
        line = b"mg %s s v f%s%s%s%s\r\n" % (line_key, flag, opaque, b" q" if quiet else b"", b" N60" if makes else b"")
        has_won = False
        if entry is None:
            if not makes:
                return line, b"" if quiet else b"EN%s\r\n" % opaque
            self.put(key, b"")
            entry = self.entries[key]
            has_won = True
        answer = b"VA %d s%d f%d%s" % (len(entry.value), len(entry.value), entry.flags, opaque)
        if entry.win_is_given:
            answer += b" Z"
        if entry.is_stale:
            answer += b" X"
            has_won = has_won or not entry.win_is_given
        if has_won:
            answer += b" W"
            entry.win_is_given = True
        return line, answer + b"\r\n" + entry.value + b"\r\n"

    def meta_set(self):
        key, value, opaque, flags = self.key(), self.value(), self.opaque(), self.random.randrange(2**32)
        line_key, flag = self.meta_key(key)
        mode = self.random.choice([b"", b" MS", b" ME", b" MR", b" MA", b" MP"])
        if mode in (b" MA", b" MP"):
            value = value[:50]
        quiet = self.random.random() < 0.3
        command = b"ms %s %d F%d T0%s%s%s%s\r\n%s\r\n" % (line_key, len(value), flags, flag, mode, opaque,
                                                     b" q" if quiet else b"", value)
        entry = self.entries.get(key)
        if (mode == b" ME" and entry) or (mode in (b" MR", b" MA", b" MP") and not entry):
            return command, b"NS%s\r\n" % opaque
        if mode in (b" MA", b" MP"):
            if len(entry.value) + len(value) > VALUE_BYTES_MAX:
                return command, b"SERVER_ERROR object too large for cache\r\n"
            self.put(key, entry.value + value if mode == b" MA" else value + entry.value, entry.flags)
        else:
            self.put(key, value, flags)
        return command, b"" if quiet else b"HD%s\r\n" % opaque

    def meta_delete(self):
        key, opaque = self.key(), self.opaque()
        line_key, flag = self.meta_key(key)
        invalidates, quiet = self.random.random() < 0.4, self.random.random() < 0.3
        line = b"md %s%s%s%s%s\r\n" % (line_key, flag, opaque, b" I" if invalidates else b"", b" q" if quiet else b"")
        entry = self.entries.get(key)
        if entry is None:
            return line, b"NF%s\r\n" % opaque
        if invalidates:
            entry.is_stale, entry.win_is_given = True, False
        else:
            del self.entries[key]
        return line, b"" if quiet else b"HD%s\r\n" % opaque

    def meta_arithmetic(self):
        key, is_taking, delta = self.key_to_count(), self.random.random() < 0.5, self.random.randrange(1000)
        line_key, flag = self.meta_key(key)
        makes = self.random.random() < 0.3
        line = b"ma %s v D%d M%s%s%s\r\n" % (line_key, delta, b"D" if is_taking else b"I", flag,
                                             b" N0 J13" if makes else b"")
        if key not in self.entries:
            if not makes:
                return line, b"NF\r\n"
            self.put(key, b"13")
            return line, b"VA 2\r\n13\r\n"
        number = self.count(key, is_taking, delta)
        if number is None:
            return line, b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
        return line, b"VA %d\r\n%s\r\n" % (len(number), number)

    def meta_noop(self):
        return b"mn\r\n", b"MN\r\n"
