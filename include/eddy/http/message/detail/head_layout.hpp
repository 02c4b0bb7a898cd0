#pragma once

#include <eddy/http/message/detail/body_framing.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/limits.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace eddy::http {

/// A piece of a head, counted from its first byte. Heads are at most 64 KiB.
struct text_range {
    std::uint16_t offset;
    std::uint16_t size;
};

struct field_line {
    text_range value;
    std::uint16_t name_offset;
    std::uint8_t name_size;
    field id;
};
static_assert(sizeof(field_line) == 8);

/// Facts of all lines of a head together. first[f] of a field whose bit in `seen` is not set is not
/// initialised.
struct head_facts {
    head_facts() noexcept {}

    [[nodiscard]] bool has(field id) const noexcept { return (seen >> static_cast<unsigned>(id) & 1) != 0; }
    [[nodiscard]] bool repeats(field id) const noexcept {
        return (repeated >> static_cast<unsigned>(id) & 1) != 0;
    }
    /// As before the first line.
    void clear() noexcept {
        seen = 0;
        repeated = 0;
        header_count = 0;
    }

    std::uint64_t seen = 0;      // bit f: a line of field f is there
    std::uint64_t repeated = 0;  // bit f: more than one
    body_framing framing;
    std::uint8_t major_version = 1;
    std::uint8_t minor_version = 1;
    std::uint8_t header_count = 0;
    bool keep_alive = false;
    bool upgrades = false;
    std::array<std::uint8_t, field_count> first;  // index of the first line of field f
};

/// Where everything that requests and responses have in common stands in a head: what a parser fills in and
/// message_head reads. It holds offsets rather than pointers, so the bytes may move while they are still
/// arriving. Lines past header_count are not initialised, and not copied.
struct head_layout : head_facts {
    head_layout() noexcept {}
    head_layout(const head_layout& other) noexcept : head_facts(other) { copy_lines(other); }
    head_layout& operator=(const head_layout& other) noexcept {
        head_facts::operator=(other);
        copy_lines(other);
        return *this;
    }
    ~head_layout() = default;

    std::array<field_line, message_limits::header_count_cap> lines;

private:
    void copy_lines(const head_layout& other) noexcept {
        std::copy_n(other.lines.begin(), other.header_count, lines.begin());
    }
};
static_assert(field_count <= 64);
static_assert(message_limits::header_count_cap <= 255);

}  // namespace eddy::http
