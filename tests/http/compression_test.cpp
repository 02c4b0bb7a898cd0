#include "http/blocking_client.hpp"
#include "http/served.hpp"

#include <eddy/http/compression.hpp>
#include <eddy/http/content_decoder.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test {
namespace {

using answering = std::function<task<>(exchange&)>;

/// Compresses what a function answers.
class compressed_handler final : public request_handler {
public:
    compressed_handler(answering answer, compression_options options)
        : inner_(std::move(answer)), compression_(std::move(options)) {}
    prompt_task<> handle(exchange& asked) override { return compression_.handle(asked, inner_); }

private:
    class inner final : public request_handler {
    public:
        explicit inner(answering answer) : answer_(std::move(answer)) {}
        prompt_task<> handle(exchange& asked) override { return answer_(asked); }

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

class compressed_answers : public testing::Test {
protected:
    void serve(answering answer, compression_options options = {}) {
        server_.emplace([answer = std::move(answer), options = std::move(options)] {
            return std::make_unique<compressed_handler>(answer, options);
        });
        client_.emplace(server_->port());
    }
    /// Has the same text answered at once, with these fields.
    void serve_text(std::string_view body, std::vector<answer_field> fields, status code = status::ok,
                    compression_options options = {}) {
        serve(
            [body, fields = std::move(fields), code](exchange& asked) -> task<> {
                co_await asked.answer(code, answer_fields(std::span(fields)), body);
            },
            std::move(options));
    }

    answer_seen ask(std::string_view accept_encoding, std::string_view method = "GET") {
        auto answer = client_->ask(std::string(method) + " / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " +
                                   std::string(accept_encoding) + "\r\n\r\n");
        EXPECT_TRUE(answer);
        return std::move(answer).value_or(answer_seen());
    }
    blocking_client& client() { return *client_; }

    const std::string text = long_text();

private:
    std::optional<served> server_;
    std::optional<blocking_client> client_;
};

std::string decode(const answer_seen& answer) {
    content_decoder decoder(
        content_coding_from(answer.field("Content-Encoding")).value_or(content_coding::identity));
    std::string room(1 << 20, '\0');
    const auto step = decoder.decode(as_bytes(answer.body), std::as_writable_bytes(std::span(room)));
    EXPECT_EQ(step.error(), decode_error::none);
    EXPECT_EQ(decoder.finish(), decode_error::none);
    return room.substr(0, step.produced());
}

const answer_field html("Content-Type", "text/html; charset=utf-8");

TEST_F(compressed_answers, are_what_the_client_wants) {
    serve_text(text, {html, answer_field("ETag", "\"tag\""), answer_field("Accept-Ranges", "bytes")});
    for (const auto coding : {"gzip", "br"}) {
        const auto answer = ask(coding);
        EXPECT_EQ(answer.field("Content-Encoding"), coding);
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding");
        EXPECT_EQ(answer.field("ETag"), "W/\"tag\"");
        EXPECT_EQ(answer.field("Accept-Ranges"), "");
        EXPECT_LT(answer.body.size(), 10'000U);
        EXPECT_TRUE(decode(answer) == text);
    }
    const auto plain = ask("identity");
    EXPECT_TRUE(plain.body == text);
    EXPECT_EQ(plain.field("Content-Encoding"), "");
    EXPECT_EQ(plain.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(plain.field("ETag"), "\"tag\"");
    EXPECT_EQ(plain.field("Accept-Ranges"), "bytes");
}

TEST_F(compressed_answers, have_the_same_head_without_their_body) {
    serve_text(text, {html});
    const auto head = ask("gzip", "HEAD");
    EXPECT_EQ(head.field("Content-Encoding"), "gzip");
    EXPECT_EQ(head.field("Vary"), "Accept-Encoding");
    EXPECT_TRUE(decode(ask("gzip")) == text) << "the connection goes on";
}

TEST_F(compressed_answers, keep_what_else_they_vary_by) {
    serve_text(text, {html, answer_field("Vary", "Origin"), answer_field("Vary", "Cookie")});
    EXPECT_EQ(ask("gzip").field("Vary"), "Origin, Cookie, Accept-Encoding");
    serve_text(text, {html, answer_field("Vary", "Origin, accept-encoding")});
    EXPECT_EQ(ask("gzip").field("Vary"), "Origin, accept-encoding");
    serve_text(text, {html, answer_field("Vary", "*")});
    EXPECT_EQ(ask("gzip").field("Vary"), "*");
}

TEST_F(compressed_answers, are_only_those_that_gain) {
    const std::string_view plain = "short";
    serve_text(plain, {html});
    EXPECT_EQ(ask("gzip").body, plain);
    EXPECT_EQ(ask("gzip").field("Vary"), "Accept-Encoding");
    serve_text(text, {answer_field("Content-Type", "image/png")});
    EXPECT_TRUE(ask("gzip").body == text);
    EXPECT_EQ(ask("gzip").field("Vary"), "");
    serve_text(text, {});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html}, status::ok, compression_options().bytes_max(1000));
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {answer_field("Content-Type", "x-own/type; a=b")}, status::ok,
               compression_options().media_type("x-own/type"));
    EXPECT_TRUE(decode(ask("gzip")) == text);
}

TEST_F(compressed_answers, are_not_those_that_must_stay_as_they_are) {
    serve_text(text, {html, answer_field("Content-Encoding", "x-own")});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html, answer_field("Cache-Control", "public, No-Transform")});
    EXPECT_TRUE(ask("gzip").body == text);
    serve_text(text, {html, answer_field("Content-Range", "bytes 0-299999/500000")}, status::partial_content);
    const auto part = ask("gzip");
    EXPECT_TRUE(part.body == text);
    EXPECT_EQ(part.field("Vary"), "Accept-Encoding");
}

TEST_F(compressed_answers, say_that_they_vary_where_nothing_has_changed) {
    serve_text("", {answer_field("ETag", "\"tag\"")}, status::not_modified);
    EXPECT_EQ(ask("gzip").field("Vary"), "Accept-Encoding");
}

TEST_F(compressed_answers, arrive_piece_by_piece_when_they_are_flushed) {
    const answer_field events("Content-Type", "text/event-stream");
    auto second = std::make_shared<door>();
    serve([=](exchange& asked) -> task<> {
        const std::array<answer_field, 1> fields = {events};
        co_await asked.begin_answer(status::ok, fields);
        co_await asked.write(as_bytes(std::string_view("data: first\n\n")));
        co_await asked.flush();
        co_await *second;
        co_await asked.write(as_bytes(std::string_view("data: last\n\n")));
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

TEST_F(compressed_answers, may_be_written_in_pieces_of_any_size) {
    serve([this](exchange& asked) -> task<> {
        const std::array<answer_field, 1> fields = {html};
        const bool has_size = asked.request().path() == "/sized";
        if (has_size)
            co_await asked.begin_answer(status::ok, fields, text.size());
        else
            co_await asked.begin_answer(status::ok, fields);
        for (std::size_t at = 0; at < text.size(); at += 100'001)
            co_await asked.write(as_bytes(std::string_view(text).substr(at, 100'001)));
    });
    for (const std::string path : {"/sized", "/unsized"}) {
        const auto answer = client().ask(get(path, "Accept-Encoding: br\r\n"));
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->field("Content-Encoding"), "br");
        EXPECT_TRUE(decode(*answer) == text);
    }
}

}  // namespace
}  // namespace eddy::http::test
