# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A source includes, itself or through headers of this project, what declares the names it uses.

Precompiled headers and sources that are compiled together (cmake/MimusPrecompiled.cmake) hide a
forgotten include from every build that has them, and a plain build then breaks.

include-what-you-use would be stricter, but it compiles each source with clang: 2 s for each of 950, 32
minutes of CPU time where this check takes 1.3 s (include-what-you-use 0.18 of Debian 12). It reads no
CUDA without clang's own toolkit support, and asks for headers of the library's inside (<bits/chrono.h>).
"""

import cpp_source
import library_headers
import tree

SUFFIXES = (".hpp", ".cpp", ".cu", ".cuh")


def problems(root):
    sources = {path.as_posix(): cpp_source.Source(tree.read(root, path))
               for path in tree.files(root, SUFFIXES, under=(*tree.FOLDERS, "tests"))}
    homes = _homes(sources)
    found = []
    for path in sources:
        reached, libraries = _reached(sources, path)
        found += _missing_of_project(sources, homes, path, reached)
        found += _missing_of_libraries(sources, path, reached, libraries)
        found += [f"{path} includes <{header}>: {library_headers.REFUSED[header]}"
                  for quoted, header in sources[path].includes
                  if not quoted and header in library_headers.REFUSED]
    return found


def _homes(sources):
    """For each name that headers declare at namespace scope: the headers and the namespaces."""
    homes = {}
    for path, source in sources.items():
        if path.endswith((".hpp", ".cuh")):
            for name, namespaces in source.declared.items():
                homes.setdefault(name, {})[path] = namespaces
    return homes


def _reached(sources, start):
    """The project's files that `start` includes, itself among them, and library headers."""
    reached, libraries, waiting = {start}, set(), [start]
    while waiting:
        path = waiting.pop()
        for quoted, target in sources[path].includes:
            beside = f"{path.rpartition('/')[0]}/{target}"
            target = beside if quoted and beside in sources else target
            if not quoted:
                libraries.add(target)
            elif target in sources and target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached, libraries


def _missing_of_project(sources, homes, path, reached):
    """One line per header that `path` uses without reaching it, at the first use."""
    source, missing = sources[path], {}
    for (qualifiers, name), line in source.uses.items():
        headers = _headers_meant(homes.get(name, {}), source, path, qualifiers)
        declared_here = source.declared if qualifiers else source.own
        if not headers or reached & set(headers) or name in declared_here:
            continue
        # A function or nested type of a base class takes precedence over a name of a namespace.
        if qualifiers or not any(name in sources[other].members for other in reached):
            missing.setdefault(" or ".join(headers), (line, name))
    return [f"{path}:{line}: uses {name} without including {header}"
            for header, (line, name) in missing.items()]


def _headers_meant(headers, source, path, qualifiers):
    """Those of `headers` whose declaration the name, so qualified, can mean in this source."""
    return sorted(
        header for header, namespaces in headers.items()
        if (path.startswith("tests/") or not header.startswith("tests/"))
        and any(_is_visible(namespace, source.namespaces, qualifiers) for namespace in namespaces))


def _is_visible(namespace, opened, qualifiers):
    suffix = "::".join(qualifiers)
    if qualifiers == ("",) or not f"::{namespace}".endswith(f"::{suffix}" if suffix else ""):
        return False
    outer = namespace[:len(namespace) - len(suffix)].removesuffix("::")
    return any(f"{inner}::".startswith(f"{outer}::") for inner in opened) or not outer


def _missing_of_libraries(sources, path, reached, libraries):
    """One line per library header that neither `path` nor a header that it reaches includes."""
    missing = {}
    for (qualifiers, name), line in sources[path].uses.items():
        full = "::".join((*qualifiers, name))
        headers = library_headers.of(full)
        if not headers or libraries & set(headers):
            continue
        if qualifiers or not _is_ours(name, sources, path, reached):
            missing.setdefault(headers[0], (line, full))
    return [f"{path}:{line}: uses {name} without including <{header}>"
            for header, (line, name) in missing.items()]


def _is_ours(name, sources, path, reached):
    """Whether an unqualified name may belong to this project although it looks like a library's."""
    return name in sources[path].own or any(
        name in sources[other].members or name in sources[other].declared for other in reached)
