#pragma once

#include "load/connection.hpp"

#include <string>
#include <string_view>

namespace bench {

// Sends `GET path` on a kept connection; the reply must be a 200 with a Content-Length of the expected
// body's size. Every length is checked, the body's contents one time in 64.
class http_protocol {
public:
    http_protocol(const std::string& path, std::string expected_body);

    // Begins a request; the bytes stay as they are for the life of this object.
    std::string_view next_request(connection& c);
    verdict consume(connection& c, std::string_view bytes);

private:
    verdict judge(const connection& c, std::string_view reply);
    bool accept_header(std::string_view reply);

    std::string request_;
    std::string body_;
    // A header block equal to the last one that was parsed and found right needs no second parse.
    std::string right_header_;
};

}  // namespace bench
