// Random programs on arrays give the bits of a sequential interpreter, whatever runs them.
//
// The interpreter keeps every root as a vector of elements and goes through views element by element;
// it calls the same loops, on contiguous copies of whole operands at once.

#include "refrain/array/array.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"

namespace refrain::array::random_programs_test {

using Bytes = std::vector<std::byte>;

/// An array of the interpreter: a view of a root.
struct Model {
    std::shared_ptr<Bytes> root;
    Layout layout;
    DType dtype = DType::float64;
};

template <class F>
void for_each_index(const Extents& shape, F&& f) {
    Extents index(shape.size(), 0);
    Extent size = 1;
    for (const Extent extent : shape) size *= extent;
    for (Extent i = 0; i < size; ++i) {
        f(index);
        for (int d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d]) break;
            index[d] = 0;
        }
    }
}

Extent position(const Layout& layout, const Extents& index) {
    Extent at = layout.offset;
    for (int d = 0; d < index.size(); ++d) at += layout.strides[d] * index[d];
    return at;
}

/// The elements of the view, broadcast to the shape, row-major.
Bytes gathered(const Model& model, const Extents& shape) {
    const std::size_t bytes = bytes_of(model.dtype);
    const Layout layout = *model.layout.broadcast_to(shape);
    Bytes result(static_cast<std::size_t>(layout.size()) * bytes);
    std::byte* to = result.data();
    for_each_index(shape, [&](const Extents& index) {
        std::memcpy(to,
                    model.root->data() + static_cast<std::size_t>(position(layout, index)) * bytes,
                    bytes);
        to += bytes;
    });
    return result;
}

void scatter(const Bytes& elements, const Model& model, const Bytes* mask = nullptr) {
    const std::size_t bytes = bytes_of(model.dtype);
    std::size_t i = 0;
    for_each_index(model.layout.shape, [&](const Extents& index) {
        if (mask == nullptr || (*mask)[i] != std::byte{0})
            std::memcpy(model.root->data() +
                            static_cast<std::size_t>(position(model.layout, index)) * bytes,
                        elements.data() + i * bytes, bytes);
        ++i;
    });
}

kernels::Operand rows(Bytes& elements, DType type, std::vector<Extent>& strides,
                      const Extents& shape) {
    strides.assign(static_cast<std::size_t>(shape.size()), 0);
    Extent stride = static_cast<Extent>(bytes_of(type));
    for (int d = shape.size(); d-- > 0;) {
        strides[static_cast<std::size_t>(d)] = stride;
        stride *= shape[d];
    }
    return {elements.data(), strides.data(), type};
}

bool same_bits(const Bytes& a, const Bytes& b, DType type) {
    if (a.size() != b.size()) return false;
    if (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0) return true;
    // Not-a-numbers count as equal, whatever their bits.
    const auto equal = [&]<class T>(T) {
        for (std::size_t i = 0; i < a.size(); i += sizeof(T)) {
            T x, y;
            std::memcpy(&x, a.data() + i, sizeof(T));
            std::memcpy(&y, b.data() + i, sizeof(T));
            if (std::memcmp(&x, &y, sizeof(T)) != 0 && !(std::isnan(x) && std::isnan(y)))
                return false;
        }
        return true;
    };
    if (type == DType::float64 || type == DType::complex128) return equal(double{});
    if (type == DType::float32 || type == DType::complex64) return equal(float{});
    return false;
}

class Program {
  public:
    Program(Machine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {}

    /// Empty, or what differs.
    std::string run(int steps) {
        for (int i = 0; i < 4; ++i) make();
        for (int i = 0; i < steps && wrong_.empty(); ++i) step();
        for (std::size_t i = 0; i < arrays_.size() && wrong_.empty(); ++i) compare(i);
        return wrong_;
    }

  private:
    struct Pair {
        Array array;
        Model model;
    };

    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    std::size_t any() { return static_cast<std::size_t>(below(arrays_.size())); }

    DType any_type() {
        static constexpr DType types[] = {DType::float64, DType::float64, DType::float64,
                                          DType::float32, DType::int64,   DType::int32,
                                          DType::uint8,   DType::boolean, DType::complex128};
        return types[below(std::size(types))];
    }
    Extents any_shape() {
        const auto rank = static_cast<int>(below(6));
        Extents shape(rank, 1);
        for (Extent& extent : shape) extent = static_cast<Extent>(1 + below(rank > 3 ? 4 : 7));
        if (rank > 0 && one_in(2))
            shape[static_cast<int>(below(static_cast<std::uint64_t>(rank)))] =
                static_cast<Extent>(20 + below(60));
        if (rank > 0 && one_in(25)) shape[0] = 0;
        return shape;
    }

    /// A new array of small whole numbers.
    void make() {
        const DType type = any_type();
        const Extents shape = any_shape();
        const Layout layout = Layout::row_major(shape);
        Model model{
            std::make_shared<Bytes>(static_cast<std::size_t>(layout.size()) * bytes_of(type)),
            layout, type};
        const std::size_t bytes = bytes_of(type);
        for (std::size_t i = 0; i < model.root->size(); i += bytes) {
            const Scalar value =
                converted(Scalar::of(static_cast<double>(below(9)) * 0.37 - 1.0), type);
            std::memcpy(model.root->data() + i, value.bytes.data(), bytes);
        }
        Array array;
        if (one_in(3)) {
            array = machine_.empty(shape, type, one_in(3));
            const Array source = machine_.copy_of(model.root->data(), layout, type);
            machine_.assign(array, source);
            adopt_layout(array, model);
        } else {
            array = machine_.copy_of(model.root->data(), layout, type);
        }
        arrays_.push_back({std::move(array), std::move(model)});
    }

    /// Stores of machines may have their elements in another order: the model gets the same.
    static void adopt_layout(const Array& array, Model& model) {
        const Bytes elements = gathered(model, model.layout.shape);
        model.layout = array.layout();
        scatter(elements, model);
    }

    /// A random view of an array.
    Pair any_view(std::size_t from) {
        Layout layout = arrays_[from].array.layout();
        for (std::uint64_t changes = below(3); changes-- > 0 && layout.rank() > 0;) {
            const auto axis = static_cast<int>(below(static_cast<std::uint64_t>(layout.rank())));
            const Extent extent = layout.shape[axis];
            switch (below(5)) {
                case 0:
                case 1: {
                    if (extent == 0) break;
                    const auto start =
                        static_cast<Extent>(below(static_cast<std::uint64_t>(extent)));
                    Extent step = static_cast<Extent>(1 + below(2));
                    if (one_in(4)) step = -step;
                    const Extent count_max =
                        step > 0 ? (extent - start + step - 1) / step : start / -step + 1;
                    const Extent count =
                        count_max - static_cast<Extent>(below(std::min<std::uint64_t>(
                                        static_cast<std::uint64_t>(count_max), 3)));
                    layout = layout.slice(axis, start, step, count);
                    break;
                }
                case 2:
                    layout = layout.transposed();
                    break;
                case 3:
                    if (extent > 0 && layout.rank() > 1) layout = layout.at(axis, extent / 2);
                    break;
                default: {
                    const std::optional<Layout> line = layout.reshaped({layout.size()});
                    if (line.has_value()) layout = *line;
                }
            }
        }
        return {arrays_[from].array.view(layout),
                {arrays_[from].model.root, layout, arrays_[from].model.dtype}};
    }

    /// A view of `of` that broadcasts to the shape, if there is one.
    bool fit(Pair& pair, const Extents& shape) const {
        return pair.model.layout.broadcast_to(shape).has_value();
    }
    /// An array that can be an operand beside one of that shape.
    Pair operand_for(const Extents& shape) {
        for (int tries = 0; tries < 12; ++tries) {
            Pair pair = any_view(any());
            if (fit(pair, shape)) return pair;
        }
        const DType type = any_type();
        const Scalar value = converted(Scalar::of(static_cast<double>(below(5)) + 1.0), type);
        Model model{std::make_shared<Bytes>(16), Layout{}, type};
        std::memcpy(model.root->data(), value.bytes.data(), bytes_of(type));
        return {machine_.copy_of(value.bytes.data(), Layout{}, type), std::move(model)};
    }

    void step() {
        switch (below(12)) {
            case 0:
                make();
                break;
            case 1:
            case 2:
                ufunc(false);
                break;
            case 3:
            case 4:
                ufunc(true);
                break;
            case 5:
                assign();
                break;
            case 6:
                reduce();
                break;
            case 7:
                select();
                break;
            case 8: {
                if (arrays_.size() > 3) {
                    const std::size_t victim = any();
                    arrays_.erase(arrays_.begin() + static_cast<std::ptrdiff_t>(victim));
                }
                break;
            }
            case 9:
                one_in(3) ? compare(any()) : read_one();
                break;
            case 10:
                one_in(2) ? loop() : export_one();
                break;
            default:
                accumulate();
                break;
        }
        if (arrays_.size() > 12) arrays_.erase(arrays_.begin());
    }

    Ufunc any_function() {
        static constexpr Ufunc functions[] = {
            Ufunc::add,          Ufunc::add,      Ufunc::subtract, Ufunc::multiply,
            Ufunc::true_divide,  Ufunc::maximum,  Ufunc::minimum,  Ufunc::less,
            Ufunc::equal,        Ufunc::square,   Ufunc::absolute, Ufunc::logical_and,
            Ufunc::floor_divide, Ufunc::negative, Ufunc::sqrt,     Ufunc::isnan};
        return functions[below(std::size(functions))];
    }

    void ufunc(bool in_place) {
        const Ufunc function = any_function();
        Pair first = any_view(any());
        std::vector<Pair> inputs{first};
        if (inputs_of(function) == 2) {
            inputs.push_back(operand_for(first.array.shape()));
            if (one_in(2)) std::swap(inputs[0], inputs[1]);
        }
        std::vector<TypeOperand> types;
        std::vector<Scalar> values(inputs.size());
        std::vector<Operand> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Model& model = inputs[i].model;
            values[i] = Scalar{.dtype = model.dtype};
            if (inputs[i].array.rank() == 0)
                std::memcpy(values[i].bytes.data(), gathered(model, {}).data(),
                            bytes_of(model.dtype));
            types.push_back({model.dtype, inputs[i].array.rank() == 0, &values[i]});
            operands.push_back(inputs[i].array);
        }
        const std::optional<UfuncTypes> resolved = resolve(function, types);
        if (!resolved.has_value()) {
            EXPECT_THROW((void)machine_.call(function, operands), ArrayError);
            return;
        }
        const Extents shape = first.array.shape();
        UfuncOptions options;
        Pair target;
        if (in_place) {
            for (int tries = 0; tries < 12; ++tries) {
                Pair pair = any_view(any());
                if (pair.array.shape() == shape && !pair.array.layout().may_repeat_elements()) {
                    target = pair;
                    options.out = &target.array;
                    options.casting = Casting::unsafe;
                    break;
                }
            }
        }
        Pair mask;
        if (one_in(4) && options.out != nullptr) {
            const Pair compared = operand_for(shape);
            const Operand both[] = {compared.array, 1.0};
            if (resolve(Ufunc::not_equal, std::vector<TypeOperand>{{compared.model.dtype, false},
                                                                   {DType::float64, true}})
                    .has_value()) {
                mask.array = machine_.call(Ufunc::not_equal, both);
                Bytes zeros = gathered(compared.model, compared.array.shape());
                Bytes result(static_cast<std::size_t>(compared.array.size()));
                std::vector<Extent> a, b, c;
                Scalar one = Scalar::of(1.0);
                Bytes ones(sizeof(double));
                std::memcpy(ones.data(), one.bytes.data(), sizeof(double));
                kernels::Operand scalar = rows(ones, DType::float64, b, compared.array.shape());
                std::fill(b.begin(), b.end(), 0);
                const TypeOperand pair[] = {
                    {compared.model.dtype, compared.array.rank() == 0, nullptr},
                    {DType::float64, true, &one}};
                const UfuncTypes loop = *resolve(Ufunc::not_equal, pair);
                const kernels::Operand list[] = {
                    rows(zeros, compared.model.dtype, a, compared.array.shape()), scalar,
                    rows(result, DType::boolean, c, compared.array.shape())};
                (void)kernels::run_elementwise(Ufunc::not_equal, loop, compared.array.shape(),
                                               list);
                mask.model = {std::make_shared<Bytes>(result),
                              Layout::row_major(compared.array.shape()), DType::boolean};
                options.where = &mask.array;
            }
        }

        // The interpreter, before the call.
        std::vector<Bytes> gathers;
        std::vector<std::vector<Extent>> strides(inputs.size() + 1);
        std::vector<kernels::Operand> list;
        gathers.reserve(inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            gathers.push_back(gathered(inputs[i].model, shape));
            list.push_back(rows(gathers[i], inputs[i].model.dtype, strides[i], shape));
        }
        const DType type = options.out != nullptr ? target.model.dtype : resolved->output;
        Bytes result(static_cast<std::size_t>(first.array.size()) * bytes_of(type));
        list.push_back(rows(result, type, strides.back(), shape));
        if (first.array.size() > 0)
            (void)kernels::run_elementwise(function, *resolved, shape, list);
        Bytes mask_elements;
        if (options.where != nullptr) mask_elements = gathered(mask.model, shape);

        const Array made = machine_.call(function, operands, options);
        if (options.out != nullptr) {
            scatter(result, target.model, options.where != nullptr ? &mask_elements : nullptr);
            return;
        }
        if (made.dtype() != resolved->output || !(made.shape() == shape)) {
            wrong_ = "type or shape of " + std::string(name_of(function));
            return;
        }
        keep(made, std::move(result));
    }

    void keep(const Array& array, Bytes elements) {
        Model model{std::make_shared<Bytes>(elements.size()), array.layout(), array.dtype()};
        if (array.size() > 0) scatter(elements, model);
        arrays_.push_back({array, std::move(model)});
    }

    void assign() {
        Pair target = any_view(any());
        if (target.array.layout().may_repeat_elements()) return;
        const Extents shape = target.array.shape();
        Pair source = operand_for(shape);
        Bytes elements = gathered(source.model, shape);
        Bytes result(static_cast<std::size_t>(target.array.size()) * bytes_of(target.model.dtype));
        std::vector<Extent> a, b;
        if (target.array.size() > 0)
            (void)kernels::run_copy(shape, rows(elements, source.model.dtype, a, shape),
                                    rows(result, target.model.dtype, b, shape));
        machine_.assign(target.array, source.array);
        scatter(result, target.model);
    }

    void reduce() {
        static constexpr Ufunc functions[] = {Ufunc::add, Ufunc::multiply, Ufunc::maximum,
                                              Ufunc::logical_or};
        const Ufunc function = functions[below(std::size(functions))];
        const Pair source = any_view(any());
        const int rank = source.array.rank();
        const std::optional<UfuncTypes> types = resolve_reduction(function, source.model.dtype);
        if (!types.has_value()) return;
        ReduceOptions options;
        std::vector<int> axes;
        for (int d = 0; d < rank; ++d) {
            if (one_in(2)) axes.push_back(d);
        }
        if (one_in(2)) {
            axes.clear();
            for (int d = 0; d < rank; ++d) axes.push_back(d);
        } else {
            options.axes = axes;
        }
        options.keepdims = one_in(3);
        if (source.array.size() == 0) return;
        const Array made = machine_.reduce(function, source.array, options);
        // The same view of the same elements in one piece: the bits depend on the strides.
        Extents kept = source.array.shape();
        for (const int axis : axes) kept[axis] = 1;
        Bytes result(bytes_of(types->output) *
                     static_cast<std::size_t>(Layout::row_major(kept).size()));
        std::vector<Extent> a, b;
        for (const Extent stride : source.model.layout.strides)
            a.push_back(stride * static_cast<Extent>(bytes_of(source.model.dtype)));
        const kernels::Operand input{
            source.model.root->data() +
                static_cast<std::size_t>(source.model.layout.offset) * bytes_of(source.model.dtype),
            a.data(), source.model.dtype};
        const kernels::Operand output = rows(result, types->output, b, kept);
        for (const int axis : axes) b[static_cast<std::size_t>(axis)] = 0;
        (void)kernels::run_reduction(function, *types, source.array.shape(), input, output);
        keep(made, std::move(result));
    }

    void accumulate() {
        const Pair source = any_view(any());
        if (source.array.rank() == 0 || source.array.size() == 0) return;
        const auto axis = static_cast<int>(below(static_cast<std::uint64_t>(source.array.rank())));
        const std::optional<UfuncTypes> types = resolve_reduction(Ufunc::add, source.model.dtype);
        if (!types.has_value()) return;
        const Array made = machine_.accumulate(Ufunc::add, source.array, axis);
        Bytes elements = gathered(source.model, source.array.shape());
        Bytes result(bytes_of(types->output) * static_cast<std::size_t>(source.array.size()));
        std::vector<Extent> a, b;
        (void)kernels::run_accumulate(Ufunc::add, *types, source.array.shape(), axis,
                                      rows(elements, source.model.dtype, a, source.array.shape()),
                                      rows(result, types->output, b, source.array.shape()));
        keep(made, std::move(result));
    }

    void select() {
        const Pair yes = any_view(any());
        const Extents shape = yes.array.shape();
        const Pair no = operand_for(shape);
        const Pair condition = operand_for(shape);
        const Array made = machine_.where(condition.array, yes.array, no.array);
        Bytes a = gathered(condition.model, shape);
        Bytes b = gathered(yes.model, shape);
        Bytes c = gathered(no.model, shape);
        Bytes result(bytes_of(made.dtype()) * static_cast<std::size_t>(made.size()));
        std::vector<Extent> sa, sb, sc, sd;
        if (made.size() > 0)
            (void)kernels::run_select(shape, rows(a, condition.model.dtype, sa, shape),
                                      rows(b, yes.model.dtype, sb, shape),
                                      rows(c, no.model.dtype, sc, shape),
                                      rows(result, made.dtype(), sd, shape));
        keep(made, std::move(result));
    }

    /// The same operations several times, with a temporary: what tracing looks for.
    void loop() {
        Pair target = any_view(any());
        if (target.array.layout().may_repeat_elements() || target.array.size() == 0) return;
        if (target.model.dtype != DType::float64) return;
        const Extents shape = target.array.shape();
        const Operand factor = 0.5;
        for (int i = 0; i < 12; ++i) {
            const Operand product[] = {target.array, factor};
            const Array half = machine_.call(Ufunc::multiply, product);
            const Operand sum[] = {half, Operand(1.0)};
            UfuncOptions options;
            options.out = &target.array;
            (void)machine_.call(Ufunc::add, sum, options);
        }
        Bytes elements = gathered(target.model, shape);
        for (std::size_t i = 0; i < elements.size(); i += sizeof(double)) {
            double value;
            std::memcpy(&value, elements.data() + i, sizeof value);
            for (int n = 0; n < 12; ++n) value = value * 0.5 + 1.0;
            std::memcpy(elements.data() + i, &value, sizeof value);
        }
        scatter(elements, target.model);
    }

    /// The host changes elements between two operations.
    void export_one() {
        Pair pair = arrays_[any()];
        if (pair.array.size() == 0) return;
        auto* address = static_cast<std::byte*>(machine_.begin_export(pair.array, true));
        const std::size_t bytes = bytes_of(pair.model.dtype);
        const Scalar value = converted(Scalar::of(1.0), pair.model.dtype);
        const Extents origin(pair.array.rank(), 0);
        std::memcpy(address, value.bytes.data(), bytes);
        std::memcpy(pair.model.root->data() +
                        static_cast<std::size_t>(position(pair.model.layout, origin)) * bytes,
                    value.bytes.data(), bytes);
        // While it is visible, an operation on it is complete at once.
        if (!pair.array.layout().may_repeat_elements()) {
            machine_.assign(pair.array, converted(Scalar::of(0.0), pair.model.dtype));
            Bytes zeros(static_cast<std::size_t>(pair.array.size()) * bytes);
            scatter(zeros, pair.model);
            const Scalar zero{.dtype = pair.model.dtype};
            if (std::memcmp(address, zero.bytes.data(), bytes) != 0)
                wrong_ = "an operation on exported memory was not complete";
        }
        machine_.end_export(pair.array);
    }

    void read_one() {
        const Pair pair = any_view(any());
        if (pair.array.size() == 0) return;
        Layout layout = pair.array.layout();
        while (layout.rank() > 0)
            layout = layout.at(
                0, static_cast<Extent>(below(static_cast<std::uint64_t>(layout.shape[0]))));
        const Scalar value = machine_.item(pair.array.view(layout));
        const std::size_t bytes = bytes_of(pair.model.dtype);
        Bytes seen(value.bytes.begin(), value.bytes.begin() + static_cast<std::ptrdiff_t>(bytes));
        const Bytes expected = gathered({pair.model.root, layout, pair.model.dtype}, {});
        if (!same_bits(seen, expected, pair.model.dtype)) wrong_ = "an element that was read";
    }

    void compare(std::size_t which) {
        const Pair& pair = arrays_[which];
        const std::size_t bytes = bytes_of(pair.model.dtype);
        Bytes seen(static_cast<std::size_t>(pair.array.size()) * bytes);
        machine_.copy_to(pair.array, seen.data());
        if (pair.array.size() == 0) return;
        if (!same_bits(seen, gathered(pair.model, pair.array.shape()), pair.model.dtype))
            wrong_ = "array " + std::to_string(which) + " of shape " + pair.array.shape().text() +
                     " and type " + std::string(name_of(pair.model.dtype));
    }

    Machine& machine_;
    std::mt19937_64 random_;
    std::vector<Pair> arrays_;
    std::string wrong_;
};

struct Mode {
    const char* name;
    unsigned workers;
    int tracing;  // 0 untraced, 1 automatic, 2 mined
    Tuning tuning;
};
void PrintTo(const Mode& mode, std::ostream* out) {
    *out << mode.name;
}

Options options_of(const Mode& mode) {
    Options options;
    options.workers = mode.workers;
    options.tracing.automatic = mode.tracing != 0;
    if (mode.tracing == 2) {
        options.tracing.recogniser = Recogniser::mined;
        options.tracing.mining.synchronous = true;
        options.tracing.mining.multi_scale_factor = 16;
    }
    options.observe.log = LogLevel::off;
    return options;
}

class RandomPrograms : public testing::TestWithParam<Mode> {};

TEST_P(RandomPrograms, give_the_bits_of_a_sequential_interpreter) {
    const Mode& mode = GetParam();
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        Machine machine(options_of(mode), mode.tuning);
        const std::string wrong = Program(machine, seed).run(60);
        ASSERT_EQ(wrong, "") << "seed " << seed << ", mode " << mode.name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    , RandomPrograms,
    testing::Values(Mode{"at_once", 1, 1, {}}, Mode{"launched", 1, 0, {0, 1 << 20, 1}},
                    Mode{"tiled", 1, 1, {0, 64, 3}}, Mode{"tiled_by_two", 2, 1, {0, 64, 4}},
                    Mode{"mixed_by_two", 2, 1, {256, 64, 2}},
                    Mode{"mined_by_two", 2, 2, {0, 64, 2}},
                    Mode{"untraced_by_four", 4, 0, {100, 32, 5}}),
    [](const testing::TestParamInfo<Mode>& of) { return std::string(of.param.name); });

TEST(StreamOfArrays, is_a_function_of_the_calls_alone) {
    for (std::uint64_t seed = 100; seed < 110; ++seed) {
        std::vector<std::uint64_t> hashes;
        for (const Mode& mode :
             {Mode{"", 1, 1, {}}, Mode{"", 4, 0, {0, 64, 3}}, Mode{"", 2, 1, {200, 64, 2}}}) {
            Machine machine(options_of(mode), mode.tuning);
            machine.hash_stream();
            ASSERT_EQ(Program(machine, seed).run(60), "");
            hashes.push_back(machine.stream_hash());
        }
        EXPECT_NE(hashes[0], 0u);
        EXPECT_EQ(hashes[0], hashes[1]) << "seed " << seed;
        EXPECT_EQ(hashes[0], hashes[2]) << "seed " << seed;
    }
}

}  // namespace refrain::array::random_programs_test
