#pragma once

#include "http.hpp"
#include "support/ring_world.hpp"
#include "support/server_process.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace lab_test {

/// A directory of a few files, removed at the end.
class sample_directory {
public:
    sample_directory()
        : root_(std::filesystem::temp_directory_path() / ("lab5-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(root_ / "served" / "sub");
        write("served/index.html", "<h1>index</h1>");
        write("served/a.txt", std::string(1024, 'a'));
        write("served/sub/index.html", "sub");
        write("served/with space.txt", "space");
        write("served/big.bin", big());
        write("secret.txt", "secret");
        std::filesystem::create_symlink(root_ / "secret.txt", root_ / "served" / "link.txt");
        std::filesystem::create_symlink("a.txt", root_ / "served" / "good-link.txt");
    }
    sample_directory(const sample_directory&) = delete;
    ~sample_directory() { std::filesystem::remove_all(root_); }

    [[nodiscard]] std::string served() const { return (root_ / "served").string(); }
    static std::string big() {
        std::string text;
        for (int number = 0; text.size() < 2'000'000; ++number)
            text += std::to_string(number) + "\n";
        return text;
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / name, std::ios::binary) << text;
    }

private:
    std::filesystem::path root_;
};

/// A server in this thread, while a thread of its own plays the clients.
class served {
public:
    explicit served(std::string root, lab::http_options options = {})
        : root_(std::move(root)), options_(options) {}

    /// Runs `client(port, drain)` until it returns; `drain()` drains the server. Returns whether the server has ended
    /// by itself by then (or within a few turns).
    template <class Client>
    bool run(Client client) {
        lab::ring ring;
        lab::loop loop(ring);
        lab::acceptor from;
        lab::http_server server(from, root_, options_);
        int ends[2];
        if (::pipe(ends) < 0)
            return false;
        std::thread player([&] {
            client(from.port(), [&] { static_cast<void>(!::write(ends[1], "d", 1)); });
            static_cast<void>(!::write(ends[1], "q", 1));
        });
        bool has_ended = false;
        const auto serve = [&]() -> lab::task<> {
            co_await server.run();
            has_ended = true;
        };
        const auto control = [&]() -> lab::task<> {
            lab::task<> serving = serve();
            serving.handle().resume();
            std::byte order[1];
            order[0] = std::byte{0};
            while (order[0] != std::byte{'q'}) {
                co_await reading(ends[0], order);
                if (order[0] == std::byte{'d'})
                    server.drain();
            }
            co_await turns(5);
        };
        loop.run(control());
        player.join();
        sessions_left = server.sessions();
        ::close(ends[0]);
        ::close(ends[1]);
        return has_ended;
    }
    std::size_t sessions_left = 0;

private:
    class reading : public lab::call {
    public:
        reading(int descriptor, std::span<std::byte> into) noexcept {
            io_uring_prep_read(&request(), descriptor, into.data(), static_cast<unsigned>(into.size()), 0);
        }
    };
    std::string root_;
    lab::http_options options_;
};

/// A client that blocks.
class http_client {
public:
    explicit http_client(std::uint16_t port) : descriptor_(course::connect_to(port)) {}
    http_client(const http_client&) = delete;
    ~http_client() { ::close(descriptor_); }

    [[nodiscard]] int descriptor() const { return descriptor_; }
    void send(std::string_view text) const {
        static_cast<void>(::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL));
    }

    struct response {
        std::string status;  // "(none)": the connection has ended, or nothing came
        std::string head;
        std::string body;
    };
    /// Reads a response; of HEAD it has no body.
    response read(bool has_body = true) {
        std::size_t end = 0;
        while ((end = input_.find("\r\n\r\n")) == std::string::npos)
            if (!more())
                return {"(none)", input_, ""};
        response got;
        got.head = input_.substr(0, end + 4);
        got.status = got.head.substr(9, 3);
        input_.erase(0, end + 4);
        std::size_t size = 0;
        if (const auto at = got.head.find("Content-Length: "); has_body && at != std::string::npos)
            size = std::stoul(got.head.substr(at + 16));
        while (input_.size() < size && more()) {
        }
        got.body = input_.substr(0, size);
        input_.erase(0, size);
        return got;
    }
    response get(const std::string& target, const std::string& fields = "",
                 const std::string& method = "GET") {
        send(method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
        return read(method != "HEAD");
    }
    /// Waits until a response has begun.
    void await_response() const {
        char byte = 0;
        static_cast<void>(::recv(descriptor_, &byte, 1, MSG_PEEK));
    }
    /// Whether the server has closed the connection, and not by a reset: waits a second and a half.
    bool is_ended() { return read_within(descriptor_).empty(); }
    /// Whether the server has closed the connection: waits a second and a half.
    bool is_closed() {
        const std::string rest = read_within(descriptor_);
        return rest.empty() || rest.starts_with("(error");
    }

private:
    bool more() {
        const std::string piece = read_within(descriptor_);
        if (piece.empty() || piece.starts_with("(nothing") || piece.starts_with("(error"))
            return false;
        input_ += piece;
        return true;
    }
    int descriptor_;
    std::string input_;
};

}  // namespace lab_test
