#!/usr/bin/env python3
"""Makes C++ of functions.table.

    generate_table.py TABLE --functions OUT             the table of functions, for all rooms
    generate_table.py TABLE --wrappers OUT --mpi-h FILE the wrappers of an interposer; FILE is mpi.h, preprocessed: what it
                                                        declares beyond the table is recorded by name
"""

import argparse
import re
import sys

BUFFERS = {"sbuf", "rbuf", "sbufs", "rbufs", "sbufv", "rbufv", "sbufw", "rbufw", "sbufc", "rbufm", "sbufn", "rbufn", "sbufnv",
           "rbufnv", "sbufnw", "rbufnw", "sbufb", "rbufb", "wbuf"}
ARRAYS = ("ints", "aints", "logicals", "distribs", "dargs", "types", "ranks", "weights", "ranges")
C_TYPES = {
    "int": "int", "tag": "int", "rank": "int", "root": "int", "logical": "int", "order": "int", "aint": "MPI_Aint",
    "ints": "const int*", "logicals": "const int*", "distribs": "const int*", "dargs": "const int*", "aints": "const MPI_Aint*",
    "comm": "MPI_Comm", "group": "MPI_Group", "type": "MPI_Datatype", "op": "MPI_Op", "request": "MPI_Request",
    "requestp": "MPI_Request*", "message": "MPI_Message*", "errhandler": "MPI_Errhandler", "types": "const MPI_Datatype*",
    "newcomm": "MPI_Comm*", "newgroup": "MPI_Group*", "newtype": "MPI_Datatype*", "newop": "MPI_Op*",
    "newrequest": "MPI_Request*", "newreceive": "MPI_Request*", "newmessage": "MPI_Message*",
    "freecomm": "MPI_Comm*", "freegroup": "MPI_Group*", "freetype": "MPI_Datatype*", "freeop": "MPI_Op*",
    "freerequest": "MPI_Request*", "committype": "MPI_Datatype*", "callback": "MPI_User_function*",
    "attach": "void*", "detach": "void*", "osize": "int*", "oint": "int*", "oflag": "int*", "oindex": "int*",
    "oindices": "int*", "status": "MPI_Status*", "statuses": "MPI_Status*", "wait": "MPI_Request*",
    "waits": "MPI_Request*", "argc": "int*", "argv": "char***",
    "newpersistent": "MPI_Request*", "start": "MPI_Request*", "starts": "MPI_Request*", "position": "int*", "longposition": "MPI_Aint*",
    "ranks": "const int*", "ranges": "const RankRange*", "weights": "const int*", "splittype": "int", "string": "const char*", "info": "MPI_Info",
    "peercomm": "MPI_Comm", "newinfo": "MPI_Info*", "freeinfo": "MPI_Info*",
    "win": "MPI_Win", "newwin": "MPI_Win*", "freewin": "MPI_Win*", "file": "MPI_File", "newfile": "MPI_File*",
    "freefile": "MPI_File*", "filename": "const char*", "offset": "MPI_Offset", "baseptr": "void*", "amode": "int",
    "assert": "int", "whence": "int", "locktype": "int", "iostatus": "MPI_Status*", "wbase": "const void*", "disp": "MPI_Aint",
    "keyval": "int", "newkeyval": "int*", "freekeyval": "int*", "newmemory": "void*", "freememory": "void*", "errorclass": "int",
    "errorcode": "int", "newerrorclass": "int*", "newerrorcode": "int*", "copyfn": "MPI_{}_copy_attr_function*",
    "deletefn": "MPI_{}_delete_attr_function*", "extra": "void*", "attrin": "void*", "attrout": "void*",
}
# The handle that a Fortran integer stands for.
HANDLES = {"comm": "Comm", "group": "Group", "type": "Type", "op": "Op", "request": "Request", "requestp": "Request",
           "message": "Message", "errhandler": "Errhandler", "newcomm": "Comm", "newgroup": "Group", "newtype": "Type",
           "newop": "Op", "newrequest": "Request", "newreceive": "Request", "newmessage": "Message", "freecomm": "Comm", "freegroup": "Group",
           "freetype": "Type", "freeop": "Op", "freerequest": "Request", "committype": "Type", "wait": "Request",
           "newpersistent": "Request", "start": "Request", "info": "Info", "newinfo": "Info", "freeinfo": "Info",
           "peercomm": "Comm", "win": "Win", "newwin": "Win", "freewin": "Win", "file": "File", "newfile": "File",
           "freefile": "File"}
STATUSES = ("status", "statuses", "iostatus")
WORDS = ("string", "filename")
# Recorded after the call, in the order of the table.
OUT = {"newcomm", "newgroup", "newtype", "newop", "newrequest", "newreceive", "newmessage", "oint", "osize", "oflag", "oindex",
       "oindices", "status", "statuses", "newpersistent", "newinfo", "newwin", "newfile", "iostatus", "newkeyval",
       "newmemory"}
# Of which nothing is recorded.
SILENT = ("argc", "argv", "callback", "baseptr", "extra", "attrin", "attrout", "errorclass", "errorcode", "newerrorclass",
          "newerrorcode")


class Parameter:
    def __init__(self, text):
        match = re.fullmatch(r"(\w+):(\w+)(?:\(([\w,]+)\))?(@root)?", text)
        if not match:
            sys.exit(f"functions.table: '{text}' is no parameter")
        self.name, self.kind, refs, root = match.groups()
        self.refs = refs.split(",") if refs else []
        self.root = root is not None
        self.owner = None  # the only buffer that this parameter describes
        if self.kind not in C_TYPES and self.kind not in BUFFERS:
            sys.exit(f"functions.table: unknown kind '{self.kind}'")

    def is_buffer(self):
        return self.kind in BUFFERS

    def c_type(self):
        return C_TYPES.get(self.kind) or ("const void*" if self.kind[0] == "s" else "void*")


class Function:
    def __init__(self, name, words):
        self.name = name
        self.collective = "+collective" in words
        self.parameters = parameters = [Parameter(word) for word in words if word[0] != "+"]
        for parameter in parameters:
            owners = [p for p in parameters if p.is_buffer() and parameter.name in p.refs]
            if len(owners) == 1 and not parameter.is_buffer():
                parameter.owner = owners[0]

    def find(self, kind):
        return next((p for p in self.parameters if p.kind == kind), None)


def read_table(path):
    functions, quiet, lines = [], [], []
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("quiet"):
            quiet += line.split()[1:]
        elif line[0].isspace():
            lines[-1] += line
        else:
            lines.append(line)
    texts = {line.split()[0]: line.split()[1:] for line in lines}
    for line in lines:
        words = line.split()
        if words[0] != "with_request":
            functions.append(Function(words[0], words[1:]))
            continue
        for name in words[1:]:
            functions.append(Function("I" + name.lower(), [*texts[name], "request:newrequest"]))
    return functions, quiet


def functions_text(functions):
    kinds = sorted({p.kind for f in functions for p in f.parameters})
    text = ["// Made by generate_table.py of functions.table.", "#ifdef REFRAIN_KINDS"]
    text += [f"REFRAIN_KIND({kind})" for kind in kinds]
    text += ["#elif defined(REFRAIN_FUNCTION_NAMES)"]
    text += [f"REFRAIN_FUNCTION({f.name})" for f in functions]
    text += ["#else"]
    for f in functions:
        parameters = ", ".join(f'{{"{p.name}", Kind::{p.kind}_, {"true" if p.root else "false"}}}' for p in f.parameters)
        text.append(f'{{"{f.name}", {{{parameters}}}, {"true" if f.collective else "false"}}},')
    text += ["#endif", ""]
    return "\n".join(text)


def length(reference):
    return {"P": "call.size()", "L": "call.local_size()", "graph": "call.dimensions()", "in": "call.degree_in()",
            "out": "call.degree_out()"}.get(reference, reference)


def length_of(p):
    """How many elements an array has."""
    if len(p.refs) == 1:
        return length(p.refs[0])
    return f"call.{'last' if p.kind == 'ints' else 'sum'}({', '.join(p.refs)})"


def record_in(function, p):
    """The statement that records a parameter before the call."""
    n, k = p.name, p.kind
    if k in SILENT or k in OUT:
        return None
    if p.is_buffer():
        statement = f"call.{k}_({n}, {', '.join(p.refs)});"
    elif k in ARRAYS:
        statement = f"call.{k}_({n}, {length_of(p)});"
    elif k in ("waits", "starts", "wbase"):
        statement = f"call.{k}_({n}, {p.refs[0]});"
    elif k in ("copyfn", "deletefn"):
        statement = f"call.{k}_(reinterpret_cast<const void*>({n}));"
    else:
        statement = f"call.{k}_({n});"
    conditions = []
    if p.root:
        conditions.append("at_root")
    if p.owner is not None:
        conditions.append(f"{p.owner.name} != MPI_IN_PLACE")
    if conditions:
        statement = f"if ({' && '.join(conditions)}) {statement[:-1]}; else call.no_{absent(p)}();"
    return statement


def absent(p):
    if p.is_buffer():
        return "buffer"
    return "array" if p.kind in ARRAYS else "number"


def record_out(function, p):
    n, k = p.name, p.kind
    if k not in OUT:
        return None
    return f"call.{k}_({n});"


def prologue(function):
    lines = []
    comm = function.find("comm") or function.find("freecomm")
    if comm:
        star = "*" if comm.kind == "freecomm" else ""
        lines.append(f"call.in({star}{comm.name});")
    if function.find("disp"):
        lines.append(f"call.in_window({function.find('win').name});")
    root = function.find("root")
    if any(p.root for p in function.parameters):
        lines.append(f"const bool at_root = call.is_root({root.name});")
    lines += [s for s in (record_in(function, p) for p in function.parameters) if s]
    return lines


def c_type_in(function, p, declaration):
    """Its type; not const where this mpi.h forgets that."""
    c_type = p.c_type().format(function.name.split("_")[0])
    return c_type if "const" in declaration else c_type.removeprefix("const ")


def asleep(function):
    """When a call is passed on and no more: also if it is about attributes that were not made by a function of the table."""
    keyval = function.find("keyval") or function.find("freekeyval")
    if keyval is None:
        return "!awake()"
    return f"!awake() || !knows_keyval({'*' if keyval.kind == 'freekeyval' else ''}{keyval.name})"


def c_wrapper(function, declarations):
    f = function
    parts = split_arguments(declarations.get(f.name, ""))
    if len(parts) != len(f.parameters):
        parts = ["const"] * len(f.parameters)
    arguments = ", ".join(f"{c_type_in(f, p, part)} {p.name}" for p, part in zip(f.parameters, parts)) or "void"
    names = [p.name for p in f.parameters]
    out = [f"int MPI_{f.name}({arguments}) {{"]
    if f.name in ("Init", "Init_thread", "Finalize", "Abort"):
        out += [f"    return {f.name.lower()}_recorded([&] {{ return PMPI_{f.name}({', '.join(names)}); }}"
                + {"Init": ");", "Finalize": ");", "Init_thread": ", required, provided);",
                   "Abort": ", comm, errorcode);"}[f.name], "}", ""]
        return out
    out += [f"    if ({asleep(f)}) return PMPI_{f.name}({', '.join(names)});",
            *TRIED, f"    Call call(Function::{f.name}_, Language::c, __builtin_return_address(0));"]
    passed = list(names)
    for p in f.parameters:
        if p.kind in ("status", "iostatus"):
            out.append(f"    StatusRoom {p.name}_room({p.name});")
            passed[names.index(p.name)] = f"{p.name}_room.get()"
        if p.kind == "statuses":
            out.append(f"    StatusRoom {p.name}_room({p.name}, {p.refs[0]});")
            passed[names.index(p.name)] = f"{p.name}_room.get()"
    out += ["    " + line for line in prologue(f)]
    out += ["    call.enter();", "    stage = Stage::within;", f"    result = PMPI_{f.name}({', '.join(passed)});",
            "    stage = Stage::behind;", "    call.leave(result);"]
    for p in f.parameters:
        line = record_out(f, p)
        if line:
            if p.kind in STATUSES:
                line = line.replace(p.name + ")", p.name + "_room.get())")
            out.append("    " + line)
    return out + ["    return call.end(result);", "    } catch (const std::bad_alloc&) {",
                  "        if (stage == Stage::within) throw;  // the program's own", "        give_up();",
                  f"        return stage == Stage::behind ? result : PMPI_{f.name}({', '.join(names)});", "    }", "}", ""]


# The program's call is made once, whatever the recorder lacks memory for. The compiler knows the stage of each place.
TRIED = ["    int result = MPI_SUCCESS;", "    Stage stage = Stage::before;", "    try {"]


# Of these a call in C says the same as one in Fortran.
C_ALIKE = {"sbuf", "rbuf", "sbufs", "rbufs", "int", "tag", "rank", "root", "comm", "type", "op", "status", "newrequest",
           "newreceive", "newpersistent", "start", "starts"}


def through_c(function):
    """What a wrapper of SMPI's Fortran functions goes on to, where nothing can stand in front of what those call: our own
    PMPI_X, which the separate counter sees. None where a call in C does not say the same."""
    f = function
    if any(p.kind not in C_ALIKE for p in f.parameters):
        return None
    arguments, before, behind = [], [], []
    for p in f.parameters:
        n, k = p.name, p.kind
        if p.is_buffer():
            arguments.append(f"c_address(f_{n})")
        elif k == "status":
            arguments.append(f"c_status(f_{n})")
        elif k == "starts":
            before.append(f"std::vector<MPI_Request> {n};")
            before.append(f"(void)c_requests({n}, f_{n}, *f_{p.refs[0]});")
            arguments.append(f"{n}.data()")
        elif k in ("newrequest", "newreceive", "newpersistent"):
            before.append(f"MPI_Request {n} = MPI_REQUEST_NULL;")
            arguments.append(f"&{n}")
            behind.append(f"if ({n} != MPI_REQUEST_NULL) *f_{n} = PMPI_Request_c2f({n});")
        elif k == "start":
            before.append(f"MPI_Request {n} = PMPI_Request_f2c(*f_{n});")
            arguments.append(f"&{n}")
        else:
            arguments.append(f"PMPI_{HANDLES[k]}_f2c(*f_{n})" if k in HANDLES else f"*f_{n}")
    return before + [f"*ierror = PMPI_{f.name}({', '.join(arguments)});"] + behind


def fortran_wrapper(function, simulated):
    """The body that mpif.h and mpi_f08 share: their arguments are the same words."""
    f = function
    parameters = [p for p in f.parameters if p.kind not in ("argc", "argv")]

    def f_type(p):
        if p.is_buffer() or p.kind in ("attach", "detach", "callback", "baseptr", "wbase", "copyfn", "deletefn", "newmemory",
                                      "freememory"):
            return "void*"
        if p.kind in WORDS:
            return "const char*"
        if p.kind == "offset":
            return "MPI_Offset*"
        return "MPI_Aint*" if p.kind in ("aint", "aints", "longposition", "disp", "extra", "attrin", "attrout") else "MPI_Fint*"

    # Fortran gives the lengths of words behind all arguments.
    words = [p.name for p in parameters if p.kind in WORDS]
    arguments = ", ".join([f"{f_type(p)} f_{p.name}" for p in parameters] + ["MPI_Fint* ierror"]
                          + [f"std::size_t l_{word}" for word in words])
    types = ", ".join([f_type(p) for p in parameters] + ["MPI_Fint*"] + ["std::size_t"] * len(words))
    names = [f"f_{p.name}" for p in parameters]
    error = ["ierror"] + [f"l_{word}" for word in words]
    low = f.name.lower()
    out = [f"static void fortran_{low}(void* real, [[maybe_unused]] void* from, {arguments}) {{",
           "    MPI_Fint own_error = 0;", "    if (ierror == nullptr) ierror = &own_error;",
           f"    const auto forward = reinterpret_cast<void (*)({types})>(real);"]
    in_c = through_c(f) if simulated else None
    if in_c:
        out[-1:] = [f"    const auto forward = []({arguments}) {{", *(f"        {line}" for line in in_c), "    };"]
        out[0] = out[0].replace("void* real", "void*")
    plain = f"forward({', '.join(names + error)})"
    if f.name in ("Init", "Init_thread", "Finalize", "Abort"):
        extra = {"Init": "", "Finalize": "", "Init_thread": ", *f_required, f_provided",
                 "Abort": ", PMPI_Comm_f2c(*f_comm), *f_errorcode"}[f.name]
        out += [f"    {low}_recorded([&] {{ {plain}; return *ierror; }}{extra});", "}"]
    else:
        asleep_here = asleep(f).replace("knows_keyval(", "knows_keyval(*f_").replace("*f_*", "*f_")
        out += [f"    if ({asleep_here}) return {plain};", *TRIED, f"    Call call(Function::{f.name}_, Language::fortran, from);"]
        if not simulated and any(p.kind in ("oindex", "oindices") for p in parameters):
            out += [f"    static void* const f08 = f08_function({real_name(low, '_f08')});", "    if (real == f08 && f08 != nullptr) {",
                    f"        static const int first = f08_first_index(f08_function({real_name('waitany', '_f08')}));",
                    "        call.count_from(first);", "    }"]
        passed = list(names)
        for p in parameters:
            n, k = p.name, p.kind
            if p.is_buffer() or k == "wbase":
                out.append(f"    void* const {n} = c_address(f_{n});")
            elif k in SILENT:
                pass
            elif k in ("attach", "detach", "copyfn", "deletefn", "newmemory", "freememory"):
                out.append(f"    void* const {n} = f_{n};")
            elif k in WORDS:
                out.append(f"    const std::string {n}_text = c_string(f_{n}, l_{n});")
                out.append(f"    const char* const {n} = {n}_text.c_str();")
            elif k == "weights":
                out.append(f"    const int* const {n} = c_weights(f_{n});")
            elif k in ("int", "tag", "rank", "root", "order", "aint", "splittype", "offset", "amode", "assert", "whence",
                       "locktype", "disp", "keyval"):
                out.append(f"    const auto {n} = *f_{n};")
            elif k == "logical":
                out.append(f"    const int {n} = *f_{n} != 0;")
            elif k in ("ints", "aints", "distribs", "dargs", "oindices", "ranks", "ranges", "position", "longposition"):
                out.append(f"    const auto {n} = f_{n};")
            elif k == "logicals":
                out.append(f"    const int* const {n} = f_{n};")
            elif k == "types":
                out.append(f"    std::vector<MPI_Datatype> {n};")
            elif k in ("waits", "starts"):
                out.append(f"    std::vector<MPI_Request> {n};")
            elif k in STATUSES:
                count = p.refs[0] if k == "statuses" else "1"
                out.append(f"    FortranStatusRoom {n}_room(f_{n}, {count}, {'true' if k == 'statuses' else 'false'});")
                passed[names.index(f"f_{n}")] = f"{n}_room.get()"
            elif k in ("oint", "osize", "oflag", "oindex", "newkeyval", "freekeyval"):
                out.append(f"    const auto {n} = f_{n};")
            elif k in HANDLES and k.startswith("new"):
                pass
            elif k in HANDLES:
                by_address = k not in ("comm", "group", "type", "op", "request", "errhandler", "info", "peercomm", "win", "file")
                handle = HANDLES[k]
                convert = f"PMPI_{handle}_f2c(*f_{n})"
                if by_address:
                    out.append(f"    auto {n}_handle = {convert};")
                    out.append(f"    const auto {n} = &{n}_handle;")
                else:
                    out.append(f"    const auto {n} = {convert};")
            else:
                sys.exit(f"no Fortran for {k}")
        for line in prologue(f):
            for p in parameters:
                if p.kind == "types" and f"call.types_({p.name}," in line:
                    line = line.replace(f"call.types_({p.name},", f"call.types_(c_types({p.name}, f_{p.name}, {length(p.refs[0])}),")
                if p.kind in ("sbufw", "rbufw", "sbufnw", "rbufnw") and f"call.{p.kind}_(" in line:
                    types_name = p.refs[2]
                    reach = {"sbufnw": "degree_out", "rbufnw": "degree_in"}.get(p.kind, "size")
                    line = line.replace(f", {types_name})", f", c_types({types_name}, f_{types_name}, call.{reach}()))")
                if p.kind in ("waits", "starts"):
                    line = line.replace(f"call.{p.kind}_({p.name},",
                                        f"call.{p.kind}_(c_requests({p.name}, f_{p.name}, {p.refs[0]}), f_{p.name},")
                if p.kind in ("wait", "freerequest", "requestp", "start"):
                    line = line.replace(f"call.{p.kind}_({p.name})", f"call.{p.kind}_({p.name}, f_{p.name})")
            out.append("    " + line)
        out += ["    call.enter();", "    stage = Stage::within;", f"    forward({', '.join(passed + error)});",
                "    stage = Stage::behind;", "    result = *ierror;", "    call.leave(result);"]
        for p in parameters:
            line = record_out(f, p)
            if not line:
                continue
            n, k = p.name, p.kind
            if k in HANDLES and k.startswith("new"):
                out.append(f"    auto {n}_handle = PMPI_{HANDLES[k]}_f2c(*f_{n});")
                line = line.replace(f"({n}", f"(&{n}_handle")
                if k in ("newrequest", "newreceive", "newpersistent"):
                    line = line.replace(");", f", f_{n});")
            if k in STATUSES:
                line = line.replace(n + ")", n + "_room.c())")
            out.append("    " + line)
        out += ["    call.end(result);", "    } catch (const std::bad_alloc&) {", "        if (stage == Stage::within) throw;",
                "        give_up();", f"        if (stage == Stage::before) {plain};", "    }", "}"]
    # Where memory comes out, Open MPI's module has a function of its own for type(c_ptr).
    gives_memory = any(p.kind in ("baseptr", "newmemory") for p in parameters)
    for layer in layers(simulated) + (("_cptr",) if gives_memory and not simulated else ()):
        out += [f"void mpi_{low}{layer}_({arguments}) {{",
                f"    static void* const real = {'nullptr' if in_c else f'real_function({real_name(low, layer)})'};",
                f"    fortran_{low}(real, __builtin_return_address(0), {', '.join(names + error)});", "}"]
    if not simulated:
        out += aliases("mpi_" + low, arguments)
    return out + [""]


def layers(simulated):
    """SMPI has no mpi_f08."""
    return ("",) if simulated else ("", "_f08")


def real_name(low, layer):
    """The function behind a wrapper; the header of each MPI says how it is named."""
    return f'REFRAIN_REAL_F08("{low}")' if layer == "_f08" else f'REFRAIN_REAL("{low}{layer}")'


def aliases(low, arguments):
    """Of mpi_x_, or mpix_x_."""
    return [f'void {name}({arguments}) __attribute__((alias("{low}_")));' for name in (low, f"{low}__", low.upper())]


def declared(path):
    """All `int MPI_Name(arguments)` of a preprocessed mpi.h, by Name; extensions that can be wrapped by all of MPIX_Name."""
    text = re.sub(r"\s+", " ", open(path, encoding="utf-8").read())
    text = re.sub(r"__attribute__ ?\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    found = {}
    for match in re.finditer(r"(?<!typedef )\bint MPI_([A-Z][a-z]\w*) ?\(([^;{}]*)\) ?;", text):
        found.setdefault(match.group(1), match.group(2))
    for match in re.finditer(r"\bint PMPIX_([A-Z]\w*) ?\(([^;{}]*)\) ?;", text):
        found.setdefault("MPIX_" + match.group(1), match.group(2))
    return found


def split_arguments(text):
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    parts.append(part.strip())
    return [] if parts in ([""], ["void"]) else parts


def by_name_wrapper(name, arguments, simulated):
    names, parts = [], split_arguments(arguments)
    for i, part in enumerate(parts):
        match = re.fullmatch(r"(.*?)(\w+) ?((?:\[\w*\] ?)*)", part)
        if not match or "(" in part or part == "...":
            return None
        # A declaration may leave the name out.
        if match.group(1).strip() in ("", "const"):
            parts[i] = f"{part} argument{i}"
            names.append(f"argument{i}")
        else:
            names.append(match.group(2))
    passed = ", ".join(names)
    full = name if name.startswith("MPIX_") else "MPI_" + name
    here = "__builtin_return_address(0)"
    # Programs of sessions need not call MPI_Init.
    session = name == "Session_init"
    asleep = f"session_recorded([&] {{ return P{full}({passed}); }}, {here})" if session else f"P{full}({passed})"
    out = [f"int {full}({', '.join(parts) or 'void'}) {{", f"    if (!awake()) return {asleep};",
           f'    ByName call("{full}", {here});',
           f"    return call.end(P{full}({passed}));", "}"]
    words = ", ".join(f"long w{i}" for i in range(20))
    forwarded = ", ".join(f"w{i}" for i in range(20))
    types = ", ".join(["long"] * 20)
    low = full.lower()
    for layer in layers(simulated):
        real = real_name(name.lower(), layer) if full != name else f'"p{low}{layer}_"'
        asleep = f"forward({forwarded})"
        if session:
            asleep = f"(void)session_recorded([&] {{ return forward({forwarded}), MPI_SUCCESS; }}, {here})"
        out += [f"void {low}{layer}_({words}) {{", f"    static void* const real = real_function({real});",
                f"    const auto forward = reinterpret_cast<void (*)({types})>(real);",
                f"    if (!awake()) return {asleep};", f'    ByName call("{full}", {here});',
                f"    forward({forwarded});", "    call.end(0);", "}"]
    return out + ([] if simulated else aliases(low, words)) + [""]


def wrappers_text(functions, quiet, mpi_h, simulated):
    # Outside of arrays a parameter is four values at most (a status), and the class of the error is one.
    scalars = 4 * max(len(f.parameters) for f in functions) + 1
    buffers = max(sum(p.is_buffer() for p in f.parameters) for f in functions)
    text = ["// Made by generate_table.py of functions.table and mpi.h.",
            f"static_assert({scalars} <= refrain::proxy::scalars_max && {buffers} <= refrain::proxy::buffers_max);",
            'extern "C" {', ""]
    declarations = declared(mpi_h)
    missing = [f.name for f in functions if f.name not in declarations]
    if missing:
        print(f"This MPI does not declare, and no program calls: {', '.join('MPI_' + name for name in missing)}", file=sys.stderr)
    for function in functions:
        if function.name not in declarations:
            continue
        text += c_wrapper(function, declarations)
        text += fortran_wrapper(function, simulated)
    known = {f.name for f in functions} | set(quiet)
    for name, arguments in sorted(declarations.items()):
        if name in known or name.startswith("T_") or re.search(r"_(c2f|f2c|f082c|c2f08|f082f|f2f08)$", name):
            continue
        wrapper = by_name_wrapper(name, arguments, simulated)
        if wrapper is None:
            print(f"{name}({arguments}) is not recorded", file=sys.stderr)
        else:
            text += wrapper
    return "\n".join(text + ['}  // extern "C"', ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--functions")
    parser.add_argument("--wrappers")
    parser.add_argument("--mpi-h")
    parser.add_argument("--simulated", action="store_true", help="for SMPI")
    options = parser.parse_args()
    functions, quiet = read_table(options.table)
    if options.functions:
        with open(options.functions, "w", encoding="utf-8") as out:
            out.write(functions_text(functions))
    if options.wrappers:
        with open(options.wrappers, "w", encoding="utf-8") as out:
            out.write(wrappers_text(functions, quiet, options.mpi_h, options.simulated))


if __name__ == "__main__":
    main()
