#pragma once

#include "load/connection.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

// Sends one request again and again on a kept connection; the reply must be a 200 with a Content-Length of
// the expected body's size. Every length is checked, the body's contents one time in 64.
class http_protocol : public protocol_base {
public:
    http_protocol(std::string request, std::string expected_body);

    void connected(connection& c);
    // Begins a request; the bytes stay as they are for the life of this object.
    std::string_view next_request(connection& c);
    verdict consume(connection& c, std::string_view bytes);

private:
    verdict take_header(connection& c, std::string_view bytes);
    bool accept_header(std::string_view header);

    std::string request_;
    std::string body_;
    // A header block equal to the last one that was parsed and found right needs no second parse.
    std::string right_header_;
};

// The request for `path`.
std::string get_request(const std::string& path);

// One that brings a body of `size` bytes that look like JSON.
std::string post_request(const std::string& path, std::size_t size);

}  // namespace bench
