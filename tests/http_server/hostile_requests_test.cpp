#include "http/conversation.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// What attackers send: shapes on which two servers in a row may disagree (request smuggling), and ones that
// are just wrong. Each has its status, whole and byte by byte; nothing behind it is ever taken for a request.
namespace eddy::http::test::hostile_requests_test {
namespace {

class hostile_request {
public:
    hostile_request(const char* name, int status, std::string text)
        : name(name), status(status), text(std::move(text)) {}
    const char* name;
    int status;
    std::string text;
};

/// A POST with these fields behind Host, and what follows.
std::string post(std::string_view fields, std::string_view body = {}) {
    return "POST / HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

std::string chunks(std::string_view body) {
    return post("Transfer-Encoding: chunked\r\n", body);
}

std::string line(std::string_view request_line) {
    return std::string(request_line) + "\r\nHost: h\r\n\r\n";
}

const std::vector<hostile_request> requests = {
    // -- which length counts --
    {"length_and_chunked", 400, post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
    {"chunked_and_length", 400, post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n")},
    {"two_lengths", 400, post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello")},
    {"the_same_length_twice", 400, post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello")},
    {"a_list_of_lengths", 400, post("Content-Length: 5, 5\r\n", "hello")},
    {"a_length_with_plus", 400, post("Content-Length: +5\r\n", "hello")},
    {"a_length_with_minus", 400, post("Content-Length: -5\r\n", "hello")},
    {"a_length_in_hexadecimal", 400, post("Content-Length: 0x5\r\n", "hello")},
    {"a_length_with_a_fraction", 400, post("Content-Length: 5.0\r\n", "hello")},
    {"a_length_with_a_space", 400, post("Content-Length: 1 5\r\n", "hello")},
    {"an_empty_length", 400, post("Content-Length:\r\n", "hello")},
    {"a_length_beyond_64_bits", 400, post("Content-Length: 18446744073709551621\r\n", "hello")},
    {"a_huge_length", 413, post("Content-Length: 9223372036854775807\r\n", "hello")},
    // -- which coding counts --
    {"chunked_twice", 400, post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")},
    {"chunked_twice_in_two_lines", 400,
     post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
    {"chunked_not_last", 400, post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n")},
    {"identity", 400, post("Transfer-Encoding: identity\r\n", "0\r\n\r\n")},
    {"almost_chunked", 400, post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")},
    {"chunked_in_quotes", 400, post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")},
    {"chunked_with_a_parameter", 400, post("Transfer-Encoding: chunked;a=b\r\n", "0\r\n\r\n")},
    {"chunked_behind_a_vertical_tab", 400,
     post("Transfer-Encoding: \x0b"
          "chunked\r\n",
          "0\r\n\r\n")},
    {"chunked_in_http_1_0", 400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {"gzip_before_chunked", 501, post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
    // -- where lines and names end --
    {"a_space_before_the_colon", 400, post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")},
    {"a_folded_line", 400, post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")},
    {"a_space_before_the_first_field", 400, "GET / HTTP/1.1\r\n Host: h\r\n\r\n"},
    {"a_bare_cr_in_a_value", 400, post("A: b\rContent-Length: 5\r\n", "hello")},
    {"a_bare_lf_after_a_value", 400, post("A: b\nContent-Length: 5\r\n", "hello")},
    {"a_bare_lf_after_the_request_line", 400, "GET / HTTP/1.1\nHost: h\r\n\r\n"},
    {"bare_lfs_only", 400, "GET / HTTP/1.1\nHost: h\n\n"},
    {"a_nul_in_a_value", 400, post(std::string("A: b\0c\r\n", 8))},
    {"a_nul_in_a_name", 400, post(std::string("A\0: b\r\n", 7))},
    {"a_name_that_is_no_token", 400, post("Content(Length: 5\r\n", "hello")},
    {"an_empty_name", 400, post(": 5\r\n", "hello")},
    {"a_line_without_a_colon", 400, post("Content-Length 5\r\n", "hello")},
    // -- sizes of chunks --
    {"a_chunk_size_with_0x", 400, chunks("0x5\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_with_plus", 400, chunks("+5\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_with_minus", 400, chunks("-5\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_behind_a_space", 400, chunks(" 5\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_before_a_space", 400, chunks("5 \r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_with_an_underscore", 400, chunks("5_0\r\nhello\r\n0\r\n\r\n")},
    {"an_empty_chunk_size", 400, chunks("\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_that_overflows", 400, chunks("10000000000000005\r\nhello\r\n0\r\n\r\n")},
    {"a_huge_chunk", 413, chunks("7fffffffffffffff\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_that_is_longer_than_its_size", 400, chunks("4\r\nhello\r\n0\r\n\r\n")},
    {"a_chunk_size_ended_by_lf", 400, chunks("5\nhello\r\n0\r\n\r\n")},
    {"a_chunk_ended_by_lf", 400, chunks("5\r\nhello\n0\r\n\r\n")},
    {"an_extension_with_lf", 400, chunks("5;a\nhello\r\n0\r\n\r\n")},
    {"an_extension_with_a_bare_cr", 400, chunks("5;a\rb\r\nhello\r\n0\r\n\r\n")},
    {"endless_extensions", 413, chunks("5;" + std::string(5000, 'e') + "\r\nhello\r\n0\r\n\r\n")},
    // -- trailers --
    {"a_length_in_the_trailers", 400, chunks("0\r\nContent-Length: 5\r\n\r\n")},
    {"a_coding_in_the_trailers", 400, chunks("0\r\nTransfer-Encoding: chunked\r\n\r\n")},
    {"a_host_in_the_trailers", 400, chunks("0\r\nHost: other\r\n\r\n")},
    {"a_folded_trailer", 400, chunks("0\r\nA: b\r\n c\r\n\r\n")},
    {"endless_trailers", 431, chunks("0\r\nA: " + std::string(5000, 't') + "\r\n\r\n")},
    // -- request lines --
    {"no_version", 400, line("GET /")},
    {"two_spaces", 400, line("GET  / HTTP/1.1")},
    {"a_tab", 400, line("GET\t/ HTTP/1.1")},
    {"a_space_in_the_target", 400, line("GET /a b HTTP/1.1")},
    {"a_fragment", 400, line("GET /#there HTTP/1.1")},
    {"a_lower_case_version", 400, line("GET / http/1.1")},
    {"a_version_of_two_digits", 400, line("GET / HTTP/1.10")},
    {"version_2", 505, line("GET / HTTP/2.0")},
    {"the_preface_of_http_2", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {"a_method_with_a_bracket", 400, line("G[T / HTTP/1.1")},
    {"a_method_without_end", 501, line(std::string(100, 'M') + " / HTTP/1.1")},
    {"a_target_without_end", 414, line("GET /" + std::string(9000, 't') + " HTTP/1.1")},
    {"bytes_above_ascii_in_the_target", 400, line("GET /\xc3\xa4 HTTP/1.1")},
    {"a_tls_handshake", 400, std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)},
    // -- whom it is for --
    {"no_host", 400, "GET / HTTP/1.1\r\n\r\n"},
    {"two_hosts", 400, "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"},
    {"an_empty_host", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
    {"a_host_with_a_path", 400, "GET / HTTP/1.1\r\nHost: h/path\r\n\r\n"},
    {"a_host_with_a_user", 400, "GET / HTTP/1.1\r\nHost: user@h\r\n\r\n"},
    {"a_host_with_a_space", 400, "GET / HTTP/1.1\r\nHost: h i\r\n\r\n"},
    {"connect_with_a_path", 400, line("CONNECT / HTTP/1.1")},
    {"get_with_an_asterisk", 400, line("GET * HTTP/1.1")},
    // -- what it asks for --
    {"an_unknown_expectation", 417, post("Expect: 200-ok\r\n")},
    {"a_malformed_connection", 400, post("Connection: close, @\r\n")},
    {"too_many_fields", 431, post([] {
         std::string many;
         for (int field = 0; field < 200; ++field)
             many += "A: b\r\n";
         return many;
     }())},
    {"a_head_without_end", 431, post("A: " + std::string(40'000, 'a') + "\r\n")},
};

class hostile : public testing::TestWithParam<hostile_request> {};

/// Reads the body, since that is where some of it is found.
task<void> read_and_answer(exchange& ex) {
    if (ex.request().path() == "/smuggled")
        ADD_FAILURE() << "a request that nobody has sent";
    static_cast<void>(co_await ex.body().read_all(1 << 20));
    co_await ex.respond(status::ok, {}, "accepted");
}

TEST_P(hostile, gets_its_status_and_the_connection_ends) {
    const std::string text = GetParam().text + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
    const std::string whole = conversation(&read_and_answer).hears(text);
    const std::string start = "HTTP/1.1 " + std::to_string(GetParam().status) + " ";
    EXPECT_TRUE(whole.starts_with(start)) << whole;
    EXPECT_NE(whole.find("\r\nConnection: close\r\n"), std::string::npos) << whole;
    EXPECT_EQ(whole.find("HTTP/1.1", 1), std::string::npos) << "a second answer: " << whole;
    if (text.size() < 1000) {
        EXPECT_EQ(conversation(&read_and_answer).hears_bytewise(text), whole);
    }
}

INSTANTIATE_TEST_SUITE_P(every_shape, hostile, testing::ValuesIn(requests),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace eddy::http::test::hostile_requests_test
