#include "load/http.hpp"

#include "load/reply_header.hpp"

#include <utility>

namespace bench {
namespace {

constexpr std::size_t header_size_max = 8192;

constexpr std::string_view common_fields =
    " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: eddy-bench-load\r\nAccept: */*\r\n";

std::string json_like(std::size_t size) {
    std::string text;
    for (unsigned id = 1; text.size() < size; ++id)
        text += "{\"id\":" + std::to_string(id) +
                ",\"name\":\"item\",\"price\":9.75,\"tags\":[\"new\",\"small\"]},\n";
    text.resize(size);
    return text;
}

}  // namespace

http_protocol::http_protocol(std::string request, std::string expected_body)
    : request_(std::move(request)), body_(std::move(expected_body)) {}

void http_protocol::connected(connection& c) {
    c.partial.clear();
    c.in_body = false;
}

std::string_view http_protocol::next_request(connection& c) {
    ++c.sequence;
    connected(c);
    return request_;
}

verdict http_protocol::consume(connection& c, std::string_view bytes) {
    if (c.in_body)
        return take_expected(c, body_, bytes);
    if (c.partial.empty())
        return take_header(c, bytes);
    const std::string so_far = std::move(c.partial) + std::string(bytes);
    c.partial.clear();
    return take_header(c, so_far);
}

verdict http_protocol::take_header(connection& c, std::string_view bytes) {
    if (right_header_.empty() || !bytes.starts_with(right_header_)) {
        const std::size_t end = bytes.find("\r\n\r\n");
        if (end == bytes.npos) {
            c.partial = bytes;
            return bytes.size() < header_size_max ? verdict::incomplete : verdict::wrong;
        }
        if (!accept_header(bytes.substr(0, end + 4)))
            return verdict::wrong;
    }
    c.in_body = true;
    c.received = 0;
    return take_expected(c, body_, bytes.substr(right_header_.size()));
}

bool http_protocol::accept_header(std::string_view header) {
    if (parse_reply_header(header) != body_.size())
        return false;
    right_header_ = header;
    return true;
}

std::string get_request(const std::string& path) {
    return "GET " + path + std::string(common_fields) + "\r\n";
}

std::string post_request(const std::string& path, std::size_t size) {
    return "POST " + path + std::string(common_fields) +
           "Content-Type: application/json\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
           json_like(size);
}

}  // namespace bench
