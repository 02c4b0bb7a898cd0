#pragma once

#include <eddy/etcd/key_value.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace eddy::etcd {

/// What was read. A value.
class range_response {
public:
    range_response() = default;

    std::int64_t revision = 0;   ///< of the store when it was read
    std::vector<key_value> kvs;  ///< the keys and what they have
    bool more = false;           ///< whether the limit has left some out
    std::int64_t count = 0;      ///< keys in the range, whatever the limit
};

/// What a put has done. A value.
class put_response {
public:
    put_response() = default;

    std::int64_t revision = 0;         ///< of the change
    std::optional<key_value> prev_kv;  ///< where it was requested, and there was one
};

/// What was removed. A value.
class delete_response {
public:
    delete_response() = default;

    std::int64_t revision = 0;        ///< of the change
    std::int64_t deleted = 0;         ///< how many keys
    std::vector<key_value> prev_kvs;  ///< where they were requested
};

/// How a transaction has ended. A value.
class txn_response {
public:
    txn_response() = default;

    std::int64_t revision = 0;  ///< at which it was carried out
    bool succeeded = false;     ///< whether all comparisons were true
    /// Of the requests that were carried out, in their order.
    std::vector<std::variant<range_response, put_response, delete_response>> responses;
};

}  // namespace eddy::etcd
