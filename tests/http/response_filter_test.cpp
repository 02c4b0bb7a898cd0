#include "http/conversation.hpp"

#include <eddy/http/server/response_filter.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace eddy::http::test::response_filter_test {
namespace {

const std::string get = "GET /p HTTP/1.1\r\nHost: h\r\n\r\n";

/// Doubles each byte, keeps one back until the next, and says so.
class doubling final : public response_filter {
public:
    [[nodiscard]] bool begin(status code, field_list& fields, std::optional<std::uint64_t> size) override {
        if (fields.find("x-leave"))
            return false;
        fields.set("X-Doubled", size ? std::to_string(*size) : "unknown");
        fields.remove("ETag");
        return code == status::ok;
    }
    void append(std::span<const std::byte> piece, std::string& out) override {
        for (const char byte : as_text(piece)) {
            flush(out);
            kept_ = byte;
        }
    }
    void flush(std::string& out) override {
        if (kept_ != 0)
            out.append(2, std::exchange(kept_, '\0'));
    }
    void finish(std::string& out) override {
        flush(out);
        out += '!';
    }

private:
    char kept_ = 0;
};

task<void> answer_whole(exchange& ex) {
    ex.filter_response(std::make_unique<doubling>());
    const std::array<response_field, 1> fields = {response_field("ETag", "\"t\"")};
    co_await ex.respond(status::ok, fields, "abc");
}

task<void> answer_in_pieces(exchange& ex) {
    ex.filter_response(std::make_unique<doubling>());
    co_await ex.begin_response(status::ok, {}, 3);
    co_await ex.write(as_bytes("ab"));
    co_await ex.flush();
    co_await ex.write(as_bytes("c"));
}

TEST(http_response_filter, gives_a_whole_answer_its_new_size) {
    EXPECT_EQ(conversation(&answer_whole).hears(get),
              "HTTP/1.1 200 OK\r\nX-Doubled: 3\r\nContent-Length: 7\r\n\r\naabbcc!");
}

TEST(http_response_filter, makes_an_answer_of_known_size_one_in_chunks) {
    EXPECT_EQ(conversation(&answer_in_pieces).hears(get),
              "HTTP/1.1 200 OK\r\nX-Doubled: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
              "2\r\naa\r\n2\r\nbb\r\n3\r\ncc!\r\n0\r\n\r\n");
}

TEST(http_response_filter, is_asked_for_head_and_gives_no_body) {
    EXPECT_EQ(conversation(&answer_whole).hears("HEAD /p HTTP/1.1\r\nHost: h\r\n\r\n" + get),
              "HTTP/1.1 200 OK\r\nX-Doubled: 3\r\nContent-Length: 7\r\n\r\n"
              "HTTP/1.1 200 OK\r\nX-Doubled: 3\r\nContent-Length: 7\r\n\r\naabbcc!");
}

TEST(http_response_filter, ends_a_filtered_body_for_http_1_0_by_closing) {
    EXPECT_EQ(conversation(&answer_in_pieces).hears("GET /p HTTP/1.0\r\n\r\n"),
              "HTTP/1.1 200 OK\r\nConnection: close\r\nX-Doubled: 3\r\n\r\naabbcc!");
}

/// Notes what it is given.
class noting final : public response_filter {
public:
    explicit noting(std::vector<std::size_t>& sizes) : sizes_(sizes) {}
    [[nodiscard]] bool begin(status, field_list&, std::optional<std::uint64_t>) override { return true; }
    void append(std::span<const std::byte> piece, std::string& out) override {
        sizes_.push_back(piece.size());
        out.append(as_text(piece));
    }
    void finish(std::string&) override {}

private:
    std::vector<std::size_t>& sizes_;
};

TEST(http_response_filter, is_given_large_pieces_in_parts_so_that_it_keeps_no_worker_for_long) {
    const std::string body(100'000, 'b');
    for (const bool is_whole : {true, false}) {
        std::vector<std::size_t> sizes;
        const auto large = [&](exchange& ex) -> task<void> {
            ex.filter_response(std::make_unique<noting>(sizes));
            if (is_whole)
                co_return co_await ex.respond(status::ok, {}, body);
            co_await ex.begin_response(status::ok, {});
            co_await ex.write(as_bytes(body));
        };
        const std::string heard = conversation(large).hears("GET /p HTTP/1.0\r\n\r\n");
        EXPECT_TRUE(heard.ends_with("\r\n\r\n" + body));
        EXPECT_EQ(sizes, (std::vector<std::size_t>{32'768, 32'768, 32'768, 1696}));
    }
}

TEST(http_response_filter, may_stay_out_of_an_answer) {
    const auto left_alone = [](exchange& ex) -> task<void> {
        ex.filter_response(std::make_unique<doubling>());
        ex.add_field("X-Leave", "it");
        co_await ex.respond(status::ok, {}, "abc");
    };
    EXPECT_EQ(conversation(left_alone).hears(get),
              "HTTP/1.1 200 OK\r\nX-Leave: it\r\nContent-Length: 3\r\n\r\nabc");
}

TEST(http_response_filter, sees_the_fields_of_everybody) {
    const auto with_fields = [](exchange& ex) -> task<void> {
        ex.filter_response(std::make_unique<doubling>());
        ex.add_field("X-Added", "by middleware");
        const field_block common = field_block().add("X-Common", "block").add("ETag", "\"t\"");
        const std::array<response_field, 1> single = {response_field("X-Single", "one")};
        co_await ex.respond(status::not_found, response_fields(common, single), "abc");
    };
    EXPECT_EQ(conversation(with_fields).hears(get),
              "HTTP/1.1 404 Not Found\r\nX-Common: block\r\nX-Added: by middleware\r\nX-Single: one\r\n"
              "X-Doubled: 3\r\nContent-Length: 3\r\n\r\nabc");
}

TEST(http_response_filter, does_not_change_the_answer_to_a_handler_that_throws) {
    const auto failing = [](exchange& ex) -> task<void> {
        ex.filter_response(std::make_unique<doubling>());
        ex.add_field("X-Added", "all the same");
        throw std::runtime_error("the handler's own");
        co_return;
    };
    EXPECT_EQ(conversation(failing).hears(get),
              "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nX-Added: all the same\r\n"
              "Content-Length: 0\r\n\r\n");
}

}  // namespace
}  // namespace eddy::http::test::response_filter_test
