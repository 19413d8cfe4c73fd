"""python3 -m refrain.report program.py: runs a program, and says by line which calls were ours.

    python3 -m refrain.report [--json FILE] [--top N] PROGRAM.py [arguments]

Operations are what the line asked the runtime for; waits are values that it read; calls of NumPy are named with the
reason. The exit status is the program's.
"""

import json
import linecache
import sys


def collect():
    """What happened so far, as plain data: totals, and lines with what each did."""
    import refrain
    from refrain import _core

    lines = {}

    def line(file, number):
        return lines.setdefault((file, number), dict(file=file, line=number, operations=0, waits=0, by_numpy={}))

    for file, number, operations, waits in _core.site_counts():
        entry = line(file, number)
        entry["operations"] += operations
        entry["waits"] += waits
    for (file, number, function), (count, reason) in refrain.fallbacks().items():
        line(file, number)["by_numpy"][function] = dict(calls=count, reason=reason)
    totals = dict(
        operations=sum(entry["operations"] for entry in lines.values()),
        waits=sum(entry["waits"] for entry in lines.values()),
        by_numpy=sum(call["calls"] for entry in lines.values() for call in entry["by_numpy"].values()),
    )
    ordered = sorted(lines.values(), key=lambda entry: (-entry["operations"] - entry["waits"], entry["file"], entry["line"]))
    return dict(totals=totals, lines=ordered, statistics=refrain.statistics())


def text(found, top=40):
    """The report as a table."""
    totals = found["totals"]
    rows = [
        f"refrain: {totals['operations']} operations were ours, {totals['by_numpy']} calls were computed by NumPy, "
        f"{totals['waits']} values were waited for",
        "",
        f"{'operations':>12} {'waits':>8} {'by NumPy':>9}  line",
    ]
    for entry in found["lines"][:top]:
        calls = sum(call["calls"] for call in entry["by_numpy"].values())
        source = linecache.getline(entry["file"], entry["line"]).strip()
        rows.append(f"{entry['operations']:>12} {entry['waits']:>8} {calls:>9}  {entry['file']}:{entry['line']}  {source[:70]}")
    if len(found["lines"]) > top:
        rows.append(f"... and {len(found['lines']) - top} more lines (--top)")
    fallen = [(entry, function, call) for entry in found["lines"] for function, call in entry["by_numpy"].items()]
    if fallen:
        rows += ["", "Computed by NumPy:"]
        for entry, function, call in sorted(fallen, key=lambda item: -item[2]["calls"]):
            rows.append(f"{call['calls']:>12}  {entry['file']}:{entry['line']}  numpy.{function}: {call['reason']}")
    return "\n".join(rows)


def main(arguments):
    rest = list(arguments)
    file, top = None, 40
    while rest and rest[0] in ("--json", "--top", "-h", "--help"):
        option = rest.pop(0)
        if option in ("-h", "--help"):
            print(__doc__.strip())
            return 0
        if not rest:
            print(f"refrain.report: {option} needs an argument", file=sys.stderr)
            return 2
        if option == "--json":
            file = rest.pop(0)
        else:
            top = int(rest.pop(0))
    from refrain import _core, _fallback  # noqa: F401: the hooks
    from refrain.__main__ import main as run

    _core.count_sites(True)
    status = 1
    try:
        status = run(rest, "python3 -m refrain.report")
    except SystemExit as ended:
        status = ended.code
    finally:
        found = collect()
        print(text(found, top), file=sys.stderr)
        if file:
            with open(file, "w") as stream:
                json.dump(found, stream, indent=1)
    return status


if __name__ == "__main__":
    from refrain.report import main as report

    sys.exit(report(sys.argv[1:]))
