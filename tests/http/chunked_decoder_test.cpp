#include <eddy/http/codec/detail/chunked_decoder.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::chunked_decoder_test {
namespace {

using namespace std::string_literals;

// Decodes what arrives in these pieces as a connection would: what is not consumed stays in the buffer.
// Gives data, trailers and the outcome as one text.
std::string decode_cut(std::string_view bytes, std::vector<std::size_t> cuts, const message_limits& limits) {
    chunked_decoder decoder(limits);
    std::string data;
    std::string trailers;
    std::size_t consumed = 0;
    cuts.push_back(bytes.size());
    for (std::size_t cut : cuts) {
        for (bool wants_more = false; !wants_more;) {
            const std::string buffer(bytes.substr(consumed, cut - consumed));
            const auto result = decoder.decode(buffer);
            consumed += result.consumed();
            switch (result.event()) {
                case chunk_event::need_more:
                    wants_more = true;
                    break;
                case chunk_event::data:
                    EXPECT_FALSE(result.data().empty());
                    data += result.data();
                    break;
                case chunk_event::trailer:
                    trailers +=
                        std::string(result.trailer_name()) + "=" + std::string(result.trailer_value()) + ";";
                    break;
                case chunk_event::complete:
                    EXPECT_EQ(decoder.body_size(), data.size());
                    return data + "|" + trailers + "|" + std::to_string(consumed);
                case chunk_event::error:
                    return data + "|" + trailers + "|" + std::to_string(to_number(result.error().status())) +
                           " " + std::string(result.error().reason());
            }
        }
    }
    return data + "|" + trailers + "|need more";
}

std::string decode_every_way(std::string_view bytes, message_limits limits = message_limits()) {
    const std::string whole = decode_cut(bytes, {}, limits);
    std::vector<std::size_t> every_byte;
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        EXPECT_EQ(decode_cut(bytes, {cut}, limits), whole) << "cut at " << cut << " of:\n" << bytes;
        every_byte.push_back(cut);
    }
    EXPECT_EQ(decode_cut(bytes, every_byte, limits), whole) << "a byte at a time:\n" << bytes;
    return whole;
}

// The status a body is refused with; 0 when it is accepted, 1 when it is unfinished.
int status_of(std::string_view bytes, message_limits limits = message_limits()) {
    const std::string outcome = decode_every_way(bytes, limits);
    const std::string last = outcome.substr(outcome.rfind('|') + 1);
    return last == "need more" ? 1 : last.find(' ') == std::string::npos ? 0 : std::stoi(last);
}

TEST(chunked_decoder, takes_chunks_and_trailers_off) {
    EXPECT_EQ(decode_every_way("0\r\n\r\n"), "||5");
    EXPECT_EQ(decode_every_way("5\r\nhello\r\n0\r\n\r\nGET /"), "hello||15");
    EXPECT_EQ(decode_every_way("a\r\n0123456789\r\n00A\r\n0123456789\r\n000\r\n\r\n"),
              "01234567890123456789||39");
    EXPECT_EQ(decode_every_way("1\r\na\r\n0\r\nA: b\r\nX-Long:  c d\t\r\nE:\r\n\r\nrest"),
              "a|A=b;X-Long=c d;E=;|36");
    EXPECT_EQ(decode_every_way("2\r\n\r\n\r\n0\r\n\r\n"), "\r\n||12");
}

TEST(chunked_decoder, data_are_views_into_the_input) {
    const message_limits limits;
    chunked_decoder decoder(limits);
    const std::string input = "5\r\nhel";
    const auto result = decoder.decode(input);
    ASSERT_EQ(result.event(), chunk_event::data);
    EXPECT_EQ(result.data().data(), input.data() + 3);
    EXPECT_EQ(result.consumed(), 6U);
}

TEST(chunked_decoder, an_unfinished_body_needs_more) {
    const std::string body = "3;a=\"b\"\r\nabc\r\n0\r\nA: b\r\n\r\n";
    for (std::size_t size = 0; size < body.size(); ++size) {
        EXPECT_EQ(status_of(body.substr(0, size)), 1) << size;
    }
    EXPECT_EQ(status_of(body), 0);
}

TEST(chunked_decoder, extensions_are_checked_and_passed_over) {
    for (std::string_view extension :
         {";a", ";a=b", ";a=\"b\"", ";a=\"\"", ";a=\"b;c\\\"d\\\\\"", ";a;b=c;d", " ; a = b ; c", "\t;\ta",
          ";a=\"\xc3\xa9\t\"", ";a =b", ";a= \"b\" ;c"}) {
        EXPECT_EQ(decode_every_way("1" + std::string(extension) + "\r\nx\r\n0" + std::string(extension) +
                                   "\r\n\r\n"),
                  "x||" + std::to_string(11 + 2 * extension.size()))
            << extension;
    }
    for (std::string_view extension :
         {";",        ";;",      ";=",    ";=b",       ";a=",         ";a=;",          " ",    "\t",
          " ;",       ";a ",     ";a=b ", ";a=\"b\" ", ";a=\"b",      ";a=\"b\"c",     ";a b", ";a=b c",
          ";a=b=c",   ";a\"b\"", ";(",    ";a=(",      ";a=\"\x01\"", ";a=\"\\\x7f\"", " a",   ",a",
          ";a=b\"c\""}) {
        EXPECT_EQ(status_of("1" + std::string(extension) + "\r\nx\r\n0\r\n\r\n"), 400) << extension;
    }
}

TEST(chunked_decoder, refuses_everything_malformed) {
    for (std::string_view body : {
             "\r\n",
             "g\r\n",
             " 1\r\nx\r\n0\r\n\r\n",
             "1 \r\nx\r\n0\r\n\r\n",
             "+1\r\nx\r\n0\r\n\r\n",
             "-1\r\nx\r\n0\r\n\r\n",
             "0x1\r\nx\r\n0\r\n\r\n",
             "1\nx\r\n0\r\n\r\n",
             "1\r\r\nx\r\n0\r\n\r\n",
             "1\rx\r\n0\r\n\r\n",
             "1\r\nx\n0\r\n\r\n",
             "1\r\nxy\r\n0\r\n\r\n",
             "1\r\nx\r0\r\n\r\n",
             "1\r\nx0\r\n\r\n",
             "2\r\nx\r\n0\r\n\r\n",
             "1;a\nb\r\nx\r\n0\r\n\r\n",
             "1;a\rb\r\nx\r\n0\r\n\r\n",
             "1;a=\"b\n\"\r\nx\r\n0\r\n\r\n",
             "10000000000000000\r\n",
             "00000000000000000\r\n",
             "ffffffffffffffffff\r\n",
             "0\r\n\n",
             "0\r\n\r0",
             "0\r\nA\r\n\r\n",
             "0\r\n: b\r\n\r\n",
             "0\r\nA : b\r\n\r\n",
             "0\r\nA: b\r\n c\r\n\r\n",
             "0\r\n A: b\r\n\r\n",
             "0\r\nA: b\nB: c\r\n\r\n",
             "0\r\nA: \x01\r\n\r\n",
             "0\r\nContent-Length: 5\r\n\r\n",
             "0\r\ntransfer-encoding: chunked\r\n\r\n",
             "0\r\nHost: a\r\n\r\n",
         }) {
        EXPECT_EQ(status_of(body), 400) << body;
    }
    EXPECT_EQ(status_of("1\0\r\nx\r\n0\r\n\r\n"s), 400);
    EXPECT_EQ(status_of("0\r\nA: b\0\r\n\r\n"s), 400);
}

TEST(chunked_decoder, a_body_over_the_limit_is_refused_before_its_bytes_come) {
    message_limits limits;
    limits.body_bytes_max(10);
    EXPECT_EQ(status_of("a\r\n0123456789\r\n0\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of("b\r\n", limits), 413);
    EXPECT_EQ(status_of("9\r\n012345678\r\n2\r\n", limits), 413);
    EXPECT_EQ(status_of("ffffffffffffffff\r\n", limits), 413);
    limits.body_bytes_max(UINT64_MAX);
    EXPECT_EQ(status_of("1\r\nx\r\nffffffffffffffff\r\n", limits), 413) << "the sum does not wrap round";
}

TEST(chunked_decoder, extensions_and_trailers_have_limits) {
    message_limits limits;
    limits.chunk_extension_bytes_max(4).trailer_bytes_max(10);
    EXPECT_EQ(status_of("1;ab\r\nx\r\n0;\r\n", limits), 400);
    EXPECT_EQ(status_of("1;a\r\nx\r\n0;a\r\n\r\n", limits), 0) << "four bytes in all";
    EXPECT_EQ(status_of("1;a\r\nx\r\n0;ab\r\n\r\n", limits), 413);
    EXPECT_EQ(status_of("1;abcd\r\n", limits), 413);
    EXPECT_EQ(status_of("0\r\nA: bcde\r\n\r\n", limits), 431);
    EXPECT_EQ(status_of("0\r\nA: bcd\r\n\r\n", limits), 0);
    EXPECT_EQ(status_of("0\r\n" + std::string(100, 'a'), limits), 431);
}

}  // namespace
}  // namespace eddy::http::chunked_decoder_test
