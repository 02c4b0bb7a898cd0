#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace eddy::rpc::detail {

/// Strings whose memory is used again: heads and frames of calls, for which a call then allocates nothing. Keeps small
/// ones only, 512 KiB at most.
class spare_strings {
public:
    /// An empty one.
    [[nodiscard]] std::string take() noexcept {
        if (spare_.empty())
            return {};
        std::string taken = std::move(spare_.back());
        spare_.pop_back();
        return taken;
    }
    /// Whether its memory is small enough to be kept.
    [[nodiscard]] static bool keeps(const std::string& used) noexcept { return used.capacity() <= bytes_max; }
    void put(std::string used) noexcept {
        if (!keeps(used) || used.capacity() <= std::string().capacity() || spare_.size() == count_max)
            return;
        used.clear();
        try {
            spare_.push_back(std::move(used));
        } catch (const std::bad_alloc&) {
            return;
        }
    }

private:
    static constexpr std::size_t bytes_max = 4096;
    static constexpr std::size_t count_max = 128;

    std::vector<std::string> spare_;
};

}  // namespace eddy::rpc::detail
