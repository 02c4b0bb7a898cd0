#pragma once

#include <eddy/io/endpoint.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace eddy::http {

/// How many connections each address has. One IPv6 customer has at least a /64 for itself, so those count as
/// one address; an IPv4 address that comes through an IPv6 socket counts as what it is.
class address_counts {
public:
    using key = std::array<std::uint8_t, 16>;
    using counts = std::map<key, std::size_t>;  // not hashed: clients choose their addresses

    /// One connection that counts while this lives.
    class slot {
    public:
        slot() noexcept = default;
        slot(counts& all, counts::iterator mine) noexcept : all_(&all), mine_(mine) { ++mine_->second; }
        slot(slot&& other) noexcept : all_(std::exchange(other.all_, nullptr)), mine_(other.mine_) {}
        slot& operator=(slot&& other) noexcept {
            std::swap(all_, other.all_);
            std::swap(mine_, other.mine_);
            return *this;
        }
        ~slot() {
            if (all_ != nullptr && --mine_->second == 0)
                all_->erase(mine_);
        }

    private:
        counts* all_ = nullptr;
        counts::iterator mine_;
    };

    [[nodiscard]] std::size_t count(const endpoint& peer) const noexcept {
        const auto found = counts_.find(key_of(peer));
        return found == counts_.end() ? 0 : found->second;
    }
    [[nodiscard]] slot enter(const endpoint& peer) {
        return {counts_, counts_.try_emplace(key_of(peer)).first};
    }

private:
    [[nodiscard]] static key key_of(const endpoint& peer) noexcept {
        constexpr std::array<std::uint8_t, 12> mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
        key made{};
        const auto& address = peer.address();
        if (peer.address_family() == endpoint::family::ipv4) {
            std::ranges::copy(mapped, made.begin());
            std::copy_n(address.begin(), 4, made.begin() + 12);
        } else {
            const bool is_mapped = std::equal(mapped.begin(), mapped.end(), address.begin());
            std::copy_n(address.begin(), is_mapped ? 16 : 8, made.begin());
        }
        return made;
    }

    counts counts_;
};

}  // namespace eddy::http
