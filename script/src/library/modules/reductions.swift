// Arrays of arrays, reduced over the outer key.
import stats;
(int o[]) reduce_sum_integer(int A[][]) {
  int by_key[][];
  foreach row, i in A { foreach x, key in row { by_key[key][i] = x; } }
  foreach column, key in by_key { o[key] = sum_integer(column); }
}
(string o[]) reduce_splice_string(string A[][]) {
  string by_key[][];
  foreach row, i in A { foreach x, key in row { by_key[key][i] = x; } }
  foreach column, key in by_key { o[key] = only_string(column); }
}
