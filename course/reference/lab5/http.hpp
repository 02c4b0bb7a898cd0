#pragma once

#include "crew.hpp"
#include "files.hpp"
#include "request.hpp"
#include "response.hpp"
#include "semaphore.hpp"
#include "sleep.hpp"
#include "socket.hpp"
#include "support/list.hpp"
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
        accepting_.spawn(accept_all());
        co_await accepting_.join();
        try {
            co_await with_timeout(options_.drain_limit, all_sessions());
        } catch (const std::system_error&) {
            sessions_.drop_all();
        }
    }

    /// No new connection is accepted, those that are idle end, and the others with the response that is under way.
    /// Requires: not called by one of its sessions.
    void drain() noexcept {
        is_draining_ = true;
        accepting_.drop_all();
        acceptor_.close();
        while (!idle_.empty())
            sessions_.drop(*idle_.front().self);
    }

    [[nodiscard]] std::size_t sessions() const noexcept { return sessions_.size(); }

private:
    /// What drain() has to know of a connection. It lies in the frame of serve(), and is in a list while that waits for a
    /// request.
    struct session : course::link {
        crew::member* self = nullptr;
    };

    [[nodiscard]] task<> all_sessions() { co_await sessions_.join(); }

    [[nodiscard]] task<> accept_all() {
        for (;;) {
            permit place = co_await permits_.acquire();
            bool is_short = false;
            try {
                socket client = co_await acceptor_.accept();
                auto here = std::make_unique<session>();
                session& begun = *here;
                begun.self = &sessions_.spawn(serve(std::move(client), std::move(place), std::move(here)));
            } catch (const std::system_error&) {
                is_short = true;
            }
            if (is_short)
                co_await sleep(std::chrono::milliseconds(10));
        }
    }

    [[nodiscard]] task<> serve(socket client, permit, std::unique_ptr<session> here) {
        std::string input;
        try {
            bool goes_on = !is_draining_;  // it may have been drained before it began
            while (goes_on) {
                const bool has_head = co_await read_head(client, input, *here);
                if (!has_head)
                    co_return;
                goes_on = co_await respond(client, input);
                goes_on = goes_on && !is_draining_;
            }
            // A socket that is closed with unread bytes resets the connection, and the response may be lost.
            client.end_writing();
            co_await with_timeout(linger_limit, read_all(client));
        } catch (const std::system_error&) {
            // The client has gone, or is too slow: only this session ends.
        }
    }

    [[nodiscard]] bool has_head(const std::string& input) const noexcept {
        return input.size() >= options_.head_bytes_max || input.find("\r\n\r\n") != std::string::npos;
    }

    /// Until `input` begins with a complete head, or is too long for one. False: the client has sent all. Throws
    /// std::system_error where it is too slow.
    [[nodiscard]] task<bool> read_head(socket& client, std::string& input, session& here) {
        if (input.empty()) {
            idle_.push_back(here);
            const bool goes_on = co_await with_timeout(options_.idle_timeout, read_more(client, input));
            here.unlink();
            if (!goes_on)
                co_return false;
        }
        if (has_head(input))
            co_return true;
        // One deadline for the rest, not one for each piece: a byte a second would keep the connection for hours.
        co_return co_await with_timeout(options_.head_timeout, read_rest(client, input));
    }
    [[nodiscard]] task<bool> read_rest(socket& client, std::string& input) {
        bool goes_on = true;
        while (goes_on && !has_head(input))
            goes_on = co_await read_more(client, input);
        co_return goes_on;
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
        int status = 200;
        request wanted;
        std::string path;
        std::shared_ptr<const content> found;
        try {
            if (const auto parsed = parse_request(input))
                wanted = *parsed;
            else
                throw bad_request(431);
            if (wanted.method != "GET" && wanted.method != "HEAD")
                throw bad_request(405);
            if (auto named = path_of(wanted.target))
                path = *std::move(named);
            else
                throw bad_request(404);
        } catch (const bad_request& refused) {
            status = refused.status;
        }
        if (status == 200) {
            found = files_.find(path, clock::now());
            if (found == nullptr)
                found = co_await load(path);
            if (found == nullptr)
                status = 404;
        }
        const bool goes_on = (status == 200 || status == 404) && wanted.keeps_alive && !is_draining_;
        const bool has_body = wanted.method != "HEAD";
        const std::string_view refusal = reason_of(status);
        std::string out;
        out.reserve(256 + (found != nullptr ? found->bytes.size() : refusal.size()));
        write_head(out, status, found != nullptr ? media_type_of(path) : "text/plain",
                   found != nullptr ? found->size : refusal.size(), goes_on);
        if (has_body)
            out.append(found != nullptr ? std::string_view(found->bytes) : refusal);
        input.erase(0, wanted.head_bytes);
        co_await send_in_time(client, out);
        if (found != nullptr && found->large && has_body)
            co_await send_file(client, *found);
        co_return goes_on;
    }

    /// nullptr: there is no such file that may be read.
    [[nodiscard]] task<std::shared_ptr<const content>> load(const std::string& path) {
        try {
            co_return co_await files_.load(path, clock::now());
        } catch (const std::system_error&) {
            co_return nullptr;
        }
    }

    [[nodiscard]] task<> send_file(socket& client, const content& sent) {
        std::string piece(file_cache::small_bytes_max, '\0');
        for (std::uint64_t offset = 0; offset < sent.size;) {
            const int size = co_await sent.large->read_at(offset, std::as_writable_bytes(std::span(piece)));
            // Fewer bytes than were announced: only a broken connection says so.
            if (size == 0)
                throw std::system_error(EIO, std::system_category());
            const auto rest = std::min<std::uint64_t>(static_cast<std::uint64_t>(size), sent.size - offset);
            co_await send_in_time(client, std::string_view(piece).substr(0, rest));
            offset += rest;
        }
    }
    [[nodiscard]] task<> send_in_time(socket& client, std::string_view text) {
        co_await with_timeout(options_.write_timeout, client.write_all(std::as_bytes(std::span(text))));
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
