#pragma once

#include <eddy/base/clock.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::curl {

/// What libcurl knows of a transfer (curl_easy_getinfo(3)). Times count from its beginning, and are those of
/// the last request where there were redirects; 0 for what has not come about.
struct statistics {
    duration name_resolved{};
    duration connected{};
    duration tls_ready{};
    duration request_sent{};  ///< about to begin, that is
    duration first_byte{};
    duration total{};  ///< redirects included
    duration redirecting{};
    std::uint64_t bytes_uploaded = 0;
    std::uint64_t bytes_downloaded = 0;  ///< as they came over the wire: before decoding
    unsigned redirects = 0;
    unsigned connections_made = 0;  ///< 0 where one was used again
    unsigned http_major = 0;        ///< 2 for HTTP/2; 0 where no HTTP was spoken
    std::string peer_address;
    std::uint16_t peer_port = 0;
};

}  // namespace eddy::curl
