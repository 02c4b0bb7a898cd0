"""What the public headers declare: names, signatures, comments, and what a signature refers to. Read by libclang."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from clang import cindex

from tree_rules.tree import code_only

LLVM = "/usr/lib/llvm-22/lib"
_K = cindex.CursorKind
_CLASSES = {_K.CLASS_DECL, _K.STRUCT_DECL, _K.UNION_DECL, _K.CLASS_TEMPLATE}
_FUNCTIONS = {_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE, _K.CXX_METHOD, _K.CONSTRUCTOR, _K.DESTRUCTOR, _K.CONVERSION_FUNCTION}
_KINDS = {
    _K.CLASS_DECL: "class", _K.STRUCT_DECL: "class", _K.UNION_DECL: "class", _K.CLASS_TEMPLATE: "class",
    _K.ENUM_DECL: "enum", _K.ENUM_CONSTANT_DECL: "enumerator", _K.FUNCTION_DECL: "function", _K.FUNCTION_TEMPLATE: "function",
    _K.CXX_METHOD: "function", _K.CONSTRUCTOR: "constructor", _K.DESTRUCTOR: "destructor",
    _K.CONVERSION_FUNCTION: "conversion", _K.FIELD_DECL: "field", _K.VAR_DECL: "variable", _K.TYPEDEF_DECL: "alias",
    _K.TYPE_ALIAS_DECL: "alias", _K.TYPE_ALIAS_TEMPLATE_DECL: "alias", _K.CONCEPT_DECL: "concept",
    _K.MACRO_DEFINITION: "macro",
}
_REFERENCES = {_K.TYPE_REF, _K.TEMPLATE_REF, _K.DECL_REF_EXPR, _K.OVERLOADED_DECL_REF}

# What the language and std::execution call, by these names: a class that can be awaited, returned from a coroutine, iterated or
# connected says so in its own sentence.
PROTOCOL = {"await_ready", "await_suspend", "await_resume", "promise_type", "value_type", "operator co_await",
            "iterator", "begin", "end", "difference_type", "iterator_category", "iterator_concept", "reference",
            "sender_concept", "scheduler_concept", "completion_signatures", "get_completion_signatures", "get_env", "connect"}


# Of an enumeration whose values a standard names and explains, which its sentence says.
_NAMED_ELSEWHERE = re.compile(r"\b[Nn]amed as in\b")


@dataclass
class Declaration:
    """One declaration. Those of one name in one scope are the overloads of an Entry."""
    kind: str
    signature: str
    comment: str  # without slashes; empty if there is none
    header: str
    line: int
    references: list  # (begin, end, USR) of names in the signature
    is_special: bool  # a constructor without own meaning, a destructor, an assignment, a comparison by the language


@dataclass(eq=False)
class Entry:
    """A public name."""
    name: str  # with its scopes, without eddy::
    kind: str
    header: str  # relative to include/
    declarations: list = field(default_factory=list)
    members: dict = field(default_factory=dict)
    bases: list = field(default_factory=list)  # USRs
    is_awaitable: bool = False  # a class with what co_await needs
    returns: str = ""  # USR of the class that a function returns
    is_operation: bool = False  # what a function returns is awaited
    parent: "Entry | None" = None

    @property
    def last_name(self):
        return self.name[len(self.parent.name) + 2:] if self.parent else self.name.rsplit("::", 1)[-1]

    @cached_property
    def anchor(self):
        scope = re.sub(r"^(?:[a-z_]+::)*(?=operator)", "", self.name) if self.name.startswith("operator") else self.name
        words = {"==": "-equal", "!=": "-unequal", "<=>": "-compare", "=": "-assign", "*": "-star", "->": "-arrow", "<<": "-out",
                 "[]": "-at", "()": "-call", "++": "-next", "+": "-plus", "-": "-minus", "|": "-or", "&": "-and", "~": "-not",
                 "|=": "-or-assign", "&=": "-and-assign", "+=": "-add", "-=": "-subtract", "<": "-less", ">": "-greater"}
        scope = scope.replace("[]", "-array") if re.search(r"(?:new|delete)\[\]$", scope) else scope
        scope = re.sub(r"operator\s*([^\w\s:-]\S*|-\S*)$", lambda match: "operator" + words[match[1]], scope)
        return re.sub(r"[^\w.~-]+", "-", scope.replace("::", ".")).strip("-")

    @property
    def comments(self):
        return [each.comment for each in self.declarations if each.comment]

    @property
    def is_awaiter(self):
        """Whether a class is only what an operation returns."""
        return self.is_awaitable and self.kind == "class" and bool(re.search(r"(?:awaiter|_operation)$", self.last_name))

    @property
    def is_internal(self):
        """Whether only the library can use it: no comment, and types in its signature that have no page."""
        if self.comments or self.is_operation or self.kind not in ("function", "constructor", "conversion", "field", "variable"):
            return False
        if self.parent and self.parent.is_awaiter:
            return True  # made by the operation that returns it, used by co_await
        own = [each for each in self.declarations if not each.is_special]
        return bool(own) and all(re.search(r"\bdetail::|coroutine_handle|\bjob\b", each.signature) for each in own)

    @property
    def needs_sentence(self):
        if self.last_name in PROTOCOL or self.kind == "destructor" or self.is_internal:
            return False
        if self.is_awaiter or (self.kind == "enumerator" and any(_NAMED_ELSEWHERE.search(each) for each in self.parent.comments)):
            return False
        if self.parent and self.parent.last_name == "iterator" and self.last_name.startswith("operator"):
            return False
        return not all(each.is_special for each in self.declarations)

    def below(self):
        yield self
        for member in self.members.values():
            yield from member.below()


class Api:
    """All public names of a tree."""

    def __init__(self, root):
        self.root = root
        self.entries = {}  # by name, of namespaces
        self.by_usr = {}
        self._texts = {}
        self._awaitable = {}  # by USR
        include = root / "include"
        self.headers = [str(path.relative_to(include)) for path in sorted((include / "eddy").rglob("*.hpp"))
                        if "detail" not in path.relative_to(include).parts]
        self._read(include)

    def all(self):
        for entry in self.entries.values():
            yield from entry.below()

    def _read(self, include):
        if not cindex.Config.loaded:
            cindex.Config.set_library_path(LLVM)
        source = "".join(f'#include "{header}"\n' for header in self.headers)
        options = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        # No package of Debian has std::execution, so that of the tests stands for it.
        directories = [include, self.root / "tests", self.root / "tests/integrations_execution/model", "/usr/include/postgresql"]
        unit = cindex.Index.create().parse(
            "all.cpp", ["-std=c++23", f"-resource-dir={LLVM}/clang/22", *(f"-I{each}" for each in directories)],
            unsaved_files=[("all.cpp", source)], options=options)
        errors = [str(each) for each in unit.diagnostics if each.severity >= cindex.Diagnostic.Error]
        if errors:
            raise ValueError("the public headers do not compile together:\n" + "\n".join(errors))
        self._start = str(include) + "/"
        self._walk(unit.cursor, "")

    def _walk(self, namespace, scope):
        for cursor in namespace.get_children():
            header = self._header_of(cursor)
            if header is None:
                continue
            if cursor.kind == _K.NAMESPACE:
                if cursor.spelling not in ("detail", "std", "") and cursor.spelling != "literals_detail":
                    inner = f"{scope}{cursor.spelling}::" if scope or cursor.spelling != "eddy" else ""
                    self._walk(cursor, inner)
            elif self._is_public_header(header):
                self._add(cursor, scope, header, self.entries, None)

    def _header_of(self, cursor):
        file = cursor.location.file
        return file.name[len(self._start):] if file is not None and file.name.startswith(self._start) else None

    def _is_public_header(self, header):
        return "detail" not in header.split("/")

    def _add(self, cursor, scope, header, into, parent):
        if cursor.kind == _K.FRIEND_DECL:  # of which only functions are names for a user
            for befriended in cursor.get_children():
                if befriended.kind in _FUNCTIONS and befriended.is_definition():
                    self._add(befriended, scope, header, into, parent)
            return
        kind = _KINDS.get(cursor.kind)
        if kind is None and cursor.kind == _K.UNEXPOSED_DECL and re.fullmatch(r"\w+", cursor.spelling or ""):
            kind = "variable"  # a template of a variable
        name = self._name_of(cursor)
        if kind is None or not name or name.startswith("(") or self._is_hidden(cursor, kind, parent):
            return
        if kind == "class" and not cursor.is_definition():
            return
        home = parent
        if parent is None and kind in ("class", "function", "constructor") and cursor.semantic_parent.kind in _CLASSES | {
                _K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}:
            home = self.by_usr.get(cursor.semantic_parent.get_usr())
            if home is None or kind != "class":
                return  # defined here, declared in its class
            if cursor.access_specifier not in (cindex.AccessSpecifier.PUBLIC, cindex.AccessSpecifier.INVALID):
                return
            into, scope = home.members, home.name + "::"
        full = scope + name
        if kind == "function" and parent is None and cursor.canonical != cursor and full in into:
            return
        entry = into.setdefault(full, Entry(full, kind, header, parent=home))
        if home is None and entry.kind != kind and kind == "class":
            entry.kind = kind
        declaration = self._declaration(cursor, kind, header)
        entry.declarations.append(declaration)
        self.by_usr.setdefault(cursor.get_usr(), entry)
        if kind in ("class", "enum"):
            self._add_members(cursor, entry)
        if kind in ("function", "conversion"):
            entry.returns = entry.returns or self._class_of(cursor.result_type)
            entry.is_operation = entry.is_operation or self._is_awaitable(_declaration_of(cursor.result_type)) or (
                cursor.result_type.spelling in ("auto", "decltype(auto)") and
                bool(re.search(r"Awaited:|`co_await", declaration.comment)))

    def _add_members(self, cursor, entry):
        header = entry.header
        for member in cursor.get_children():
            if member.kind == _K.CXX_BASE_SPECIFIER:
                if member.access_specifier == cindex.AccessSpecifier.PUBLIC:
                    entry.bases.append(self._class_of(member.type))
            elif member.kind == _K.ENUM_CONSTANT_DECL or member.kind == _K.FRIEND_DECL or \
                    member.access_specifier == cindex.AccessSpecifier.PUBLIC:
                self._add(member, entry.name + "::", header, entry.members, entry)
        entry.is_awaitable = self._is_awaitable(cursor)

    def _name_of(self, cursor):
        name = cursor.spelling
        if cursor.kind in (_K.CONSTRUCTOR, _K.DESTRUCTOR):
            name = re.sub(r"<.*", "", name)
        return name

    def _is_hidden(self, cursor, kind, parent):
        if kind == "macro":
            return not cursor.spelling.startswith("EDDY_")
        if kind == "class" and _template_of(cursor) is not None:
            return True  # a specialisation: it has the members of its template
        return kind == "enumerator" and parent is None

    @staticmethod
    def _class_of(type_):
        declared = _declaration_of(type_)
        return declared.get_usr() if declared is not None else ""

    def _is_awaitable(self, declared):
        """Whether a class, or a base of it, has what co_await needs."""
        if declared is None:
            return False
        usr = declared.get_usr()
        if usr not in self._awaitable:
            self._awaitable[usr] = False  # of a class that is its own base's argument
            definition = declared.get_definition() or declared
            members = list(definition.get_children())
            self._awaitable[usr] = any(member.spelling in ("await_ready", "operator co_await") for member in members) or any(
                self._is_awaitable(_declaration_of(member.type)) for member in members if member.kind == _K.CXX_BASE_SPECIFIER)
        return self._awaitable[usr]

    # -- what stands in the text --

    def bytes_of(self, header):
        if header not in self._texts:
            text = (self.root / "include" / header).read_bytes()
            self._texts[header] = text, code_only(text.decode("latin-1")).encode("latin-1")
        return self._texts[header]

    def _declaration(self, cursor, kind, header):
        text, code = self.bytes_of(header)
        begin = cursor.extent.start.offset
        if kind == "enumerator":
            end = cursor.extent.end.offset
        elif kind == "macro":
            end = text.index(b"\n", begin)
        else:
            line = text.rfind(b"\n", 0, begin) + 1
            if not re.search(rb"[;{}]", code[line:begin]):
                begin = line
            end = _end_of_head(code, begin, kind)
        raw = text[begin:end]
        blanked = code[begin:end]
        signature, places = _laid_out(raw, blanked)
        references = []
        if kind != "macro":
            for node in cursor.walk_preorder():
                if node.kind in _REFERENCES and node.referenced is not None:
                    at = node.location.offset - begin
                    if 0 <= at < len(raw) and at in places:
                        name = node.referenced.spelling
                        at = places[at]
                        if name and signature[at:at + len(name)] == name:
                            references.append((at, at + len(name), node.referenced.get_usr()))
        special = _is_special(cursor, kind, signature)
        if kind == "class":
            comment = cursor.raw_comment or cursor.canonical.raw_comment or ""
        else:
            comment = cursor.raw_comment or ""
        return Declaration(kind, signature, _bare(comment), header, cursor.location.line, sorted(set(references)), special)


def _declaration_of(type_):
    """The class or template of a type, or None."""
    declared = type_.get_canonical().get_declaration()
    if declared.kind == _K.NO_DECL_FOUND or not declared.get_usr():
        declared = type_.get_declaration()
    if declared.kind == _K.NO_DECL_FOUND:
        return None
    return _template_of(declared) or declared


def _template_of(cursor):
    template = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
    if template is None or template.is_null():
        return None
    template._tu = cursor._tu  # which the binding forgets
    return template


def _is_special(cursor, kind, signature):
    if kind == "constructor":
        return cursor.is_default_constructor() or cursor.is_copy_constructor() or cursor.is_move_constructor()
    if kind == "function":
        return bool(re.search(r"\boperator=\(|= default\b.*operator==|operator(?:==|<=>)\(", signature))
    return False


def _end_of_head(code, begin, kind):
    """Where a declaration ends, before a body, a list of initializers or the semicolon."""
    depth = 0
    at = begin
    while at < len(code):
        here = code[at:at + 1]
        if here in b"([":
            depth += 1
        elif here in b")]":
            depth -= 1
        elif depth == 0:
            if here == b";":
                return at
            if here == b"{":
                before = code[begin:at].rstrip()
                # A requires-expression, or the value of a variable.
                if re.search(rb"\brequires(?:\s*\([^()]*(?:\([^()]*\)[^()]*)*\))?$", before) or kind in ("concept", "variable", "field"):
                    at = _matching(code, at)
                else:
                    return at
            elif here == b":" and code[at + 1:at + 2] != b":" and code[at - 1:at] != b":" and kind == "constructor":
                return at
        at += 1
    return at


def _matching(code, at):
    depth = 0
    while True:
        depth += {b"{": 1, b"}": -1}.get(code[at:at + 1], 0)
        if depth == 0:
            return at
        at += 1


def _laid_out(raw, blanked):
    """The text of a signature without its comments and outer indentation, and where each byte of it went."""
    kept = bytearray(raw)
    for match in re.finditer(rb"//[^\n]*", raw):
        if not blanked[match.start():match.end()].strip():
            kept[match.start():match.end()] = b" " * len(match[0])
    lines = bytes(kept).split(b"\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    out, places, at = [], {}, 0
    made = 0
    for line in lines:
        if line.strip():
            shown = line[indent:].rstrip()
            for column in range(len(shown)):
                places[at + indent + column] = made + column
            out.append(shown)
            made += len(shown) + 1
        at += len(line) + 1
    return b"\n".join(out).decode("utf-8"), places


def _bare(comment):
    lines = [re.sub(r"^\s*//[/!]<?[ ]?", "", line) for line in comment.split("\n")]
    return "\n".join(lines).strip("\n")
