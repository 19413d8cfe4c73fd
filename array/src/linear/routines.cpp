#include "refrain/array/linalg.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "linear/matrices.hpp"

namespace refrain::array::linalg {

namespace {

using Complex = std::complex<double>;

enum class Element : std::uint8_t { same, real, complex, count };  // of a result or an input

/// A signature such as "(m,n),(k)->(m,k)": letters of core axes; k is min(m,n) where no input sets it.
struct Description {
    const char* name;
    const char* outputs;  // such as "mk k kn", "." for a number
    const char* inputs;   // likewise
    Element elements[4];  // of the outputs
    Step real_step;
    Step complex_step;
    int weight;  // of a multiplication, in units of an elementwise function
    bool writes_first_input = false;
};

constexpr Element same = Element::same;
constexpr Element real = Element::real;
constexpr Description descriptions[] = {
    {"det", ".", "mm", {same}, determinant<double>, determinant<Complex>, 2},
    {"slogdet",
     ". .",
     "mm",
     {same, real},
     sign_and_logarithm<double>,
     sign_and_logarithm<Complex>,
     2},
    {"inv", "mm", "mm", {same}, invert<double>, invert<Complex>, 4},
    {"solve", "mn", "mm mn", {same}, solve<double>, solve<Complex>, 2},
    {"solve1", "m", "mm m", {same}, solve<double>, solve<Complex>, 2},
    {"cholesky_lo", "mm", "mm", {same}, cholesky<double>, cholesky<Complex>, 2},
    {"qr_r_raw", "k", "mn", {same}, qr_factor<double>, qr_factor<Complex>, 4, true},
    {"qr_reduced", "mk", "mn k", {same}, qr_assemble<double>, qr_assemble<Complex>, 4},
    {"qr_complete", "mm", "mn n", {same}, qr_assemble<double>, qr_assemble<Complex>, 4},
    {"svd", "k", "mn", {real}, singular_values<double>, singular_values<Complex>, 16},
    {"svd_s",
     "mk k kn",
     "mn",
     {same, real, same},
     singular_vectors<double, 'S'>,
     singular_vectors<Complex, 'S'>,
     32},
    {"svd_f",
     "mm k nn",
     "mn",
     {same, real, same},
     singular_vectors<double, 'A'>,
     singular_vectors<Complex, 'A'>,
     32},
    {"eig",
     "m mm",
     "mm",
     {Element::complex, Element::complex},
     eigenvectors<double>,
     eigenvectors<Complex>,
     64},
    {"eigvals", "m", "mm", {Element::complex}, eigenvalues<double>, eigenvalues<Complex>, 32},
    {"eigh_lo",
     "m mm",
     "mm",
     {real, same},
     hermitian_eigenvectors<double, 'L'>,
     hermitian_eigenvectors<Complex, 'L'>,
     16},
    {"eigh_up",
     "m mm",
     "mm",
     {real, same},
     hermitian_eigenvectors<double, 'U'>,
     hermitian_eigenvectors<Complex, 'U'>,
     16},
    {"eigvalsh_lo",
     "m",
     "mm",
     {real},
     hermitian_eigenvalues<double, 'L'>,
     hermitian_eigenvalues<Complex, 'L'>,
     8},
    {"eigvalsh_up",
     "m",
     "mm",
     {real},
     hermitian_eigenvalues<double, 'U'>,
     hermitian_eigenvalues<Complex, 'U'>,
     8},
    {"lstsq",
     "nr r . k",
     "mn mr .",
     {same, real, Element::count, real},
     least_squares<double>,
     least_squares<Complex>,
     32},
};

constexpr std::size_t operands_max = 8;

struct Call {
    Step step;
    int views;
    std::array<int, operands_max> core;
};

void walk(const WorkFrame& frame) {
    const Call call = frame.parameters<Call>();
    const Stack stack(frame, {call.core.data(), static_cast<std::size_t>(call.views)});
    for (Extent position = 0; position < stack.count(); ++position) call.step(stack, position);
}

/// The words of a description: letters of the core axes of one operand each.
std::vector<std::string> words_of(const char* text) {
    std::vector<std::string> words(1);
    for (; *text != 0; ++text) {
        if (*text == ' ')
            words.emplace_back();
        else if (*text != '.')
            words.back() += *text;
    }
    return words;
}

struct Sizes {
    std::array<Extent, 26> of{};
    std::array<bool, 26> known{};

    [[nodiscard]] Extent operator[](char letter) const {
        const auto i = static_cast<std::size_t>(letter - 'a');
        if (letter == 'k' && !known[i]) return std::min((*this)['m'], (*this)['n']);
        return of[i];
    }
    /// False: another size is known already.
    [[nodiscard]] bool set(char letter, Extent size) {
        const auto i = static_cast<std::size_t>(letter - 'a');
        if (known[i]) return of[i] == size;
        known[i] = true;
        of[i] = size;
        return true;
    }
};

Extents shape_of(const Extents& stack, const std::string& core, const Sizes& sizes) {
    Extents shape(stack.size() + static_cast<int>(core.size()), 0);
    for (int d = 0; d < stack.size(); ++d) shape[d] = stack[d];
    for (std::size_t d = 0; d < core.size(); ++d)
        shape[stack.size() + static_cast<int>(d)] = sizes[core[d]];
    return shape;
}

Extents stack_of(const Extents& shape, std::size_t core) {
    Extents stack(shape.size() - static_cast<int>(core), 0);
    for (int d = 0; d < stack.size(); ++d) stack[d] = shape[d];
    return stack;
}

[[noreturn]] void refuse_shape(const Description& what, std::size_t input, const Extents& shape) {
    throw ArrayError(ErrorKind::value,
                     std::string(what.name) + ": Input operand " + std::to_string(input) +
                         " has a mismatch in its core dimensions; its shape is " + shape.text());
}

DType dtype_of(Element element, DType input) {
    switch (element) {
        case Element::same:
            return input;
        case Element::real:
            return DType::float64;
        case Element::complex:
            return DType::complex128;
        case Element::count:
            return DType::int32;
    }
    return input;
}

std::int64_t cost_of(const Description& what, const Extents& stack, const Sizes& sizes) {
    std::int64_t matrices = 1;
    for (const Extent extent : stack) matrices *= extent;
    const Extent n = sizes.known['n' - 'a'] ? sizes['n'] : sizes['m'];
    return matrices * (sizes['m'] * n * std::max(sizes['m'], n) * what.weight + 4096);
}

}  // namespace

std::optional<Routine> routine_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::size(descriptions); ++i) {
        if (name == descriptions[i].name) return static_cast<Routine>(i);
    }
    return std::nullopt;
}

std::vector<Array> call(Routine routine, std::span<const Array> inputs) {
    const Description& what = descriptions[static_cast<std::size_t>(routine)];
    const std::vector<std::string> input_cores = words_of(what.inputs);
    const std::vector<std::string> output_cores = words_of(what.outputs);
    if (inputs.size() != input_cores.size())
        throw ArrayError(ErrorKind::type, std::string(what.name) + " takes " +
                                              std::to_string(input_cores.size()) + " arrays, not " +
                                              std::to_string(inputs.size()));
    const DType type = inputs[0].dtype();
    Sizes sizes;
    std::vector<Extents> stacks;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const DType wanted = input_cores[i].empty() ? DType::float64 : type;
        if (inputs[i].dtype() != wanted ||
            (wanted != DType::float64 && wanted != DType::complex128))
            throw ArrayError(ErrorKind::type, std::string(what.name) +
                                                  " computes in float64 and complex128, not in " +
                                                  std::string(name_of(inputs[i].dtype())));
        const Extents& shape = inputs[i].shape();
        const auto core = static_cast<int>(input_cores[i].size());
        if (shape.size() < core) refuse_shape(what, i, shape);
        for (int d = 0; d < core; ++d) {
            if (!sizes.set(input_cores[i][static_cast<std::size_t>(d)],
                           shape[shape.size() - core + d]))
                refuse_shape(what, i, shape);
        }
        stacks.push_back(stack_of(shape, input_cores[i].size()));
    }
    const std::optional<Extents> stack = broadcast_shapes(stacks);
    if (!stack) refuse_shape(what, inputs.size() - 1, inputs.back().shape());

    Machine& machine = inputs[0].machine();
    Call call{type == DType::float64 ? what.real_step : what.complex_step,
              static_cast<int>(inputs.size() + output_cores.size()),
              {}};
    std::vector<Array> arrays;
    std::vector<WorkUse> uses;
    for (std::size_t i = 0; i < output_cores.size(); ++i) {
        arrays.push_back(machine.empty(shape_of(*stack, output_cores[i], sizes),
                                       dtype_of(what.elements[i], type)));
        call.core[i] = static_cast<int>(output_cores[i].size());
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Extents shape = shape_of(*stack, input_cores[i], sizes);
        arrays.push_back(inputs[i].view(*inputs[i].layout().broadcast_to(shape)));
        call.core[output_cores.size() + i] = static_cast<int>(input_cores[i].size());
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const bool is_output = i < output_cores.size();
        uses.push_back({&arrays[i], is_output ? Privilege::write
                                    : what.writes_first_input && i == output_cores.size()
                                        ? Privilege::read_write
                                        : Privilege::read});
    }
    Work work;
    work.name = what.name;
    work.function = &walk;
    work.uses = uses;
    work.cost = cost_of(what, *stack, sizes);
    work.hashes_bytes = false;
    machine.issue(std::move(work).with(call));
    arrays.resize(output_cores.size());
    return arrays;
}

}  // namespace refrain::array::linalg
