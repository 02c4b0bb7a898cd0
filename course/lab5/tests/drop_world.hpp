#pragma once

#include "socket.hpp"
#include "support/ring_world.hpp"
#include "timeout.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace lab_test {

struct world {
    watched_ring watched;
    lab::loop loop{watched};
    lab::ring& ring() { return watched.ring; }
};

/// A task that runs until its first wait, and is dropped with this.
class begun {
public:
    explicit begun(lab::task<> work) : work_(std::move(work)) { work_.handle().resume(); }
    void drop() { work_ = {}; }
    [[nodiscard]] bool is_done() const { return work_.done(); }

private:
    lab::task<> work_;
};

inline lab::task<> write_text(lab::socket& to, std::string text) {
    co_await to.write(bytes_of(text));
}
inline lab::task<> read_text(lab::socket& from, std::string& text, std::size_t size_max = 64) {
    std::array<std::byte, 64> into;
    const std::size_t size = co_await from.read(std::span(into).first(size_max));
    text = text_of(std::span(into).first(size));
}

/// What is read within a second.
inline lab::task<std::string> next_text(lab::socket& from, std::size_t size_max = 64) {
    std::string text = "(nothing)";
    try {
        co_await lab::with_timeout(std::chrono::seconds(1), read_text(from, text, size_max));
    } catch (const std::system_error&) {
    }
    co_return text;
}

}  // namespace lab_test
