#pragma once

#include "http/served.hpp"

#include <eddy/http/server/exchange.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace eddy::http::test {

/// What a body of this size and number holds, so that every byte tells where it belongs.
inline std::string sample_body(std::size_t size, std::size_t number = 0) {
    std::string body(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        body[at] = static_cast<char>('a' + (at * 31 + at / 257 + number) % 26);
    return body;
}

/// Answers, by the path: see handle().
class sample_handler final : public request_handler {
public:
    std::atomic<int> requests{0};
    std::atomic<int> timeouts{0};
    std::atomic<int> waiting{0};
    std::vector<std::unique_ptr<door>> doors;  // of those who wait

    ready_or_task<> handle(exchange& ex) override {
        ++requests;
        const std::string_view path = ex.request().path();
        if (path == "/throw")
            throw std::runtime_error("the handler's own");
        if (path == "/throw_number")
            throw 42;
        if (path == "/silent")
            co_return;
        if (path == "/bad_field")
            co_return co_await answer_with(ex, "X-Split", "a\r\nX-Forged: b");
        if (path == "/bad_name")
            co_return co_await answer_with(ex, "X Y", "a");
        if (path == "/huge_field")
            co_return co_await answer_with(ex, "X-Huge", std::string(9000, 'h'));
        if (path == "/begin_and_throw")
            co_return co_await begin(ex, true);
        if (path == "/begin_and_leave")
            co_return co_await begin(ex, false);
        if (path == "/no_content")
            co_return co_await ex.respond(status::no_content, {}, {});
        if (path == "/last") {
            ex.close_after_response();
            co_return co_await ex.respond(status::ok, {}, "last");
        }
        if (path == "/wait") {
            doors.push_back(std::make_unique<door>());
            door& mine = *doors.back();
            ++waiting;
            co_await mine;
            co_return co_await ex.respond(status::ok, {}, "waited");
        }
        if (path == "/sized")
            co_return co_await answer_sized(ex);
        co_await ex.respond(status::ok, {}, path);
    }

private:
    static task<void> answer_with(exchange& ex, std::string_view name, std::string value) {
        const std::array<response_field, 1> fields = {response_field(name, value)};
        co_await ex.respond(status::ok, fields, "never seen");
    }
    static task<void> begin(exchange& ex, bool throws) {
        co_await ex.begin_response(status::ok, {}, 10);
        co_await ex.write(as_bytes("short"));
        if (throws)
            throw std::runtime_error("too late");
    }
    // The query is the size, a dash, and a number for sample_body().
    task<void> answer_sized(exchange& ex) {
        const std::string_view query = ex.request().query();
        std::size_t size = 0;
        std::size_t number = 0;
        const auto* const end = std::from_chars(query.data(), query.data() + query.size(), size).ptr;
        if (end != query.data() + query.size())
            std::from_chars(end + 1, query.data() + query.size(), number);
        if (last_ == nullptr || last_size_ != size || last_number_ != number) {
            last_ = std::make_shared<const std::string>(sample_body(size, number));
            last_size_ = size;
            last_number_ = number;
        }
        const std::shared_ptr<const std::string> body = last_;
        try {
            co_await ex.respond(status::ok, {}, *body);
        } catch (const std::system_error& error) {
            if (error.code() == std::errc::timed_out)
                ++timeouts;
            throw;
        }
    }

    // The last sample, since making a large one takes long without optimisation.
    std::shared_ptr<const std::string> last_;
    std::size_t last_size_ = 0;
    std::size_t last_number_ = 0;
};

/// A server with a sample_handler.
class sample_server : public served {
public:
    explicit sample_server(server_options options = {}, runtime_options workers = {}, std::uint16_t port = 0)
        : served([] { return std::make_unique<sample_handler>(); }, std::move(options), workers, port) {}

    [[nodiscard]] sample_handler& sample() noexcept { return static_cast<sample_handler&>(handler()); }
    void open_doors() {
        call([this] {
            for (const auto& waited : sample().doors)
                waited->open();
        });
    }
    /// Waits until so many requests for /wait have come.
    void wait_for_waiting(int count) {
        while (sample().waiting < count)
            std::this_thread::yield();
    }
};

}  // namespace eddy::http::test
