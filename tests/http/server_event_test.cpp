#include <eddy/http/message/server_event.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace eddy::http::server_event_test {
namespace {

using namespace std::string_literals;

TEST(server_event, is_written_as_the_standard_says) {
    EXPECT_EQ(server_event("hello").text(), "data: hello\n\n");
    EXPECT_EQ(server_event("x").type("tick").id("7").retry(std::chrono::seconds(2)).text(),
              "event: tick\nid: 7\nretry: 2000\ndata: x\n\n");
    EXPECT_EQ(server_event().id("").text(), "id: \n\n");
}

TEST(server_event, has_a_line_for_each_line_of_its_data_whatever_ends_it) {
    EXPECT_EQ(server_event("a\nb\r\nc\rd").text(), "data: a\ndata: b\ndata: c\ndata: d\n\n");
    EXPECT_EQ(server_event("a\n").text(), "data: a\ndata: \n\n");
    EXPECT_EQ(server_event("").text(), "data: \n\n");
    // An event cannot be forged by data that looks like one.
    EXPECT_EQ(server_event("a\n\nevent: b").text(), "data: a\ndata: \ndata: event: b\n\n");
}

TEST(server_event, refuses_line_ends_in_id_and_type) {
    for (const std::string& text : {"a\nb"s, "a\rb"s, "a\0b"s}) {
        EXPECT_THROW(server_event().id(text), std::invalid_argument);
        EXPECT_THROW(server_event().type(text), std::invalid_argument);
    }
}

TEST(server_event, comments_begin_with_a_colon) {
    std::string out;
    append_event_comment(out, "a\nb");
    EXPECT_EQ(out, ": a\n: b\n\n");
}

}  // namespace
}  // namespace eddy::http::server_event_test
