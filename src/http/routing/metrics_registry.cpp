#include "http/routing/metric_family.hpp"

#include <eddy/http/routing/metrics_registry.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace eddy::http {

namespace {

void require(bool holds, const char* what) {
    if (!holds)
        throw std::invalid_argument(what);
}

bool is_name_letter(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

bool is_metric_name(std::string_view name, bool may_have_colons) noexcept {
    const auto may_begin = [=](char byte) {
        return is_name_letter(byte) || (may_have_colons && byte == ':');
    };
    return !name.empty() && may_begin(name.front()) && std::ranges::all_of(name, [=](char byte) {
        return may_begin(byte) || (byte >= '0' && byte <= '9');
    });
}

constexpr std::array<double, 16> latency_seconds = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

}  // namespace

namespace detail {

metric_handle::metric_handle(std::shared_ptr<metric_series> series, std::size_t buckets)
    : series_(std::move(series)), cell_(std::make_unique<metric_cell>(buckets)) {
    series_->add(*cell_);
}

metric_handle& metric_handle::operator=(metric_handle&& other) noexcept {
    if (this != &other) {
        give_back();
        series_ = std::move(other.series_);
        cell_ = std::move(other.cell_);
    }
    return *this;
}

void metric_handle::give_back() noexcept {
    if (cell_)
        series_->remove(*cell_);
    cell_.reset();
}

}  // namespace detail

void metric_histogram::observe(double value) noexcept {
    const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
    handle_.cell().count(static_cast<std::size_t>(bucket)).add(1);
    handle_.cell().add(value);
}

metrics_registry::metrics_registry() = default;
metrics_registry::~metrics_registry() = default;

std::span<const double> metrics_registry::latency_bounds() noexcept {
    return latency_seconds;
}

// Requires: the lock is held.
detail::metric_family& metrics_registry::family(std::string_view name, std::string_view help, kind type,
                                                std::span<const double> bounds) {
    const auto found = std::ranges::find(families_, name, [](const auto& each) { return each->name(); });
    if (found != families_.end()) {
        require((*found)->is_like(static_cast<int>(type), bounds),
                "a metric of this name is of another kind");
        return **found;
    }
    require(is_metric_name(name, true), "the name of a metric is not allowed");
    require(std::ranges::is_sorted(bounds, std::less_equal<>()) || bounds.size() < 2,
            "the bounds of a histogram grow");
    return *families_.emplace_back(
        std::make_shared<detail::metric_family>(name, help, static_cast<int>(type), bounds));
}

std::shared_ptr<detail::metric_series> metrics_registry::series(detail::metric_family& of,
                                                                const metric_labels& labels) {
    for (const auto& label : labels)
        require(is_metric_name(label.first, false) && label.first != "le",
                "the name of a label is not allowed");
    return of.series(labels);
}

metric_counter metrics_registry::make_counter(std::string_view name, std::string_view help,
                                              const metric_labels& labels) {
    const std::lock_guard lock(mutex_);
    return metric_counter(detail::metric_handle(series(family(name, help, kind::counter, {}), labels), 1));
}

metric_gauge metrics_registry::make_gauge(std::string_view name, std::string_view help,
                                          const metric_labels& labels) {
    const std::lock_guard lock(mutex_);
    return metric_gauge(detail::metric_handle(series(family(name, help, kind::gauge, {}), labels), 0));
}

metric_histogram metrics_registry::make_histogram(std::string_view name, std::string_view help,
                                                  std::span<const double> bounds,
                                                  const metric_labels& labels) {
    const std::lock_guard lock(mutex_);
    detail::metric_family& of = family(name, help, kind::histogram, bounds);
    auto found = series(of, labels);
    const std::span<const double> kept = found->bounds();
    return metric_histogram(detail::metric_handle(std::move(found), bounds.size() + 1), kept);
}

void metrics_registry::add_gauge(std::string_view name, std::string_view help, std::function<double()> ask,
                                 const metric_labels& labels) {
    const std::lock_guard lock(mutex_);
    series(family(name, help, kind::gauge, {}), labels)->ask(std::move(ask));
}

void metrics_registry::add_counter(std::string_view name, std::string_view help, std::function<double()> ask,
                                   const metric_labels& labels) {
    const std::lock_guard lock(mutex_);
    series(family(name, help, kind::counter, {}), labels)->ask(std::move(ask));
}

std::string metrics_registry::text() const {
    const std::lock_guard lock(mutex_);
    std::string out;
    for (const auto& each : families_)
        each->append_to(out);
    return out;
}

}  // namespace eddy::http
