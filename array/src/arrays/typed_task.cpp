#include "refrain/array/typed_task.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace refrain::array::detail {

namespace {

/// A copy that lives as long as the process: equal names are one, so that tasks made again are one kind.
const char* kept_name(std::string_view name) {
    static std::mutex mutex;
    static auto* names = new std::set<std::string, std::less<>>;  // never ends
    const std::scoped_lock lock(mutex);
    return names->emplace(name).first->c_str();
}

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

bool is_name(std::string_view text) noexcept {
    return !text.empty() && text.find_first_of(" ,()") == std::string_view::npos;
}

/// The words between the brackets of "axpy(x, y, a)".
std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')') return names;
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    for (;;) {
        const std::size_t comma = rest.find(',');
        names.emplace_back(trimmed(rest.substr(0, comma)));
        if (comma == std::string_view::npos) return names;
        rest.remove_prefix(comma + 1);
    }
}

std::string line_of(const Constraint& constraint) {
    return constraint.line > 0 ? " in line " + std::to_string(constraint.line) : "";
}

std::string task(const char* name) {
    return std::string("task '") + name + "'";
}

std::string argument(const char* task_name, std::string_view name) {
    return task(task_name) + ": argument '" + std::string(name) + "' ";
}
std::string is_empty(const char* task_name, std::string_view name) {
    return argument(task_name, name) + "is an empty Array; make one first";
}

std::uint32_t bits_of(const NamedConstraint& named, const TaskParameter& parameter,
                      const char* name) {
    if (named.dims.empty()) return all_dims;
    std::uint32_t bits = 0;
    for (const int d : named.dims) {
        if (d < 0 || d >= parameter.rank)
            throw UsageError(task(name) + ": broadcast" + line_of(named.constraint) +
                             ": parameter '" + named.from + "' has rank " +
                             std::to_string(parameter.rank) + ", and no dimension " +
                             std::to_string(d) + "; leave dims out to cut none");
        bits |= std::uint32_t{1} << d;
    }
    return bits;
}

}  // namespace

TaskSignature::TaskSignature(std::string_view text, std::span<const TaskParameter> parameters,
                             std::span<const NamedConstraint> constraints)
    : name_(kept_name(trimmed(text.substr(0, text.find('('))))),
      parameters_(parameters),
      names_(names_in(trimmed(text))) {
    const bool are_names = is_name(name_) && std::all_of(names_.begin(), names_.end(), is_name);
    std::set<std::string> different(names_.begin(), names_.end());
    if (!are_names || names_.size() != parameters.size() || different.size() != names_.size())
        throw UsageError("a task of " + std::to_string(parameters.size()) +
                         " parameters is not described by '" + std::string(text) +
                         "'; give its name and theirs, all different, as in 'axpy(x, y, a)'");
    for (const NamedConstraint& named : constraints) {
        Constraint& constraint = constraints_.emplace_back(named.constraint);
        constraint.from = view_named(named, named.from);
        if (constraint.kind == Constraint::Kind::broadcast) {
            const auto it = std::find(names_.begin(), names_.end(), named.from);
            constraint.dims =
                bits_of(named, parameters[static_cast<std::size_t>(it - names_.begin())], name_);
        } else {
            constraint.to = view_named(named, named.to);
        }
    }
}

int TaskSignature::view_named(const NamedConstraint& named, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const std::string which =
        task(name_) + ": a constraint" + line_of(named.constraint) + " names '" + name + "', ";
    if (found == names_.end())
        throw UsageError(which + "but the parameters are " + base::joined(names_));
    const TaskParameter& parameter = parameters_[static_cast<std::size_t>(found - names_.begin())];
    if (!parameter.is_view)
        throw UsageError(which + "a scalar, which every tile has; constraints name arrays");
    return static_cast<int>(parameter.at);
}

void TaskSignature::check(const TaskParameter& parameter, std::string_view name,
                          const Array& array) const {
    const std::string which = argument(name_, name);
    if (!array) throw ArrayError(ErrorKind::value, is_empty(name_, name));
    const std::string wanted(name_of(parameter.dtype));
    if (array.dtype() != parameter.dtype)
        throw ArrayError(ErrorKind::type,
                         which + "is of type " + std::string(name_of(array.dtype())) +
                             ", but the task takes " + wanted + "; astype(array, DType::" +
                             (wanted == "bool" ? "boolean" : wanted) + ") converts it");
    if (array.rank() != parameter.rank)
        throw ArrayError(ErrorKind::value,
                         which + "of shape " + array.shape().text() + " has rank " +
                             std::to_string(array.rank()) + ", but the task takes rank " +
                             std::to_string(parameter.rank) + "; a view of it may have that");
    if (parameter.privilege != Privilege::read && !array.is_writable())
        throw ArrayError(ErrorKind::value, which +
                                               "is read-only, but the task writes it; a copy "
                                               "can be written");
}

void TaskSignature::issue(std::span<const TaskArgument> arguments, WorkFunction function,
                          std::shared_ptr<const void> callable) const {
    std::vector<WorkUse> uses;
    std::vector<WorkScalar> scalars;
    Work work;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const TaskParameter& parameter = parameters_[i];
        const TaskArgument& given = arguments[i];
        if (parameter.is_view) {
            check(parameter, names_[i], *given.array);
            uses.push_back({given.array, parameter.privilege, -1, parameter.fold, names_[i]});
        } else if (given.array != nullptr) {
            if (!*given.array) throw ArrayError(ErrorKind::value, is_empty(name_, names_[i]));
            scalars.push_back(
                {given.array, parameter.dtype, WorkScalar::Into::bytes, parameter.at, names_[i]});
        } else {
            std::memcpy(work.bytes + parameter.at, given.value.bytes.data(),
                        bytes_of(parameter.dtype));
        }
    }
    work.name = name_;
    work.function = function;
    work.uses = uses;
    work.constraints = constraints_;
    work.scalars = scalars;
    work.owner = std::move(callable);
    uses.front().array->machine().issue(work);
}

}  // namespace refrain::array::detail
