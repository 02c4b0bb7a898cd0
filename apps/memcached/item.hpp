#pragma once

#include "memcached/moment.hpp"
#include "memcached/region.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::apps::memcached {

/// What is stored under a key: one block of a region with this head, the key, the value and a line's end, so
/// that the value and the line's end behind it are sent as they are.
///
/// All of it is guarded by the lock of its shard, except the value of one that is not in the table: it does
/// not change any more, or only by the task that fills it.
class item {
public:
    static constexpr std::string_view line_end = "\r\n";
    static constexpr std::size_t key_bytes_max = 250;

    enum flag : std::uint8_t {
        linked = 1,           ///< in the table
        fetched = 2,          ///< it has been read
        stale = 4,            ///< marked so by `md` with I, or a set with an older cas
        win_is_given = 8,     ///< a client has won the right to renew it
        has_binary_key = 16,  ///< the key came in base64
    };

    /// How many bytes a block needs for such an item.
    [[nodiscard]] static std::size_t bytes_for(std::size_t key_bytes, std::size_t value_bytes) noexcept {
        return sizeof(item) + key_bytes + value_bytes + line_end.size();
    }

    item(std::string_view key, std::uint32_t hash, std::size_t value_bytes) noexcept
        : hash(hash),
          value_bytes(static_cast<std::uint32_t>(value_bytes)),
          key_bytes(static_cast<std::uint8_t>(key.size())) {
        key.copy(text(), key.size());
        line_end.copy(value_data() + value_bytes, line_end.size());
    }
    item(const item&) = delete;
    item& operator=(const item&) = delete;
    ~item() = default;

    [[nodiscard]] std::string_view key() const noexcept { return {text(), key_bytes}; }
    [[nodiscard]] std::string_view value() const noexcept { return {value_data(), value_bytes}; }
    /// The value and the line's end.
    [[nodiscard]] std::string_view value_line() const noexcept {
        return {value_data(), value_bytes + line_end.size()};
    }
    [[nodiscard]] char* value_data() noexcept { return text() + key_bytes; }
    [[nodiscard]] const char* value_data() const noexcept { return text() + key_bytes; }

    [[nodiscard]] bool has(flag requested) const noexcept { return (flags & requested) != 0; }
    void set(flag requested) noexcept { flags = static_cast<std::uint8_t>(flags | requested); }
    void clear(flag requested) noexcept { flags = static_cast<std::uint8_t>(flags & ~requested); }

    [[nodiscard]] moment expiry() const noexcept {
        return moment(std::uint64_t{expiry_s} << 16 | expiry_fraction);
    }
    void expire_at(moment when) noexcept {
        expiry_s = when.seconds();
        expiry_fraction = when.fraction();
    }

    region::place next_in_bucket = region::none;
    region::place newer = region::none;
    region::place older = region::none;
    std::uint32_t hash;
    std::uint64_t cas = 0;
    std::uint32_t client_flags = 0;
    std::uint32_t value_bytes;
    std::uint32_t expiry_s = 0;
    std::uint32_t accessed_s = 0;
    std::uint32_t references = 0;  ///< responses that send its value, and the task that fills it
    std::uint16_t expiry_fraction = 0;
    std::uint8_t key_bytes;
    std::uint8_t flags = 0;

private:
    [[nodiscard]] char* text() noexcept { return reinterpret_cast<char*>(this + 1); }
    [[nodiscard]] const char* text() const noexcept { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(item) == 48, "each item has one of these");

}  // namespace eddy::apps::memcached
