"""The pages of the site lead somewhere."""

import re

from .tree import Finding, line_of


def check(tree):
    for page in tree.below("site", suffixes=".html"):
        text = tree.text(page)
        for match in re.finditer(r'\b(?:href|src)="(?![a-z]+:|#)([^"#?]*)', text):
            target = match[1]
            file = "site/index.html" if target == "/" else f"site{target}"
            if not target.startswith("/"):
                yield Finding(page, line_of(text, match.start()), f"{target}: begin with '/', since the page for "
                                                                  "what is not found is served under any address")
            elif not tree.has(file):
                yield Finding(page, line_of(text, match.start()), f"{target} is not in site/: correct it")
