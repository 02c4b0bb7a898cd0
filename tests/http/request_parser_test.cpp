#include "http/feed.hpp"

#include <eddy/http/codec/detail/request_parser.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::request_parser_test {
namespace {

using test::parse_every_way;
using test::status_of;
using namespace std::string_literals;

// A request whose second line and later ones are given.
std::string with_fields(std::string_view fields) {
    return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

int status_with_fields(std::string_view fields) {
    return status_of(with_fields(fields));
}

int status_of_line(std::string_view request_line) {
    return status_of(std::string(request_line) + "\r\nHost: a\r\n\r\n");
}

// A parsed request that keeps what its head refers to.
class parsed {
public:
    explicit parsed(std::string text) : text_(std::move(text)), parser_(limits_) {
        const auto result = parser_.parse(text_);
        EXPECT_EQ(result.state(), parse_state::complete) << result.error().reason() << "\n" << text_;
    }

    [[nodiscard]] request_head head() const { return parser_.head(text_); }

private:
    std::string text_;
    message_limits limits_;
    request_parser parser_;
};

TEST(request_parser, reads_a_plain_request) {
    EXPECT_EQ(parse_every_way("GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"),
              "GET|/1k.bin|0|/1k.bin||127.0.0.1:8080|1.1|keep-alive|||0|0|46\nHost=127.0.0.1:8080");
}

TEST(request_parser, reads_a_browsers_request_cut_anywhere) {
    const parsed request(
        "GET /a/b?c=d&e HTTP/1.1\r\nHost: www.example.com\r\nConnection: keep-alive\r\n"
        "sec-ch-ua: \"Chromium\";v=\"124\"\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
        "Accept: */*\r\nAccept-Encoding: gzip, br\r\nCookie: a=b; c=d\r\nRange: bytes=0-\r\n\r\n");
    const auto head = request.head();
    EXPECT_EQ(head.method(), method::get);
    EXPECT_EQ(head.path(), "/a/b");
    EXPECT_EQ(head.query(), "c=d&e");
    EXPECT_EQ(head.header_count(), 8U);
    EXPECT_EQ(head.find(field::accept_encoding), "gzip, br");
    EXPECT_EQ(head.find("SEC-CH-UA"), "\"Chromium\";v=\"124\"");
    EXPECT_EQ(head.find("nothing"), std::nullopt);
    EXPECT_EQ(head.find(field::if_match), std::nullopt);
    EXPECT_EQ(head.header(4).name(), "Accept");
    EXPECT_EQ(head.header(4).id(), field::accept);
}

TEST(request_parser, an_unfinished_head_needs_more) {
    const std::string request = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n";
    const message_limits limits;
    for (std::size_t size = 0; size < request.size(); ++size) {
        EXPECT_EQ(status_of(request.substr(0, size)), 1) << size;
    }
    EXPECT_EQ(status_of(request), 0);
}

TEST(request_parser, a_pipeline_is_taken_apart_by_head_sizes) {
    const std::string one = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
    const std::string two = "GET /2 HTTP/1.1\r\nHost: b\r\nIf-Match: *\r\n\r\n";
    const std::string both = one + two;
    const message_limits limits;
    request_parser parser(limits);
    const auto first = parser.parse(both);
    ASSERT_EQ(first, parse_result::complete(one.size()));
    EXPECT_EQ(parser.parse(both), first) << "asked again, it says the same";
    EXPECT_EQ(parser.head(both).path(), "/1");
    parser.reset();
    const auto rest = std::string_view(both).substr(first.head_size());
    ASSERT_EQ(parser.parse(rest), parse_result::complete(two.size()));
    EXPECT_EQ(parser.head(rest).authority(), "b");
    parser.reset();
    ASSERT_EQ(parser.parse(one), parse_result::complete(one.size()));
    EXPECT_FALSE(parser.head(one).has(field::if_match)) << "nothing is left of the request before";
}

TEST(request_parser, one_empty_line_before_a_request_is_skipped) {
    EXPECT_EQ(parse_every_way("\r\nGET / HTTP/1.0\r\n\r\n"), "GET|/|0|/|||1.0|close|||0|0|20");
    EXPECT_EQ(status_of("\r\n\r\nGET / HTTP/1.0\r\n\r\n"), 400);
    EXPECT_EQ(status_of("\nGET / HTTP/1.0\r\n\r\n"), 400);
    EXPECT_EQ(status_of(" \r\nGET / HTTP/1.0\r\n\r\n"), 400);
    message_limits limits;
    limits.leading_empty_lines_max(3);
    EXPECT_EQ(status_of("\r\n\r\n\r\nGET / HTTP/1.0\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of("\r\n\r\n\r\n\r\nGET / HTTP/1.0\r\n\r\n", limits), 400);
}

TEST(request_parser, the_request_line_has_one_shape) {
    for (std::string_view line :
         {"GET / HTTP/1.1", "get / HTTP/1.1", "M-SEARCH / HTTP/1.1", "OPTIONS * HTTP/1.1", "GET //a HTTP/1.1",
          "GET /a?b[]=[1] HTTP/1.1", "GET /? HTTP/1.1", "GET / HTTP/1.2", "GET / HTTP/1.9"}) {
        EXPECT_EQ(status_of_line(line), 0) << line;
    }
    for (std::string_view line : {"GET",
                                  "GET ",
                                  "GET /",
                                  "GET / ",
                                  "GET  / HTTP/1.1",
                                  "GET /  HTTP/1.1",
                                  "GET / HTTP/1.1 ",
                                  " GET / HTTP/1.1",
                                  "GET HTTP/1.1",
                                  "GET  HTTP/1.1",
                                  "/ HTTP/1.1",
                                  "GET\t/ HTTP/1.1",
                                  "GET /\tHTTP/1.1",
                                  "GET / HTTP/1.1\t",
                                  "G(T / HTTP/1.1",
                                  "G\xc3\xa9T / HTTP/1.1",
                                  "GET /a b HTTP/1.1",
                                  "GET a HTTP/1.1",
                                  "GET /a#b HTTP/1.1",
                                  "GET /\xc3\xa9 HTTP/1.1",
                                  "GET ? HTTP/1.1",
                                  "GET * HTTP/1.1",
                                  ": / HTTP/1.1",
                                  "GET / http/1.1",
                                  "GET / HTTP/1.1.1",
                                  "GET / HTTP/1",
                                  "GET / HTTP/11",
                                  "GET / HTTP/1.",
                                  "GET / HTTP/.1",
                                  "GET / HTTP/1.10",
                                  "GET / HTTP/01.1",
                                  "GET / HTTP/a.1",
                                  "GET / HTTP/1.a",
                                  "GET / HTTP 1.1",
                                  "GET / HTTPS/1.1",
                                  "GET / XTTP/1.1",
                                  "GET / HTTP/-1.1",
                                  "GET / HTTP/1,1",
                                  "GET / HTTP/"}) {
        EXPECT_EQ(status_of_line(line), 400) << line;
    }
}

TEST(request_parser, another_major_version_is_not_supported) {
    for (std::string_view version : {"HTTP/2.0", "HTTP/2", "HTTP/3", "HTTP/0.9", "HTTP/9.1"}) {
        EXPECT_EQ(status_of_line("GET / " + std::string(version)), 505) << version;
    }
    EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
}

TEST(request_parser, recognises_the_four_target_forms) {
    const parsed absolute("GET http://Example.com:81?q HTTP/1.1\r\nHost: other\r\n\r\n");
    EXPECT_EQ(absolute.head().form(), target_form::absolute);
    EXPECT_EQ(absolute.head().authority(), "Example.com:81") << "it wins over Host";
    EXPECT_EQ(absolute.head().path(), "/");
    EXPECT_EQ(absolute.head().query(), "q");

    const parsed with_path("GET HTTPS://[::1]/a/b?c?d HTTP/1.1\r\nHost: other\r\n\r\n");
    EXPECT_EQ(with_path.head().authority(), "[::1]");
    EXPECT_EQ(with_path.head().path(), "/a/b");
    EXPECT_EQ(with_path.head().query(), "c?d");

    const parsed tunnel("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n");
    EXPECT_EQ(tunnel.head().form(), target_form::authority);
    EXPECT_EQ(tunnel.head().authority(), "a.example:443");
    EXPECT_EQ(tunnel.head().path(), "");

    const parsed server("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(server.head().form(), target_form::asterisk);
    EXPECT_EQ(server.head().authority(), "a");
}

TEST(request_parser, refuses_a_target_of_no_form) {
    for (std::string_view target : {"http://", "http:///a", "http:/a", "http://user@host/", "ftp://host/",
                                    "://host/", "http://host:99999/", "http://[::1/", "host:80"}) {
        EXPECT_EQ(status_of_line("GET " + std::string(target) + " HTTP/1.1"), 400) << target;
    }
    for (std::string_view target : {"a", "a:", ":80", "/", "*", "http://a:80", "a:80/", "a:b", "a@b:80"}) {
        EXPECT_EQ(status_of_line("CONNECT " + std::string(target) + " HTTP/1.1"), 400) << target;
    }
}

TEST(request_parser, refuses_a_target_with_characters_that_no_uri_has) {
    for (const char byte : std::string_view("\\|\"<>^`{}#\x7f\x80\xff")) {
        for (const char* const before : {"/", "/\\evil.com/", "/a?b=", "http://host/"}) {
            const std::string target = before + std::string(1, byte);
            EXPECT_EQ(status_of_line("GET " + target + " HTTP/1.1"), 400) << target;
        }
    }
    EXPECT_EQ(status_of_line("GET /-._~%20!$&'()*+,;=:@/?a=/?b HTTP/1.1"), 0);
}

TEST(request_parser, host_must_be_there_once_and_valid) {
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(status_of("GET http://a/ HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), 0);
    EXPECT_EQ(status_of("GET / HTTP/1.0\r\nHost: a b\r\n\r\n"), 400);
    EXPECT_EQ(status_with_fields("Host: a\r\n"), 400);
    EXPECT_EQ(status_with_fields("hOST: b\r\n"), 400);
    for (std::string_view host : {"", "a b", "a,b", "a/b", "http://a", "a@b", "a:b", "a:123456", "a:65536",
                                  "[::1", "[]", "[a]", "::1", "a\xff", "a%zz", "a%2", "a\\b", "a?b", "a#b"}) {
        const bool is_valid = host == "a,b";  // a sub-delimiter of RFC 3986
        EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n"), is_valid ? 0 : 400)
            << host;
    }
    for (std::string_view host : {"a", "a:", "a:0", "a:65535", "1.2.3.4:80", "[::1]", "[2001:db8::1]:8080",
                                  "a_b-c.d", "xn--nxasmq6b", "a%20b"}) {
        EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n"), 0) << host;
    }
}

TEST(request_parser, refuses_malformed_field_lines) {
    for (std::string_view line : {"A",
                                  "A B: c",
                                  "A : b",
                                  "A\t: b",
                                  ": b",
                                  " A: b",
                                  "\tA: b",
                                  "A(: b",
                                  "A\"b: c",
                                  "A@: b",
                                  "A[]: b",
                                  "\xc3\xa9: b",
                                  "A: b\r\n folded",
                                  "A: b\r\n\tfolded",
                                  "A: b\r\n ",
                                  "A: \x01",
                                  "A: \x7f",
                                  "A: b\x1b[0m",
                                  "A: b\nB: c",
                                  "A: b\rB: c",
                                  "A: b\r\rB: c",
                                  "A\r: b",
                                  "A: b\n\n"}) {
        EXPECT_EQ(status_with_fields(std::string(line) + "\r\n"), 400) << line;
    }
    EXPECT_EQ(status_with_fields("A: b\0c\r\n"s), 400);
    EXPECT_EQ(status_with_fields("A\0: b\r\n"s), 400);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n Host: a\r\n\r\n"), 400);
    EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: a\n\n"), 400);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\n\n"), 400);
    EXPECT_EQ(status_of("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s), 400);
    EXPECT_EQ(status_of("\x16\x03\x01\x02"), 400) << "a TLS client";
}

TEST(request_parser, every_byte_in_a_known_name_that_is_no_token_is_refused_and_nothing_else) {
    const std::string name = "X-Forwarded-For";
    for (int byte = 0; byte < 256; ++byte) {
        const char character = static_cast<char>(byte);
        const bool is_part = is_token(std::string_view(&character, 1));
        for (std::size_t at = 0; at < name.size(); ++at) {
            std::string line = name + ": b\r\n";
            line[at] = character;
            const bool is_allowed = is_part || (character == ':' && at != 0);
            EXPECT_EQ(status_with_fields(line), is_allowed ? 0 : 400) << byte << " at " << at;
        }
    }
}

TEST(request_parser, every_control_character_in_a_value_is_refused_and_nothing_else) {
    for (int byte = 0; byte < 256; ++byte) {
        const char character = static_cast<char>(byte);
        const bool is_control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
        for (std::size_t padding : {0, 7, 15, 40}) {
            const std::string line = "A: b" + std::string(padding, 'x') + character + "c\r\n";
            EXPECT_EQ(status_with_fields(line), is_control ? 400 : 0) << byte << " after " << padding;
        }
    }
}

TEST(request_parser, values_lose_the_white_space_around_them) {
    const parsed request(with_fields("A:b\r\nB: \t b\t c \t \r\nC:\r\nD:   \r\nE: \xc3\xa9\r\n"));
    EXPECT_EQ(request.head().find("a"), "b");
    EXPECT_EQ(request.head().find("b"), "b\t c");
    EXPECT_EQ(request.head().find("c"), "");
    EXPECT_EQ(request.head().find("d"), "");
    EXPECT_EQ(request.head().find("e"), "\xc3\xa9");
}

TEST(request_parser, every_shape_of_request_smuggling_is_refused) {
    for (std::string_view fields : {
             "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
             "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
             "Content-Length: 5\r\nContent-Length: 6\r\n",
             "Content-Length: 5\r\nContent-Length: 5\r\n",
             "Content-Length: 5, 5\r\n",
             "Content-Length: 5,6\r\n",
             "Content-Length: +5\r\n",
             "Content-Length: -5\r\n",
             "Content-Length: 0x5\r\n",
             "Content-Length: 5 5\r\n",
             "Content-Length: 5.0\r\n",
             "Content-Length: 5a\r\n",
             "Content-Length: \r\n",
             "Content-Length: \"5\"\r\n",
             "Content-Length: 18446744073709551616\r\n",
             "Content-Length: 99999999999999999999\r\n",
             "Content-Length: 00000000000000000005\r\n",
             "Content-Length : 5\r\n",
             "Transfer-Encoding : chunked\r\n",
             "Transfer-Encoding: chunked, chunked\r\n",
             "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
             "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
             "Transfer-Encoding: chunked, identity\r\n",
             "Transfer-Encoding: chunked, gzip\r\n",
             "Transfer-Encoding: gzip\r\n",
             "Transfer-Encoding: identity\r\n",
             "Transfer-Encoding: xchunked\r\n",
             "Transfer-Encoding: chunkedx\r\n",
             "Transfer-Encoding: \"chunked\"\r\n",
             "Transfer-Encoding: chunked;a=b\r\n",
             "Transfer-Encoding: chunked,\r\n",
             "Transfer-Encoding: ,chunked\r\n",
             "Transfer-Encoding: \r\n",
             "Transfer-Encoding: ch\x0bunked\r\n",
             "Transfer-Encoding: chu nked\r\n",
             "Transfer-Encoding:\r\n chunked\r\n",
             "Transfer-Encoding\r\n: chunked\r\n",
             "X: y\r\n Content-Length: 5\r\n",
         }) {
        EXPECT_EQ(status_with_fields(fields), 400) << fields;
    }
    EXPECT_EQ(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
    EXPECT_EQ(status_of("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n"), 0);
}

TEST(request_parser, a_coding_that_is_not_implemented_is_said_to_be) {
    EXPECT_EQ(status_with_fields("Transfer-Encoding: gzip, chunked\r\n"), 501);
    EXPECT_EQ(status_with_fields("Transfer-Encoding: gzip;q=1\r\nTransfer-Encoding: chunked\r\n"), 501);
}

TEST(request_parser, says_how_the_body_is_framed) {
    EXPECT_EQ(parsed(with_fields("")).head().framing(), body_framing::none());
    EXPECT_EQ(parsed(with_fields("Content-Length: 0\r\n")).head().framing(), body_framing::none());
    EXPECT_EQ(parsed(with_fields("content-length: 0042 \r\n")).head().framing(), body_framing::of_length(42));
    EXPECT_EQ(parsed(with_fields("TRANSFER-ENCODING: Chunked\r\n")).head().framing(),
              body_framing::chunked());
}

TEST(request_parser, knows_whether_the_connection_goes_on) {
    const auto keeps_alive = [](std::string_view version, std::string_view fields) {
        return parsed("GET / " + std::string(version) + "\r\nHost: a\r\n" + std::string(fields) + "\r\n")
            .head()
            .keep_alive();
    };
    EXPECT_TRUE(keeps_alive("HTTP/1.1", ""));
    EXPECT_TRUE(keeps_alive("HTTP/1.1", "Connection: foo\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.1", "Connection: close\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.1", "Connection: foo,, CLOSE ,bar\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.1", "Connection: keep-alive\r\nconnection: close\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.0", ""));
    EXPECT_TRUE(keeps_alive("HTTP/1.0", "Connection: Keep-Alive\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.0", "Connection: keep-alive, close\r\n"));
    EXPECT_EQ(status_with_fields("Connection: clo se\r\n"), 400);
}

TEST(request_parser, recognises_upgrade_and_expect) {
    const parsed websocket(with_fields("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"));
    EXPECT_EQ(websocket.head().upgrade(), "websocket");
    EXPECT_EQ(parsed(with_fields("Upgrade: websocket\r\n")).head().upgrade(), "");
    EXPECT_EQ(parsed("GET / HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n").head().upgrade(), "");

    EXPECT_TRUE(parsed(with_fields("Expect: 100-Continue\r\n")).head().expects_continue());
    EXPECT_FALSE(parsed(with_fields("")).head().expects_continue());
    EXPECT_FALSE(parsed("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").head().expects_continue());
    EXPECT_EQ(status_with_fields("Expect: something\r\n"), 417);
}

TEST(request_parser, repeated_fields_are_all_found) {
    const parsed request(with_fields("Cookie: a\r\nRange: x\r\ncookie: b\r\nDate: d\r\nCOOKIE: c\r\n"));
    std::string all;
    request.head().for_each(field::cookie, [&all](std::string_view value) { all += value; });
    EXPECT_EQ(all, "abc");
    EXPECT_EQ(request.head().find(field::cookie), "a");
    EXPECT_EQ(request.head().only(field::cookie), std::nullopt);
    EXPECT_EQ(request.head().only(field::range), "x");
    EXPECT_EQ(request.head().only(field::if_range), std::nullopt);
}

TEST(request_parser, a_request_line_over_the_limit_is_refused_at_its_first_byte_too_many) {
    message_limits limits;
    limits.request_line_bytes_max(20);
    const std::string fits = "GET /123456 HTTP/1.1";
    EXPECT_EQ(status_of(fits + "\r\nHost: a\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of("GET /1234567 HTTP/1.1\r\nHost: a\r\n\r\n", limits), 414);
    EXPECT_EQ(status_of(std::string(20, 'A'), limits), 1);
    EXPECT_EQ(status_of(std::string(21, 'A'), limits), 414);
    EXPECT_EQ(status_of(std::string(21, 'A') + '\n', limits), 414);
    EXPECT_EQ(status_of("GET /" + std::string(8200, 'a')), 414);
}

TEST(request_parser, a_head_over_the_limit_is_refused) {
    const std::string request = with_fields("A: 0123456789\r\n");
    for (std::size_t bytes = 0; bytes < request.size(); ++bytes) {
        message_limits limits;
        limits.head_bytes_max(bytes);
        EXPECT_EQ(status_of(request, limits), bytes < 16 ? 414 : 431) << bytes;
    }
    message_limits limits;
    limits.head_bytes_max(request.size());
    EXPECT_EQ(status_of(request, limits), 0);
    limits.head_bytes_max(1 << 20);
    EXPECT_EQ(limits.head_bytes_max(), message_limits::head_bytes_cap);
}

TEST(request_parser, the_largest_head_is_addressed_to_its_last_byte) {
    message_limits limits;
    limits.head_bytes_max(message_limits::head_bytes_cap);
    std::string request = "GET / HTTP/1.1\r\nHost: a\r\nA: ";
    request += std::string(message_limits::head_bytes_cap - request.size() - 10, 'x') + "\r\nB: y\r\n";
    request.resize(message_limits::head_bytes_cap - 2);
    request += "\r\n";
    request.replace(request.size() - 10, 10, "\r\nB: z\r\n\r\n");
    request_parser parser(limits);
    ASSERT_EQ(parser.parse(request), parse_result::complete(message_limits::head_bytes_cap));
    EXPECT_EQ(parser.head(request).find("b"), "z");
    request.insert(30, "x");
    parser.reset();
    EXPECT_EQ(parser.parse(request).error().status(), status::request_header_fields_too_large);
}

TEST(request_parser, other_limits_have_their_statuses) {
    message_limits limits;
    limits.header_count_max(2).body_bytes_max(10).method_bytes_max(5);
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\n";
    EXPECT_EQ(status_of(start + "A: b\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of(start + "A: b\r\nB: c\r\n\r\n", limits), 431);
    EXPECT_EQ(status_of(start + "Content-Length: 10\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of(start + "Content-Length: 11\r\n\r\n", limits), 413);
    EXPECT_EQ(status_of("BREWX / HTTP/1.1\r\nHost: a\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of("BREWXY / HTTP/1.1\r\nHost: a\r\n\r\n", limits), 501);
    EXPECT_EQ(status_with_fields(std::string(255, 'a') + ": b\r\n"), 0);
    EXPECT_EQ(status_with_fields(std::string(256, 'a') + ": b\r\n"), 431);
    std::string many;
    for (int i = 0; i < 99; ++i) {
        many += "A: b\r\n";
    }
    EXPECT_EQ(status_with_fields(many), 0);
    EXPECT_EQ(status_with_fields(many + "A: b\r\n"), 431);
}

TEST(request_parser, after_an_error_it_says_the_same_again) {
    const message_limits limits;
    request_parser parser(limits);
    const auto error = parser.parse("GET\r\n");
    ASSERT_EQ(error.state(), parse_state::error);
    EXPECT_EQ(parser.parse("GET\r\nmore"), error);
    parser.reset();
    EXPECT_EQ(parser.parse("GET / HTTP/1.0\r\n\r\n").state(), parse_state::complete);
}

}  // namespace
}  // namespace eddy::http::request_parser_test
