#include <eddy/http/codec/detail/multipart_parser.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::http::multipart_parser_test {
namespace {

/// Gives the bytes in pieces of so many, and what was not consumed again, as a reader does.
std::string parse(std::string_view body, std::size_t piece_size, const multipart_limits& limits = {}) {
    multipart_parser parser("XX", limits);
    std::string waiting;
    std::string seen;
    while (true) {
        const multipart_step step = parser.parse(waiting);
        if (step.event() == multipart_event::data)
            seen.append(waiting, 0, step.consumed());
        waiting.erase(0, step.consumed());
        if (step.event() == multipart_event::part_begin)
            seen += "<" + parser.header().name() + "|" + parser.header().file_name().value_or("-") + "|" +
                    parser.header().content_type() + ">";
        if (step.event() == multipart_event::part_end)
            seen += "</>";
        if (step.event() == multipart_event::complete)
            return seen;
        if (step.event() == multipart_event::error)
            return "refused " + std::to_string(to_number(step.error().status())) + " " +
                   std::string(step.error().reason());
        if (step.event() != multipart_event::need_more || step.consumed() != 0)
            continue;
        if (body.empty())
            return seen + " cut off";
        waiting += body.substr(0, piece_size);
        body.remove_prefix(std::min(piece_size, body.size()));
    }
}

const std::string sample =
    "preamble\r\n--XX\r\n"
    "Content-Disposition: form-data; name=\"a\"\r\n\r\n"
    "one\r\n--X\r\n--XY\r\r\n-\r\n--XX  \r\n"
    "content-disposition: form-data; name=f; filename=\"x \\\"y\\\".bin\"\r\nContent-Type: image/png\r\n\r\n"
    "\r\n--XX\r\n"
    "Content-Disposition:form-data;name=\"empty\"\r\n\r\n--XX--\r\nepilogue --XX";

const std::string sample_seen =
    "<a|-|text/plain>one\r\n--X\r\n--XY\r\r\n-</><f|x \"y\".bin|image/png></><empty|-|text/plain></>";

TEST(multipart_parser, takes_a_body_apart_whatever_pieces_it_comes_in) {
    for (std::size_t size = 1; size <= sample.size(); ++size)
        EXPECT_EQ(parse(sample, size), sample_seen) << size;
}

TEST(multipart_parser, takes_a_body_apart_at_every_single_boundary) {
    for (std::size_t at = 0; at <= sample.size(); ++at) {
        multipart_parser parser("XX");
        std::string waiting = sample.substr(0, at);
        bool has_rest = false;
        std::string data;
        for (;;) {
            const auto step = parser.parse(waiting);
            ASSERT_NE(step.event(), multipart_event::error) << at;
            if (step.event() == multipart_event::data)
                data.append(waiting, 0, step.consumed());
            waiting.erase(0, step.consumed());
            if (step.event() == multipart_event::complete)
                break;
            if (step.event() == multipart_event::need_more && step.consumed() == 0) {
                ASSERT_FALSE(has_rest);
                has_rest = true;
                waiting += sample.substr(at);
            }
        }
        EXPECT_EQ(data, "one\r\n--X\r\n--XY\r\r\n-") << at;
    }
}

TEST(multipart_parser, that_sees_no_last_boundary_never_completes) {
    const std::size_t end = sample.find("--XX--");
    for (std::size_t size = 0; size < end + 6; ++size)
        EXPECT_TRUE(parse(sample.substr(0, size), 1000).ends_with(" cut off")) << size;
}

std::string part_with(std::string_view header, std::string_view body = "x") {
    return std::string("--XX\r\n").append(header).append("\r\n").append(body).append("\r\n--XX--");
}

TEST(multipart_parser, takes_nothing_but_an_empty_form) {
    EXPECT_EQ(parse("--XX--", 1), "");
    EXPECT_EQ(parse("\r\n--XX--\r\n", 1), "");
}

TEST(multipart_parser, refuses_headers_that_are_malformed) {
    const std::string_view refused[] = {
        "",                                                        // none
        "Content-Type: text/plain\r\n",                            // no disposition
        "Content-Disposition: attachment; name=a\r\n",             // of another type
        "Content-Disposition: form-data\r\n",                      // no name
        "Content-Disposition: form-data; name=\"a\r\n",            // open quote
        "Content-Disposition: form-data; name=a; name=b\r\n",      // two names
        "Content-Disposition: form-data; name=a; ; x\r\n",         // no parameter
        "Content-Disposition: form-data; name=\"a\"b\r\n",         // something behind
        "Content-Disposition: form-data; name=a\r\n folded\r\n",   // folded
        "Content-Disposition : form-data; name=a\r\n",             // space before the colon
        "Content-Disposition: form-data; name=a\rb\r\n",           // bare CR
        "Content-Disposition: form-data; name=a\r\nno colon\r\n",  // no field
        "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n",
    };
    for (const std::string_view header : refused)
        for (const std::size_t size : {1UZ, 1000UZ})
            EXPECT_TRUE(parse(part_with(header), size).starts_with("refused 400")) << header;
    EXPECT_EQ(parse(part_with("Content-Disposition: form-data; name=a\r\n"), 1), "<a|-|text/plain>x</>");
}

TEST(multipart_parser, refuses_a_boundary_with_something_behind_it) {
    EXPECT_TRUE(parse("--XXY\r\n", 1).starts_with("refused 400"));
    EXPECT_TRUE(parse("--XX\n", 1).starts_with("refused 400"));
    EXPECT_TRUE(parse("--XX-\r\n", 1).starts_with("refused 400"));
    EXPECT_TRUE(parse("--XX" + std::string(100, ' ') + "\r\n", 1).starts_with("refused 400"));
}

TEST(multipart_parser, keeps_to_its_limits) {
    const std::string header = "Content-Disposition: form-data; name=a\r\n";
    const std::string two = "--XX\r\n" + header + "\r\n1\r\n" + part_with(header, "12345");
    const std::size_t header_bytes = header.size() - 2;  // without the end of its last line
    for (const std::size_t size : {1UZ, 1000UZ}) {
        EXPECT_EQ(parse(two, size, multipart_limits().parts_max(2)).size(), 44U);
        EXPECT_TRUE(parse(two, size, multipart_limits().parts_max(1)).starts_with("refused 413"));
        EXPECT_FALSE(parse(two, size, multipart_limits().part_bytes_max(5)).starts_with("refused"));
        EXPECT_TRUE(parse(two, size, multipart_limits().part_bytes_max(4)).starts_with("refused 413"));
        EXPECT_FALSE(
            parse(two, size, multipart_limits().header_bytes_max(header_bytes)).starts_with("refused"));
        EXPECT_TRUE(parse(two, size, multipart_limits().header_bytes_max(header_bytes - 1))
                        .starts_with("refused 413"));
        EXPECT_FALSE(parse(two, size, multipart_limits().total_bytes_max(two.size())).starts_with("refused"));
        EXPECT_TRUE(
            parse(two, size, multipart_limits().total_bytes_max(two.size() - 3)).starts_with("refused 413"));
    }
    EXPECT_TRUE(parse("--XX\r\nA: " + std::string(10'000, 'a'), 7).starts_with("refused 413"));
    EXPECT_TRUE(
        parse(std::string(1000, 'a'), 7, multipart_limits().total_bytes_max(900)).starts_with("refused 413"));
}

TEST(multipart_boundary, is_taken_from_the_content_type) {
    EXPECT_EQ(parse_multipart_boundary("multipart/form-data; boundary=abc").value(), "abc");
    EXPECT_EQ(parse_multipart_boundary("Multipart/Form-Data;charset=x; BOUNDARY=\"a b:c\" ; y=z").value(),
              "a b:c");
    EXPECT_EQ(parse_multipart_boundary("text/plain; boundary=abc").error().status(),
              status::unsupported_media_type);
    EXPECT_EQ(parse_multipart_boundary("").error().status(), status::unsupported_media_type);
    for (const std::string_view type :
         {"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
          "multipart/form-data; boundary=\"a \"", "multipart/form-data; boundary=a{b",
          "multipart/form-data; boundary=\"abc", "multipart/form-data; =x; boundary=abc"})
        EXPECT_EQ(parse_multipart_boundary(type).error().status(), status::bad_request) << type;
    const std::string prefix = "multipart/form-data; boundary=";
    EXPECT_TRUE(parse_multipart_boundary(prefix + std::string(70, 'a')));
    EXPECT_FALSE(parse_multipart_boundary(prefix + std::string(71, 'a')));
}

}  // namespace
}  // namespace eddy::http::multipart_parser_test
