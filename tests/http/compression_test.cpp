#include "http/blocking_client.hpp"
#include "http/served.hpp"

#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/message/conditional.hpp>
#include <eddy/http/routing/compression.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test::compression_test {
namespace {

using answering = std::function<task<>(exchange&)>;

/// Compresses what a function answers.
class compressed_handler final : public request_handler {
public:
    compressed_handler(answering response, compression_options options)
        : inner_(std::move(response)), compression_(std::move(options)) {}
    ready_or_task<> handle(exchange& ex) override { return compression_.handle(ex, inner_); }

private:
    class inner final : public request_handler {
    public:
        explicit inner(answering response) : answer_(std::move(response)) {}
        ready_or_task<> handle(exchange& ex) override { return answer_(ex); }

    private:
        answering answer_;
    };
    inner inner_;
    compression compression_;
};

std::string long_text() {
    std::string text;
    while (text.size() < 300'000)
        text += "a line of which there are many\n";
    return text;
}

class compressed_responses : public testing::Test {
protected:
    void serve(answering response, compression_options options = {}) {
        server_.emplace([response = std::move(response), options = std::move(options)] {
            return std::make_unique<compressed_handler>(response, options);
        });
        client_.emplace(server_->port());
    }
    /// Has the same text answered at once, with these fields.
    void serve_text(std::string_view body, std::vector<response_field> fields, status code = status::ok,
                    compression_options options = {}) {
        serve(
            [body, fields = std::move(fields), code](exchange& ex) -> task<> {
                co_await ex.respond(code, response_fields(std::span(fields)), body);
            },
            std::move(options));
    }

    response_seen ask(std::string_view accept_encoding, std::string_view method = "GET") {
        auto response = client_->ask(std::string(method) + " / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " +
                                     std::string(accept_encoding) + "\r\n\r\n");
        EXPECT_TRUE(response);
        return std::move(response).value_or(response_seen());
    }
    blocking_client& client() { return *client_; }

    const std::string text = long_text();

private:
    std::optional<served> server_;
    std::optional<blocking_client> client_;
};

std::string decode(const response_seen& response) {
    content_decoder decoder(
        content_coding_from(response.field("Content-Encoding")).value_or(content_coding::identity));
    std::string room(1 << 20, '\0');
    const auto step = decoder.decode(as_bytes(response.body), std::as_writable_bytes(std::span(room)));
    EXPECT_EQ(step.error(), decode_error::none);
    EXPECT_EQ(decoder.finish(), decode_error::none);
    return room.substr(0, step.produced());
}

const response_field html("Content-Type", "text/html; charset=utf-8");

TEST_F(compressed_responses, are_what_the_client_wants) {
    serve_text(text, {html, response_field("ETag", "\"tag\""), response_field("Accept-Ranges", "bytes")});
    for (const auto coding : {"gzip", "br"}) {
        const auto response = ask(coding);
        EXPECT_EQ(response.field("Content-Encoding"), coding);
        EXPECT_EQ(response.field("Vary"), "Accept-Encoding");
        EXPECT_EQ(response.field("ETag"), "W/\"tag-" + std::string(coding) + "\"");
        EXPECT_EQ(response.field("Accept-Ranges"), "");
        EXPECT_LT(response.body.size(), 10'000U);
        EXPECT_TRUE(decode(response) == text);
    }
    const auto plain = ask("identity");
    EXPECT_TRUE(plain.body == text);
    EXPECT_EQ(plain.field("Content-Encoding"), "");
    EXPECT_EQ(plain.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(plain.field("ETag"), "\"tag\"");
    EXPECT_EQ(plain.field("Accept-Ranges"), "bytes");
}

TEST_F(compressed_responses, have_the_same_head_without_their_body) {
    serve_text(text, {html});
    const auto head = ask("gzip", "HEAD");
    EXPECT_EQ(head.field("Content-Encoding"), "gzip");
    EXPECT_EQ(head.field("Vary"), "Accept-Encoding");
    EXPECT_TRUE(decode(ask("gzip")) == text) << "the connection goes on";
}

TEST_F(compressed_responses, are_framed_for_head_as_for_get) {
    serve_text(text, {html});
    const auto whole = ask("gzip");
    const auto head = ask("gzip", "HEAD");
    EXPECT_NE(whole.field("Content-Length"), "");
    EXPECT_EQ(head.field("Content-Length"), whole.field("Content-Length"));
    EXPECT_EQ(head.field("Transfer-Encoding"), "");
}

TEST_F(compressed_responses, are_known_again_by_the_tags_of_their_codings) {
    serve([this](exchange& ex) -> task<> {
        const validators current(entity_tag_view("\"tag\"", false), std::nullopt);
        const bool is_same =
            evaluate_preconditions(ex.request(), current, ex.unix_seconds()) == precondition::not_modified;
        const std::array<response_field, 2> fields = {html, response_field("ETag", "\"tag\"")};
        co_await ex.respond(is_same ? status::not_modified : status::ok, fields,
                            is_same ? std::string_view() : std::string_view(text));
    });
    for (const std::string coding : {"gzip", "br"}) {
        const std::string tag = "W/\"tag-" + coding + "\"";
        EXPECT_EQ(ask(coding).field("ETag"), tag);
        const auto same = ask(coding + "\r\nIf-None-Match: \"other\", " + tag);
        EXPECT_EQ(same.status, 304);
        EXPECT_EQ(same.field("ETag"), tag);
    }
    const auto plain = ask("gzip\r\nIf-None-Match: \"tag\"");
    EXPECT_EQ(plain.status, 304);
    EXPECT_EQ(plain.field("ETag"), "\"tag\"");
    EXPECT_EQ(ask("gzip\r\nIf-None-Match: W/\"tag-zip\", \"tag-gzip\"").status, 200);
}

TEST_F(compressed_responses, keep_what_else_they_vary_by) {
    serve_text(text, {html, response_field("Vary", "Origin"), response_field("Vary", "Cookie")});
    EXPECT_EQ(ask("gzip").field("Vary"), "Origin, Cookie, Accept-Encoding");
    serve_text(text, {html, response_field("Vary", "Origin, accept-encoding")});
    EXPECT_EQ(ask("gzip").field("Vary"), "Origin, accept-encoding");
    serve_text(text, {html, response_field("Vary", "*")});
    EXPECT_EQ(ask("gzip").field("Vary"), "*");
}

TEST_F(compressed_responses, are_only_those_that_gain) {
    const std::string_view plain = "short";
    serve_text(plain, {html});
    EXPECT_EQ(ask("gzip").body, plain);
    EXPECT_EQ(ask("gzip").field("Vary"), "Accept-Encoding");
    serve_text(text, {response_field("Content-Type", "image/png")});
    EXPECT_TRUE(ask("gzip").body == text);
    EXPECT_EQ(ask("gzip").field("Vary"), "");
    serve_text(text, {});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html}, status::ok, compression_options().bytes_max(1000));
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {response_field("Content-Type", "x-own/type; a=b")}, status::ok,
               compression_options().media_type("x-own/type"));
    EXPECT_TRUE(decode(ask("gzip")) == text);
}

TEST_F(compressed_responses, are_not_those_that_must_stay_as_they_are) {
    serve_text(text, {html, response_field("Content-Encoding", "x-own")});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html, response_field("Cache-Control", "public, No-Transform")});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html, response_field("Content-Range", "bytes 0-299999/500000")},
               status::partial_content);
    const auto part = ask("gzip");
    EXPECT_TRUE(part.body == text);
    EXPECT_EQ(part.field("Vary"), "Accept-Encoding");
}

TEST_F(compressed_responses, say_that_they_vary_where_nothing_has_changed) {
    serve_text("", {response_field("ETag", "\"tag\"")}, status::not_modified);
    EXPECT_EQ(ask("gzip").field("Vary"), "Accept-Encoding");
}

TEST_F(compressed_responses, arrive_piece_by_piece_when_they_are_flushed) {
    const response_field events("Content-Type", "text/event-stream");
    auto second = std::make_shared<door>();
    serve([=](exchange& ex) -> task<> {
        const std::array<response_field, 1> fields = {events};
        co_await ex.begin_response(status::ok, fields);
        co_await ex.write(as_bytes(std::string_view("data: first\n\n")));
        co_await ex.flush();
        co_await *second;
        co_await ex.write(as_bytes(std::string_view("data: last\n\n")));
    });
    ASSERT_TRUE(client().send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"));
    content_decoder decoder(content_coding::gzip);
    std::string room(4096, '\0');
    std::string seen;
    // Chunks, as they come, until the first event is there.
    std::string chunk;
    ASSERT_TRUE(client().read_head_and_chunk(chunk));
    while (!chunk.empty() && seen.find("first") == std::string::npos) {
        const auto step = decoder.decode(as_bytes(chunk), std::as_writable_bytes(std::span(room)));
        ASSERT_EQ(step.error(), decode_error::none);
        seen.append(room, 0, step.produced());
        if (seen.find("first") == std::string::npos) {
            ASSERT_TRUE(client().read_chunk(chunk));
        }
    }
    EXPECT_EQ(seen, "data: first\n\n");
}

TEST_F(compressed_responses, may_be_written_in_pieces_of_any_size) {
    serve([this](exchange& ex) -> task<> {
        const std::array<response_field, 1> fields = {html};
        const bool has_size = ex.request().path() == "/sized";
        if (has_size)
            co_await ex.begin_response(status::ok, fields, text.size());
        else
            co_await ex.begin_response(status::ok, fields);
        for (std::size_t at = 0; at < text.size(); at += 100'001)
            co_await ex.write(as_bytes(std::string_view(text).substr(at, 100'001)));
    });
    for (const std::string path : {"/sized", "/unsized"}) {
        const auto response = client().ask(get(path, "Accept-Encoding: br\r\n"));
        ASSERT_TRUE(response);
        EXPECT_EQ(response->field("Content-Encoding"), "br");
        EXPECT_TRUE(decode(*response) == text);
    }
}

}  // namespace
}  // namespace eddy::http::test::compression_test
