#pragma once

#include "load/connection.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bench {

// Sends `GET path` on a kept connection; the reply must be a 200 with a Content-Length of the expected
// body's size. Every length is checked, the body's contents one time in 64.
class http_protocol {
public:
    http_protocol(const std::string& path, std::string expected_body);

    std::span<const char> next_request(connection& c);
    std::span<char> room(connection& c);
    verdict consume(connection& c, std::size_t count);

private:
    bool read_header(connection& c);
    bool body_is_right(const connection& c) const;

    static constexpr std::size_t header_size_max = 8192;
    std::string request_;
    std::string body_;
    // A header block equal to the last one that was parsed and found right needs no second parse.
    std::string right_header_;
};

}  // namespace bench
