# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What a C++ source declares and uses, read from its text: no compiler, no preprocessor.

Names follow CONTRIBUTING.md, which tells kinds apart: CamelCase is a type, kName a constant, and a
word before "(" a function. Where the text is in doubt a name counts as declared, never as used.
"""

import re

import tree

_SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|\bR"(?P<fence>[^(\s]*)\(.*?\)(?P=fence)"|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_TOKEN = re.compile(r"\n|[A-Za-z_]\w*|\d[\w.']*|::|->|&&|\S")

_TYPE_WORDS = {"class", "struct", "union", "enum", "typename", "concept", "using"}
_NOT_BEFORE_A_NAME = {"return", "co_return", "co_yield", "co_await", "throw", "new", "delete",
                      "else", "case", "goto", "do", "sizeof", "and", "or", "not", "operator"}
"""Words after which a name is used; after any other word (a type, const, auto) it is declared."""

_NEVER_NAMES = _TYPE_WORDS | _NOT_BEFORE_A_NAME | {
    "if", "for", "while", "switch", "catch", "decltype", "alignas", "alignof", "noexcept",
    "requires", "explicit", "static_assert", "static_cast", "const_cast", "reinterpret_cast",
    "dynamic_cast", "const", "auto", "void", "int", "bool", "char", "float", "double", "this"}
_NAMING_MACROS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "RC_GTEST_PROP",
                  "RC_GTEST_FIXTURE_PROP", "TYPED_TEST_SUITE", "INSTANTIATE_TEST_SUITE_P"}
"""Macros whose first two arguments are names of tests, which are often names of types, too."""

_USED_BARE = {"errno"}
"""Words that are uses of a library although nothing in their spelling tells."""


class Source:
    """Of one file: names declared at namespace scope with their namespaces, names of members, all
    names declared anywhere, and for each used name, as (qualifiers, name), its first line."""

    def __init__(self, text):
        self.includes = [(quoted, target) for _, quoted, target in tree.includes(text)]
        self.declared = {}
        self.members = set()
        self.own = set()
        self.namespaces = {""}
        self.uses = {}
        _Reader(self, without_texts(text)).read()


def without_texts(text):
    """`text` without comments, literals and preprocessor lines; lines keep their numbers."""
    def blank(match):
        newlines = "\n" * match.group(0).count("\n")
        return newlines or (" " if match.group(0)[0] in "/#" else '""')

    return _DIRECTIVE.sub(blank, _SKIPPED.sub(blank, text))


class _Scope:
    """A range between two braces. `kind` is namespace, class or body; `head` is the statement so
    far."""

    def __init__(self, kind, namespace):
        self.kind = kind
        self.namespace = namespace
        self.head = []
        self.depth = 0  # of ( and [

    def in_angles(self):
        return self.head.count("<") > self.head.count(">")


_LOOKS_BACK = 4  # tokens; as many empty ones stand before the first


class _Reader:
    def __init__(self, source, text):
        self.source = source
        self.scopes = [_Scope("namespace", "")]
        self.tokens = [""] * _LOOKS_BACK
        self.lines = [0] * _LOOKS_BACK
        line = 1
        for token in _TOKEN.findall(text):
            if token == "\n":
                line += 1
            else:
                self.tokens.append(token)
                self.lines.append(line)
        self.end = len(self.tokens)
        self.tokens.append("")

    def read(self):
        for at in range(_LOOKS_BACK, self.end):
            token, scope = self.tokens[at], self.scopes[-1]
            if token == "{":
                self._open(scope)
                continue
            if token == "}":
                if len(self.scopes) > 1:
                    self.scopes.pop()
                continue
            if token in "([":
                scope.depth += 1
            elif token in ")]":
                scope.depth -= 1
            elif token == ";" and scope.depth <= 0:
                scope.head, scope.depth = [], 0
                continue
            elif token[0].isalpha() and token not in _NEVER_NAMES:
                self._name(at, scope)
            if scope.kind != "body":
                scope.head.append(token)

    def _open(self, scope):
        kind, namespace = "body", scope.namespace
        if scope.kind != "body" and scope.depth <= 0:
            head, scope.head = scope.head, []
            if "namespace" in head:
                kind, namespace = "namespace", self._entered(scope.namespace, head)
            elif _opens_class(head):
                kind = "class"
        self.scopes.append(_Scope(kind, namespace))

    def _entered(self, outer, head):
        name = "".join(head[head.index("namespace") + 1:])
        # Names in an unnamed namespace are not visible elsewhere.
        full = "::".join(part for part in (outer, name or "(unnamed)") if part)
        self.source.namespaces.add(full)
        return full

    def _name(self, at, scope):
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        name = self.tokens[at]
        if self._is_declaration(at, before, after):
            self._declare(name, after, scope)
        elif before in (".", "->") or self._names_a_test(at):
            return
        elif before == "::":
            self.source.uses.setdefault((self._qualifiers(at), name), self.lines[at])
            if after == ";" and scope.head[:1] == ["using"]:
                self.source.own.add(name)
        elif after == "(" or is_type(name) or is_constant(name) or name in _USED_BARE:
            self.source.uses.setdefault(((), name), self.lines[at])

    def _before_attributes(self, at):
        """The word before `at`, skipping [[...]] and alignas(...)."""
        at -= 1
        while self.tokens[at] in ("]", ")"):
            opening = {"]": "[", ")": "("}[self.tokens[at]]
            while at > 0 and self.tokens[at] != opening:
                at -= 1
            at -= 2 if self.tokens[at - 1] == "alignas" else 1
        return self.tokens[at]

    def _is_declaration(self, at, before, after):
        name = self.tokens[at]
        if is_type(name):
            return self._before_attributes(at) in _TYPE_WORDS
        if not after or after not in "(;={,)[:" or before == "::":
            return False
        if before in ("&", "&&", "*"):
            before = self.tokens[at - 2]
        return before == ">" or (before[:1].isalpha() and before not in _NOT_BEFORE_A_NAME)

    def _declare(self, name, after, scope):
        self.source.own.add(name)
        if scope.depth > 0 or scope.in_angles():
            return
        if scope.kind == "class":
            self.source.members.add(name)
        is_ours = is_type(name) and after != "<" or is_constant(name) or after == "("
        if scope.kind == "namespace" and is_ours:
            self.source.declared.setdefault(name, set()).add(scope.namespace)

    def _names_a_test(self, at):
        first = self.tokens[at - 1] == "(" and self.tokens[at - 2] in _NAMING_MACROS
        return first or (self.tokens[at - 1] == "," and self.tokens[at - 4] in _NAMING_MACROS)

    def _qualifiers(self, at):
        """The words before `at` and its "::", outermost first; ("",) is the global namespace."""
        found = []
        while self.tokens[at - 1] == "::":
            at -= 2
            word = self.tokens[at]
            if word == ">" or (word[:1].isalpha() and word not in _NOT_BEFORE_A_NAME):
                found.insert(0, word)
            else:
                return tuple(found) or ("",)
        return tuple(found)


def is_type(name):
    return name[0].isupper() and "_" not in name and any(letter.islower() for letter in name)


def is_constant(name):
    return name[0] == "k" and name[1:2].isupper()


def _opens_class(head):
    """Without template parameters, whose `class` opens none, and attributes."""
    found, depth = [], 0
    for token in head:
        depth += (token == "<") - (token == ">")
        if depth == 0 and token != ">":
            found.append(token)
    words = set(re.sub(r"\[ \[.*?\] \]|\balignas \( [^)]*\)", "", " ".join(found)).split())
    return bool(words & _TYPE_WORDS) and not words & {"=", "(", "enum"}
