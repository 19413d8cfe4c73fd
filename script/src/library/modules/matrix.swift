// Vectors and matrices, printed a number or a row per line.
import io;
import string;
(void v) _print(string lines[]) {
  if (size(lines) > 0) { v = printf("%s", join(lines, "\n")); } else { v = make_void(); }
}
(void v) _print_rows(string rows[], int count) {
  string shown[];
  foreach row, i in rows { if (i < count) { shown[i] = sprintf("\nrow %i: %s", i, row); } }
  v = printf("matrix rows: %i%s", count, join(shown, ""));
}
(void v) vector_print(float x[]) {
  string lines[];
  foreach each, i in x { lines[i] = sprintf("%i: %0.4f", i, each); }
  v = _print(lines);
}
(void v) vector_print_integer(int x[]) {
  string lines[];
  foreach each, i in x { lines[i] = sprintf("%i: %i", i, each); }
  v = _print(lines);
}
(void v) matrix_print(float A[][], int rows) {
  string all[];
  foreach row, i in A {
    string words[];
    foreach each, j in row { words[j] = sprintf(" %0.4f", each); }
    all[i] = join(words, "");
  }
  v = _print_rows(all, rows);
}
(void v) matrix_print_integer(int A[][], int rows) {
  string all[];
  foreach row, i in A {
    string words[];
    foreach each, j in row { words[j] = sprintf(" %i", each); }
    all[i] = join(words, "");
  }
  v = _print_rows(all, rows);
}
