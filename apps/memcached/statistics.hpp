#pragma once

#include "memcached/answer.hpp"
#include "memcached/counters.hpp"
#include "memcached/moment.hpp"
#include "memcached/store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace eddy::apps::memcached {

/// The values of `stats settings`.
struct told_settings {
    std::size_t connections_max = 0;
    std::uint16_t port = 0;
    std::string address;
    std::string unix_path;
    std::size_t workers = 1;
    std::size_t line_bytes_max = 0;
    bool forbids_flush = false;
    int unix_mode = 0;
    std::string backend;
};

/// Answers `stats` out of what the workers have counted and what the store holds.
///
/// Thread safety: any worker may call. What is counted while it adds up may be in the sum or not.
class statistics {
public:
    /// `counted` are those of the workers; they and the store outlive this.
    statistics(store& reported, std::span<const counters> counted, told_settings settings)
        : store_(reported), counted_(counted), settings_(std::move(settings)) {}

    /// `requested` is the text behind `stats`. Figures of memcached's parts that do not exist here are 0.
    void tell(answer& out, std::string_view requested, moment now, std::uint32_t verbosity);
    /// Connections that are open now.
    [[nodiscard]] std::uint64_t connections() const noexcept;

private:
    void tell_general(answer& out, moment now);
    void tell_settings(answer& out, std::uint32_t verbosity) const;
    void tell_items(answer& out, moment now);
    void tell_slabs(answer& out);
    void tell_listeners(answer& out) const;
    void reset();
    [[nodiscard]] std::uint64_t sum(count what) const noexcept;
    [[nodiscard]] store_figures figures_since_reset();

    store& store_;
    std::span<const counters> counted_;
    told_settings settings_;
    std::mutex mutex_;  // of what was counted before the last reset
    std::array<std::uint64_t, count_names.size()> counted_before_{};
    store_figures figures_before_;
};

}  // namespace eddy::apps::memcached
