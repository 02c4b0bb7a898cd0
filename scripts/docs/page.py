"""What all pages of the site share."""

import html
import posixpath

TITLE = "eddy"
TABS = (("index.html", "Start"), ("guides.html", "Guides"), ("reference/index.html", "Reference"),
        ("architecture/index.html", "Architecture"), ("course/index.html", "Course"))


def relative(target, page):
    """A link from a page to what is at a path from the root of the site."""
    path, mark, anchor = target.partition("#")
    if path == page and mark:
        return mark + anchor
    return posixpath.relpath(path, posixpath.dirname(page) or ".") + mark + anchor


def make_page(path, title, body, *, tab="", side="", contents=(), description=""):
    """`side` is the HTML of the list beside it, `contents` are (level, anchor, title) of its own parts."""
    root = posixpath.relpath(".", posixpath.dirname(path) or ".") + "/"
    root = "" if root == "./" else root
    tabs = "".join(f'<a href="{relative(target, path)}"{_current(target == tab, target == path)}>{html.escape(name)}</a>'
                   for target, name in TABS)
    full = TITLE if title == TITLE else f"{title} - {TITLE}"
    aside = f'<nav class="side" aria-label="Pages of this part"><details open><summary>Pages</summary>{side}</details></nav>' if side else ""
    inner = [(level, anchor, name) for level, anchor, name in contents if level in (2, 3)]
    here = ""
    if len(inner) > 1:
        items = "".join(f'<li class="level-{level}"><a href="#{html.escape(anchor)}">{html.escape(name)}</a></li>' for level, anchor, name in inner)
        here = f'<nav class="contents" aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2><ul>{items}</ul></nav>'
    meta = f'<meta name="description" content="{html.escape(description)}">' if description else ""
    return f"""<!doctype html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{meta}
<title>{html.escape(full)}</title>
<link rel="icon" href="{root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{root}reference.css">
<link rel="stylesheet" href="{root}style.css">
<script src="{root}theme.js"></script>
<script src="{root}search.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="bar">
<a class="brand" href="{root}index.html"><img src="{root}favicon.svg" alt="" width="24" height="24">{TITLE}</a>
<nav class="tabs" aria-label="Parts of the site">{tabs}</nav>
<form class="search" role="search" action="{root}search.html">
<label for="query">Search</label>
<input id="query" name="q" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false" aria-describedby="search-help">
<span id="search-help" class="unseen">Results appear below while you type; arrow keys move through them.</span>
<div id="results" class="results" hidden></div>
</form>
<button id="theme" type="button" class="theme">Dark</button>
</header>
<div class="layout{' has-side' if side else ''}{' has-contents' if here else ''}">
{aside}
{here}
<main id="main" tabindex="-1">
{body}
</main>
</div>
<footer>Made from the headers and documents of eddy by <code>make docs</code>.</footer>
</body>
</html>
"""


def _current(is_part, is_page):
    return ' aria-current="page"' if is_page else ' aria-current="true"' if is_part else ""
