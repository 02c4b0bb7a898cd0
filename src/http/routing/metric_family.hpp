#pragma once

#include <eddy/http/routing/metrics_registry.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::detail {

/// What a metric counts for one set of labels: the cells of its handles, and the sum that destroyed handles
/// have left. It lives as long as its registry or the last of its handles.
class metric_series {
public:
    /// `labels`: as they are written between the braces.
    metric_series(std::string labels, bool is_gauge, std::span<const double> bounds)
        : labels_(std::move(labels)),
          is_gauge_(is_gauge),
          bounds_(bounds.begin(), bounds.end()),
          left_counts_(bounds.size() + 1) {}

    [[nodiscard]] const std::string& labels() const noexcept { return labels_; }
    [[nodiscard]] std::span<const double> bounds() const noexcept { return bounds_; }

    void add(metric_cell& cell);
    void remove(metric_cell& cell) noexcept;
    void ask(std::function<double()> function);

    void append_to(std::string& out, std::string_view name, bool is_histogram) const;

private:
    struct totals;
    [[nodiscard]] totals gather(std::size_t buckets) const;

    std::string labels_;
    bool is_gauge_;
    std::vector<double> bounds_;
    mutable std::mutex mutex_;
    std::vector<metric_cell*> cells_;
    std::vector<std::uint64_t> left_counts_;
    double left_sum_ = 0;
    std::function<double()> ask_;
};

/// All series of one name. Guarded by the registry's lock.
class metric_family {
public:
    metric_family(std::string_view name, std::string_view help, int kind, std::span<const double> bounds)
        : name_(name), help_(help), kind_(kind), bounds_(bounds.begin(), bounds.end()) {}

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    [[nodiscard]] bool is_like(int kind, std::span<const double> bounds) const noexcept;
    /// Throws std::invalid_argument for label names that the other series do not have.
    [[nodiscard]] std::shared_ptr<metric_series> series(const metric_labels& labels);
    void append_to(std::string& out) const;

private:
    std::string name_;
    std::string help_;
    int kind_;
    std::vector<double> bounds_;
    std::vector<std::string> label_names_;
    std::vector<std::shared_ptr<metric_series>> series_;
};

}  // namespace eddy::http::detail
