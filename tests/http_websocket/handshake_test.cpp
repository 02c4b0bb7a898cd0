#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/websocket/handshake.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace eddy::http::handshake_test {
namespace {

constexpr std::string_view sample_key = "dGhlIHNhbXBsZSBub25jZQ==";

/// A request of which lines may be replaced.
class upgrade_request {
public:
    upgrade_request& first_line(std::string text) { return first_line_ = std::move(text), *this; }
    upgrade_request& version(std::string text) { return version_ = std::move(text), *this; }
    upgrade_request& key(std::string text) { return key_ = std::move(text), *this; }
    upgrade_request& upgrade(std::string text) { return upgrade_ = std::move(text), *this; }
    upgrade_request& more(std::string lines) { return more_ = std::move(lines), *this; }

    /// 0 if it is accepted.
    [[nodiscard]] unsigned refusal(const websocket_options& options = {}) {
        const auto checked = check(options);
        return checked ? 0 : to_number(checked.error().status());
    }
    [[nodiscard]] websocket_agreement agreement(const websocket_options& options) {
        return check(options).value();
    }
    [[nodiscard]] std::string respond(const websocket_options& options = {}) {
        const auto agreed = check(options);
        return std::string(websocket_response(parser_.head(text_), *agreed).text());
    }

private:
    std::expected<websocket_agreement, websocket_refusal> check(const websocket_options& options) {
        text_ = first_line_ + "\r\nHost: example.com\r\nConnection: keep-alive, Upgrade\r\n" + upgrade_ +
                key_ + version_ + more_ + "\r\n";
        parser_.reset();
        if (parser_.parse(text_).state() != parse_state::complete)
            throw std::logic_error("the sample is no request");
        return check_websocket_request(parser_.head(text_), options);
    }

    std::string first_line_ = "GET /chat HTTP/1.1";
    std::string upgrade_ = "Upgrade: websocket\r\n";
    std::string key_ = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    std::string version_ = "Sec-WebSocket-Version: 13\r\n";
    std::string more_;
    std::string text_;
    message_limits limits_;
    request_parser parser_{limits_};
};

TEST(a_handshake, is_answered_as_the_example_of_rfc_6455) {
    EXPECT_EQ(websocket_accept_value(sample_key), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    EXPECT_EQ(upgrade_request().respond(),
              "Upgrade: websocket\r\n"
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
    EXPECT_EQ(upgrade_request().upgrade("Upgrade: h2c, WebSocket\r\n").refusal(), 0U);
}

TEST(a_handshake, is_a_get_with_an_upgrade_to_websocket) {
    EXPECT_EQ(upgrade_request().first_line("POST /chat HTTP/1.1").refusal(), 405U);
    EXPECT_EQ(upgrade_request().first_line("GET /chat HTTP/1.0").refusal(), 426U);
    EXPECT_EQ(upgrade_request().upgrade("").refusal(), 426U);
    EXPECT_EQ(upgrade_request().upgrade("Upgrade: h2c\r\n").refusal(), 426U);
    EXPECT_EQ(upgrade_request().more("Content-Length: 3\r\n").refusal(), 400U);
}

TEST(a_handshake, speaks_version_13) {
    EXPECT_EQ(upgrade_request().version("").refusal(), 426U);
    EXPECT_EQ(upgrade_request().version("Sec-WebSocket-Version: 8\r\n").refusal(), 426U);
    EXPECT_EQ(upgrade_request().version("Sec-WebSocket-Version: 13, 8\r\n").refusal(), 426U);
    EXPECT_EQ(
        upgrade_request().version("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n").refusal(),
        426U);
}

TEST(a_handshake, has_one_key_of_16_bytes) {
    for (const std::string_view wrong :
         {"", "Sec-WebSocket-Key: \r\n", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQAA\r\n",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR==\r\n",
          "Sec-WebSocket-Key: dGhlIHNhb*BsZSBub25jZQ==\r\n",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"})
        EXPECT_EQ(upgrade_request().key(std::string(wrong)).refusal(), 400U) << wrong;
}

TEST(a_handshake, comes_from_the_same_origin_unless_others_are_allowed) {
    EXPECT_EQ(upgrade_request().more("Origin: http://example.com\r\n").refusal(), 0U);
    EXPECT_EQ(upgrade_request().more("Origin: http://EXAMPLE.com:80\r\n").refusal(), 0U);
    EXPECT_EQ(upgrade_request().more("Origin: https://example.com\r\n").refusal(), 0U);
    for (const std::string_view other :
         {"http://example.com:8080", "http://evil.example", "null", "http://example.co"})
        EXPECT_EQ(upgrade_request().more("Origin: " + std::string(other) + "\r\n").refusal(), 403U) << other;
    EXPECT_EQ(upgrade_request().more("Origin: null\r\n").refusal(websocket_options().any_origin()), 0U);
    EXPECT_EQ(upgrade_request()
                  .more("Origin: http://example.com\r\nOrigin: http://example.com\r\n")
                  .refusal(websocket_options().any_origin()),
              403U);
    const auto options =
        websocket_options().origin_check([](std::string_view origin, const request_head& head) {
            return origin == "app" && head.path() == "/chat";
        });
    EXPECT_EQ(upgrade_request().more("Origin: app\r\n").refusal(options), 0U);
    EXPECT_EQ(upgrade_request().more("Origin: http://example.com\r\n").refusal(options), 403U);
}

TEST(a_handshake, takes_the_first_subprotocol_that_both_know) {
    const auto options = websocket_options().subprotocols({"superchat", "chat"});
    const std::string offer =
        "Sec-WebSocket-Protocol: soap, Chat\r\nSec-WebSocket-Protocol: chat, superchat\r\n";
    EXPECT_EQ(upgrade_request().more(offer).agreement(options).subprotocol(), "chat");
    EXPECT_EQ(upgrade_request().more(offer).agreement({}).subprotocol(), "");
    EXPECT_EQ(upgrade_request().more("Sec-WebSocket-Protocol: soap\r\n").refusal(options), 0U);
    EXPECT_NE(upgrade_request().more(offer).respond(options).find("Sec-WebSocket-Protocol: chat\r\n"),
              std::string::npos);
}

TEST(a_handshake, agrees_on_compression_if_the_server_wants_it) {
    const std::string offer =
        "Sec-WebSocket-Extensions: foo\r\nSec-WebSocket-Extensions: permessage-deflate\r\n";
    const auto options = websocket_options().deflate(deflate_options());
    EXPECT_TRUE(upgrade_request().more(offer).agreement(options).deflate());
    EXPECT_FALSE(upgrade_request().more(offer).agreement({}).deflate());
    EXPECT_NE(upgrade_request().more(offer).respond(options).find(
                  "Sec-WebSocket-Extensions: permessage-deflate\r\n"),
              std::string::npos);
}

TEST(a_handshake, fails_for_extensions_that_are_no_list) {
    for (const std::string_view malformed :
         {"permessage-deflate;", "foo bar", "permessage-deflate; =10", "permessage-deflate; a=\"b", "a, ;b",
          "permessage-deflate, \xff"}) {
        const std::string line = "Sec-WebSocket-Extensions: " + std::string(malformed) + "\r\n";
        for (const auto& options : {websocket_options(), websocket_options().deflate(deflate_options())})
            EXPECT_EQ(upgrade_request().more(line).refusal(options), 400U) << malformed;
    }
    EXPECT_EQ(upgrade_request().more("Sec-WebSocket-Extensions: a; b=\"c\", , d\r\n").refusal(), 0U);
}

TEST(a_client, asks_with_what_its_options_say) {
    const auto fields = websocket_request(sample_key, websocket_options()
                                                          .subprotocols({"a", "b"})
                                                          .origin("http://here")
                                                          .deflate(deflate_options())
                                                          .field("Cookie", "x=y"));
    EXPECT_EQ(fields.text(),
              "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://here\r\n"
              "Sec-WebSocket-Protocol: a, b\r\n"
              "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\nCookie: x=y\r\n");
    EXPECT_THROW((void)websocket_request(sample_key, websocket_options().field("X", "a\r\nb")),
                 std::invalid_argument);
    EXPECT_EQ(make_websocket_key().size(), 24U);
    EXPECT_NE(make_websocket_key(), make_websocket_key());
}

websocket_response_head right_answer() {
    return websocket_response_head(status::switching_protocols)
        .line("upgrade", "WebSocket")
        .line("connection", "keep-alive")
        .line("Connection", "Upgrade")
        .line("Date", "today");
}
constexpr std::string_view accept_line = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

bool is_taken(websocket_response_head response, const websocket_options& options = {}) {
    response.line("sec-websocket-accept", accept_line);
    return check_websocket_response(response, sample_key, options).has_value();
}

TEST(a_client, takes_the_answer_that_belongs_to_its_request) {
    EXPECT_TRUE(is_taken(right_answer()));
    EXPECT_FALSE(check_websocket_response(right_answer(), sample_key, {}).has_value());
    EXPECT_FALSE(is_taken(right_answer().line("Sec-WebSocket-Accept", accept_line)));
    EXPECT_FALSE(is_taken(
        websocket_response_head(status::ok).line("Upgrade", "websocket").line("Connection", "Upgrade")));
    EXPECT_FALSE(
        is_taken(websocket_response_head(status::switching_protocols).line("Connection", "Upgrade")));
    EXPECT_FALSE(is_taken(websocket_response_head(status::switching_protocols).line("Upgrade", "websocket")));
}

TEST(a_client, refuses_what_it_has_not_asked_for) {
    EXPECT_FALSE(is_taken(right_answer().line("Sec-WebSocket-Protocol", "chat")));
    EXPECT_TRUE(is_taken(right_answer().line("Sec-WebSocket-Protocol", "chat"),
                         websocket_options().subprotocols({"chat", "other"})));
    EXPECT_FALSE(is_taken(right_answer().line("Sec-WebSocket-Protocol", "chat, other"),
                          websocket_options().subprotocols({"chat", "other"})));
    EXPECT_FALSE(is_taken(right_answer().line("Sec-WebSocket-Extensions", "permessage-deflate")));
    EXPECT_TRUE(is_taken(right_answer().line("Sec-WebSocket-Extensions", "permessage-deflate"),
                         websocket_options().deflate(deflate_options())));
    EXPECT_FALSE(is_taken(right_answer().line("Sec-WebSocket-Extensions", "permessage-deflate; foo"),
                          websocket_options().deflate(deflate_options())));
}

}  // namespace
}  // namespace eddy::http::handshake_test
