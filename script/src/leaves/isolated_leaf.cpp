#include "leaves/isolated_leaf.hpp"

#include "library/location.hpp"
#include "memo/packed_value.hpp"
#include "values/script_error.hpp"

#include <cstdint>
#include <cstdio>

namespace refrain::script {
namespace {

using processes::HelperProcess;

// What a worker's process says besides `done` and `failed`: requests to the services of the run.
constexpr char ask_print = 2;
constexpr char ask_evaluate = 3;
constexpr char ask_temporary_path = 4;
constexpr char ask_copy_file = 5;

std::uint64_t address_of(const void* object) {
    return reinterpret_cast<std::uintptr_t>(object);
}
template <class Object>
Object* object_at(std::uint64_t address) {
    return reinterpret_cast<Object*>(static_cast<std::uintptr_t>(address));
}

/// A call that is asked for. The process is a copy: what is at an address here is there, too.
struct CallOrder {
    std::uint64_t leaf = 0;
    std::uint64_t services = 0;
    std::uint32_t worker = 0;
    std::vector<Value> arguments;
    std::vector<Value> results;  // as on entry of Leaf::call
};
/// A value, and whether it is a temporary file.
using SentResult = std::pair<Value, bool>;
/// The run owns temporary files, so this process leaks its handle and never deletes one.
SentResult sent_result(const Value& value) {
    const bool temporary = value.is<Value::File>() && value.get<Value::File>()->is_temporary();
    if (temporary) static_cast<void>(new Value(value));
    return {value, temporary};
}

/// The services as the copy sees them: what is fixed is in its memory, what happens is asked for.
class RemoteServices : public Services {
  public:
    RemoteServices(int socket, Services& original, std::uint32_t worker)
        : Services(&original), socket_(socket), worker_(worker) {}

    void print(const std::string& text) override {
        static_cast<void>(asked(ask_print, packed(text)));
    }
    [[nodiscard]] std::uint32_t worker() const override { return worker_; }
    [[nodiscard]] std::string temporary_path() override { return asked(ask_temporary_path, {}); }
    void copy_file(const std::string& from, const std::string& to) override {
        static_cast<void>(asked(ask_copy_file, packed(std::pair(from, to))));
    }
    [[nodiscard]] std::string evaluate(const ForeignCode& code) override {
        return asked(ask_evaluate, packed(code));
    }

  private:
    [[nodiscard]] std::string asked(char kind, const std::string& request) const {
        HelperProcess::answer(socket_, kind, request);
        std::string reply;
        if (!HelperProcess::receive(socket_, reply)) throw ScriptError("the run has ended");
        auto [well, text] = unpacked<std::pair<bool, std::string>>(reply);
        if (!well) throw ScriptError(text);
        return std::move(text);
    }

    int socket_;
    std::uint32_t worker_;
};

/// What a request of a worker's process gets.
std::string service_reply(char kind, const std::string& request, Services& services) {
    const auto text_for = [&]() -> std::string {
        if (kind == ask_temporary_path) return services.temporary_path();
        if (kind == ask_evaluate) return services.evaluate(unpacked<ForeignCode>(request));
        if (kind == ask_print) services.print(unpacked<std::string>(request));
        if (kind == ask_copy_file) {
            const auto [from, to] = unpacked<std::pair<std::string, std::string>>(request);
            services.copy_file(from, to);
        }
        return {};
    };
    try {
        return packed(std::pair(true, text_for()));
    } catch (const std::exception& error) {
        return packed(std::pair(false, std::string(error.what())));
    }
}

/// In the process of a worker: one call.
void serve_call(int socket, const std::string& request) {
    CallOrder order = unpacked<CallOrder>(request);
    RemoteServices services(socket, *object_at<Services>(order.services), order.worker);
    [[maybe_unused]] static const bool once = put_rank_variables(services);
    char kind = HelperProcess::failed;
    std::string said;
    try {
        object_at<const Leaf>(order.leaf)->call(order.arguments, order.results, services);
        std::vector<SentResult> results;
        for (const Value& each : order.results) results.push_back(sent_result(each));
        said = packed(std::move(results), Packer::References::refused);
        kind = HelperProcess::done;
    } catch (const std::exception& error) {
        said = error.what();
    } catch (...) {
        said = "threw something that is no std::exception";
    }
    std::fflush(stdout);
    HelperProcess::answer(socket, kind, said);
}

int serve_leaves(int socket) {
    HelperProcess::answer(socket, HelperProcess::done, {});
    for (std::string request; HelperProcess::receive(socket, request);) serve_call(socket, request);
    return 0;
}

}  // namespace

void WorkerProcesses::start(std::uint32_t workers) {
    slots_.resize(workers);
    for (processes::HelperSlot& each : slots_) {
        const std::lock_guard lock(each.mutex);
        each.start_assume_locked(serve_leaves, source_, "a worker");
    }
}

void WorkerProcesses::call(const Leaf& leaf, Arguments arguments, Results results,
                           Services& services) {
    processes::HelperSlot& own = slots_.at(services.worker());
    const std::lock_guard lock(own.mutex);
    own.start_assume_locked(serve_leaves, source_, "a worker");
    HelperProcess::Answer answer =
        own.helper->ask(packed(CallOrder{address_of(&leaf),
                                         address_of(&services),
                                         services.worker(),
                                         {arguments.begin(), arguments.end()},
                                         {results.begin(), results.end()}},
                               Packer::References::refused));
    while (answer.kind > HelperProcess::done)
        answer = own.helper->ask(service_reply(answer.kind, answer.text, services));
    if (answer.ended) {
        own.helper.reset();
        throw ScriptError("the process of worker ", services.worker(), " ", answer.text,
                          " while it ran this; the run goes on with a new one (@retries=1 before "
                          "the function tries again)");
    }
    if (!answer.well()) throw ScriptError(answer.text);
    const auto made = unpacked<std::vector<SentResult>>(answer.text);
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = made[i].second ? Value::file(made[i].first.path(), true) : made[i].first;
}

}  // namespace refrain::script
