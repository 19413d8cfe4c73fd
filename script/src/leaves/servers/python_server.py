# Answers requests until the other end is closed. Code of calls that keep state runs in __main__, other code in a
# new dictionary. Requests are read in Python, which releases the interpreter's lock: threads
# that a call has started keep running between calls.
def _refrain_serve(fd):
    import builtins, os, sys
    names = globals()
    del names['_refrain_serve']
    read, write, order = os.read, os.write, sys.byteorder
    compiled = {}

    def compiled_anew(text, mode):
        name = '<expression>' if mode == 'eval' else '<code>'
        try:
            return compile(text, name, mode)
        except IndentationError:
            import textwrap
            return compile(textwrap.dedent(text), name, mode)

    def code_of(text, mode):
        code = compiled.get((text, mode))
        if code is None:
            if len(compiled) >= 1000:
                compiled.clear()
            code = compiled[text, mode] = compiled_anew(text, mode)
        return code

    def place(error, texts):
        if isinstance(error, SyntaxError):
            for name, text in texts.items():
                if error.filename == name and error.lineno:
                    return name, text, error.lineno
        step = error.__traceback__
        while step is not None:
            name = step.tb_frame.f_code.co_filename
            if name in texts and step.tb_frame.f_code.co_name == '<module>':
                return name, texts[name], step.tb_lineno
            step = step.tb_next

    def told(error, code, expression):
        import traceback
        said = traceback.format_exception_only(type(error), error)[-1].strip()
        found = place(error, {'<code>': code, '<expression>': expression})
        if found is None:
            return said
        name, text, number = found
        lines = text.splitlines()
        line = lines[number - 1].strip() if 0 < number <= len(lines) else ''
        where = 'the expression' if name == '<expression>' else f'line {number} of the code'
        return f'{said} (in {where}: {line})'

    def flush():
        for each in (sys.stdout, sys.stderr):
            try:
                each.flush()
            except (AttributeError, OSError, ValueError):
                pass  # the code has closed or replaced it

    def evaluated(keeps, code, expression):
        try:
            where = names if keeps else {'__name__': '__main__', '__builtins__': builtins}
            if code:
                exec(code_of(code, 'exec'), where)
            value = eval(code_of(expression.strip(), 'eval'), where) if expression else ''
            if isinstance(value, str):
                value.encode('utf-8', 'surrogateescape')  # raises if there is no such text
                return True, value
            text = repr(value)
            text = text if len(text) < 60 else text[:57] + '...'
            return False, (f"the expression '{expression}' is {text} of the type "
                           f"{type(value).__name__}, not a text; write repr({expression}) or str({expression})")
        except BaseException as error:
            return False, told(error, code, expression)
        finally:
            flush()

    def answer(well, text):
        data = text.encode('utf-8', 'surrogateescape' if well else 'backslashreplace')
        data = len(data).to_bytes(8, order) + (b'\1' if well else b'\0') + data
        while data:
            data = data[write(fd, data):]

    def request():
        data = read(fd, 65536)
        while len(data) < 9 or len(data) < 9 + int.from_bytes(data[:8], order):
            more = read(fd, 1 << 20)
            if not more:
                return b''
            data = bytearray(data) if isinstance(data, bytes) else data
            data += more
        return data

    answer(True, '')
    while True:
        data = request()
        if not data:
            break
        # Of a ForeignCode, 8 bytes each: the language, whether it keeps state, how long each of two texts is.
        end = 33 + int.from_bytes(data[25:33], order)
        code = data[33:end].decode('utf-8', 'surrogateescape')
        answer(*evaluated(any(data[17:25]), code, data[end + 8:].decode('utf-8', 'surrogateescape')))
    import atexit
    atexit._run_exitfuncs()
    flush()
