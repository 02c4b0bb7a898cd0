#pragma once

#include <eddy/detail/build.hpp>

#include <string>
#include <utility>

namespace eddy::etcd {

/// The keys that a request is about: one, or all between two in the order of their bytes. A value.
///
///     db.watch(etcd::key_range::prefix("config/"))
class key_range {
public:
    /// One key. Requires: it is not empty.
    key_range(std::string key) noexcept : key_(std::move(key)) {}
    key_range(const char* key) : key_(key) {}

    /// All that begin with it; all there are, for an empty one.
    [[nodiscard]] static key_range prefix(std::string begin);
    /// From `first` up to `last`, which is not one of them.
    [[nodiscard]] static key_range between(std::string first, std::string last) noexcept {
        return key_range(std::move(first), std::move(last));
    }
    /// `first` and all behind it.
    [[nodiscard]] static key_range from(std::string first) {
        return key_range(std::move(first), std::string(1, '\0'));
    }

    /// The first.
    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    /// Empty for one key, "\0" where it has no end.
    [[nodiscard]] const std::string& range_end() const noexcept { return end_; }

private:
    key_range(std::string first, std::string last) noexcept : key_(std::move(first)), end_(std::move(last)) {}

    std::string key_;
    std::string end_;
};

}  // namespace eddy::etcd
