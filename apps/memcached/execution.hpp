#pragma once

#include "memcached/answer.hpp"
#include "memcached/command.hpp"
#include "memcached/counters.hpp"
#include "memcached/moment.hpp"
#include "memcached/store.hpp"
#include "memcached/storing.hpp"

#include <span>
#include <string_view>

namespace eddy::apps::memcached {

/// What a command is carried out with.
struct execution {
    memcached::store& store;
    counters& counted;
    answer& out;
    moment now;
};

/// A key with what follows from its hash.
struct located_key {
    located_key(store& all, std::string_view text, std::uint64_t hashed) noexcept
        : text(text), hash(static_cast<std::uint32_t>(hashed)), home(all.shard_of(hashed)) {}
    located_key(store& all, std::string_view text) noexcept : located_key(all, text, all.hash(text)) {}

    std::string_view text;
    std::uint32_t hash;
    shard& home;
};

/// Appends the response to a classic command, unless it has noreply. Errors of meta commands are
/// appended as they are.
inline void reply(execution& with, const command& cmd, std::string_view line) noexcept {
    if (!cmd.is_quiet)
        with.out.append(line);
}

// Each carries out its command and appends the answer. Requires: `out` is not full.

/// One key of get, gets, gat or gats: the value, if there is one. The end is not theirs.
void execute_get(execution& with, const command& cmd, std::string_view key);
void execute_delete(execution& with, const command& cmd);
void execute_arithmetic(execution& with, const command& cmd);
void execute_touch(execution& with, const command& cmd);
void execute_flush(execution& with, const command& cmd);
void execute_memory_limit(execution& with, const command& cmd);

void execute_meta_get(execution& with, const command& cmd);
void execute_meta_delete(execution& with, const command& cmd);
void execute_meta_arithmetic(execution& with, const command& cmd);
void execute_meta_debug(execution& with, const command& cmd);

// Of commands with a value: what to store, and the answer to what has come of it.

/// The key under which the value of such a command is stored; empty, with the answer appended, if it is
/// wrong. `room` is for one that comes in base64.
[[nodiscard]] std::string_view storage_key(execution& with, const command& cmd, std::span<char> room);
/// The client flags and the expiry of an item for it.
void prepare_item(const execution& with, const command& cmd, item& fresh) noexcept;
[[nodiscard]] storage_terms terms_of(const command& cmd) noexcept;
/// Counts and answers. `key` is as storage_key() gave it.
void answer_storage(execution& with, const command& cmd, std::string_view key, storage_outcome outcome,
                    std::uint64_t cas);

}  // namespace eddy::apps::memcached
