/// An inner loop together with the conversions of operands whose type is not the loop's.
///
// room: kernels
#pragma once

#include <algorithm>

#include "kernels/nest.hpp"

namespace refrain::array::kernels {

inline constexpr std::int64_t buffer_elements = 512;
using Buffer = std::array<std::byte, buffer_elements * 16>;

/// A loop with the conversions around it: runs of at most a buffer's length where any is needed.
class Runner {
  public:
    Runner(Loop loop, std::span<const Operand> operands, std::span<const DType> loop_types) noexcept
        : loop_(loop), count_(operands.size()) {
        for (std::size_t i = 0; i < count_; ++i) {
            if (operands[i].dtype == loop_types[i]) continue;
            casts_ = true;
            const bool is_output = i + 1 == count_;
            cast_[i] = is_output ? cast_loop(loop_types[i], operands[i].dtype)
                                 : cast_loop(operands[i].dtype, loop_types[i]);
            bytes_[i] = static_cast<std::int64_t>(bytes_of(loop_types[i]));
        }
    }

    void run(std::byte* const* addresses, const Extent* steps, std::int64_t count) const {
        if (casts_)
            run_converted(addresses, steps, count);
        else
            loop_(addresses, steps, count);
    }
    /// Only where the mask is true.
    void run_masked(std::byte* const* addresses, const Extent* steps, std::int64_t count,
                    const std::byte* mask, Extent mask_step) const {
        const auto is_set = [&](std::int64_t i) { return mask[i * mask_step] != std::byte{0}; };
        std::array<std::byte*, operands_max> at{};
        for (std::int64_t begin = 0; begin < count;) {
            if (!is_set(begin)) {
                ++begin;
                continue;
            }
            std::int64_t end = begin + 1;
            while (end < count && is_set(end)) ++end;
            for (std::size_t i = 0; i < count_; ++i) at[i] = addresses[i] + begin * steps[i];
            run(at.data(), steps, end - begin);
            begin = end;
        }
    }

  private:
    void run_converted(std::byte* const* addresses, const Extent* steps, std::int64_t count) const {
        alignas(64) std::array<Buffer, 4> buffers;  // not initialised
        std::array<std::byte*, operands_max> at{};
        std::array<std::int64_t, operands_max> loop_steps{};
        const std::size_t output = count_ - 1;
        for (std::size_t i = 0; i < count_; ++i) {
            at[i] = cast_[i] != nullptr ? buffers[i].data() : addresses[i];
            loop_steps[i] = cast_[i] != nullptr && steps[i] != 0 ? bytes_[i] : steps[i];
        }
        if (cast_[output] != nullptr) loop_steps[output] = bytes_[output];
        for (std::int64_t done = 0; done < count; done += buffer_elements) {
            const std::int64_t now = std::min(count - done, buffer_elements);
            for (std::size_t i = 0; i < count_; ++i) {
                std::byte* const from = addresses[i] + done * steps[i];
                if (cast_[i] == nullptr) {
                    at[i] = from;
                } else if (i != output && (steps[i] != 0 || done == 0)) {
                    convert(cast_[i], from, steps[i], at[i], bytes_[i], steps[i] != 0 ? now : 1);
                }
            }
            loop_(at.data(), loop_steps.data(), now);
            if (cast_[output] != nullptr)
                convert(cast_[output], at[output], bytes_[output],
                        addresses[output] + done * steps[output], steps[output], now);
        }
    }
    static void convert(Loop cast, std::byte* from, Extent from_step, std::byte* to, Extent to_step,
                        std::int64_t count) {
        std::byte* const ends[2] = {from, to};
        const std::int64_t steps[2] = {from_step, to_step};
        cast(ends, steps, count);
    }

    Loop loop_;
    std::size_t count_;
    bool casts_ = false;
    std::array<Loop, operands_max> cast_{};
    std::array<std::int64_t, operands_max> bytes_{};
};

}  // namespace refrain::array::kernels
