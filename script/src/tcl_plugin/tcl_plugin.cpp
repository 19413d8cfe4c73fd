/// What the program finds in the plug-in: leaves/tcl_leaf.hpp.

#include "leaves/tcl_leaf.hpp"
#include "tcl_plugin/interpreter.hpp"

#include <atomic>
#include <mutex>

namespace refrain::script::tcl {
namespace {

/// The interpreter of a thread, for one run: the first thread outlives it.
struct OfThread {
    std::unique_ptr<Interpreter> interpreter;
    std::uint64_t run = 0;

    OfThread() = default;
    OfThread(const OfThread&) = delete;
    OfThread& operator=(const OfThread&) = delete;
    ~OfThread() {
        if (interpreter == nullptr) return;
        interpreter.reset();
        Tcl_FinalizeThread();
    }
};
thread_local OfThread of_thread;

class Evaluator : public TclEvaluator {
  public:
    explicit Evaluator(std::vector<std::string> folders) : folders_(std::move(folders)) {
        static std::once_flag found;
        std::call_once(found, [] { Tcl_FindExecutable(nullptr); });
        static std::atomic<std::uint64_t> runs{0};
        run_ = runs.fetch_add(1, std::memory_order_relaxed) + 1;  // only the numbers matter
    }
    void prepare(const ir::LeafDefinition& leaf) override { own().require(leaf); }
    void call(const ir::LeafDefinition& leaf, Arguments arguments, Results results,
              Services& services) override {
        own().call(leaf, arguments, results, services);
    }
    void run(const std::string& text, Services& services) override { own().run(text, services); }

  private:
    [[nodiscard]] Interpreter& own() const {
        if (of_thread.run != run_) {
            of_thread.interpreter = std::make_unique<Interpreter>(folders_);
            of_thread.run = run_;
        }
        return *of_thread.interpreter;
    }

    std::vector<std::string> folders_;
    std::uint64_t run_ = 0;
};

}  // namespace
}  // namespace refrain::script::tcl

extern "C" __attribute__((visibility("default"))) refrain::script::TclEvaluator*
refrain_script_open_tcl(const std::vector<std::string>& package_folders) {
    return new refrain::script::tcl::Evaluator(package_folders);
}
