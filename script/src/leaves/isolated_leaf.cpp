#include "leaves/isolated_leaf.hpp"

#include "values/script_error.hpp"

#include <cstdint>
#include <cstdio>

#include "memo/packed_value.hpp"

namespace refrain::script {
namespace {

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

/// Packs a file with its temporary flag. The run owns temporary files, so this process leaks its handle and never
/// deletes one.
void pack_result(Packer& packer, const Value& value) {
    const bool temporary = value.is<Value::File>() && value.get<Value::File>()->is_temporary();
    if (temporary) static_cast<void>(new Value(value));
    packer.number(temporary ? 1 : 0);
    packer.value(value);
}
Value unpacked_result(Unpacker& unpacker) {
    const bool temporary = unpacker.number() != 0;
    Value value = unpacker.value();
    return temporary ? Value::file(value.path(), true) : value;
}

/// The services as the copy sees them: what is fixed is in its memory, what happens is asked for.
class RemoteServices : public ForwardingServices {
  public:
    RemoteServices(int socket, Services& original, std::uint32_t worker)
        : ForwardingServices(original), socket_(socket), worker_(worker) {}

    void print(const std::string& text) override {
        Packer packer;
        packer.text(text);
        static_cast<void>(asked(ask_print, packer));
    }
    [[nodiscard]] std::uint32_t worker() const override { return worker_; }
    [[nodiscard]] std::string temporary_path() override {
        return asked(ask_temporary_path, Packer());
    }
    void copy_file(const std::string& from, const std::string& to) override {
        Packer packer;
        packer.text(from);
        packer.text(to);
        static_cast<void>(asked(ask_copy_file, packer));
    }
    [[nodiscard]] std::string evaluate(const ForeignCode& code) override {
        Packer packer;
        packer.number(static_cast<std::uint64_t>(code.language));
        packer.text(code.code);
        packer.text(code.expression);
        packer.number(code.keeps_state ? 1 : 0);
        return asked(ask_evaluate, packer);
    }

  private:
    [[nodiscard]] std::string asked(char kind, const Packer& packer) const {
        HelperProcess::answer(socket_, kind, packer.bytes());
        std::string reply;
        if (!HelperProcess::receive(socket_, reply)) throw ScriptError("the run has ended");
        Unpacker unpacker(reply);
        const bool well = unpacker.number() != 0;
        std::string text = unpacker.text();
        if (!well) throw ScriptError(text);
        return text;
    }

    int socket_;
    std::uint32_t worker_;
};

/// What a request of a worker's process gets.
std::string service_reply(char kind, const std::string& request, Services& services) {
    Unpacker unpacker(request);
    Packer reply;
    const auto text_for = [&]() -> std::string {
        if (kind == ask_temporary_path) return services.temporary_path();
        if (kind == ask_evaluate) {
            ForeignCode code;
            code.language = static_cast<ForeignCode::Language>(unpacker.number());
            const std::string piece = unpacker.text();
            const std::string expression = unpacker.text();
            code.code = piece;
            code.expression = expression;
            code.keeps_state = unpacker.number() != 0;
            return services.evaluate(code);
        }
        const std::string first = unpacker.text();
        if (kind == ask_copy_file)
            services.copy_file(first, unpacker.text());
        else
            services.print(first);
        return {};
    };
    try {
        const std::string text = text_for();
        reply.number(1);
        reply.text(text);
    } catch (const std::exception& error) {
        reply.number(0);
        reply.text(error.what());
    }
    return reply.bytes();
}

std::string packed_call(const Leaf& leaf, std::span<const Value> arguments,
                        std::span<const Value> results, Services& services) {
    Packer packer;
    packer.number(address_of(&leaf));
    packer.number(address_of(&services));
    packer.number(services.worker());
    for (const std::span<const Value> each : {arguments, results}) {
        packer.number(each.size());
        for (const Value& value : each) packer.value(value);
    }
    return packer.bytes();
}

/// In the process of a worker: one call.
void serve_call(int socket, const std::string& request) {
    Unpacker unpacker(request);
    const auto* leaf = object_at<const Leaf>(unpacker.number());
    auto* original = object_at<Services>(unpacker.number());
    RemoteServices services(socket, *original, static_cast<std::uint32_t>(unpacker.number()));
    std::vector<Value> arguments(unpacker.number());
    for (Value& each : arguments) each = unpacker.value();
    std::vector<Value> results(unpacker.number());
    for (Value& each : results) each = unpacker.value();
    char kind = HelperProcess::done;
    Packer packer;
    try {
        leaf->call(arguments, results, services);
        for (const Value& each : results) pack_result(packer, each);
    } catch (const std::exception& error) {
        kind = HelperProcess::failed;
        packer = Packer();
        packer.text(error.what());
    } catch (...) {
        kind = HelperProcess::failed;
        packer = Packer();
        packer.text("threw something that is no std::exception");
    }
    std::fflush(stdout);
    HelperProcess::answer(socket, kind, packer.bytes());
}

int serve_leaves(int socket) {
    HelperProcess::answer(socket, HelperProcess::done, {});
    for (std::string request; HelperProcess::receive(socket, request);) serve_call(socket, request);
    return 0;
}

}  // namespace

void WorkerProcesses::start_assume_locked(Slot& own) {
    own.helper = std::make_unique<HelperProcess>(serve_leaves, processes_);
    const HelperProcess::Answer answer = own.helper->greeting();
    if (answer.well()) return;
    own.helper.reset();
    throw ScriptError("the process of a worker " + answer.text + " when it began");
}

void WorkerProcesses::start(std::uint32_t workers) {
    slots_.resize(workers);
    for (Slot& each : slots_) {
        const std::lock_guard lock(each.mutex);
        start_assume_locked(each);
    }
}

void WorkerProcesses::call(const Leaf& leaf, std::span<const Value> arguments,
                           std::span<Value> results, Services& services) {
    Slot& own = slots_.at(services.worker());
    const std::lock_guard lock(own.mutex);
    if (own.helper == nullptr) start_assume_locked(own);
    HelperProcess::Answer answer = own.helper->ask(packed_call(leaf, arguments, results, services));
    while (answer.kind > HelperProcess::done)
        answer = own.helper->ask(service_reply(answer.kind, answer.text, services));
    if (answer.ended) {
        own.helper.reset();
        throw ScriptError("the process of worker " + std::to_string(services.worker()) + " " +
                          answer.text +
                          " while it ran this; the run goes on with a new one (@retries=1 before "
                          "the function tries again)");
    }
    Unpacker unpacker(answer.text);
    if (!answer.well()) throw ScriptError(unpacker.text());
    for (Value& each : results) each = unpacked_result(unpacker);
}

}  // namespace refrain::script
