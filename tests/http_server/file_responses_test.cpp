#include "http/blocking_client.hpp"
#include "http/conversation.hpp"
#include "http/served.hpp"
#include "support/descriptors.hpp"
#include "support/longest_gap.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/slow_file.hpp"
#include "support/stream_pair.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

// Files as answers over sockets, where the system moves the bytes.
namespace eddy::http::test::file_responses_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t file_bytes = 5'000'011;
// A client that takes little before it reads.
constexpr int small_buffer_bytes = 4096;

std::string numbered(std::size_t from, std::size_t count) {
    std::string made(count, '\0');
    eddy::test::fill_numbered(std::as_writable_bytes(std::span(made)), from);
    return made;
}

// Whether they are the file's bytes from there on. (A mismatch of megabytes is not to be printed.)
bool are_numbered(std::string_view bytes, std::size_t from) {
    return eddy::test::count_numbered(as_bytes(bytes), from) == bytes.size();
}

// Answers GET /FIRST/SIZE with that part of a file, /small with a word.
class part_handler final : public request_handler {
public:
    explicit part_handler(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override {
        if (ex.path() == "/small")
            return ex.respond(status::ok, {}, "word");
        return answer_part(ex);
    }

private:
    task<void> answer_part(exchange& ex) {
        std::string_view text = ex.path().substr(1);
        std::uint64_t first = 0;
        std::uint64_t size = 0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, first);
        std::from_chars(parsed.ptr + 1, end, size);
        const file opened = co_await fs::open(path_);
        co_await ex.respond_with_file(status::ok, {}, opened, first, size);
    }

    std::string path_;
};

std::string part(std::uint64_t first, std::uint64_t size) {
    return get("/" + std::to_string(first) + "/" + std::to_string(size));
}

class http_file_response : public testing::Test {
protected:
    http_file_response() { directory.write("file", numbered(0, file_bytes)); }

    void serve(server_options options = {}) { serve_file(directory.at("file"), std::move(options)); }
    void serve_file(const std::string& path, server_options options = {}) {
        server.emplace([path] { return std::make_unique<part_handler>(path); }, std::move(options));
    }
    void expect_part(blocking_client& client, std::uint64_t first, std::uint64_t size) {
        const auto response = client.ask(part(first, size));
        ASSERT_TRUE(response) << first << " " << size;
        EXPECT_EQ(response->body.size(), size);
        EXPECT_TRUE(are_numbered(response->body, first)) << first << " " << size;
    }
    void expect_life() {
        blocking_client client(server->port());
        EXPECT_EQ(client.ask(get("/small")).value_or(response_seen()).body, "word");
    }

    eddy::test::scratch_directory directory;
    std::optional<served> server;
};

TEST_F(http_file_response, is_whole_and_leaves_the_connection_to_the_next_request) {
    serve();
    blocking_client client(server->port());
    for (int round = 0; round < 3; ++round)
        expect_part(client, 0, file_bytes);
    EXPECT_EQ(client.ask(get("/small")).value_or(response_seen()).body, "word");
}

TEST_F(http_file_response, may_be_any_part_of_the_file) {
    serve();
    blocking_client client(server->port());
    for (const std::uint64_t first : {0U, 1U, 4095U, 262'143U, 3'000'001U})
        for (const std::uint64_t size : {1U, 65'536U, 65'537U, 262'145U, 1'048'577U})
            expect_part(client, first, size);
    expect_part(client, file_bytes - 70'000, 70'000);
}

TEST_F(http_file_response, comes_between_its_neighbours_in_a_pipeline) {
    serve();
    blocking_client client(server->port());
    ASSERT_TRUE(client.send(get("/small") + part(7, 300'000) + get("/small") + part(9, 400'000)));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "word");
    EXPECT_TRUE(client.read_response().value_or(response_seen()).body == numbered(7, 300'000));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "word");
    EXPECT_TRUE(client.read_response().value_or(response_seen()).body == numbered(9, 400'000));
}

TEST_F(http_file_response, is_a_head_only_for_head) {
    serve();
    blocking_client client(server->port());
    const auto response = client.ask("HEAD /0/1000000 HTTP/1.1\r\nHost: h\r\n\r\n");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->field("Content-Length"), "1000000");
    EXPECT_EQ(client.ask(get("/small")).value_or(response_seen()).body, "word");
}

TEST_F(http_file_response, waits_for_a_client_that_takes_its_time_and_lets_others_go_on) {
    serve();
    blocking_client slow(server->port(), small_buffer_bytes);
    ASSERT_TRUE(slow.send(part(0, file_bytes)));
    for (int other = 0; other < 5; ++other)
        expect_life();
    const auto response = slow.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body.size(), file_bytes);
    EXPECT_TRUE(are_numbered(response->body, 0));
    EXPECT_EQ(slow.ask(get("/small")).value_or(response_seen()).body, "word");
}

TEST_F(http_file_response, is_cut_off_where_the_client_takes_nothing_for_too_long) {
    serve(server_options().write_timeout(100ms));
    const std::size_t before = eddy::test::open_descriptors();
    blocking_client stuck(server->port(), small_buffer_bytes);
    ASSERT_TRUE(stuck.send(part(0, file_bytes)));
    std::string begun = stuck.read_some();
    ASSERT_TRUE(server->comes_to(0));
    const std::string all = begun + stuck.read_to_end();
    EXPECT_LT(all.size(), file_bytes);
    EXPECT_TRUE(are_numbered(all.substr(all.find("\r\n\r\n") + 4), 0));
    stuck.close();
    EXPECT_EQ(eddy::test::open_descriptors(), before);
    expect_life();
}

TEST_F(http_file_response, takes_as_long_as_the_client_wants_while_it_takes_some) {
    // Whether all of it came, and how long the machine has held the thread at most.
    const auto scene = [this](duration& held) -> task<bool> {
        eddy::test::longest_gap gap;
        auto pair = co_await eddy::test::connected_streams();
        // Room shows when a third of this is free.
        pair.server.set_option(io::socket_option::send_buffer_bytes, 65'536);
        part_handler handler(directory.at("file"));
        auto serving = spawn(serve_connection(any_stream(std::move(pair.server)), handler,
                                              server_options().write_timeout(400ms)));
        co_await pair.client.write_all(as_bytes(part(0, file_bytes)));
        std::string all(file_bytes + 1000, '\0');
        std::size_t count = 0;
        std::size_t size = all.size();
        const auto began = std::chrono::steady_clock::now();
        while (count < size) {
            // For the first second it takes some now and then, which is more than the limit in all.
            gap.look();
            if (std::chrono::steady_clock::now() - began < 1s)
                co_await sleep_for(20ms);
            const std::size_t wanted = std::min<std::size_t>(65'536, size - count);
            const std::size_t some =
                co_await pair.client.read(std::as_writable_bytes(std::span(all).subspan(count, wanted)));
            if (some == 0)
                break;
            count += some;
            size = all.find("\r\n\r\n") + 4 + file_bytes;
        }
        gap.look();
        held = gap.longest();
        const bool is_whole =
            count == size && are_numbered(std::string_view(all).substr(size - file_bytes, file_bytes), 0);
        pair.client.close();
        co_await serving;
        co_return is_whole;
    };
    // A server that was held for as long as its limit may cut a client off.
    duration held = 1h;
    bool is_whole = false;
    while (!is_whole && held > 200ms)
        is_whole = eddy::test::run_bounded(scene(held));
    EXPECT_TRUE(is_whole);
}

TEST_F(http_file_response, ends_with_a_client_that_goes) {
    serve();
    const std::size_t before = eddy::test::open_descriptors();
    for (int round = 0; round < 20; ++round) {
        blocking_client client(server->port(), small_buffer_bytes);
        ASSERT_TRUE(client.send(part(0, file_bytes)));
        static_cast<void>(client.read_some());
        if (round % 2 == 0)
            client.reset();
    }
    ASSERT_TRUE(server->comes_to(0));
    EXPECT_EQ(eddy::test::open_descriptors(), before);
    expect_life();
}

TEST_F(http_file_response, leaves_nothing_when_the_server_is_dropped_in_its_middle) {
    const std::size_t before = eddy::test::open_descriptors();
    serve();
    std::vector<blocking_client> clients;
    for (int number = 0; number < 4; ++number) {
        clients.emplace_back(server->port(), small_buffer_bytes);
        ASSERT_TRUE(clients.back().send(part(0, file_bytes)));
        static_cast<void>(clients.back().read_some());
    }
    server.reset();  // checks that no frame is left
    clients.clear();
    EXPECT_EQ(eddy::test::open_descriptors(), before);
}

TEST_F(http_file_response, is_short_if_the_file_has_become_shorter) {
    serve();
    blocking_client client(server->port(), small_buffer_bytes);
    ASSERT_TRUE(client.send(part(0, file_bytes)));
    std::string all = client.read_some();
    expect_life();
    ASSERT_EQ(::truncate(directory.at("file").c_str(), 65'536), 0);
    all += client.read_to_end();
    const std::string_view body = std::string_view(all).substr(all.find("\r\n\r\n") + 4);
    EXPECT_GE(body.size(), 65'536U);
    EXPECT_LT(body.size(), file_bytes);
    EXPECT_TRUE(are_numbered(body.substr(0, 65'536), 0));
    // What was on its way is the file's own memory, in which the system may have put zeros meanwhile.
    for (std::size_t at = 65'536; at < body.size(); ++at)
        if (body[at] != '\0' && !are_numbered(body.substr(at, 1), at))
            FAIL() << "at " << at;
    ASSERT_TRUE(server->comes_to(0));
    expect_life();
}

TEST_F(http_file_response, of_a_file_that_is_too_short_has_what_there_is_and_ends) {
    serve();
    blocking_client client(server->port());
    ASSERT_TRUE(client.send(part(file_bytes - 100'000, 200'000) + get("/small")));
    const std::string all = client.read_to_end();
    EXPECT_TRUE(all.substr(all.find("\r\n\r\n") + 4) == numbered(file_bytes - 100'000, 100'000));
}

TEST_F(http_file_response, is_read_from_the_device_where_the_file_is_not_in_memory) {
    serve();
    const int opened = ::open(directory.at("file").c_str(), O_RDONLY | O_CLOEXEC);
    blocking_client client(server->port());
    for (int round = 0; round < 3; ++round) {
        ::fsync(opened);
        ::posix_fadvise(opened, round == 1 ? 1'000'000 : 0, round == 1 ? 500'000 : 0, POSIX_FADV_DONTNEED);
        expect_part(client, 3, file_bytes - 3);
    }
    ::close(opened);
}

TEST_F(http_file_response, comes_out_of_file_systems_in_memory) {
    const std::filesystem::path memory = "/dev/shm";
    if (!std::filesystem::exists(memory))
        GTEST_SKIP() << "[tmpfs] no file system in memory here";
    const std::string path = memory / ("eddy-test-" + std::to_string(::getpid()));
    std::filesystem::copy_file(directory.at("file"), path);
    serve_file(path);
    blocking_client client(server->port());
    expect_part(client, 0, file_bytes);
    std::filesystem::remove(path);
}

TEST_F(http_file_response, comes_through_memory_where_the_system_does_not_move_it) {
    const eddy::test::slow_file zeros;
    serve_file("/proc/self/mem");
    blocking_client client(server->port());
    const auto response = client.ask(part(zeros.offset(), 400'000));
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->body == std::string(400'000, '\0'));
}

// A connection that somebody else can close, too.
class shared_stream {
public:
    explicit shared_stream(std::shared_ptr<tcp_stream> stream) : stream_(std::move(stream)) {}
    auto read(std::span<std::byte> out) { return stream_->read(out); }
    auto read_leased() { return stream_->read_leased(); }
    auto write(std::span<const std::byte> bytes) { return stream_->write(bytes); }
    auto write_all(std::span<const std::byte> bytes) { return stream_->write_all(bytes); }
    auto write_all(std::span<const_buffer> buffers) { return stream_->write_all(buffers); }
    auto shutdown() { return stream_->shutdown(); }
    void close() { stream_->close(); }
    auto splice_sink() const { return stream_->splice_sink(); }

private:
    std::shared_ptr<tcp_stream> stream_;
};

TEST_F(http_file_response, ends_when_somebody_closes_the_stream_in_its_middle) {
    const auto scene = [this]() -> task<void> {
        const std::size_t before = eddy::test::open_descriptors();
        {
            auto pair = co_await eddy::test::connected_streams();
            pair.server.set_option(io::socket_option::send_buffer_bytes, 65'536);
            pair.client.set_option(io::socket_option::receive_buffer_bytes, 65'536);
            auto shared = std::make_shared<tcp_stream>(std::move(pair.server));
            std::error_code failure;
            function_handler handler([&](exchange& ex) -> task<void> {
                const file opened = co_await fs::open(directory.at("file"));
                const auto outcome =
                    co_await as_result(ex.respond_with_file(status::ok, {}, opened, 0, file_bytes));
                if (!outcome)
                    failure = outcome.error();
            });
            auto serving = spawn(serve_connection(any_stream(shared_stream(shared)), handler));
            co_await pair.client.write_all(as_bytes(part(0, file_bytes)));
            std::array<std::byte, 1> first{};
            const std::size_t count = co_await pair.client.read(first);
            EXPECT_EQ(count, 1U);
            co_await sleep_for(50ms);  // by now both ends' buffers are full, and room is waited for
            shared->close();
            co_await serving;
            EXPECT_EQ(failure, std::errc::operation_canceled);
        }
        co_await sleep_for(1ms);  // descriptors are closed in the next turn
        EXPECT_EQ(eddy::test::open_descriptors(), before);
    };
    eddy::test::run_bounded(scene());
}

TEST_F(http_file_response, that_its_handler_gives_up_is_cut_and_has_nothing_wrong_in_it) {
    const auto scene = [this]() -> task<void> {
        auto pair = co_await eddy::test::connected_streams();
        function_handler handler([&](exchange& ex) -> task<void> {
            const file opened = co_await fs::open(directory.at("file"));
            const auto outcome = co_await as_result(
                with_timeout(ex.respond_with_file(status::ok, {}, opened, 0, file_bytes), 50ms));
            EXPECT_FALSE(outcome);
        });
        auto serving = spawn(serve_connection(any_stream(std::move(pair.server)), handler));
        co_await pair.client.write_all(as_bytes(part(0, file_bytes) + get("/small")));
        std::string all(file_bytes + 1000, '\0');
        std::size_t count = 0;
        // It reads nothing before the handler has given up.
        co_await sleep_for(100ms);
        for (;;) {
            const auto some =
                co_await as_result(pair.client.read(std::as_writable_bytes(std::span(all).subspan(count))));
            if (!some || *some == 0)
                break;
            count += *some;
        }
        pair.client.close();
        co_await serving;
        const std::string_view seen = std::string_view(all).substr(0, count);
        const std::size_t body = seen.find("\r\n\r\n") + 4;
        EXPECT_LT(count - body, file_bytes);
        EXPECT_TRUE(are_numbered(seen.substr(body), 0));
    };
    eddy::test::run_bounded(scene());
}

}  // namespace
}  // namespace eddy::http::test::file_responses_test
