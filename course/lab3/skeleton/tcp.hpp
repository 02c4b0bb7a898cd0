#pragma once

#include "buffers.hpp"
#include "call.hpp"
#include "multishot.hpp"
#include "sleep.hpp"
#include "support/listen.hpp"
#include "support/todo.hpp"
#include "task.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lab {

namespace detail {

/// Values in the order of their arrival; without memory until the first one comes.
template <class T>
class arrivals {
public:
    [[nodiscard]] bool empty() const noexcept { return next_ == values_.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return values_.size() - next_; }
    void push(T value) { values_.push_back(std::move(value)); }
    [[nodiscard]] T pop() noexcept {
        T first = std::move(values_[next_++]);
        if (empty()) {
            values_.clear();
            next_ = 0;
        }
        return first;
    }

private:
    std::vector<T> values_;
    std::size_t next_ = 0;
};

/// The receive of a stream, and what it has brought and was not read yet.
class receiving final : public multishot {
public:
    explicit receiving(int descriptor) noexcept : descriptor_(descriptor) {}

    [[nodiscard]] bool has_answer() const noexcept override { return !arrived_.empty() || end_ != not_yet; }
    /// Requires: has_answer().
    [[nodiscard]] lease take() { course::todo("step 6: receiving::take"); }

private:
    static constexpr int not_yet = 1;
    // A client that sends and is not read would otherwise take every buffer there is.
    static constexpr std::size_t arrived_max = 4;

    void prepare(io_uring_sqe& entry) noexcept override {
        // TODO(step 6): a multishot receive; a single one into own_ when no buffer is available.
        static_cast<void>(entry);
        course::todo("step 6: receiving::prepare");
    }

    void report(int result, unsigned flags) noexcept override {
        static_cast<void>(result);
        static_cast<void>(flags);
        course::todo("step 6: receiving::report");
    }

    void discard(int result, unsigned flags) noexcept override {
        static_cast<void>(result);
        static_cast<void>(flags);
        course::todo("step 7: receiving::discard");
    }

    int descriptor_;
    int end_ = not_yet;                 // 0: the peer has sent all; below: an error
    std::unique_ptr<std::byte[]> own_;  // of a receive that found no buffer
    arrivals<lease> arrived_;
};

/// The accept of a listener, and the connections that it has brought.
class accepting final : public multishot {
public:
    explicit accepting(int descriptor) noexcept : descriptor_(descriptor) {}
    ~accepting() override {
        // TODO(step 7): close what was accepted and not taken.
    }

    [[nodiscard]] bool has_answer() const noexcept override { return !arrived_.empty() || error_ != 0; }
    /// A descriptor, or an error as a negative number. Requires: has_answer().
    [[nodiscard]] int take() noexcept { course::todo("step 5: accepting::take"); }

private:
    // The others wait in the system's queue, listen(2)'s backlog.
    static constexpr std::size_t arrived_max = 64;

    void prepare(io_uring_sqe& entry) noexcept override {
        static_cast<void>(entry);
        course::todo("step 5: accepting::prepare");
    }
    void report(int result, unsigned) noexcept override {
        static_cast<void>(result);
        course::todo("step 5: accepting::report");
    }
    void discard(int result, unsigned) noexcept override {
        static_cast<void>(result);
        course::todo("step 7: accepting::discard");
    }

    int descriptor_;
    int error_ = 0;
    arrivals<int> arrived_;
};

}  // namespace detail

/// A connection. One read and one write at a time.
class stream {
public:
    /// Owns the descriptor.
    explicit stream(int descriptor)
        : descriptor_(descriptor), receiving_(new detail::receiving(descriptor)) {}
    stream(stream&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)),
          receiving_(std::exchange(other.receiving_, nullptr)) {}
    stream& operator=(stream&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        std::swap(receiving_, other.receiving_);
        return *this;
    }
    ~stream() { close(); }

    /// co_await returns what has arrived, as a lease; an empty one when the peer has sent all. Throws std::system_error.
    class read_awaiter : public answer {
    public:
        explicit read_awaiter(detail::receiving& from) noexcept : answer(from), from_(from) {}
        [[nodiscard]] lease await_resume() const { return from_.take(); }

    private:
        detail::receiving& from_;
    };
    [[nodiscard]] read_awaiter read() noexcept { return read_awaiter(*receiving_); }

    /// Returns how many bytes the system has taken: perhaps fewer. Throws std::system_error.
    [[nodiscard]] send write(std::span<const std::byte> bytes) noexcept { return {descriptor_, bytes}; }
    /// Ends when the system has taken all of them.
    [[nodiscard]] task<> write_all(std::span<const std::byte> bytes) {
        static_cast<void>(bytes);
        course::todo("step 8: stream::write_all");
        co_return;
    }

    /// Requires: no read and no write is under way.
    void close() noexcept {
        // TODO(step 6): close the descriptor. TODO(step 7): but end the receive first.
        descriptor_ = -1;
    }

private:
    int descriptor_;
    detail::receiving* receiving_;
};

/// A socket that clients connect to.
class listener {
public:
    /// Listens on the loopback interface; port 0: on any free one. Throws std::system_error.
    explicit listener(std::uint16_t port = 0)
        : descriptor_(course::listen_on(port)), accepting_(new detail::accepting(descriptor_)) {}
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;
    ~listener() {
        // TODO(step 5): close the descriptor. TODO(step 7): but end the accept first.
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return course::port_of(descriptor_); }

    /// The next connection. Waits a moment where descriptors or memory are short. Throws std::system_error.
    [[nodiscard]] task<stream> accept() {
        course::todo("step 5: listener::accept");
        co_return stream(-1);
    }

private:
    int descriptor_;
    detail::accepting* accepting_;
};

}  // namespace lab
