#include "load/http.hpp"

#include "load/reply_header.hpp"

#include <utility>

namespace bench {

http_protocol::http_protocol(const std::string& path, std::string expected_body)
    : request_("GET " + path +
               " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: eddy-bench-load\r\nAccept: */*\r\n\r\n"),
      body_(std::move(expected_body)) {}

std::span<const char> http_protocol::next_request(connection& c) {
    ++c.sequence;
    c.received = c.expected = 0;
    return request_;
}

std::span<char> http_protocol::room(connection& c) {
    c.reply.resize(header_size_max + body_.size());
    return std::span(c.reply).subspan(c.received);
}

bool http_protocol::read_header(connection& c) {
    const std::string_view seen(c.reply.data(), c.received);
    if (!right_header_.empty() && seen.starts_with(right_header_)) {
        c.expected = right_header_.size() + body_.size();
        return true;
    }
    const std::size_t end = seen.find("\r\n\r\n");
    if (end == seen.npos)
        return seen.size() < header_size_max;
    if (parse_reply_header(seen.substr(0, end + 4)) != body_.size())
        return false;
    right_header_ = seen.substr(0, end + 4);
    c.expected = right_header_.size() + body_.size();
    return true;
}

bool http_protocol::body_is_right(const connection& c) const {
    return std::string_view(c.reply.data(), c.received).ends_with(body_);
}

verdict http_protocol::consume(connection& c, std::size_t count) {
    c.received += count;
    if (c.expected == 0 && !read_header(c))
        return verdict::wrong;
    if (c.expected == 0 || c.received < c.expected)
        return verdict::incomplete;
    if (c.received > c.expected || (c.sequence % 64 == 1 && !body_is_right(c)))
        return verdict::wrong;
    return verdict::complete;
}

}  // namespace bench
