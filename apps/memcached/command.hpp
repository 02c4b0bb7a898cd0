#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::apps::memcached {

/// The command of a line.
enum class verb : std::uint8_t {
    get,
    gets,
    gat,
    gats,
    set,
    add,
    replace,
    append,
    prepend,
    cas,
    incr,
    decr,
    touch,
    remove,
    flush_all,
    version,
    verbosity,
    memory_limit,
    stats,
    quit,
    meta_get,
    meta_set,
    meta_delete,
    meta_arithmetic,
    meta_noop,
    meta_debug,
};

/// The flags of a meta command. Those that only add something to the response are looked up in the command's
/// flags again when that is written, in the client's order.
struct meta_options {
    bool has_binary_key = false;     // b
    bool is_quiet = false;           // q
    bool wants_value = false;        // v
    bool leaves_order = false;       // u
    bool invalidates = false;        // I
    bool has_expiry = false;         // T
    bool makes_on_miss = false;      // N
    bool compares_cas = false;       // C
    char mode = 0;                   // M, as a capital letter; 0: absent
    std::int64_t expiry_s = 0;       // T
    std::int64_t made_expiry_s = 0;  // N
    std::int64_t renewal_s = 0;      // R
    std::uint64_t cas = 0;           // C
    std::uint32_t client_flags = 0;  // F
    std::uint64_t delta = 1;         // D
    std::uint64_t initial = 0;       // J
};

/// A line, understood. Its texts are in the line.
struct command {
    memcached::verb verb = memcached::verb::meta_noop;
    bool is_quiet = false;  // noreply
    std::string_view key;
    std::string_view
        rest;  // the keys of get, gets, gat and gats; the argument of stats; a meta command's flags
    std::uint32_t client_flags = 0;
    std::int64_t expiry_s = 0;    // as the client writes it
    std::size_t value_bytes = 0;  // of the data block that follows
    std::uint64_t number = 0;     // the cas, the delta, the verbosity or the limit
    meta_options meta;

    /// Whether a data block follows.
    [[nodiscard]] bool has_value() const noexcept {
        return (verb >= memcached::verb::set && verb <= memcached::verb::cas) ||
               verb == memcached::verb::meta_set;
    }
    /// Whether it is answered key by key.
    [[nodiscard]] bool has_keys() const noexcept { return verb <= memcached::verb::gats; }
};

}  // namespace eddy::apps::memcached
