/// Products of matrices, and linear algebra.
///
///     Array c = linalg::product(a, b);                                   // a @ b
///     Array x = linalg::call(linalg::Routine::solve, inputs).front();    // inputs: {a, b}
///
/// Matrices are the last two axes; those before them are a stack, and broadcast. BLAS and LAPACK run
/// with one thread per task; large products are cut into tiles by their shapes alone, so results do not
/// depend on the number of workers. Integers and booleans have NumPy's bits.
///
/// Errors:  ArrayError as NumPy's, at once for shapes; of kind `linear_algebra` (numpy.linalg.LinAlgError) at the
///          wait for the result, or at once if it was computed at once.
/// Threads: the launching thread.
///
// room: linear
#pragma once

#include "refrain/array/array.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace refrain::array::linalg {

/// numpy.matmul of two arrays of one type, of rank 1 and more.
[[nodiscard]] Array product(const Array& a, const Array& b);
/// The sum of a[i] * b[i] of two vectors of one type; `conjugates`: of conj(a[i]) * b[i].
[[nodiscard]] Array inner(const Array& a, const Array& b, bool conjugates = false);

/// The routines of NumPy's linear algebra, by their names there (numpy.linalg._umath_linalg).
enum class Routine : std::uint8_t {
    det,          // (m,m) -> ()
    slogdet,      // (m,m) -> (), () real
    inv,          // (m,m) -> (m,m)
    solve,        // (m,m),(m,n) -> (m,n)
    solve1,       // (m,m),(m) -> (m)
    cholesky_lo,  // (m,m) -> (m,m)
    qr_r_raw,     // (m,n), which becomes R and reflectors -> (min(m,n))
    qr_reduced,   // (m,n),(k) -> (m,k)
    qr_complete,  // (m,n),(n) -> (m,m)
    svd,          // (m,n) -> (k) real
    svd_s,        // (m,n) -> (m,k), (k) real, (k,n)
    svd_f,        // (m,n) -> (m,m), (k) real, (n,n)
    eig,          // (m,m) -> (m), (m,m), complex
    eigvals,      // (m,m) -> (m) complex
    eigh_lo,      // (m,m) -> (m) real, (m,m)
    eigh_up,
    eigvalsh_lo,  // (m,m) -> (m) real
    eigvalsh_up,
    lstsq,  // (m,n),(m,r),() real -> (n,r), (r) real, () int32, (k) real
};
[[nodiscard]] std::optional<Routine> routine_named(std::string_view name) noexcept;

/// Calls a routine on float64 or complex128.
[[nodiscard]] std::vector<Array> call(Routine routine, std::span<const Array> inputs);

}  // namespace refrain::array::linalg
