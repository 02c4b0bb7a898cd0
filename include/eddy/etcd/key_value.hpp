#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string>

namespace eddy::etcd {

/// A key and what the store has of it. A value. Keys and values are any bytes.
///
/// Each transaction that changes something has a revision, the next number for the whole store.
class key_value {
public:
    key_value() = default;

    std::string key;                   ///< any bytes but none
    std::string value;                 ///< any bytes
    std::int64_t create_revision = 0;  ///< of the put that created it
    std::int64_t mod_revision = 0;     ///< of the last change
    std::int64_t version = 0;          ///< 1 for a key that was created, and one more for each put since
    std::int64_t lease = 0;            ///< with which the key ends; 0 for none

    friend bool operator==(const key_value&, const key_value&) = default;
};

}  // namespace eddy::etcd
