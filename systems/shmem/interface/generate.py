#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
generate.py FOLDER   writes FOLDER/shmem_typed.h, FOLDER/pshmem.h, FOLDER/typed.cpp and FOLDER/every.c from shmem.table

shmem_typed.h declares what has a name for each type, and the generic names of C11 and C++; shmem.h includes it.
typed.cpp defines these in terms of the templates of src/calls.h. pshmem.h declares all functions, those of shmem.h and
shmem_former.h, too, under the names of the profiling interface. every.c is a test that calls each function, in each form that
it has: by type, with a context, by size, of bytes, by its generic name; test/every.h says of each call what it has to do.
"""

import pathlib
import re
import shlex
import sys

INCLUDE = pathlib.Path(__file__).parent.parent / "include"
TABLE = pathlib.Path(__file__).with_name("shmem.table")
MADE = "/* SPDX-License-Identifier: Apache-2.0\n * Made by interface/generate.py from interface/shmem.table. */\n/* clang-format off */\n"
CONTEXT = "shmem_ctx_t ctx"


class Call:
    def __init__(self, kind, text, of):
        match = re.fullmatch(r"(\w+) (\w+)\((.*)\)", text)
        self.kind, self.sets = kind, of.split()
        self.result, self.name, arguments = match.groups()
        self.arguments = [argument.strip() for argument in arguments.split(",")]

    def of(self, sets):
        return any(each in sets for each in self.sets)

    def typed(self, text, c_type):
        return re.sub(r"\bT\b", c_type, text)

    def names(self):
        return [re.search(r"(\w+)$", argument).group(1) for argument in self.arguments]

    def declaration(self, type_name, c_type, with_context):
        prefix = "shmem_ctx_" if with_context else "shmem_"
        arguments = ([CONTEXT] if with_context else []) + [self.typed(each, c_type) for each in self.arguments]
        return f"{self.typed(self.result, c_type)} {prefix}{type_name}_{self.name}({', '.join(arguments)})"

    def definition(self, type_name, c_type, with_context):
        if self.kind == "active":
            reduction = self.name.replace("to_all", "reduce")
            passed = ", ".join([f"calls::{reduction}<{c_type}>"] + self.names())
            return f"{self.declaration(type_name, c_type, False)} {{ calls::toAll<{c_type}>({passed}); }}"
        context = [] if self.kind != "call" else ["ctx" if with_context else "SHMEM_CTX_DEFAULT"]
        passed = ", ".join(context + self.names())
        return f"{self.declaration(type_name, c_type, with_context)} {{ return calls::{self.name}<{c_type}>({passed}); }}"


def read():
    types, calls, sizes = [], [], []
    for line in TABLE.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        kind, rest = line.split(None, 1)
        if kind == "type":
            name, c_type, *sets = shlex.split(rest)
            types.append((name, c_type, sets))
        elif kind == "sizes":
            sizes = rest.split()
        else:
            text, of = re.fullmatch(r"(.*\))\s+([\w ]+)", rest).groups()
            calls.append(Call(kind, text, of))
    return types, calls, sizes


def contexts(call):
    return [False, True] if call.kind == "call" else [False]


def of_size(call):
    """Whether a call transfers elements, and so has forms of a size, and of bytes."""
    return call.name in ("put", "get", "put_nbi", "get_nbi", "iput", "iget", "put_signal", "put_signal_nbi")


def sized_name(call, size):
    base, _, rest = call.name.partition("_")
    return f"{base}{size}" + (f"_{rest}" if rest else "")


def sized(call, size, with_context, body):
    prefix = "shmem_ctx_" if with_context else "shmem_"
    arguments = ([CONTEXT] if with_context else []) + [each.replace("const T*", "const void*").replace("T*", "void*")
                                                       for each in call.arguments]
    head = f"void {prefix}{sized_name(call, size)}({', '.join(arguments)})"
    if not body:
        return head + ";"
    element = "Bytes<1>" if size == "mem" else f"Bytes<{int(size) // 8}>"
    names = call.names()
    names[0] = f"static_cast<{element}*>({names[0]})"
    names[1] = f"static_cast<const {element}*>({names[1]})"
    context = "ctx" if with_context else "SHMEM_CTX_DEFAULT"
    return f"{head} {{ calls::{call.name}<{element}>({', '.join([context] + names)}); }}"


def of_bytes(call, body):
    """A collective of bytes."""
    arguments = [each.replace("const T*", "const void*").replace("T*", "void*") for each in call.arguments]
    head = f"int shmem_{call.name}mem({', '.join(arguments)})"
    names = call.names()
    names[1] = f"static_cast<Bytes<1>*>({names[1]})"
    names[2] = f"static_cast<const Bytes<1>*>({names[2]})"
    return f"{head} {{ return calls::{call.name}<Bytes<1>>({', '.join(names)}); }}" if body else head + ";"


def all_sized(calls, sizes, body):
    for call in calls:
        if call.kind == "collective" and not call.name.endswith("_reduce"):
            yield of_bytes(call, body)
        if not of_size(call):
            continue
        for size in sizes + ([] if call.name in ("iput", "iget") else ["mem"]):
            for with_context in contexts(call):
                yield sized(call, size, with_context, body)


def generic(call, types):
    """Of each C type that the call is there for: the name that it has in the call, and the type."""
    found = {c_type: name for name, c_type, sets in types if call.of(sets) and "generic" in sets}
    for name, _, sets in types:
        for each in sets:
            if each.startswith("generic=") and call.of(sets):
                found.setdefault(each.partition("=")[2], name)
    return [(name, c_type) for c_type, name in found.items()]


def generic_c(call, types):
    """By the type of what the first argument behind the context points to."""
    def associations(prefix):
        lines = []
        for name, c_type in generic(call, types):
            lines += [f"{c_type}*: {prefix}{name}_{call.name}", f"const {c_type}*: {prefix}{name}_{call.name}"]
        return ", \\\n    ".join(lines)
    if call.kind != "call":
        of = "SECOND" if call.kind == "collective" else "FIRST"
        return (f"#define shmem_{call.name}(...) \\\n  _Generic(SHMEM_{of}(__VA_ARGS__), \\\n    "
                f"{associations('shmem_')})(__VA_ARGS__)")
    return (f"#define shmem_{call.name}(...) \\\n  _Generic(SHMEM_FIRST(__VA_ARGS__), \\\n    shmem_ctx_t: "
            f"_Generic(SHMEM_SECOND(__VA_ARGS__), \\\n    {associations('shmem_ctx_')}, \\\n    default: shmem_no_such_type), "
            f"\\\n    {associations('shmem_')})(__VA_ARGS__)")


def generic_cpp(call, types):
    for name, c_type in generic(call, types):
        for with_context in contexts(call):
            arguments = ([CONTEXT] if with_context else []) + [call.typed(each, c_type) for each in call.arguments]
            passed = (["ctx"] if with_context else []) + call.names()
            prefix = "shmem_ctx_" if with_context else "shmem_"
            yield (f"inline {call.typed(call.result, c_type)} shmem_{call.name}({', '.join(arguments)}) "
                   f"{{ return {prefix}{name}_{call.name}({', '.join(passed)}); }}")


def header(types, calls, sizes):
    out = [MADE, "#ifndef VERBENA_SHMEM_TYPED_H\n#define VERBENA_SHMEM_TYPED_H\n", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"]
    for call in calls:
        out.append(f"/* {call.name} */")
        for name, c_type, sets in types:
            if call.of(sets):
                out += [f"SHMEM_API {call.declaration(name, c_type, each)};" for each in contexts(call)]
    out.append("/* of elements that have a size and no type, and of bytes */")
    out += ["SHMEM_API " + each for each in all_sized(calls, sizes, False)]
    out.append("#ifdef __cplusplus\n}\n#endif\n")
    out.append("#if defined(__cplusplus)\n")
    named = [call for call in calls if call.kind != "active"]
    for call in named:
        out += generic_cpp(call, types)
    out.append("\n#elif __STDC_VERSION__ >= 201112L\n")
    out.append("/* The first and the second of several arguments. */\n"
               "#define SHMEM_FIRST(...) SHMEM_FIRST_OF(__VA_ARGS__, 0)\n#define SHMEM_FIRST_OF(first, ...) first\n"
               "#define SHMEM_SECOND(...) SHMEM_SECOND_OF(__VA_ARGS__, 0, 0)\n"
               "#define SHMEM_SECOND_OF(first, second, ...) second\n"
               "/* Never called: where a context comes first, the type is that of the second argument. */\n"
               "SHMEM_API void shmem_no_such_type(void);\n")
    out += [generic_c(call, types) for call in named]
    out.append("\n#endif\n\n#endif\n")
    return "\n".join(out)


def source(types, calls, sizes):
    out = ["// SPDX-License-Identifier: Apache-2.0\n// Made by interface/generate.py from interface/shmem.table.\n// clang-format off\n",
           '#include "calls.h"\n#include "collectives.h"\n#include "former.h"\n#include "shmem.h"\n', "using namespace verbena::shmem;\n", 'extern "C" {\n']
    for call in calls:
        for name, c_type, sets in types:
            if call.of(sets):
                out += [call.definition(name, c_type, each) for each in contexts(call)]
    out += all_sized(calls, sizes, True)
    out.append("void shmem_no_such_type(void) {}\n}")
    return "\n".join(out) + "\n"


def every(types, calls, sizes):
    out = [MADE, '#include "every.h"\n', "static void every(void) {"]
    contexts_of = {False: "", True: "context COMMA"}
    of_bits = {"8": "uint8_t", "16": "uint16_t", "32": "uint32_t", "64": "uint64_t", "128": "struct wide", "mem": "char"}

    def line(name, function, with_context, c_type):
        out.append(f"  EVERY_{name}({function}, {contexts_of[with_context]}, {c_type})")

    for call in calls:
        for name, c_type, sets in types:
            if call.of(sets):
                for with_context in contexts(call):
                    line(call.name, ("shmem_ctx_" if with_context else "shmem_") + f"{name}_{call.name}", with_context, c_type)
        for _, c_type in generic(call, types) if call.kind != "active" else []:
            for with_context in contexts(call):
                line(call.name, f"shmem_{call.name}", with_context, c_type)
        if of_size(call):
            for size in sizes + ([] if call.name in ("iput", "iget") else ["mem"]):
                for with_context in contexts(call):
                    prefix = "shmem_ctx_" if with_context else "shmem_"
                    line(call.name, prefix + sized_name(call, size), with_context, of_bits[size])
        if call.kind == "collective" and not call.name.endswith("_reduce"):
            line(call.name, f"shmem_{call.name}mem", False, "char")
    return "\n".join(out + ["}"]) + "\n"


def profiled(headers):
    out = [MADE, "#ifndef VERBENA_PSHMEM_H\n#define VERBENA_PSHMEM_H\n", "#include <shmem.h>\n", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"]
    for text in headers:
        for declaration in re.findall(r"^SHMEM_API ([^;]*?\bshmem_\w+\([^;]*);", text, re.MULTILINE):
            if "shmem_no_such_type" not in declaration:
                out.append("SHMEM_API " + re.sub(r"\bshmem_(\w+\()", r"pshmem_\1", " ".join(declaration.split()), count=1) + ";")
    out.append("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
    return "\n".join(out)


def main():
    into = pathlib.Path(sys.argv[1])
    types, calls, sizes = read()
    typed = header(types, calls, sizes)
    (into / "shmem_typed.h").write_text(typed)
    (into / "pshmem.h").write_text(profiled([(INCLUDE / name).read_text() for name in ("shmem.h", "shmem_former.h")] + [typed]))
    (into / "typed.cpp").write_text(source(types, calls, sizes))
    (into / "every.c").write_text(every(types, calls, sizes))


if __name__ == "__main__":
    main()
