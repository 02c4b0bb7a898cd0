#include <eddy/http/client/client_request.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>

namespace eddy::http::client_request_test {
namespace {

using namespace std::string_literals;

template <class Function>
std::error_code error_of(Function function) {
    try {
        function();
    } catch (const std::system_error& error) {
        return error.code();
    }
    return {};
}

std::string value_of(const client_request& of, std::string_view name) {
    std::string all;
    for (const auto& [each, value] : of.fields())
        if (each == name)
            all += value + ";";
    return all;
}

TEST(client_request, refuses_what_would_split_or_frame_it) {
    for (const std::string& name : {"Content-Length"s, "Transfer-Encoding"s, "connection"s, "Upgrade"s, "TE"s,
                                    "Expect"s, "a b"s, ""s, "a\r\nb"s})
        EXPECT_EQ(error_of([&] { client_request(method::get, "http://a/").field(name, "1"); }),
                  http_error::invalid_request)
            << name;
    for (const std::string& value : {"a\r\nb: c"s, "\n"s, "a\0"s})
        EXPECT_EQ(error_of([&] { client_request(method::get, "http://a/").field("A", value); }),
                  http_error::invalid_request);
    EXPECT_EQ(error_of([] { client_request(method::get, "http://a/").bearer_auth("a\r\nb"); }),
              http_error::invalid_request);
    EXPECT_EQ(error_of([] { client_request(method::get, "http://a/").basic_auth("a:b", "c"); }),
              http_error::invalid_request);
    EXPECT_EQ(error_of([] { client_request(method::get, "http://a/").upgrade_to("a\n"); }),
              http_error::invalid_request);
    EXPECT_EQ(error_of([] { const client_request made("G T", url("http://a/")); }),
              http_error::invalid_request);
    EXPECT_EQ(error_of([] { const client_request made(method::get, "a"); }), http_error::malformed_url);
}

TEST(client_request, keeps_fields_in_order) {
    client_request wanted("PURGE", url("http://a/"));
    wanted.field("A", "1").field("B", "2").field("A", "3");
    EXPECT_EQ(value_of(wanted, "A"), "1;3;");
    wanted.set_field("a", "4");
    EXPECT_EQ(value_of(wanted, "A"), "");
    EXPECT_EQ(value_of(wanted, "a"), "4;");
    EXPECT_EQ(wanted.method(), method::other);
    EXPECT_EQ(wanted.method_name(), "PURGE");
}

TEST(client_request, says_who_asks) {
    client_request wanted(method::get, "http://a/");
    EXPECT_EQ(value_of(wanted.basic_auth("Aladdin", "open sesame"), "Authorization"),
              "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==;");
    EXPECT_EQ(value_of(wanted.bearer_auth("t"), "Authorization"), "Bearer t;") << "in place of the other";
}

TEST(client_request, may_be_repeated_if_that_does_no_harm) {
    EXPECT_TRUE(client_request(method::get, "http://a/").may_be_repeated());
    EXPECT_TRUE(client_request(method::put, "http://a/").content(std::string("x")).may_be_repeated());
    EXPECT_FALSE(client_request(method::post, "http://a/").may_be_repeated());
    EXPECT_TRUE(client_request(method::post, "http://a/").idempotent(true).may_be_repeated());
    auto [source, sink] = duplex(1);
    EXPECT_FALSE(client_request(method::put, "http://a/")
                     .content(outgoing_body::of_source(std::move(source)))
                     .may_be_repeated());
}

}  // namespace
}  // namespace eddy::http::client_request_test
