#include "refrain/array/fft.hpp"

#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <kissfft/kissfft.hh>
#include <memory>
#include <string>
#include <vector>

namespace refrain::array::fft {

namespace {

using Complex = std::complex<double>;

/// Factors of the transforms that this thread computed last: making them takes longer than using them once.
class Plans {
  public:
    const kissfft<double>& plan(Extent length, bool forward) {
        for (const Entry& entry : entries_) {
            if (entry.plan != nullptr && entry.length == length && entry.forward == forward)
                return *entry.plan;
        }
        Entry& entry = entries_[next_++ % entries_.size()];
        entry.plan = std::make_unique<kissfft<double>>(static_cast<std::size_t>(length), !forward);
        entry.length = length;
        entry.forward = forward;
        return *entry.plan;
    }

  private:
    struct Entry {
        Extent length = 0;
        bool forward = true;
        std::unique_ptr<kissfft<double>> plan;
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
    const kissfft<double>& plan = plans.plan(call.length, call.forward);
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
        plan.transform(row.data(), transformed.data());
        store(call, transformed, to.address + to_offset * static_cast<Extent>(bytes_of(to.dtype)),
              to.layout.strides[axis]);
    }
}

constexpr Extent elements_per_tile = Extent{1} << 17;
constexpr Extent tiles_max = 16;

}  // namespace

bool suits(Extent length) noexcept {
    if (length < 1) return false;
    for (const Extent factor : {2, 3, 5})
        while (length % factor == 0) length /= factor;
    return length == 1;
}

Array transform(Kind kind, const Array& array, bool forward, double factor) {
    const DType wanted = kind == Kind::real ? DType::float64 : DType::complex128;
    if (array.rank() == 0 || array.dtype() != wanted)
        throw ArrayError(ErrorKind::type, "transform: takes " + std::string(name_of(wanted)) +
                                              " of rank 1 and more");
    const int axis = array.rank() - 1;
    const Extent length = array.shape()[axis];
    if (!suits(length))
        throw ArrayError(ErrorKind::value, "transform: the length " + std::to_string(length) +
                                               " has a prime factor above 5");
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
