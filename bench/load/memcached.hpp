#pragma once

#include "load/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// What is asked of a server that speaks memcached's text protocol.
enum class memcached_work {
    get,
    set,
    pairs,           // a set and a get of the same key, in turns
    pipelined_gets,  // so many at once as requests_at_once() tells
};

// Sends commands about 61 keys, which each connection sets before it begins. Every length is checked, the
// contents of one answer in 64.
class memcached_protocol : public protocol_base {
public:
    memcached_protocol(memcached_work work, std::size_t value_size);

    // How many commands make a request.
    std::uint64_t requests_at_once() const { return work_ == memcached_work::pipelined_gets ? batch : 1; }

    // Begins a request; the bytes stay as they are for the life of this object.
    std::string_view next_request(connection& c);
    verdict consume(connection& c, std::string_view bytes);

private:
    struct exchange {
        std::string request;
        std::string reply;
    };
    const exchange& exchange_of(const connection& c) const;

    static constexpr std::size_t key_count = 61;
    static constexpr std::size_t batch = 32;
    memcached_work work_;
    std::vector<exchange> sets_;
    std::vector<exchange> gets_;
    std::vector<exchange> batches_;
};

}  // namespace bench
