"""Names that are NumPy's by design: settings, facts about types, shapes and memory, text, reading and writing.

They compute nothing of an array's elements, so that no program is slower for them, and no line is warned of.
"""

import numpy as real

from refrain._fallback import NATIVE, NUMPYS, Views

NAMES = frozenset(
    """
    add_docstring add_newdoc add_newdoc_ufunc array2string array_repr array_str base_repr binary_repr broadcast_shapes byte_bounds
    datetime_data deprecate deprecate_with_doc disp find_common_type format_float_positional format_float_scientific
    get_array_wrap get_include get_printoptions info issctype issubclass_ issubdtype issubsctype lookfor may_share_memory maximum_sctype
    obj2sctype printoptions promote_types safe_eval sctype2char set_printoptions set_string_function shares_memory
    show_config show_runtime source test who
    frombuffer fromfile fromiter fromregex fromstring genfromtxt loadtxt recfromcsv recfromtxt savetxt
    """.split()
)


def _numpys(function, name):
    def fact(*args, **kwargs):
        views = Views()
        result = function(*views.to_numpy(args), **views.to_numpy(kwargs))
        return views.adopt(result)

    fact.__name__ = fact.__qualname__ = name
    fact.__doc__ = function.__doc__
    fact.__module__ = "refrain.numpy"
    fact.__wrapped__ = function
    return fact


for _name in NAMES:
    _function = getattr(real, _name, None)
    if _function is not None and not isinstance(_function, type) and id(_function) not in NATIVE:
        NATIVE[id(_function)] = _ours = _numpys(_function, _name)
        NUMPYS[id(_ours)] = _function
