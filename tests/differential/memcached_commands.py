"""Random sequences of memcached commands: valid ones, and those that memcached refuses in a defined way.

A sequence has keys of its own. `CAS` in a command stands for the cas id that the server told for its key before.
"""

import base64
import random

CAS = b"\0cas\0"

# Sizes that are surely within the largest item of the two, or surely beyond it; joined ones, too.
SMALL, LARGE, TOO_LARGE = 20, 400_000, 1_050_000

STORAGE = (b"set", b"add", b"replace", b"append", b"prepend", b"cas")


class Sequence:
    """Commands in two halves: between them the server is asked for the cas id of each key.

    What memcached 1.6.18 forgets is not asked of it: that an item is stale, or its renewal given, once a number has
    become longer; that a key came in base64, once a value was joined or an item made on a miss; a new end (`T`) of a
    number that has become longer.
    """

    def __init__(self, chance, number):
        self.chance = chance
        self.kind = chance.choice(["counts", "renews", "renews", "has binary keys"])
        self.keys = [b"s%d-%d" % (number, each) for each in range(chance.choice([1, 1, 2, 3]))]
        self.first = [self.command(False) for _ in range(chance.randrange(1, 8))]
        self.second = [self.command(True) for _ in range(chance.randrange(1, 8))]

    def command(self, knows_cas):
        kinds = [self.store, self.store, self.get, self.meta_get, self.meta_get, self.meta_set, self.meta_set,
                 self.meta_delete, self.delete, self.touch, self.gat, self.meta_debug, self.other, self.refused]
        if self.kind == "counts":
            kinds += [self.number, self.number, self.arithmetic, self.meta_arithmetic, self.meta_arithmetic]
        return self.chance.choice(kinds)(knows_cas)

    def key(self):
        return self.chance.choice(self.keys)

    def value(self):
        if self.chance.random() < 0.03:
            return b"y" * self.chance.choice([LARGE, TOO_LARGE])
        # In a value that is white space memcached looks for a number beyond its end.
        first = self.chance.choices(b"abc019", k=self.chance.choice([0, 1, 1]))
        return bytes(first + self.chance.choices(b"abc 019\r\n", k=self.chance.choice([0, 2, SMALL, SMALL, 1500]))
                     if first else b"")

    def expiry(self):
        return self.chance.choice([0, 0, 100, 1000, 60 * 60 * 24 * 30, -1])

    def noreply(self):
        return b" noreply" if self.chance.random() < 0.25 else b""

    def cas(self, key, knows_cas):
        return CAS + key + CAS if knows_cas and self.chance.random() < 0.7 else self.chance.choice([b"0", b"1", b"%d" % (2**63)])

    # -- classic commands --

    def store(self, knows_cas):
        key, name = self.key(), self.chance.choice(STORAGE)
        if self.kind == "has binary keys" and name in (b"append", b"prepend"):
            name = b"set"
        value = self.value()
        line = b"%s %s %d %d %d" % (name, key, self.chance.choice([0, 7, 2**32 - 1]), self.expiry(), len(value))
        if name == b"cas":
            line += b" " + self.cas(key, knows_cas)
        return line + self.noreply() + b"\r\n" + value + b"\r\n"

    def number(self, _):
        value = self.chance.choice([b"0", b"9", b"99", b"18446744073709551615", b"10 ", b"-1", b"1.5"])
        return b"set %s 0 0 %d%s\r\n%s\r\n" % (self.key(), len(value), self.noreply(), value)

    def get(self, _):
        keys = [self.key() for _ in range(self.chance.randrange(1, 4))]
        return self.chance.choice([b"get ", b"gets "]) + b" ".join(keys) + b"\r\n"

    def gat(self, _):
        keys = [self.key() for _ in range(self.chance.randrange(1, 3))]
        return b"%s %d %s\r\n" % (self.chance.choice([b"gat", b"gats"]), self.expiry(), b" ".join(keys))

    def arithmetic(self, _):
        return b"%s %s %d%s\r\n" % (self.chance.choice([b"incr", b"decr"]), self.key(),
                                    self.chance.choice([0, 1, 5, 2**64 - 1]), self.noreply())

    def delete(self, _):
        return b"delete %s%s%s\r\n" % (self.key(), self.chance.choice([b"", b"", b" 0"]), self.noreply())

    def touch(self, _):
        return b"touch %s %d%s\r\n" % (self.key(), self.expiry(), self.noreply())

    def other(self, _):
        return self.chance.choice([b"version\r\n", b"mn\r\n", b"verbosity 0\r\n", b"verbosity 0 noreply\r\n",
                                   b"stats detail off\r\n", b"stats reset\r\n", b"flush_all\r\n",
                                   b"flush_all noreply\r\n", b"flush_all 0\r\n",
                                   b"cache_memlimit 64\r\n", b"cache_memlimit 64 noreply\r\n"])

    # -- meta commands --

    def meta(self, name, flags, size=None):
        """A line with these flags in any order, and sometimes with those of other commands and of proxies."""
        key = self.key()
        flags = [flag for flag in flags if flag][:8]
        if self.kind == "has binary keys" and self.chance.random() < 0.5:
            key, flags = base64.b64encode(key), [*flags, b"b"]
        letters = {flag[:1] for flag in flags}
        for other in (b"O%d" % self.chance.randrange(1000), b"k", b"q", b"Pproxy", b"Lproxy"):
            if self.chance.random() < 0.2 and other[:1] not in letters:
                flags.append(other)
        self.chance.shuffle(flags)
        words = [name, key, *([] if size is None else [b"%d" % size]), *flags]
        return b" ".join(words) + b"\r\n"

    def some(self, *flags):
        return [flag for flag in flags if self.chance.random() < 0.3]

    def meta_get(self, _):
        renewing = [b"N%d" % self.chance.choice([0, 30, 1000]), b"R%d" % self.chance.choice([30, 200])]
        return self.meta(b"mg", self.some(b"s", b"t", b"c", b"f", b"l", b"h", b"v", b"v", b"u", b"T%d" % self.expiry(),
                                          b"I", b"F3", *(renewing if self.kind == "renews" else [])))

    def meta_set(self, knows_cas):
        key_cas = self.key()
        joining = [b"MA", b"MP"] if self.kind != "has binary keys" else []
        mode = self.chance.choice([b"", b"", b"MS", b"ME", b"MR", *joining])
        value = self.value()
        flags = [mode, *self.some(b"c", b"F%d" % self.chance.choice([0, 5]), b"I" if self.kind == "renews" else b"s",
                                   b"T%d" % self.expiry(),
                                  b"C" + self.cas(key_cas, knows_cas), b"v", b"N30", b"h")]
        return self.meta(b"ms", flags, len(value)) + value + b"\r\n"

    def meta_delete(self, knows_cas):
        stale = b"I" if self.kind == "renews" and self.chance.random() < 0.5 else b""
        return self.meta(b"md", [stale, *self.some(b"C" + self.cas(self.key(), knows_cas), b"T%d" % self.expiry(), b"v",
                                                   b"t", b"c")])

    def meta_arithmetic(self, knows_cas):
        mode = self.chance.choice([b"", b"MI", b"MD", b"M+", b"M-"])
        end = b"T300" if mode in (b"MD", b"M-") else b"h"
        return self.meta(b"ma", [mode, *self.some(b"N%d" % self.chance.choice([0, 100]), b"J13", b"D7", end, b"t", b"c",
                                                  b"v", b"C" + self.cas(self.key(), knows_cas), b"s", b"f")])

    def meta_debug(self, _):
        return b"me %s\r\n" % self.key()

    # -- what is refused --

    def refused(self, _):
        key = self.key()
        return self.chance.choice([
            b"nonsense\r\n", b"get\r\n", b"set\r\n", b"touch %s\r\n" % key, b"incr %s\r\n" % key, b"verbosity\r\n",
            b"incr %s one\r\n" % key, b"incr %s one noreply\r\n" % key, b"touch %s soon\r\n" % key,
            b"touch %s soon noreply\r\n" % key, b"delete %s 5\r\n" % key, b"delete %s 5 noreply\r\n" % key,
            b"gat soon %s\r\n" % key, b"delete %s\r\n" % (b"k" * 251),
            b"incr %s 1\r\n" % (b"k" * 251), b"incr %s 1 noreply\r\n" % (b"k" * 251), b"touch %s 1\r\n" % (b"k" * 251),
            b"mg %s\r\n" % (b"k" * 251), b"mg %s v v\r\n" % key, b"mg %s s !\r\n" % key, b"mg %s q !\r\n" % key,
            b"mg %s TX\r\n" % key, b"mg %s q TX\r\n" % key, b"mg\r\n", b"md %s v v\r\n" % key, b"md %s q !\r\n" % key,
            b"ma %s MX\r\n" % key, b"ma %s DX\r\n" % key, b"ma %s JX\r\n" % key, b"ma %s q MX\r\n" % key,
            b"verbosity x\r\n", b"verbosity x noreply\r\n", b"cache_memlimit\r\n", b"cache_memlimit x\r\n",
            b"cache_memlimit 4\r\n", b"stats detail\r\n", b"stats nonsense\r\n", b"me %s\r\n" % (b"k" * 251),
            b"ms %s\r\n" % key, b"ms %s S100\r\n" % key, b"ms %s 3 MX\r\nabc\r\n" % key, b"ms %s 3 !\r\nabc\r\n" % key,
            b"ms %s 3 I I\r\nabc\r\n" % key, b"ms %s 3 TX\r\nabc\r\n" % key, b"ms %s 3 q CX\r\nabc\r\n" % key,
            b"ms %s 3 MSS\r\nabc\r\n" % key, b"stats cachedump\r\n", b"stats cachedump x 1\r\n", b"me\r\n", b"md\r\n",
            b"ma\r\n"])


def sequences(count, seed):
    chance = random.Random(seed)
    for number in range(count):
        yield Sequence(chance, number)
