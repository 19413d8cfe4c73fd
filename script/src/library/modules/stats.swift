// Statistics of arrays, and of parts that were summed up apart.
type PartialStats { int n; float mean; float M2; }
(float m, float s) stats(float A[]) { m = avg(A); s = std(A); }
(float m, float s) stats(int A[]) { m = avg(A); s = std(A); }
(int n, float m, float M2) statagg(float A[]) { n = size(A); m = avg(A); M2 = n * std(A) ** 2.0; }
(int n, float m, float M2) statagg(int A[]) { n = size(A); m = avg(A); M2 = n * std(A) ** 2.0; }
(int n, float m, float s) stat_combine(PartialStats A[]) {
  int counts[]; float sums[]; float squares[];
  foreach part, i in A {
    counts[i] = part.n;
    sums[i] = part.n * part.mean;
    squares[i] = part.M2 + part.n * (part.mean - m) ** 2.0;
  }
  n = sum_integer(counts);
  m = sum_float(sums) / n;
  s = (sum_float(squares) / n) ** 0.5;
}
