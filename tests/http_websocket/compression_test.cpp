#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace eddy::http::compression_test {
namespace {

using namespace eddy::http::test;
using eddy::test::between;
using eddy::test::run_bounded;

websocket_options compressing(std::size_t message_bytes_min = 0) {
    return quiet_options().deflate(deflate_options().message_bytes_min(message_bytes_min));
}

std::string some_text(std::mt19937_64& generator, std::size_t size) {
    std::string words;
    while (words.size() < size)
        words += std::string(between<std::size_t>(generator, 1, 5), between<char>(generator, 'a', 'f')) + " ";
    words.resize(size);
    return words;
}

task<> echo_all(websocket& socket) {
    while (auto message = co_await socket.receive())
        co_await socket.send(*std::move(message));
}

task<> expect_echoes(deflate_parameters agreed, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    connected_websockets pair(compressing(), {{}, agreed});
    auto echoes = spawn(echo_all(pair.server));
    // 12 and 13 of the Autobahn suite: sizes up to 128 KiB.
    for (const std::size_t size :
         {0, 1, 16, 64, 256, 1024, 4096, 8192, 16'383, 16'384, 16'385, 32'768, 65'536, 131'072})
        for (int count = 0; count < 3; ++count) {
            const std::string payload = some_text(generator, size);
            co_await pair.client.send_text(payload);
            const auto response = co_await pair.client.receive();
            EXPECT_TRUE(response->text() == payload) << size;
        }
    echoes.cancel();
}

TEST(compressed_messages, are_echoed_with_all_parameters) {
    std::mt19937_64 generator = eddy::test::seeded_generator();
    for (const int bits : {8, 9, 10, 15})
        for (const bool forgets : {false, true})
            run_bounded(expect_echoes(deflate_parameters()
                                          .client_window_bits(bits)
                                          .server_window_bits(23 - bits)
                                          .client_no_context_takeover(forgets)
                                          .server_no_context_takeover(!forgets),
                                      generator()));
}

TEST(compression, is_for_messages_that_are_large_enough) {
    run_bounded([]() -> task<> {
        played_pair pair(compressing(100), websocket_role::server, {{}, deflate_parameters()});
        co_await pair.socket.send_text(std::string(99, 'a'));
        co_await pair.socket.send_text(std::string(100, 'a'));
        co_await pair.socket.send_text(std::string(100, 'a'));
        const auto plain = co_await pair.peer.receive();
        EXPECT_FALSE(plain->is_compressed());
        EXPECT_EQ(plain->payload(), std::string(99, 'a'));
        const auto first = co_await pair.peer.receive();
        EXPECT_TRUE(first->is_compressed());
        EXPECT_LT(first->payload().size(), 20U);
        const auto second = co_await pair.peer.receive();
        EXPECT_LT(second->payload().size(), first->payload().size() + 1);
    }());
}

TEST(compression, of_a_streamed_message_marks_its_first_frame) {
    run_bounded([]() -> task<> {
        connected_websockets pair(compressing(), {{}, deflate_parameters()});
        auto message = co_await pair.client.begin_message(message_kind::text);
        std::string whole;
        for (const std::string_view piece : {"several ", "several ", "", "several pieces"}) {
            co_await message.write(piece);
            whole += piece;
        }
        co_await message.finish();
        const auto heard = co_await pair.server.receive();
        EXPECT_EQ(heard->text(), whole);
    }());
}

TEST(a_small_message, that_inflates_beyond_the_limit_is_refused) {
    run_bounded([]() -> task<> {
        auto ends = duplex(65'536);
        websocket client(any_stream(std::move(ends.first)), websocket_role::client, compressing(),
                         {{}, deflate_parameters()});
        websocket server(any_stream(std::move(ends.second)), websocket_role::server,
                         compressing().message_bytes_max(100'000), {{}, deflate_parameters()});
        auto answers = spawn([](websocket& socket) -> task<> {
            for (bool goes_on = true; goes_on;) {
                const auto message = co_await socket.receive();
                goes_on = message.has_value();
            }
        }(client));
        co_await client.send_text(std::string(100'000, 'a'));
        const auto whole = co_await server.receive();
        EXPECT_EQ(whole->size(), 100'000U);
        co_await client.send_text(std::string(10'000'000, 'a'));
        const auto refused = co_await as_result(server.receive());
        EXPECT_EQ(refused.error(), websocket_error::message_too_big);
        co_await std::move(answers);
        EXPECT_EQ(client.close_code(), websocket_close_code::message_too_big);
    }());
}

TEST(compressed_messages, come_in_pieces_too) {
    run_bounded([]() -> task<> {
        connected_websockets pair(compressing(), {{}, deflate_parameters()});
        co_await pair.client.send_text(std::string(100'000, 'a'));
        std::size_t size = 0;
        for (;;) {
            const auto piece = co_await pair.server.receive_piece();
            EXPECT_LE(piece->size(), 16'384U);
            size += piece->size();
            if (piece->is_last())
                break;
        }
        EXPECT_EQ(size, 100'000U);
    }());
}

}  // namespace
}  // namespace eddy::http::compression_test
