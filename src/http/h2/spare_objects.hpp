#pragma once

#include <eddy/detail/cached_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace eddy::http {

/// Keeps objects of one type for reuse, `spare_max` at most. What a burst has left over is freed gradually.
template <class T, std::size_t spare_max>
class spare_objects final : public eddy::detail::trimmable_cache {
public:
    /// Takes one, or makes it. Throws std::bad_alloc.
    template <class... Arguments>
    [[nodiscard]] std::unique_ptr<T> get(Arguments&... arguments) {
        if (spare_.empty()) {
            spare_.reserve(spare_max);
            return std::make_unique<T>(arguments...);
        }
        std::unique_ptr<T> taken = std::move(spare_.back());
        spare_.pop_back();
        spare_min_ = std::min(spare_min_, spare_.size());
        return taken;
    }
    void put(std::unique_ptr<T> used) noexcept {
        if (spare_.size() >= spare_max)
            return;
        spare_.push_back(std::move(used));
        if (spare_.size() > always_kept)
            eddy::detail::trim_request::give();
    }

    /// Frees half of those that were not needed since the last call.
    [[nodiscard]] eddy::detail::trim_rest trim_some() noexcept override {
        const std::size_t unneeded =
            std::min(spare_min_, spare_.size() - std::min(spare_.size(), always_kept));
        spare_.resize(spare_.size() - (unneeded + 1) / 2);
        spare_min_ = spare_.size();
        return spare_.size() > always_kept ? eddy::detail::trim_rest::some : eddy::detail::trim_rest::little;
    }

private:
    static constexpr std::size_t always_kept = 4;

    std::vector<std::unique_ptr<T>> spare_;
    std::size_t spare_min_ = 0;  // the fewest since the last look
};

}  // namespace eddy::http
