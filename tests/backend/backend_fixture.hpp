#pragma once

#include "backend/epoll/epoll_backend.hpp"
#include "backend/peer.hpp"
#include "backend/test_executor.hpp"
#include "backend/uring/uring_backend.hpp"
#include "support/numbered_text.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/backend.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::testing {

using namespace std::chrono_literals;

/// An operation that keeps its completions.
struct recorded : io::scratch_operation {
    explicit recorded(io::opcode kind, int on = -1) : scratch_operation(kind, &record) { descriptor = on; }
    recorded(io::opcode kind, int on, void* memory, std::size_t bytes) : recorded(kind, on) {
        address = memory;
        size = bytes;
    }
    recorded(io::opcode kind, int on, const void* memory, std::size_t bytes)
        : recorded(kind, on, const_cast<void*>(memory), bytes) {}

    [[nodiscard]] bool has_ended() const { return is_idle() && !outcomes.empty(); }
    /// The result of the last completion.
    [[nodiscard]] int result() const { return outcomes.empty() ? -EINPROGRESS : outcomes.back().result; }

    std::vector<io::completion> outcomes;

private:
    static void record(io::operation& done, const io::completion& outcome) noexcept {
        auto& self = static_cast<recorded&>(done);
        EXPECT_EQ(self.is_idle(), !outcome.more)
            << "idle when, and only when, the last completion is reported";
        self.outcomes.push_back(outcome);
    }
};

/// Runs every test on the backend that EDDY_BACKEND names.
class backend_test : public ::testing::Test {
protected:
    void SetUp() override { make_backend(io::backend_options().receive_buffers_max(64)); }

    void TearDown() override { drop_backend(); }

    void drop_backend() {
        if (backend_ != nullptr)
            backend_->drain();
        backend_.reset();
    }

    void make_backend(const io::backend_options& options) {
        drop_backend();
        const char* const name = std::getenv("EDDY_BACKEND");
        const std::string_view wanted = name != nullptr ? name : "epoll";
        if (wanted == "epoll") {
            backend_ = backends::make_epoll_backend(options, executor_);
            return;
        }
        backend_ = backends::make_uring_backend(options);
    }

    io::backend& backend() { return *backend_; }

    /// Turns until done() holds, for ten seconds at the most. A turn waits for `wait` at the most.
    template <class Done>
    void turn_until(Done done, duration wait = 10ms) {
        const auto deadline = clock::now() + 10s;
        while (!done()) {
            if (clock::now() > deadline) {
                ADD_FAILURE() << "nothing happens";
                return;
            }
            backend_->turn(wait);
        }
    }

    /// Carries an operation out and gives its last result.
    int run(recorded& requested) {
        requested.outcomes.clear();
        backend_->submit(requested);
        turn_until([&] { return requested.is_idle(); });
        return requested.result();
    }
    int cancel(recorded& ended) {
        backend_->cancel(ended);
        turn_until([&] { return ended.is_idle(); });
        return ended.result();
    }

    /// Receives exactly `size` bytes, fewer at the end of the stream.
    std::string receive(int descriptor, std::size_t size) {
        std::string text(size, '\0');
        std::size_t filled = 0;
        while (filled < size) {
            recorded receiving(io::opcode::receive, descriptor, text.data() + filled, size - filled);
            const int got = run(receiving);
            EXPECT_GE(got, 0);
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        text.resize(filled);
        return text;
    }
    int send(int descriptor, std::string_view text) {
        recorded sending(io::opcode::send, descriptor, text.data(), text.size());
        sending.whole = true;
        return run(sending);
    }

    struct connection {
        int near = -1;  ///< the backend's
        peer far;
    };
    connection connect() {
        const endpoint to = endpoint::loopback_ipv4(listener_.port());
        connection made;
        made.near = backend_->system().sockets->open_socket(endpoint::family::ipv4);
        recorded connecting(io::opcode::connect, made.near, &to, sizeof(to));
        EXPECT_EQ(run(connecting), 0);
        made.far = listener_.accept();
        return made;
    }

    /// Lets little be on its way at once.
    void shrink_send_buffer(int descriptor) {
        EXPECT_EQ(backend_->system().sockets->set_option(descriptor, io::socket_option::send_buffer_bytes,
                                                         64 * 1024),
                  0);
        // The last bytes of a buffer are smaller than the loopback's segments: they must not wait for the
        // peer.
        EXPECT_EQ(backend_->system().sockets->set_option(descriptor, io::socket_option::no_delay, 1), 0);
    }

    int listen(endpoint& at) {
        const int descriptor = backend_->system().sockets->open_socket(endpoint::family::ipv4);
        EXPECT_EQ(backend_->system().sockets->bind(descriptor, endpoint::loopback_ipv4(0)), 0);
        EXPECT_EQ(backend_->system().sockets->listen(descriptor, 0), 0);
        EXPECT_EQ(backend_->system().sockets->local_endpoint(descriptor, at), 0);
        return descriptor;
    }

    test_executor executor_;
    plain_listener listener_;
    std::unique_ptr<io::backend> backend_;
};

using eddy::test::numbered_text;

}  // namespace eddy::testing
