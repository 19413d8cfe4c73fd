// A host that only counts, traced by the installed library.
#include <cstdio>
#include <refrain/autotrace.hpp>

namespace {

class CountingHost final : public refrain::autotrace::TraceHost {
  public:
    void issue(refrain::autotrace::OperationHandle operation) override {
        in_order_ = in_order_ && operation == issued_;
        ++issued_;
    }
    void begin_trace(refrain::autotrace::TraceId, std::size_t) override { ++begun_; }
    void end_trace(refrain::autotrace::TraceId) override { ++ended_; }

    [[nodiscard]] bool saw(std::uint64_t operations) const {
        return in_order_ && issued_ == operations && begun_ > 1 && begun_ == ended_;
    }

  private:
    std::uint64_t issued_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
    bool in_order_ = true;
};

}  // namespace

int main() {
    constexpr std::uint64_t operations = 30'000;
    CountingHost host;
    refrain::autotrace::AutoTracer tracer({.synchronous_mining = true}, host);
    for (std::uint64_t i = 0; i < operations; ++i) tracer.operation({0, i % 10}, i);
    tracer.flush();
    const std::uint64_t replayed = tracer.statistics().replayed;
    std::printf("%llu of %llu operations replayed\n", static_cast<unsigned long long>(replayed),
                static_cast<unsigned long long>(operations));
    return host.saw(operations) && replayed > operations / 2 ? 0 : 1;
}
