"""A notebook, executed: arrays display as NumPy's, and %%refrain_report says what a cell's lines did."""

import unittest

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError as error:
    nbclient = None
    MISSING = f"{error.name} is not installed (packages python3-ipykernel, python3-nbclient)"

CELLS = [
    "%load_ext refrain\nimport refrain.numpy as np",
    "np.arange(6.0).reshape(2, 3)",
    "np.arange(3.0).sum()",
    "print(np.zeros(2))",
    "%%refrain_report\na = np.arange(10.0)\nb = a * 2\nb = b + a\nfloat(b[3])",
    "b[3]",
]


class Notebook(unittest.TestCase):
    def test_cells_display_and_report(self):
        if nbclient is None:
            self.skipTest(MISSING)
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
        nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
        shown = []
        for cell in book.cells:
            parts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
            shown.append("".join(parts))
        self.assertEqual(shown[:4], ["", "array([[0., 1., 2.],\n       [3., 4., 5.]])", "3.0", "[0. 0.]\n"])
        self.assertEqual(shown[5], "9.0")
        report = shown[4]
        self.assertIn("9.0", report)
        self.assertRegex(report, r"refrain: \d+ operations were ours, 0 calls were computed by NumPy, [1-9]\d* values were waited for")
        for line in ("b = a * 2", "b = b + a", "float(b[3])"):
            self.assertIn(line, report)


if __name__ == "__main__":
    unittest.main()
