#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace eddy::curl {

/// Bytes that have come and have not been read.
class received_body {
public:
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() - taken_; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// Throws std::bad_alloc.
    void append(std::span<const std::byte> added) {
        // What was read makes room before there is more than twice of what is kept.
        if (taken_ >= size()) {
            bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
            taken_ = 0;
        }
        bytes_.insert(bytes_.end(), added.begin(), added.end());
    }
    std::size_t take(std::span<std::byte> out) noexcept {
        const std::size_t count = std::min(out.size(), size());
        if (count != 0)
            std::memcpy(out.data(), bytes_.data() + taken_, count);
        taken_ += count;
        return count;
    }
    /// Swaps the received bytes with `memory`, which is filled next. Returns the part of `memory` that holds
    /// bytes to read.
    [[nodiscard]] std::span<const std::byte> take_all(std::vector<std::byte>& memory) noexcept {
        memory.clear();
        memory.swap(bytes_);
        const std::size_t begin = taken_;
        taken_ = 0;
        return std::span<const std::byte>(memory).subspan(begin);
    }
    void clear() noexcept {
        bytes_.clear();
        taken_ = 0;
    }

private:
    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
};

}  // namespace eddy::curl
