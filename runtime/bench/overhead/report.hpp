#pragma once

#include <map>
#include <string>
#include <vector>

#include "overhead/config.hpp"

namespace overhead {

/// The measurements, round by round.
class Report {
  public:
    void add(const std::string& key, const Cost& cost) {
        values_[key].push_back(cost.wall_ns);
        cpu_[key].push_back(cost.cpu_ns);
    }
    void add(const std::string& key, double value) { values_[key].push_back(value); }
    [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
    [[nodiscard]] double median(const std::string& key) const;

    /// Prints the table; limits in nanoseconds apply when the cores are near.
    void print(const Config& config) const;
    void write_json(const Config& config) const;

  private:
    std::map<std::string, std::vector<double>> values_;
    std::map<std::string, std::vector<double>> cpu_;
};

}  // namespace overhead
