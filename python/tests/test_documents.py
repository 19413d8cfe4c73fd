"""Sessions that the documents show are what happens."""

import doctest
import os
import re
import shutil
import tempfile
import unittest

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")


class Documents(unittest.TestCase):
    def check(self, name, names, least):
        """Runs the blocks of Python in a document as one session that knows these names."""
        with open(os.path.join(DOCS, name)) as file:
            text = re.sub(r"^```c\n.*?^```$", "", file.read(), flags=re.M | re.S)
        text = text.replace("```", "")  # the end of a block is not printed
        session = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
        self.assertGreater(len(session.examples), least)
        said = []
        runner = doctest.DocTestRunner()
        runner.run(session, out=said.append)
        self.assertEqual(runner.failures, 0, "".join(said))

    def test_the_tutorial_is_a_session(self):
        self.check("tutorial.md", {}, 20)

    @unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
    def test_tasks_of_ones_own_are_a_session(self):
        before = os.getcwd()
        os.chdir(os.path.join(DOCS, ".."))
        try:
            with tempfile.TemporaryDirectory() as folder:
                self.check("tasks.md", {"folder": folder}, 20)
        finally:
            os.chdir(before)

    def test_code_of_c_is_that_of_the_example(self):
        with open(os.path.join(DOCS, "tasks.md")) as file:
            (shown,) = re.findall(r"^```c\n(.*?)^```$", file.read(), flags=re.M | re.S)
        with open(os.path.join(DOCS, "..", "examples", "tasks", "particles.c")) as file:
            code = file.read()
        function = shown[:shown.index("static const refrain_task tasks")].split("\n")
        for line in filter(None, function):
            self.assertIn(line, code)


if __name__ == "__main__":
    unittest.main()
