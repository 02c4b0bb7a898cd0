#include <eddy/http/codec/detail/response_parser.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::http::response_parser_test {
namespace {

using namespace std::string_literals;

std::string describe(const parse_result& result, const response_parser& parser, std::string_view bytes) {
    if (result.state() == parse_state::need_more)
        return "need more";
    if (result.state() == parse_state::error)
        return std::to_string(to_number(result.error().status())) + " " +
               std::string(result.error().reason());
    const response_head head = parser.head(bytes);
    std::string text = "1." + std::to_string(head.minor_version()) + "|" +
                       std::to_string(to_number(head.status())) + "|" + std::string(head.reason()) + "|" +
                       (head.keep_alive() ? "keep-alive|" : "close|") + std::string(head.upgrade()) + "|" +
                       std::to_string(static_cast<int>(head.framing().kind())) + "|" +
                       std::to_string(head.framing().length()) + "|" + std::to_string(result.head_size());
    for (std::size_t i = 0; i < head.header_count(); ++i)
        text += "\n" + std::string(head.header(i).name()) + "=" + std::string(head.header(i).value());
    return text;
}

/// The outcome of the whole response, having checked that every way of cutting it comes to the same.
std::string parse_every_way(std::string_view bytes, method requested = method::get,
                            const message_limits& limits = {}) {
    response_parser parser(limits, requested);
    const std::string whole = describe(parser.parse(bytes), parser, bytes);
    const auto finish = [&](std::size_t first, std::size_t step) {
        parser.reset(requested);
        for (std::size_t end = first;; end += step) {
            const std::string so_far(bytes.substr(0, end));
            const parse_result result = parser.parse(so_far);
            if (result.state() != parse_state::need_more || end >= bytes.size())
                return describe(result, parser, so_far);
        }
    };
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_EQ(finish(cut, bytes.size()), whole) << "cut at " << cut;
    EXPECT_EQ(finish(1, 1), whole);
    return whole;
}

int status_of(std::string_view bytes, method requested = method::get, const message_limits& limits = {}) {
    const std::string outcome = parse_every_way(bytes, requested, limits);
    return outcome.starts_with("1.") || outcome == "need more" ? 0 : std::stoi(outcome);
}

/// The framing of a response with these field lines: "none", "chunked", "until close" or a length.
std::string framing_of(std::string_view line, std::string_view fields, method requested = method::get) {
    const message_limits limits;
    response_parser parser(limits, requested);
    const std::string bytes = std::string(line) + "\r\n" + std::string(fields) + "\r\n";
    const parse_result result = parser.parse(bytes);
    if (result.state() != parse_state::complete)
        return std::to_string(to_number(result.error().status()));
    const body_framing framing = parser.head(bytes).framing();
    switch (framing.kind()) {
        case body_kind::none:
            return "none";
        case body_kind::chunked:
            return "chunked";
        case body_kind::until_close:
            return "until close";
        case body_kind::length:
            break;
    }
    return std::to_string(framing.length());
}

TEST(response_parser, reads_an_answer_cut_anywhere) {
    EXPECT_EQ(parse_every_way("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n"),
              "1.1|200|OK|keep-alive||1|5|64\nServer=nginx\nContent-Length=5\nETag=\"a\"");
    EXPECT_EQ(parse_every_way("HTTP/1.0 404 Not Found\r\n\r\n"), "1.0|404|Not Found|close||3|0|26");
    EXPECT_EQ(
        parse_every_way(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
        "1.1|101|Switching Protocols|keep-alive|websocket|0|0|77\nConnection=Upgrade\nUpgrade=websocket");
}

TEST(response_parser, the_status_line_has_one_shape) {
    for (const char* line : {"HTTP/1.1 200 OK", "HTTP/1.1 200 ", "HTTP/1.1 200", "HTTP/1.9 599 x y  z",
                             "HTTP/1.0 999 ", "HTTP/1.1 200 \xc3\xa9\t"})
        EXPECT_EQ(status_of(line + "\r\n\r\n"s), 0) << line;
    for (const char* line :
         {"", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1  200 OK", "HTTP/1.1 020 OK",
          "HTTP/1.1 +20 OK", "HTTP/1.1 200OK", "HTTP/1.1 200\tOK", "http/1.1 200 OK", " HTTP/1.1 200 OK",
          "HTTP/1.1200 OK", "HTTP/11 200 OK", "HTTP/1.10 200 OK", "ICY 200 OK", "HTTP/1.1 2\xb2 0"})
        EXPECT_EQ(status_of(line + "\r\n\r\n"s), 400) << line;
    EXPECT_EQ(status_of("HTTP/2.0 200 OK\r\n\r\n"), 505);
    EXPECT_EQ(status_of("HTTP/2 200 OK\r\n\r\n"), 505);
    EXPECT_EQ(status_of("\r\nHTTP/1.1 200 OK\r\n\r\n"), 400);
}

TEST(response_parser, refuses_what_the_request_parser_refuses_of_lines) {
    for (const std::string& fields :
         {"A : b\r\n"s, " A: b\r\n"s, "A: b\r\n c\r\n"s, "A\r\n"s, ": b\r\n"s, "A: b\rc\r\n"s,
          "A: b\nB: c\r\n"s, "A: \0\r\n"s, "A\0: b\r\n"s, "A(: b\r\n"s, "Connection: a b\r\n"s})
        EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\n" + fields + "\r\n"), 400) << fields;
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\nA: b\r\n\r\n"), 400);
    EXPECT_EQ(status_of("HTTP/1.1 200 O\0K\r\n\r\n"s), 400);
}

TEST(response_parser, a_body_ends_where_rfc_9112_says) {
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", ""), "until close");
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Content-Length: 7\r\n"), "7");
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Content-Length: 0\r\n"), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Transfer-Encoding: chunked\r\n"), "chunked");
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Content-Length: 7\r\n", method::head), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Transfer-Encoding: chunked\r\n", method::head), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 304 ", "Content-Length: 7\r\n"), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 204 ", ""), "none");
    for (const char* start : {"HTTP/1.1 204 ", "HTTP/1.1 100 ", "HTTP/1.1 304 "})
        for (const char* fields : {"Content-Length: 0\r\n", "Content-Length: 5\r\n", "Content-Length: x\r\n",
                                   "Transfer-Encoding: chunked\r\n"})
            EXPECT_EQ(framing_of(start, fields), "none") << start << fields;
    EXPECT_EQ(framing_of("HTTP/1.1 100 ", ""), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 200 ", "Content-Length: 7\r\n", method::connect), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 200 ", "Transfer-Encoding: chunked\r\n", method::connect), "none");
    EXPECT_EQ(framing_of("HTTP/1.1 407 ", "Content-Length: 7\r\n", method::connect), "7");
}

TEST(response_parser, an_ambiguous_body_is_refused) {
    for (const char* fields :
         {"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n",
          "Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 1, 1\r\n", "Content-Length: +1\r\n",
          "Content-Length: -1\r\n", "Content-Length: \r\n", "Content-Length: 99999999999999999999\r\n",
          "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: chunked, gzip\r\n",
          "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n", "Transfer-Encoding:\r\n",
          "Transfer-Encoding: chunked;a=b\r\n", "Transfer-Encoding: xchunked\r\n"})
        EXPECT_EQ(framing_of("HTTP/1.1 200 OK", fields), "400") << fields;
    EXPECT_EQ(framing_of("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked\r\n"), "501");
    EXPECT_EQ(framing_of("HTTP/1.0 200 OK", "Transfer-Encoding: chunked\r\n"), "400");
}

TEST(response_parser, keeps_to_its_limits) {
    message_limits limits;
    limits.request_line_bytes_max(15).head_bytes_max(60).header_count_max(2).body_bytes_max(9);
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\n\r\n", method::get, limits), 0);
    EXPECT_EQ(status_of("HTTP/1.1 200 OKK\r\n\r\n", method::get, limits), 431);
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\nA: b\r\nA: b\r\nA: b\r\n\r\n", method::get, limits), 431);
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\nA: " + std::string(60, 'b') + "\r\n\r\n", method::get, limits),
              431);
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", method::get, limits), 0);
    EXPECT_EQ(status_of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", method::get, limits), 413);
}

TEST(response_parser, reads_one_answer_after_another) {
    const std::string interim = "HTTP/1.1 100 Continue\r\nA: b\r\n\r\n";
    const std::string last = "HTTP/1.1 204 \r\nSet-Cookie: a\r\nset-cookie: b\r\n\r\n";
    const std::string both = interim + last;
    const message_limits limits;
    response_parser parser(limits, method::post);
    ASSERT_EQ(parser.parse(both), parse_result::complete(interim.size()));
    EXPECT_TRUE(is_interim(parser.head(both).status()));
    parser.reset(method::post);
    const auto rest = std::string_view(both).substr(interim.size());
    ASSERT_EQ(parser.parse(rest), parse_result::complete(last.size()));
    std::string cookies;
    parser.head(rest).for_each(field::set_cookie, [&](std::string_view value) { cookies += value; });
    EXPECT_EQ(cookies, "ab");
    EXPECT_EQ(parser.head(rest).find("A"), std::nullopt);
    EXPECT_EQ(parser.head(rest).only(field::set_cookie), std::nullopt);
}

}  // namespace
}  // namespace eddy::http::response_parser_test
