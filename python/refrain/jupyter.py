"""Notebooks: arrays display as NumPy's, and a magic reports on a cell.

    %load_ext refrain

    %%refrain_report
    u[1:-1] += v
"""

from refrain import report


def difference(before, after):
    """What happened between two of report.collect()."""
    known = {(entry["file"], entry["line"]): entry for entry in before["lines"]}
    lines = []
    for entry in after["lines"]:
        old = known.get((entry["file"], entry["line"]), dict(operations=0, waits=0, by_numpy={}))
        calls = {}
        for function, call in entry["by_numpy"].items():
            count = call["calls"] - old["by_numpy"].get(function, dict(calls=0))["calls"]
            if count:
                calls[function] = dict(call, calls=count)
        fresh = dict(entry, operations=entry["operations"] - old["operations"], waits=entry["waits"] - old["waits"],
                     by_numpy=calls)
        if fresh["operations"] or fresh["waits"] or calls:
            lines.append(fresh)
    totals = dict(operations=sum(entry["operations"] for entry in lines), waits=sum(entry["waits"] for entry in lines),
                  by_numpy=sum(call["calls"] for entry in lines for call in entry["by_numpy"].values()))
    return dict(totals=totals, lines=lines, statistics=after["statistics"])


def refrain_report(line, cell):
    """%%refrain_report: runs the cell, and prints by line what was ours, what NumPy computed, and what waited."""
    from IPython import get_ipython

    from refrain import _core
    import refrain.numpy  # noqa: F401: the hooks

    _core.count_sites(True)
    before = report.collect()
    try:
        get_ipython().run_cell(cell)
        _core.wait()
    finally:
        found = difference(before, report.collect())
        _core.count_sites(False)
    print(report.text(found))


def load_ipython_extension(shell):
    """%load_ext refrain"""
    shell.register_magic_function(refrain_report, "cell")
