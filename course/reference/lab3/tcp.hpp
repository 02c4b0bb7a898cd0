#pragma once

#include "buffers.hpp"
#include "call.hpp"
#include "multishot.hpp"
#include "sleep.hpp"
#include "support/listen.hpp"
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
    [[nodiscard]] lease take() {
        if (!arrived_.empty())
            return arrived_.pop();
        if (end_ < 0)
            throw std::system_error(-end_, std::system_category(), "receive");
        return {};
    }

private:
    static constexpr int not_yet = 1;
    // A client that sends and is not read would otherwise take every buffer there is.
    static constexpr std::size_t arrived_max = 4;

    void prepare(io_uring_sqe& entry) noexcept override {
        buffers& pool = buffers::current();
        if (pool.available() != 0) {
            io_uring_prep_recv_multishot(&entry, descriptor_, nullptr, 0, 0);
            entry.flags |= IOSQE_BUFFER_SELECT;
            entry.buf_group = buffers::group;
        } else {
            own_.reset(new std::byte[pool.size()]);
            io_uring_prep_recv(&entry, descriptor_, own_.get(), pool.size(), 0);
        }
        io_uring_sqe_set_data(&entry, static_cast<operation*>(this));
    }

    void report(int result, unsigned flags) noexcept override {
        if (result > 0)
            arrived_.push(taken(result, flags));
        else if (result != -ENOBUFS && result != -ECANCELED)
            end_ = result;
        if (arrived_.size() == arrived_max && is_under_way())
            pause();
        wake();
    }

    void discard(int result, unsigned flags) noexcept override {
        if (result > 0)
            static_cast<void>(taken(result, flags));
    }

    [[nodiscard]] lease taken(int result, unsigned flags) noexcept {
        const auto size = static_cast<std::size_t>(result);
        if ((flags & IORING_CQE_F_BUFFER) == 0)
            return {std::move(own_), size};
        buffers& pool = buffers::current();
        pool.note_taken();
        return {pool, static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT), size};
    }

    int descriptor_;
    int end_ = not_yet;  // 0: the peer has sent all; below: an error
    std::unique_ptr<std::byte[]> own_;
    arrivals<lease> arrived_;
};

/// The accept of a listener, and the connections that it has brought.
class accepting final : public multishot {
public:
    explicit accepting(int descriptor) noexcept : descriptor_(descriptor) {}
    ~accepting() override {
        while (!arrived_.empty())
            ring::current().close(arrived_.pop());
    }

    [[nodiscard]] bool has_answer() const noexcept override { return !arrived_.empty() || error_ != 0; }
    /// A descriptor, or an error as a negative number. Requires: has_answer().
    [[nodiscard]] int take() noexcept {
        return !arrived_.empty() ? arrived_.pop() : std::exchange(error_, 0);
    }

private:
    // The others wait in the system's queue, listen(2)'s backlog.
    static constexpr std::size_t arrived_max = 64;

    void prepare(io_uring_sqe& entry) noexcept override {
        io_uring_prep_multishot_accept(&entry, descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
        io_uring_sqe_set_data(&entry, static_cast<operation*>(this));
    }
    void report(int result, unsigned) noexcept override {
        if (result >= 0)
            arrived_.push(result);
        else if (result != -ECANCELED)
            error_ = result;
        if (arrived_.size() == arrived_max && is_under_way())
            pause();
        wake();
    }
    void discard(int result, unsigned) noexcept override {
        if (result >= 0)
            ring::current().close(result);
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
        while (!bytes.empty()) {
            const int sent = co_await write(bytes);
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        }
    }

    /// Requires: no read and no write is under way.
    void close() noexcept {
        if (descriptor_ < 0)
            return;
        std::exchange(receiving_, nullptr)->abandon();
        ring::current().close(std::exchange(descriptor_, -1));
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
        accepting_->abandon();
        ring::current().close(descriptor_);
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return course::port_of(descriptor_); }

    /// The next connection. Waits a moment where descriptors or memory are short. Throws std::system_error.
    [[nodiscard]] task<stream> accept() {
        for (;;) {
            co_await answer(*accepting_);
            const int result = accepting_->take();
            if (result >= 0)
                co_return stream(result);
            if (result == -EMFILE || result == -ENFILE || result == -ENOBUFS || result == -ENOMEM)
                co_await sleep(std::chrono::milliseconds(10));
            else if (!is_of_connection(result))
                throw std::system_error(-result, std::system_category(), "accept");
        }
    }

private:
    /// The connection is to blame, or its way, not the listener: accept(2), "Error handling".
    [[nodiscard]] static bool is_of_connection(int result) noexcept {
        switch (-result) {
            case ECONNABORTED:
            case EINTR:
            case EAGAIN:
            case EPERM:
            case EPROTO:
            case ENETDOWN:
            case ENETUNREACH:
            case EHOSTDOWN:
            case EHOSTUNREACH:
            case ENONET:
            case ENOPROTOOPT:
                return true;
            default:
                return false;
        }
    }

    int descriptor_;
    detail::accepting* accepting_;
};

}  // namespace lab
