#include "integrations_curl/test_site.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

// Bodies as streams, both ways, and no faster than the other end takes them.
namespace eddy::curl::bodies_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::error_of;
using eddy::test::numbered_text;
using eddy::test::run_bounded;
using eddy::test::test_site;

static_assert(byte_source<transfer>);

constexpr std::size_t large = 3'000'000;

TEST(curl_bodies, are_read_in_pieces_of_any_size) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        const std::string expected = numbered_text(large);
        for (const std::size_t size : {std::size_t{1000}, std::size_t{17'001}, std::size_t{1'000'000}}) {
            transfer answer = co_await by.get(site.at("/bytes/" + std::to_string(large)));
            std::string all;
            std::string room(size, '\0');
            for (;;) {
                const std::size_t count = co_await answer.read(std::as_writable_bytes(std::span(room)));
                if (count == 0)
                    break;
                all.append(room, 0, count);
            }
            EXPECT_TRUE(all == expected) << size;
            const std::size_t after = co_await answer.read(std::as_writable_bytes(std::span(room)));
            EXPECT_EQ(after, 0U) << "the end stays";
        }
    }());
}

TEST(curl_bodies, are_read_as_a_generator) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer answer = co_await by.get(site.at("/bytes/" + std::to_string(large)));
        std::string all;
        auto pieces = answer.pieces();
        for (;;) {
            const std::optional<std::span<const std::byte>> piece = co_await pieces.next();
            if (!piece)
                break;
            all.append(reinterpret_cast<const char*>(piece->data()), piece->size());
        }
        EXPECT_TRUE(all == numbered_text(large));
    }());
}

TEST(curl_bodies, that_nobody_reads_stay_with_the_server) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        request req(site.at("/endless"));
        req.options(transfer_options().buffer_bytes_max(100'000));
        transfer answer = co_await by.send(req);
        // It stands still once all buffers are full.
        std::uint64_t before = 0;
        do {
            before = site.answers.bytes_written;
            co_await sleep_for(100ms);
        } while (site.answers.bytes_written != before);
        EXPECT_GT(before, 100'000U);
        EXPECT_LT(answer.statistics().bytes_downloaded, 200'000U);
        // All that and more is read, so more has been written.
        std::string room(10'000, '\0');
        for (std::size_t read = 0; read < before + 1'000'000;)
            read += co_await answer.read(std::as_writable_bytes(std::span(room)));
        EXPECT_GT(site.answers.bytes_written, before);
        const std::error_code error = co_await error_of(answer.read_all(1'000'000));
        EXPECT_EQ(error, transfer_error::too_large);
        const std::error_code again = co_await error_of(answer.read_all());
        EXPECT_EQ(again, transfer_error::too_large) << "the error stays";
    }());
}

TEST(curl_bodies, show_the_head_before_any_byte) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer answer = co_await by.get(site.at("/gated"));
        EXPECT_EQ(answer.status(), 200U);
        site.answers.gate.set();
        const std::string text = co_await answer.read_all();
        EXPECT_EQ(text, "behind the gate");
    }());
}

TEST(curl_bodies, may_have_trailers) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer answer = co_await by.get(site.at("/trailers"));
        const std::string text = co_await answer.read_all();
        EXPECT_EQ(text, "body");
        EXPECT_EQ(answer.trailers().size(), 1U);
        if (!answer.trailers().empty()) {
            EXPECT_EQ(answer.trailers()[0].first, "X-Sum");
            EXPECT_EQ(answer.trailers()[0].second, "42");
        }
        EXPECT_FALSE(answer.find("X-Sum"));
    }());
}

TEST(curl_bodies, that_are_cut_off_are_an_error_behind_what_has_come) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer answer = co_await by.get(site.at("/endless"));
        std::string room(1000, '\0');
        std::size_t count = co_await answer.read(std::as_writable_bytes(std::span(room)));
        EXPECT_GT(count, 0U);
        site.stop();
        const std::error_code error = co_await error_of(answer.finish());
        EXPECT_EQ(error, transfer_error::partial_file) << error.message();
    }());
}

/// Numbered bytes in pieces of different sizes, with pauses.
async_generator<std::string> numbered_pieces(std::size_t size) {
    const std::string all = numbered_text(size);
    std::size_t piece = 1;
    for (std::size_t at = 0; at < size; at += piece, piece = piece * 3 % 70'001) {
        if (piece % 2 == 0)
            co_await sleep_for(1ms);
        co_yield all.substr(at, piece);
    }
}

TEST(curl_uploads, are_streams_of_known_or_unknown_size) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        std::optional<std::uint64_t> size;
        for (const char* const method : {"POST", "PUT", "PATCH"}) {
            for (const bool is_known : {true, false}) {
                size.reset();
                if (is_known)
                    size = large;
                request req(site.at("/taking"));
                req.method(method).body(upload::of_texts(numbered_pieces(large), size), "a/b");
                transfer answer = co_await by.send(req);
                const std::string text = co_await answer.read_all();
                EXPECT_EQ(text, "3000000 whole") << method << is_known;
            }
        }
    }());
}

TEST(curl_uploads, of_forms_are_streams_too) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        form entered;
        entered.file("one", "1", upload::of_texts(numbered_pieces(50'000)))
            .field("between", "two")
            .file("three", "3", upload::of_texts(numbered_pieces(70'000), 70'000));
        request req(site.at("/echo"));
        req.form(entered);
        transfer answer = co_await by.send(req);
        const std::string text = co_await answer.read_all();
        const auto first = text.find(numbered_text(50'000) + "\r\n--");
        const auto second = text.find("\r\n\r\ntwo\r\n");
        const auto third = text.find("\r\n\r\n" + numbered_text(70'000) + "\r\n--");
        EXPECT_LT(first, second);
        EXPECT_LT(second, third);
        EXPECT_NE(third, text.npos);
    }());
}

/// Counts what was asked of it.
async_generator<std::string> counted_pieces(std::shared_ptr<std::size_t> given) {
    for (;;) {
        *given += 10'000;
        co_yield std::string(10'000, 'x');
    }
}

TEST(curl_uploads, are_read_no_faster_than_the_server_takes_them) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        const auto given = std::make_shared<std::size_t>(0);
        request req(site.at("/never"));
        req.method("PUT").body(upload::of_texts(counted_pieces(given)));
        req.without_field("Expect");
        const transfer begun = by.start(req);
        std::size_t before = 0;
        do {
            before = *given;
            co_await sleep_for(100ms);
        } while (*given != before || before == 0);
        EXPECT_LT(before, std::size_t{40} << 20) << "no more than buffers hold";
    }());
}

async_generator<std::string> failing_pieces() {
    co_yield std::string(1000, 'x');
    co_await sleep_for(1ms);
    throw std::runtime_error("the disk is gone");
}

task<std::string> thrown_by(task<transfer> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const std::runtime_error& thrown) {
        co_return thrown.what();
    }
    co_return "nothing";
}

TEST(curl_uploads, fail_with_what_their_stream_throws) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        request req(site.at("/taking"));
        req.method("PUT").body(upload::of_texts(failing_pieces()));
        const std::string thrown = co_await thrown_by(by.send(req));
        EXPECT_EQ(thrown, "the disk is gone");
        request wrong(site.at("/taking"));
        wrong.method("PUT").body(upload::of_texts(numbered_pieces(1000), 2000));
        std::error_code error = co_await error_of(by.send(wrong));
        EXPECT_EQ(error, transfer_error::upload_failed);
        request more(site.at("/taking"));
        more.method("PUT").body(upload::of_texts(numbered_pieces(2000), 1000));
        transfer cut = co_await by.send(more);
        const std::string text = co_await cut.read_all();
        EXPECT_EQ(text, "1000 whole") << "what is beyond is not sent";
        request moved(site.at("/moved-as-it-is"));
        moved.method("POST").body(upload::of_texts(numbered_pieces(1000), 1000));
        error = co_await error_of(by.send(moved));
        EXPECT_EQ(error, transfer_error::cannot_rewind) << error.message();
    }());
}

}  // namespace
}  // namespace eddy::curl::bodies_test
