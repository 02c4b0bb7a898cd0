#pragma once

#include <eddy/etcd/key_range.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::etcd {

/// What keys are sorted by.
enum class sort_target : std::uint8_t {
    key,              ///< the bytes of the key
    version,          ///< key_value::version
    create_revision,  ///< key_value::create_revision
    mod_revision,     ///< key_value::mod_revision
    value             ///< the bytes of the value
};
/// How they are sorted.
enum class sort_order : std::uint8_t {
    none,    ///< as etcd has them
    ascend,  ///< the least first
    descend  ///< the greatest first
};

/// Which keys are read, and how (etcd's RangeRequest). A value; setters chain.
class range_request {
public:
    /// Of these keys.
    range_request(key_range keys) noexcept : keys_(std::move(keys)) {}

    /// So many keys at most; 0, the default, for all.
    range_request& limit(std::int64_t keys) noexcept { return limit_ = keys, *this; }
    /// As the store was then; 0, the default, for now.
    range_request& revision(std::int64_t at) noexcept { return revision_ = at, *this; }
    /// Sorts them; in the order of the keys, by default.
    range_request& sort(sort_target by, sort_order order = sort_order::ascend) noexcept {
        return sort_target_ = by, sort_order_ = order, *this;
    }
    /// Reads what the node itself has: faster, and possibly old. Otherwise a read sees all that was written before it.
    range_request& serializable(bool is_on = true) noexcept { return serializable_ = is_on, *this; }
    /// Leaves the values out.
    range_request& keys_only(bool is_on = true) noexcept { return keys_only_ = is_on, *this; }
    /// Leaves all out but range_response::count.
    range_request& count_only(bool is_on = true) noexcept { return count_only_ = is_on, *this; }
    /// Only keys that were created by then; 0, the default, for all.
    range_request& max_create_revision(std::int64_t revision) noexcept {
        return max_create_revision_ = revision, *this;
    }

    /// Which are read.
    [[nodiscard]] const key_range& keys() const noexcept { return keys_; }
    [[nodiscard]] std::int64_t limit() const noexcept { return limit_; }
    [[nodiscard]] std::int64_t revision() const noexcept { return revision_; }
    /// As sort() has set it.
    [[nodiscard]] etcd::sort_target sort_by() const noexcept { return sort_target_; }
    /// As sort() has set it.
    [[nodiscard]] etcd::sort_order order() const noexcept { return sort_order_; }
    /// As serializable() has set it.
    [[nodiscard]] bool is_serializable() const noexcept { return serializable_; }
    /// As keys_only() has set it.
    [[nodiscard]] bool is_keys_only() const noexcept { return keys_only_; }
    /// As count_only() has set it.
    [[nodiscard]] bool is_count_only() const noexcept { return count_only_; }
    [[nodiscard]] std::int64_t max_create_revision() const noexcept { return max_create_revision_; }

private:
    key_range keys_;
    std::int64_t limit_ = 0;
    std::int64_t revision_ = 0;
    std::int64_t max_create_revision_ = 0;
    etcd::sort_target sort_target_ = etcd::sort_target::key;
    etcd::sort_order sort_order_ = etcd::sort_order::none;
    bool serializable_ = false;
    bool keys_only_ = false;
    bool count_only_ = false;
};

/// What is written (etcd's PutRequest). A value; setters chain.
class put_request {
public:
    /// This value for this key.
    put_request(std::string key, std::string value) noexcept
        : key_(std::move(key)), value_(std::move(value)) {}

    /// The key ends with this lease: lease::id().
    put_request& lease(std::int64_t id) noexcept { return lease_ = id, *this; }
    /// The response has what was there before.
    put_request& prev_kv(bool is_on = true) noexcept { return prev_kv_ = is_on, *this; }

    /// What is written.
    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    /// Its new value.
    [[nodiscard]] const std::string& value() const noexcept { return value_; }
    [[nodiscard]] std::int64_t lease() const noexcept { return lease_; }
    /// As prev_kv() has set it.
    [[nodiscard]] bool wants_prev_kv() const noexcept { return prev_kv_; }

private:
    std::string key_;
    std::string value_;
    std::int64_t lease_ = 0;
    bool prev_kv_ = false;
};

/// Which keys are removed (etcd's DeleteRangeRequest). A value; setters chain.
class delete_request {
public:
    /// Of these keys.
    delete_request(key_range keys) noexcept : keys_(std::move(keys)) {}

    /// The response has what was there before.
    delete_request& prev_kv(bool is_on = true) noexcept { return prev_kv_ = is_on, *this; }

    /// Which are removed.
    [[nodiscard]] const key_range& keys() const noexcept { return keys_; }
    /// As prev_kv() has set it.
    [[nodiscard]] bool wants_prev_kv() const noexcept { return prev_kv_; }

private:
    key_range keys_;
    bool prev_kv_ = false;
};

}  // namespace eddy::etcd
