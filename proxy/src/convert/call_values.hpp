#pragma once

#include "events/event.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace refrain::proxy {

/// A communicator as one rank has it.
struct Place {
    std::int64_t number = null_handle;
    std::int64_t me = 0, size = 0;
};

/// Values of a call whose parameters are given by name. What is not given is as in every call of a recording of a trace.
class CallValues {
  public:
    using Values = std::vector<std::int64_t>;
    static constexpr std::int64_t type = 4;       // MPI_BYTE
    static constexpr std::int64_t operation = 8;  // MPI_BOR, which bytes have

    CallValues(Function function, const Place& place) : function_(function), place_(place) {}

    CallValues& with(std::string_view name, Values values) {
        given_[name] = std::move(values);
        return *this;
    }
    CallValues& with(std::string_view name, std::int64_t value) {
        return with(name, Values{value});
    }
    CallValues& with_array(std::string_view name, const Values& elements) {
        Values values{static_cast<std::int64_t>(elements.size())};
        values.insert(values.end(), elements.begin(), elements.end());
        return with(name, std::move(values));
    }
    /// Memory that is read, and memory that is written.
    CallValues& with_buffers(std::int64_t read, std::int64_t written) {
        read_ = read, written_ = written;
        return *this;
    }
    CallValues& at_root(bool root) {
        root_ = root;
        return *this;
    }

    /// Whether there is memory that is read, or written, at this rank.
    [[nodiscard]] bool reads() const { return has_buffer(true); }
    [[nodiscard]] bool writes() const { return has_buffer(false); }
    [[nodiscard]] Event event() const;

  private:
    [[nodiscard]] bool has_buffer(bool read) const;
    [[nodiscard]] Values values_of(const Parameter& parameter) const;

    Function function_;
    const Place& place_;
    std::map<std::string_view, Values> given_;
    std::int64_t read_ = buffer_unused, written_ = buffer_unused;
    bool root_ = true;
};

}  // namespace refrain::proxy
