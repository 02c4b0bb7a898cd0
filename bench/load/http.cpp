#include "load/http.hpp"

#include "load/reply_header.hpp"

#include <utility>

namespace bench {
namespace {

constexpr std::size_t header_size_max = 8192;

}  // namespace

http_protocol::http_protocol(const std::string& path, std::string expected_body)
    : request_("GET " + path +
               " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: eddy-bench-load\r\nAccept: */*\r\n\r\n"),
      body_(std::move(expected_body)) {}

std::string_view http_protocol::next_request(connection& c) {
    ++c.sequence;
    c.partial.clear();
    return request_;
}

verdict http_protocol::consume(connection& c, std::string_view bytes) {
    if (!c.partial.empty())
        bytes = c.partial += bytes;
    const verdict result = judge(c, bytes);
    if (result == verdict::incomplete && c.partial.empty())
        c.partial = bytes;
    return result;
}

verdict http_protocol::judge(const connection& c, std::string_view reply) {
    if (right_header_.empty() || !reply.starts_with(right_header_)) {
        if (reply.find("\r\n\r\n") == reply.npos)
            return reply.size() < header_size_max ? verdict::incomplete : verdict::wrong;
        if (!accept_header(reply))
            return verdict::wrong;
    }
    const std::string_view body = reply.substr(right_header_.size());
    if (body.size() < body_.size())
        return verdict::incomplete;
    if (body.size() > body_.size() || (c.sequence % 64 == 1 && body != body_))
        return verdict::wrong;
    return verdict::complete;
}

bool http_protocol::accept_header(std::string_view reply) {
    const std::string_view header = reply.substr(0, reply.find("\r\n\r\n") + 4);
    if (parse_reply_header(header) != body_.size())
        return false;
    right_header_ = header;
    return true;
}

}  // namespace bench
