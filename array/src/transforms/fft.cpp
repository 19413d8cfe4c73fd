#include "refrain/array/fft.hpp"

#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <kissfft/kissfft.hh>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace refrain::array::fft {

namespace {

using Complex = std::complex<double>;
__extension__ using Wide = unsigned __int128;

constexpr Extent direct_factor_max = 13;

bool is_direct(Extent length) {
    for (Extent factor = 2; factor <= direct_factor_max; ++factor)
        while (length % factor == 0) length /= factor;
    return length == 1;
}

/// exp(-+ 2 pi i k / n), exact to the last bit but one.
Complex turn(Extent k, Extent n, bool forward) {
    constexpr long double circle = 6.283185307179586476925286766559005768L;
    const long double angle =
        circle * static_cast<long double>(k % n) / static_cast<long double>(n);
    const auto sine = static_cast<double>(std::sin(angle));
    return {static_cast<double>(std::cos(angle)), forward ? -sine : sine};
}

/// A transform of one length: by butterflies, or, where the length has a large prime factor, by a cyclic
/// convolution of a longer one (Bluestein).
class Plan {
  public:
    Plan(Extent length, bool forward)
        : length_(length), padded_(length), direct_(is_direct(length)) {
        if (direct_) {
            forward_.emplace(static_cast<std::size_t>(length), !forward);
            return;
        }
        padded_ = 2 * length - 1;
        while (!is_smooth(padded_)) ++padded_;
        forward_.emplace(static_cast<std::size_t>(padded_), false);
        backward_.emplace(static_cast<std::size_t>(padded_), true);
        for (Extent k = 0; k < length; ++k)
            chirp_.push_back(turn(static_cast<Extent>(static_cast<Wide>(k) * static_cast<Wide>(k) %
                                                      static_cast<Wide>(2 * length)),
                                  2 * length, forward));
        transform_kernel();
    }

    [[nodiscard]] Extent length() const noexcept { return length_; }
    void transform(const std::vector<Complex>& from, std::vector<Complex>& to) {
        if (direct_) {
            forward_->transform(from.data(), to.data());
            return;
        }
        work_.assign(static_cast<std::size_t>(padded_), Complex());
        other_.resize(work_.size());
        for (std::size_t k = 0; k < chirp_.size(); ++k) work_[k] = times(from[k], chirp_[k]);
        forward_->transform(work_.data(), other_.data());
        for (std::size_t k = 0; k < other_.size(); ++k) other_[k] = times(other_[k], kernel_[k]);
        backward_->transform(other_.data(), work_.data());
        for (std::size_t k = 0; k < chirp_.size(); ++k) to[k] = times(work_[k], chirp_[k]);
    }

  private:
    /// In longer precision, once per plan: the errors of three transforms add up.
    void transform_kernel() {
        using Long = std::complex<long double>;
        std::vector<Long> kernel(static_cast<std::size_t>(padded_));
        std::vector<Long> transformed(kernel.size());
        for (Extent k = 0; k < length_; ++k) {
            const Complex value = std::conj(chirp_[static_cast<std::size_t>(k)]);
            kernel[static_cast<std::size_t>(k)] = value;
            if (k > 0) kernel[static_cast<std::size_t>(padded_ - k)] = value;
        }
        const kissfft<long double> plan(kernel.size(), false);
        plan.transform(kernel.data(), transformed.data());
        for (Long value : transformed) {
            value /= static_cast<long double>(padded_);
            kernel_.emplace_back(static_cast<double>(value.real()),
                                 static_cast<double>(value.imag()));
        }
    }
    static bool is_smooth(Extent length) {
        for (const Extent factor : {2, 3, 5})
            while (length % factor == 0) length /= factor;
        return length == 1;
    }
    /// Without the checks for infinities that the operator makes.
    static Complex times(Complex a, Complex b) {
        return {a.real() * b.real() - a.imag() * b.imag(),
                a.real() * b.imag() + a.imag() * b.real()};
    }

    Extent length_;
    Extent padded_;
    bool direct_;
    std::optional<kissfft<double>> forward_;
    std::optional<kissfft<double>> backward_;
    std::vector<Complex> chirp_;
    std::vector<Complex> kernel_;  // transformed
    std::vector<Complex> work_, other_;
};

/// The transforms that this thread computed last: making them takes longer than using them once.
class Plans {
  public:
    Plan& plan(Extent length, bool forward) {
        for (Entry& entry : entries_) {
            if (entry.plan != nullptr && entry.plan->length() == length && entry.forward == forward)
                return *entry.plan;
        }
        Entry& entry = entries_[next_++ % entries_.size()];
        entry.plan = std::make_unique<Plan>(length, forward);
        entry.forward = forward;
        return *entry.plan;
    }

  private:
    struct Entry {
        bool forward = true;
        std::unique_ptr<Plan> plan;
    };
    std::array<Entry, 4> entries_;
    std::size_t next_ = 0;
};

struct Call {
    Kind kind;
    bool forward;
    Extent length;
    double factor;
};

void load(const Call& call, const std::byte* from, Extent stride, std::vector<Complex>& row) {
    if (call.kind == Kind::real) {
        const double* at = reinterpret_cast<const double*>(from);
        for (Complex& element : row) {
            element = *at;
            at += stride;
        }
        return;
    }
    const Complex* at = reinterpret_cast<const Complex*>(from);
    if (call.kind == Kind::complex) {
        for (Complex& element : row) {
            element = *at;
            at += stride;
        }
        return;
    }
    const std::size_t n = row.size();
    for (std::size_t i = 0; 2 * i <= n; ++i) {
        Complex value = at[static_cast<Extent>(i) * stride];
        if (i == 0 || 2 * i == n) value = value.real();
        row[i] = value;
        if (i > 0) row[n - i] = std::conj(value);
    }
}

void store(const Call& call, const std::vector<Complex>& row, std::byte* to, Extent stride) {
    if (call.kind == Kind::real_inverse) {
        double* at = reinterpret_cast<double*>(to);
        for (const Complex& element : row) {
            *at = element.real() * call.factor;
            at += stride;
        }
        return;
    }
    Complex* at = reinterpret_cast<Complex*>(to);
    const std::size_t count = call.kind == Kind::real ? row.size() / 2 + 1 : row.size();
    for (std::size_t i = 0; i < count; ++i) {
        *at = row[i] * call.factor;
        at += stride;
    }
}

/// views: the result, the array.
void transform_rows(const WorkFrame& frame) {
    thread_local Plans plans;
    const Call call = frame.parameters<Call>();
    Plan& plan = plans.plan(call.length, call.forward);
    std::vector<Complex> row(static_cast<std::size_t>(call.length));
    std::vector<Complex> transformed(row.size());
    const WorkView& to = frame.views[0];
    const WorkView& from = frame.views[1];
    const int axis = to.layout.rank() - 1;
    const Extent rows = to.layout.size() / to.layout.shape[axis];
    for (Extent position = 0; position < rows; ++position) {
        Extent to_offset = 0;
        Extent from_offset = 0;
        Extent rest = position;
        for (int d = axis; d-- > 0;) {
            const Extent index = rest % to.layout.shape[d];
            rest /= to.layout.shape[d];
            to_offset += index * to.layout.strides[d];
            from_offset += index * from.layout.strides[d];
        }
        load(call, from.address + from_offset * static_cast<Extent>(bytes_of(from.dtype)),
             from.layout.strides[axis], row);
        plan.transform(row, transformed);
        store(call, transformed, to.address + to_offset * static_cast<Extent>(bytes_of(to.dtype)),
              to.layout.strides[axis]);
    }
}

constexpr Extent elements_per_tile = Extent{1} << 17;
constexpr Extent tiles_max = 16;

}  // namespace

Array transform(Kind kind, const Array& array, bool forward, double factor) {
    const DType wanted = kind == Kind::real ? DType::float64 : DType::complex128;
    if (array.rank() == 0 || array.dtype() != wanted)
        throw ArrayError(ErrorKind::type, "transform: takes " + std::string(name_of(wanted)) +
                                              " of rank 1 and more");
    const int axis = array.rank() - 1;
    const Extent length = array.shape()[axis];
    if (length < 1) throw ArrayError(ErrorKind::value, "transform: the last axis has no elements");
    Extents shape = array.shape();
    if (kind == Kind::real) shape[axis] = length / 2 + 1;
    const Array result = array.machine().empty(
        shape, kind == Kind::real_inverse ? DType::float64 : DType::complex128);
    if (array.size() == 0) return result;
    const bool tiled = axis > 0;
    const WorkUse uses[] = {{&result, Privilege::write, tiled ? 0 : -1},
                            {&array, Privilege::read, tiled ? 0 : -1}};
    Work work;
    work.name = "fft";
    work.function = &transform_rows;
    work.uses = uses;
    Extent levels = 1;
    while ((Extent{1} << levels) < length) ++levels;
    work.cost = array.size() * levels * 8;
    if (tiled)
        work.tiles =
            std::clamp<Extent>(array.size() / elements_per_tile, 1, std::min(tiles_max, shape[0]));
    array.machine().issue(std::move(work).with(Call{kind, forward, length, factor}));
    return result;
}

}  // namespace refrain::array::fft
