"""Stacks as a tree, and in the folded form that other tools read."""

import re

_CLONE = re.compile(r" ?\[clone \.(\w+)[^\]]*\]")


class Node:
    """A function with all that it called: how many samples were in it, in all and by what it called."""

    def __init__(self, name="all", owner=""):
        self.name, self.owner = name, owner
        self.samples, self.children = 0, {}

    def child(self, name, owner):
        return self.children.setdefault((name, owner), Node(name, owner))


def tree(stacks, owner):
    """The stacks, a dictionary of tuples of frames, as one tree. owner(frame) tells whose a frame is."""
    root = Node()
    for stack, count in stacks.items():
        node = root
        node.samples += count
        for frame in stack:
            node = node.child(short(frame.symbol), owner(frame))
            node.samples += count
    return root


def folded(stacks):
    """A line for each stack: its functions, separated by semicolons, and how often it was met."""
    lines = {}
    for stack, count in stacks.items():
        line = ";".join(short(frame.symbol).replace(";", ":") for frame in stack)
        lines[line] = lines.get(line, 0) + count
    return "".join(f"{line} {count}\n" for line, count in sorted(lines.items()))


def short(symbol):
    """A function's name without arguments, template arguments and what a compiler adds."""
    resumed = " (resumed)" if "[clone .resume]" in symbol else ""
    name = _CLONE.sub("", symbol).replace("(anonymous namespace)::", "")
    name = re.sub(r"\+0x[0-9a-f]+$", "", name)
    kept, depth = [], 0
    for at, letter in enumerate(name):
        before = name[:at].rstrip("<>=-") if letter in "<>" else name[:at].removesuffix("(")
        is_operator = before.endswith("operator")
        if letter in "<(" and not is_operator:
            depth += 1
        elif letter in ">)" and not is_operator and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    plain = re.sub(r" const$| noexcept$", "", "".join(kept).strip())
    return (plain.rpartition(" ")[2] or plain or symbol) + resumed
