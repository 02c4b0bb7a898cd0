#include "greeter.pb.h"
#include "no_package.pb.h"
#include "odd_names.pb.h"
#include "shared/point.pb.h"

#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/protobuf.hpp>
#include <eddy/rpc/status.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc::test::protobuf_codec_test {
namespace {

using shared::geometry::Point;

template <class Message>
Message decoded(std::string_view bytes, std::string_view subtype) {
    Message made;
    codec<Message>::decode(std::as_bytes(std::span(bytes)), subtype, made);
    return made;
}

template <class Message>
std::string encoded(const Message& message, std::string_view subtype) {
    std::string out = "before ";
    codec<Message>::encode(message, subtype, out);
    return out;
}

Point point_at(int x) {
    Point point;
    point.set_x(x);
    return point;
}

TEST(protobuf_codec, knows_its_own_format_and_json) {
    static_assert(message<Point>);
    EXPECT_EQ("proto", codec<Point>::default_subtype());
    EXPECT_TRUE(codec<Point>::knows("proto"));
    EXPECT_TRUE(codec<Point>::knows("json"));
    EXPECT_FALSE(codec<Point>::knows("thrift"));
    EXPECT_FALSE(codec<Point>::knows(""));
}

TEST(protobuf_codec, appends_what_it_encodes) {
    EXPECT_EQ("before \x08\x05", encoded(point_at(5), "proto"));
    EXPECT_EQ(R"(before {"x":5})", encoded(point_at(5), "json"));
    EXPECT_EQ("before ", encoded(Point(), "proto"));
    EXPECT_EQ("before {}", encoded(Point(), "json"));
}

TEST(protobuf_codec, reads_what_it_has_written) {
    EXPECT_EQ(5, decoded<Point>("\x08\x05", "proto").x());
    EXPECT_EQ(5, decoded<Point>(R"({"x": 5})", "json").x());
    EXPECT_EQ(0, decoded<Point>("", "proto").x());
}

TEST(protobuf_codec, skips_fields_that_it_does_not_know) {
    EXPECT_EQ(5, decoded<Point>("\x08\x05\x10\x07", "proto").x());
    EXPECT_EQ(5, decoded<Point>(R"({"x": 5, "y": 7})", "json").x());
}

template <class Message>
status failure(std::string_view bytes, std::string_view subtype) {
    try {
        decoded<Message>(bytes, subtype);
    } catch (const error& failed) {
        return failed.status();
    }
    return status();
}

TEST(protobuf_codec, malformed_bytes_are_an_internal_error) {
    EXPECT_EQ(status(status_code::internal, "what has arrived is no shared.geometry.Point"),
              failure<Point>("\x08", "proto"));
    EXPECT_EQ(status(status_code::internal, "what has arrived is no shared.geometry.Point in JSON"),
              failure<Point>("{\"x\": ", "json"));
    EXPECT_EQ(status_code::internal, failure<Point>("", "json").code());
    EXPECT_EQ(status_code::internal, failure<Point>(R"({"x": "many"})", "json").code());
}

TEST(protobuf_codec, a_required_field_that_is_missing_is_an_internal_error) {
    EXPECT_EQ(status_code::internal, failure<RequiredText>("", "proto").code());
    std::string out;
    EXPECT_THROW(codec<RequiredText>::encode(RequiredText(), "proto", out), error);
}

}  // namespace
}  // namespace eddy::rpc::test::protobuf_codec_test
