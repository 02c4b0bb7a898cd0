#pragma once

#include <eddy/detail/counter.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

class metrics_registry;

/// The labels of a series: names and values.
using metric_labels = std::vector<std::pair<std::string, std::string>>;

namespace detail {

class metric_family;
class metric_series;

/// What one owner has counted. It alone writes, so that counting takes no locked instruction.
class metric_cell {
public:
    explicit metric_cell(std::size_t buckets) : counts_(std::make_unique<eddy::detail::counter[]>(buckets)) {}
    [[nodiscard]] eddy::detail::counter& count(std::size_t index) noexcept { return counts_[index]; }
    [[nodiscard]] double sum() const noexcept { return sum_.load(std::memory_order_relaxed); }
    void add(double value) noexcept { set(sum() + value); }
    void set(double value) noexcept { sum_.store(value, std::memory_order_relaxed); }

private:
    std::unique_ptr<eddy::detail::counter[]> counts_;
    std::atomic<double> sum_{0};
};

/// A cell of a series, from the registry and back to it.
class metric_handle {
public:
    metric_handle(std::shared_ptr<metric_series> series, std::size_t buckets);
    metric_handle(metric_handle&&) noexcept = default;
    metric_handle& operator=(metric_handle&& other) noexcept;
    ~metric_handle() { give_back(); }

    [[nodiscard]] metric_cell& cell() const noexcept { return *cell_; }

private:
    void give_back() noexcept;

    std::shared_ptr<metric_series> series_;
    std::unique_ptr<metric_cell> cell_;
};

}  // namespace detail

/// Counts up. One owner at a time uses it, which need not be the only one of its name and labels: the page
/// shows the sum. What it has counted stays counted when it goes. As counter, gauge and histogram are made by
/// a registry, they may outlive it.
class metric_counter {
public:
    explicit metric_counter(detail::metric_handle handle) noexcept : handle_(std::move(handle)) {}
    /// Adds to it. From any thread.
    void add(std::uint64_t count = 1) noexcept { handle_.cell().count(0).add(count); }
    /// Adds one. From any thread.
    metric_counter& operator++() noexcept {
        add();
        return *this;
    }

private:
    detail::metric_handle handle_;
};

/// Goes up and down. As metric_counter, but what it shows goes with it.
class metric_gauge {
public:
    explicit metric_gauge(detail::metric_handle handle) noexcept : handle_(std::move(handle)) {}
    /// Sets it. From any thread.
    void set(double value) noexcept { handle_.cell().set(value); }
    /// Adds to it, less with a negative number. From any thread.
    void add(double value) noexcept { handle_.cell().add(value); }

private:
    detail::metric_handle handle_;
};

/// Counts values by size. As metric_counter.
class metric_histogram {
public:
    metric_histogram(detail::metric_handle handle, std::span<const double> bounds) noexcept
        : handle_(std::move(handle)), bounds_(bounds) {}
    /// Cost: a search among the bounds.
    void observe(double value) noexcept;

private:
    detail::metric_handle handle_;
    std::span<const double> bounds_;  // the family's
};

/// Counters, gauges and histograms of a program, and their text in the format of Prometheus (version 0.0.4 of
/// its text exposition format).
///
/// Each worker makes handles of its own for the same series and counts without touching what others write;
/// their sum is formed when the text is made.
///
/// - Thread safety: any thread may make metrics and the text, also while others count. A handle is
///   used by one thread at a time.
/// - Errors: std::invalid_argument for a name or label that the format does not allow, and for a name that
///   has another kind, other bounds, or a series with other label names already.
/// - Cost: counting is a load and a store. Making a handle takes a lock and a search, so keep it.
class metrics_registry {
public:
    metrics_registry();
    metrics_registry(const metrics_registry&) = delete;
    metrics_registry& operator=(const metrics_registry&) = delete;
    ~metrics_registry();

    /// `name`: of a counter ends in "_total", by custom. `help`: of the first call for the name.
    [[nodiscard]] metric_counter make_counter(std::string_view name, std::string_view help,
                                              const metric_labels& labels = {});
    /// A gauge, which goes up and down.
    [[nodiscard]] metric_gauge make_gauge(std::string_view name, std::string_view help,
                                          const metric_labels& labels = {});
    /// `bounds`: the upper bounds of the buckets, growing; one without a bound is added.
    [[nodiscard]] metric_histogram make_histogram(std::string_view name, std::string_view help,
                                                  std::span<const double> bounds,
                                                  const metric_labels& labels = {});

    /// A gauge or counter whose value is read when the text is made: by calling `ask` on the thread that
    /// makes it, one at a time. `ask` must not use the registry, which keeps it to its end.
    void add_gauge(std::string_view name, std::string_view help, std::function<double()> ask,
                   const metric_labels& labels = {});
    /// A counter whose value is requested when the page is; the function is called on the page's worker.
    void add_counter(std::string_view name, std::string_view help, std::function<double()> ask,
                     const metric_labels& labels = {});

    /// All of it, in the order in which the names were first used.
    [[nodiscard]] std::string text() const;
    /// The media type of the page.
    static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

    /// Bounds for times in seconds, from 100 µs to 10 s.
    [[nodiscard]] static std::span<const double> latency_bounds() noexcept;

private:
    enum class kind : std::uint8_t { counter, gauge, histogram };
    friend class detail::metric_family;

    [[nodiscard]] detail::metric_family& family(std::string_view name, std::string_view help, kind type,
                                                std::span<const double> bounds);
    [[nodiscard]] std::shared_ptr<detail::metric_series> series(detail::metric_family& of,
                                                                const metric_labels& labels);

    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<detail::metric_family>> families_;
};

}  // namespace eddy::http
