#pragma once

#include <eddy/etcd/key_value.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace eddy::etcd {

/// A change of one key. A value.
class event {
public:
    /// What has happened to it.
    enum class kind : std::uint8_t {
        put,    ///< it was created or changed
        remove  ///< it was removed, or its lease has ended
    };

    event() = default;

    kind type = kind::put;             ///< which change
    key_value kv;                      ///< of a removed key only the key and mod_revision
    std::optional<key_value> prev_kv;  ///< where it was requested, and the store still has it
};

/// What a watch has seen: changes, in their order and each once, or all keys as they are. A value.
class watch_response {
public:
    watch_response() = default;

    /// Of the last change, or of the state.
    std::int64_t revision = 0;
    /// Whether the events are puts of all keys that there are, in place of all that was known before: at the start
    /// of a watch that begins with the state, and where changes were missed since the store was compacted.
    bool is_state = false;
    /// The changes of one or more whole revisions.
    std::vector<event> events;
};

/// What a watch yields. A value; setters chain.
class watch_options {
public:
    watch_options() = default;

    /// Begins with the changes of this revision; 0, the default, with those after the watch began.
    watch_options& start_revision(std::int64_t first) noexcept { return start_revision_ = first, *this; }
    /// Begins with the state, and goes on with the changes after it.
    watch_options& with_state(bool is_on = true) noexcept { return with_state_ = is_on, *this; }
    /// Events have what was there before.
    watch_options& prev_kv(bool is_on = true) noexcept { return prev_kv_ = is_on, *this; }

    [[nodiscard]] std::int64_t start_revision() const noexcept { return start_revision_; }
    /// As with_state() has set it.
    [[nodiscard]] bool begins_with_state() const noexcept { return with_state_; }
    /// As prev_kv() has set it.
    [[nodiscard]] bool wants_prev_kv() const noexcept { return prev_kv_; }

private:
    std::int64_t start_revision_ = 0;
    bool with_state_ = false;
    bool prev_kv_ = false;
};

}  // namespace eddy::etcd
