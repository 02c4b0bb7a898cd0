#pragma once

#include "crew.hpp"
#include "files.hpp"
#include "request.hpp"
#include "response.hpp"
#include "semaphore.hpp"
#include "sleep.hpp"
#include "socket.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"
#include "timeout.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace lab {

struct http_options {
    /// For a request's head to arrive, from its first byte on.
    duration head_timeout = std::chrono::seconds(10);
    /// Between requests.
    duration idle_timeout = std::chrono::seconds(60);
    /// For the client to take a piece of the response.
    duration write_timeout = std::chrono::seconds(30);
    /// For responses to end once drain() has been called.
    duration drain_limit = std::chrono::seconds(10);
    std::size_t head_bytes_max = 8192;
    std::size_t connections_max = 10'000;
};

/// Serves the files of a directory.
class http_server {
public:
    /// Requires: `from` outlives it.
    http_server(acceptor& from, const std::string& root, http_options options = {})
        : acceptor_(from), files_(root), options_(options), permits_(options.connections_max) {}
    http_server(const http_server&) = delete;
    http_server& operator=(const http_server&) = delete;

    /// Serves until drain() was called and the last response has ended, or its limit has come.
    [[nodiscard]] task<> run() {
        // TODO(step 7): accept until drain(), and wait for the sessions. TODO(step 9): for drain_limit at the most.
        course::todo("step 7: http_server::run");
        co_return;
    }

    /// No new connection is accepted, those that are idle end, and the others with the response that is under way.
    /// Requires: not called by one of its sessions.
    void drain() noexcept { course::todo("step 9: http_server::drain"); }

    [[nodiscard]] std::size_t sessions() const noexcept { return sessions_.size(); }

private:
    /// What drain() has to know of a connection. It lies in the frame of serve(), and is in a list while that waits for a
    /// request.
    struct session : course::link {
        crew::member* self = nullptr;
    };

    [[nodiscard]] task<> all_sessions() { co_await sessions_.join(); }

    [[nodiscard]] task<> accept_all() {
        // TODO(step 7): a permit, a connection, a session; again and again. After an error: 10 ms of sleep.
        course::todo("step 7: http_server::accept_all");
        co_return;
    }

    [[nodiscard]] task<> serve(socket client, permit, std::unique_ptr<session> here) {
        // TODO(step 7): read_head, respond, again; then end_writing, and read what still comes.
        static_cast<void>(here);
        course::todo("step 7: http_server::serve");
        co_return;
    }

    [[nodiscard]] bool has_head(const std::string& input) const noexcept {
        return input.size() >= options_.head_bytes_max || input.find("\r\n\r\n") != std::string::npos;
    }

    /// Until `input` begins with a complete head, or is too long for one. False: the client has sent all. Throws
    /// std::system_error where it is too slow.
    [[nodiscard]] task<bool> read_head(socket& client, std::string& input, session& here) {
        // TODO(step 7): read until there is a head. TODO(step 8): deadlines. TODO(step 9): is it idle?
        static_cast<void>(client);
        static_cast<void>(input);
        static_cast<void>(here);
        course::todo("step 7: http_server::read_head");
        co_return false;
    }
    [[nodiscard]] static task<bool> read_more(socket& client, std::string& input) {
        std::byte bytes[4096];
        const std::size_t size = co_await client.read(bytes);
        input.append(reinterpret_cast<const char*>(bytes), size);
        co_return size != 0;
    }
    [[nodiscard]] static task<> read_all(socket& client) {
        std::byte bytes[4096];
        std::size_t size = 1;
        while (size != 0)
            size = co_await client.read(bytes);
    }

    /// Whether another request may follow.
    [[nodiscard]] task<bool> respond(socket& client, std::string& input) {
        // TODO(step 7): parse_request, path_of, the file, write_head; and send it.
        static_cast<void>(client);
        static_cast<void>(input);
        course::todo("step 7: http_server::respond");
        co_return false;
    }

    /// nullptr: there is no such file that may be read.
    [[nodiscard]] task<std::shared_ptr<const content>> load(const std::string& path) {
        static_cast<void>(path);
        course::todo("step 7: http_server::load");
        co_return nullptr;
    }

    [[nodiscard]] task<> send_file(socket& client, const content& sent) {
        static_cast<void>(client);
        static_cast<void>(sent);
        course::todo("step 7: http_server::send_file");
        co_return;
    }
    [[nodiscard]] task<> send_in_time(socket& client, std::string_view text) {
        // TODO(step 8): in time.
        co_await client.write_all(std::as_bytes(std::span(text)));
    }

    static constexpr duration linger_limit = std::chrono::seconds(1);

    acceptor& acceptor_;
    file_cache files_;
    http_options options_;
    semaphore permits_;
    bool is_draining_ = false;
    course::list<session> idle_;
    crew sessions_;
    crew accepting_;
};

}  // namespace lab
