#pragma once

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/counted_write.hpp>
#include <eddy/stream/stream_error.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/tls/detail/handshake_turn.hpp>
#include <eddy/tls/detail/tls_engine.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_target.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// The time of a handshake, limited as the context says.
inline task<> within_handshake_time(task<> handshake, tls_context context) {
    co_await with_timeout(std::move(handshake), context.handshake_time_max());
}

/// A stream and the engine between it and what reads and writes: carries ciphertext back and forth.
///
/// The task that produced ciphertext sends all that there is, in order, while it holds a lock, so it does not
/// matter which task that is. The lock is taken by one writer and, for what the protocol itself sends
/// (tickets, an alert), by a separate task where a reader is about to wait.
template <byte_stream Stream>
class tls_connection {
public:
    explicit tls_connection(Stream stream) : stream_(std::move(stream)) {}
    tls_connection(const tls_connection&) = delete;
    tls_connection& operator=(const tls_connection&) = delete;
    ~tls_connection() = default;

    [[nodiscard]] Stream& below() noexcept { return stream_; }
    [[nodiscard]] const tls_session_info& info() const noexcept { return engine_->info(); }

    // -- the handshake --

    /// Makes the engine only once there is something for it.
    task<> accept(tls_context context) {
        lease_ = co_await next_lease();
        if (lease_.empty())
            throw std::system_error(tls_error::truncated, "before the handshake");
        engine_ = std::make_shared<tls_engine>(context);
        engine_->give_input(lease_.bytes());
        co_await shake_hands(handshake_place(context), true);
    }
    task<> connect(tls_context context, tls_target target) {
        engine_ = std::make_shared<tls_engine>(context, target);
        co_await shake_hands(handshake_place(context), false);
    }

    // -- reading --

    [[nodiscard]] bool can_read() noexcept {
        // An alert must be sent to the peer before the error is thrown.
        return engine_->can_read() && !engine_->has_failed();
    }
    /// Reads if there is something to read; true then.
    [[nodiscard]] bool try_read(std::span<std::byte> out, std::optional<std::size_t>& count) {
        std::size_t read_now = 0;
        if (engine_->read(out, read_now) != tls_engine::progress::ready)
            return false;
        release_lease();
        count = read_now;
        return true;
    }
    /// Requires: the wait is over.
    [[nodiscard]] std::size_t read(std::span<std::byte> out) {
        std::size_t count = 0;
        const auto came = engine_->read(out, count);
        if (came == tls_engine::progress::failed)
            engine_->throw_failure();
        if (came == tls_engine::progress::wants_input && is_cut_)
            throw std::system_error(tls_error::truncated);
        release_lease();
        return count;
    }
    [[nodiscard]] buffer_lease read_lease() {
        const std::size_t size = std::clamp<std::size_t>(engine_->readable_max(), 1, lease_bytes_max);
        auto memory = std::make_unique_for_overwrite<std::byte[]>(size);
        const std::size_t count = read({memory.get(), size});
        return {std::move(memory), 0, static_cast<std::uint32_t>(count)};
    }
    /// Waits until read() has something to say, until a deadline if there is one.
    task<> wait_to_read(std::optional<time_point> deadline) {
        while (!engine_->can_read() && !is_cut_) {
            release_lease();
            speak_meanwhile();
            if (deadline)
                lease_ = co_await with_deadline(next_lease(), *deadline);
            else
                lease_ = co_await next_lease();
            if (lease_.empty())
                is_cut_ = true;
            else
                engine_->give_input(lease_.bytes());
        }
        if (engine_->has_failed())
            co_await send_alert();
    }

    // -- writing --

    task<std::size_t> write(std::span<const std::byte> bytes) {
        std::array<const_buffer, 1> single{const_buffer(bytes)};
        co_return co_await write(std::span<const_buffer>(single));
    }
    task<std::size_t> write(std::span<const_buffer> buffers) {
        const mutex_guard sending = co_await output_lock_.lock();
        check();
        // Left behind by writes that were dropped; more is not added to it.
        if (engine_->output().size() > control_bytes_max)
            co_await flush(std::nullopt);
        std::size_t count = 0;
        for (;;) {
            const std::size_t encrypted = encrypt(buffers);
            count += encrypted;
            co_await flush(std::nullopt);
            if (encrypted < write_bytes_max)
                co_return count;
        }
    }
    /// Writes some of the bytes. The deadline is for each step: what is encrypted is sent piece by piece.
    task<std::expected<std::size_t, std::error_code>> write_until(std::span<const std::byte> bytes,
                                                                  time_point deadline) {
        std::array<const_buffer, 1> single{const_buffer(bytes)};
        co_return co_await write_until(std::span<const_buffer>(single), deadline);
    }
    task<std::expected<std::size_t, std::error_code>> write_until(std::span<const_buffer> buffers,
                                                                  time_point deadline) {
        try {
            mutex_guard sending = output_lock_.try_lock();
            if (!sending)  // what is sent beside may wait for the peer, too
                sending = co_await with_deadline(output_lock_.lock(), deadline);
            check();
            if (engine_->output().size() > control_bytes_max)
                co_await flush(deadline);
            const std::size_t encrypted = encrypt(buffers);
            co_await flush(deadline);
            co_return encrypted;
        } catch (const std::system_error& error) {
            co_return std::unexpected(error.code());
        }
    }
    /// Encrypts some of the bytes and sends what the stream below takes at once; a task beside sends the rest.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) noexcept {
        const mutex_guard sending = output_lock_.try_lock();
        tls_output& output = engine_->output();
        if (!sending || engine_->has_failed() || output.size() > control_bytes_max)
            return 0;
        std::array<const_buffer, tried_buffers_max> offered;
        const std::size_t count = std::min(buffers.size(), offered.size());
        std::ranges::copy(buffers.first(count), offered.begin());
        try {
            auto rest = std::span(offered).first(count);
            const std::size_t encrypted = encrypt(rest);
            try_flush();
            if (!output.empty())
                begin_to_speak();
            return encrypted;
        } catch (const std::bad_alloc&) {
            // The next write has to report it if what was encrypted cannot be sent.
            if (!output.empty())
                engine_->fail(std::make_error_code(std::errc::not_enough_memory));
            return 0;
        } catch (const std::system_error&) {
            return 0;  // the engine has failed, or the stream below fails again
        }
    }
    task<> shutdown() {
        {
            const mutex_guard sending = co_await output_lock_.lock();
            check();
            engine_->end();
            co_await flush(std::nullopt);
        }
        co_await stream_.shutdown();
    }

private:
    template <class Operation, class Tally>
    friend class counted_write;

    static constexpr std::size_t lease_bytes_max = 65'536;
    static constexpr std::size_t own_lease_bytes = 16'384;
    static constexpr std::size_t write_bytes_max = 65'536;
    static constexpr std::size_t tried_buffers_max = 4;
    /// More than the protocol itself has to say between two writes.
    static constexpr std::size_t control_bytes_max = 4096;
    static constexpr std::chrono::seconds alert_time_max{1};

    auto next_lease() {
        if constexpr (leasing_source<Stream>)
            return stream_.read_leased();
        else
            return read_into_lease();
    }
    /// Of a stream that lends no buffers.
    task<buffer_lease> read_into_lease() {
        auto memory = std::make_unique_for_overwrite<std::byte[]>(own_lease_bytes);
        const std::size_t count = co_await stream_.read(std::span(memory.get(), own_lease_bytes));
        co_return buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(count));
    }
    void release_lease() noexcept {
        if (engine_->input_left() == 0)
            lease_ = buffer_lease();
    }

    /// What a step of a handshake is for the offload pool; none where the worker computes it.
    [[nodiscard]] static std::optional<work_kind> handshake_place(const tls_context& context) {
        if (!context.offload_handshakes())
            return std::nullopt;
        return context.has_slow_handshakes() ? work_kind::long_running : work_kind::short_running;
    }
    task<> shake_hands(std::optional<work_kind> on_pool, bool is_server) {
        for (;;) {
            tls_engine::progress came;
            if (on_pool) {
                came = co_await step_on_pool(*on_pool);
            } else {
                if (!try_handshake_turn()) {
                    keep_input();
                    co_await handshake_turn();
                }
                came = engine_->handshake();
            }
            if (came == tls_engine::progress::failed) {
                co_await send_alert();
                engine_->throw_failure();
            }
            // The last output of a server's handshake in 1.3 is tickets, which no peer waits for: they are
            // sent with the first response.
            const bool can_wait = came == tls_engine::progress::ready && is_server &&
                                  engine_->info().version == tls_version::tls_1_3;
            if (!can_wait)
                co_await flush(std::nullopt);
            if (came == tls_engine::progress::ready)
                break;
            lease_ = buffer_lease();
            lease_ = co_await next_lease();
            if (lease_.empty())
                throw std::system_error(tls_error::truncated, "during the handshake");
            engine_->give_input(lease_.bytes());
        }
        release_lease();
    }
    /// Before a wait that holds none of the worker's buffers.
    void keep_input() {
        if (lease_.empty())
            return;
        engine_->copy_rest_of_input();
        lease_ = buffer_lease();
    }
    /// The engine and what it reads belong to the call, so that it may continue after the handshake was
    /// dropped.
    task<tls_engine::progress> step_on_pool(work_kind kind) {
        keep_input();
        co_return co_await offload(
            kind, [](const std::shared_ptr<tls_engine>& engine) { return engine->handshake(); }, engine_);
    }

    // -- sending --

    void check() const {
        if (engine_->has_failed())
            engine_->throw_failure();
    }
    [[nodiscard]] std::size_t encrypt(std::span<const_buffer>& buffers) {
        return engine_->write(buffers, write_bytes_max, worker::current().turn_time());
    }
    /// Sends all that there is. Requires: the lock is held.
    task<> flush(std::optional<time_point> deadline) {
        tls_output& output = engine_->output();
        while (!output.empty()) {
            // write_all() could not say how far it had come.
            auto sending = get_awaiter(stream_.write(output.next()));
            if (deadline) {
                auto limited = with_deadline(std::move(sending), *deadline);
                counted_write step(get_awaiter(std::move(limited)), *this);
                co_await step;
            } else {
                counted_write step(std::move(sending), *this);
                co_await step;
            }
        }
    }
    /// Sends what the stream below takes at once. Requires: the lock is held.
    void try_flush() {
        tls_output& output = engine_->output();
        while (!output.empty()) {
            const const_buffer oldest(output.next());
            const std::size_t sent = stream_.try_write({&oldest, 1});
            output.note_sent(sent);
            if (sent != oldest.size())
                break;
        }
    }
    /// Whether the protocol has output that no writer is about to send.
    [[nodiscard]] bool has_to_speak() {
        const std::size_t size = engine_->output().size();
        return size != 0 && size <= control_bytes_max && !is_uncertain_ && !output_lock_.is_locked();
    }
    /// Begins to send it while the reader waits: the peer may write first and read later.
    void speak_meanwhile() {
        if (has_to_speak())
            begin_to_speak();
    }
    void begin_to_speak() {
        if (speaking_ && speaking_.done())
            speaking_.cancel();
        if (!speaking_)
            speaking_ = spawn(speak(), "tls");
    }
    /// Sends the peer the reason why the connection ends, if possible.
    task<> send_alert() {
        if (has_to_speak())
            static_cast<void>(co_await as_result(with_timeout(speak(), alert_time_max)));
    }
    /// An error here does not concern the reader: a peer that has gone may have sent data before. The next
    /// writer sees the error.
    task<> speak() {
        const mutex_guard sending = co_await output_lock_.lock();
        try {
            co_await flush(std::nullopt);
        } catch (const std::system_error&) {
            co_return;
        }
    }

    // -- for counted_write --

    void wrote(std::size_t count) noexcept { engine_->output().note_sent(count); }
    void dropped() noexcept {
        is_uncertain_ = true;
        engine_->fail(stream_error::write_was_dropped);
    }

    Stream stream_;
    std::shared_ptr<tls_engine> engine_;
    buffer_lease lease_;  // what the engine reads from
    mutex output_lock_;
    bool is_uncertain_ = false;  // how much of the output was sent is not known
    bool is_cut_ = false;        // the stream below has ended without the peer's close_notify
    handle<> speaking_;
};

}  // namespace eddy::detail
