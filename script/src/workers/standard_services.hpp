#pragma once

#include "library/services.hpp"

#include <atomic>
#include <mutex>

namespace refrain::script {

/// The name of this machine.
[[nodiscard]] std::string host_name();

/// The services of a run of the command: output goes to standard output, as a whole at a time.
class StandardServices : public Services {
  public:
    StandardServices(std::vector<std::string> arguments, int workers)
        : arguments_(std::move(arguments)), workers_(workers) {}

    void print(const std::string& text) override;
    [[nodiscard]] const std::vector<std::string>& arguments() const override { return arguments_; }
    [[nodiscard]] int workers() const override { return workers_; }
    [[nodiscard]] int servers() const override { return 1; }
    /// This one, unless hosts have been set.
    [[nodiscard]] std::vector<std::string> hosts() const override;
    void set_hosts(std::vector<std::string> hosts) { hosts_ = std::move(hosts); }
    /// In SWIFT_TMP, TMP or /tmp, with the suffix .turbine.
    [[nodiscard]] std::string temporary_path() override;
    void copy_file(const std::string& from, const std::string& to) override;

  private:
    std::vector<std::string> arguments_;
    int workers_;
    std::vector<std::string> hosts_;
    std::mutex mutex_;
    std::atomic<std::uint64_t> temporary_files_{0};
};

}  // namespace refrain::script
