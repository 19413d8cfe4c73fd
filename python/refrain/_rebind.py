"""NumPy's own Python functions, with our names for what they call.

numpy.roll, numpy.gradient or numpy.kron are written in Python, in terms of smaller functions. Their code, run with
globals in which those smaller functions are ours, computes on our arrays, and does what NumPy of that version does.
"""

import types

import numpy as real

# Modules whose functions may be run so; others (input and output, strings, testing) stay NumPy's.
MODULES = frozenset(
    "numpy." + name
    for name in """
    core.numeric core._asarray core.fromnumeric core.shape_base core.function_base core.einsumfunc core._methods
    lib.function_base lib.shape_base lib.twodim_base lib.nanfunctions lib.arraysetops lib.index_tricks
    lib.stride_tricks lib.type_check lib.ufunclike lib.histograms lib.arraypad lib.utils lib.polynomial lib.scimath
    linalg.linalg fft._pocketfft fft.helper
    """.split()
)


# Compiled functions that look at no elements.
FACTS = frozenset("normalize_axis_index promote_types can_cast _using_numpy2_behavior dtype geterrobj seterrobj".split())


class Rebinder:
    """`ours` maps the identity of NumPy's functions to ours; `module` stands for numpy itself."""

    def __init__(self, ours, namespace, compiled):
        self.ours = ours
        self.namespace = namespace  # a function of NumPy -> ours
        self.compiled = compiled  # a compiled function of NumPy -> one that takes our arrays
        self.globals = {}  # by NumPy's module: what its functions see
        self.made = {}  # by the identity of NumPy's function
        self.proxies = {}

    def function(self, function):
        """`function` on our names; nothing if it is not of Python, or not of those modules."""
        plain = getattr(function, "_implementation", function)
        if not isinstance(plain, types.FunctionType) or plain.__module__ not in MODULES and plain.__globals__.get(
            "__name__"
        ) not in MODULES:
            return None
        made = self.made.get(id(plain))
        if made is not None:
            return made
        home = plain.__globals__
        names = self.globals.get(home["__name__"])
        if names is None:
            names = self.globals[home["__name__"]] = {
                "__name__": home["__name__"],
                "__package__": home.get("__package__"),
                "__builtins__": home["__builtins__"],
            }
        made = types.FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
        made.__kwdefaults__ = plain.__kwdefaults__
        made.__doc__ = function.__doc__
        made.__qualname__ = plain.__qualname__
        made.__module__ = "refrain.numpy"
        made.__wrapped__ = function
        self.made[id(plain)] = made
        self.fill(plain.__code__, home, names)
        return made

    def fill(self, code, home, names):
        """Puts what the code names into its globals."""
        for name in code.co_names:
            if name not in names and name in home:
                names[name] = home[name]  # for functions that call themselves
                names[name] = self.value(home[name])
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.fill(constant, home, names)

    def value(self, value):
        ours = self.ours.get(id(value))
        if ours is not None:
            return ours
        if isinstance(value, types.ModuleType):
            if value.__name__ == "numpy" or value.__name__.startswith(("numpy.core", "numpy.lib", "numpy.linalg", "numpy.fft")):
                return self.proxy(value)
            return value
        if isinstance(value, types.FunctionType) or hasattr(value, "_implementation"):
            return self.namespace(value) or self.function(value) or value
        if isinstance(value, types.BuiltinFunctionType) and value.__name__ not in FACTS:
            if (value.__module__ or "").startswith("numpy"):
                return self.compiled(value)
        return value

    def proxy(self, module):
        proxy = self.proxies.get(module.__name__)
        if proxy is None:
            proxy = self.proxies[module.__name__] = ModuleProxy(module, self)
        return proxy


class ModuleProxy:
    """A module of NumPy as our functions see it."""

    def __init__(self, module, rebinder):
        self.__dict__["_module"] = module
        self.__dict__["_rebinder"] = rebinder

    def __getattr__(self, name):
        value = self._rebinder.value(getattr(self._module, name))
        self.__dict__[name] = value
        return value
