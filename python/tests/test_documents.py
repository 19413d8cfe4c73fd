"""Sessions that the documents show are what happens."""

import doctest
import os
import unittest

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")


class Documents(unittest.TestCase):
    def test_the_tutorial_is_a_session(self):
        with open(os.path.join(DOCS, "tutorial.md")) as file:
            text = file.read().replace("```", "")  # the end of a block is not printed
        session = doctest.DocTestParser().get_doctest(text, {}, "tutorial.md", "tutorial.md", 0)
        self.assertGreater(len(session.examples), 20)
        said = []
        runner = doctest.DocTestRunner()
        runner.run(session, out=said.append)
        self.assertEqual(runner.failures, 0, "".join(said))


if __name__ == "__main__":
    unittest.main()
