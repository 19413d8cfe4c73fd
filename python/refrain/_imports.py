"""Which `numpy` an import statement gets: ours in the program's own files, NumPy's in installed libraries."""

import builtins
import os
import site
import sys
import sysconfig

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_real_import = builtins.__import__


def _library_folders():
    """Folders of the standard library and of installed packages."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(site.getsitepackages())
    folders.add(site.getusersitepackages())
    folders.add("/usr/lib/python3")
    return tuple(os.path.realpath(folder) + os.sep for folder in folders if folder)


class Importer:
    """Stands for builtins.__import__."""

    def __init__(self, everywhere=False):
        self.everywhere = everywhere
        self.libraries = _library_folders()
        self.own = {}  # by file

    def is_own(self, names):
        """Whether a module with these globals belongs to the program."""
        file = names.get("__file__")
        if file is None:
            # The program from the command line, standard input, or a notebook; not built-in modules.
            return names.get("__name__") == "__main__"
        answer = self.own.get(file)
        if answer is None:
            answer = self.own[file] = self._is_own_file(file)
        return answer

    def _is_own_file(self, file):
        path = os.path.realpath(file)
        if path.startswith(os.path.realpath(_PACKAGE) + os.sep) or os.path.abspath(file).startswith(_PACKAGE):
            return False
        parts = path.split(os.sep)
        if "numpy" in parts and ("site-packages" in parts or "dist-packages" in parts):
            return False
        if "site-packages" in parts or "dist-packages" in parts:
            return self.everywhere
        return not path.startswith(self.libraries)

    def __call__(self, name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and (name == "numpy" or name.startswith("numpy.")) and globals is not None and self.is_own(globals):
            return import_ours(name, fromlist)
        return _real_import(name, globals, locals, fromlist, level)


def import_ours(name, fromlist):
    """What `import name` and `from name import fromlist` bind."""
    _real_import(name)  # fails as NumPy's import fails
    ours = _real_import("refrain.numpy", None, None, ("__name__",))
    if not fromlist:
        return ours
    found = ours
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    for wanted in fromlist:
        if wanted != "*" and not hasattr(found, wanted):
            try:
                _real_import(f"{name}.{wanted}")  # a submodule that NumPy has not loaded yet
            except ModuleNotFoundError:
                pass
    return found


def install(everywhere=False):
    """From now on, `import numpy` in files of the program means ours."""
    builtins.__import__ = Importer(everywhere)


def uninstall():
    builtins.__import__ = _real_import
