#include "http/client/http1_carrier.hpp"

#include "http/client/client_pool.hpp"
#include "http/codec/prefixed_stream.hpp"

#include <eddy/http/message/http_error.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace eddy::http {

namespace {

constexpr std::size_t write_piece_max = 256 * 1024;

// "SIZE CRLF" before a chunk's bytes.
std::string_view chunk_head(std::array<char, 20>& room, std::size_t size) noexcept {
    char* end = std::to_chars(room.data(), room.data() + 16, size, 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    return {room.data(), static_cast<std::size_t>(end - room.data())};
}

}  // namespace

struct http1_carrier::use_end {
    explicit use_end(http1_carrier& used) noexcept
        : pool(*used.pool_),
          origin(*used.origin_),
          own(std::move(used.own_)),
          total(std::move(used.total_)) {}
    use_end(const use_end&) = delete;
    use_end& operator=(const use_end&) = delete;
    ~use_end() {
        total.give_back();
        own.give_back();
        pool.leave(origin);
    }

    client_pool& pool;
    client_origin& origin;
    semaphore_permit own;
    semaphore_permit total;
};

carrier_handle http1_carrier::use(std::unique_ptr<http1_carrier> taken, client_pool& pool,
                                  client_origin& origin, semaphore_permit own, semaphore_permit total,
                                  bool is_reused) noexcept {
    taken->pool_ = &pool;
    taken->origin_ = &origin;
    taken->own_ = std::move(own);
    taken->total_ = std::move(total);
    taken->is_reused_ = is_reused;
    pool.enter(origin);
    return carrier_handle(taken.release());
}

void http1_carrier::give_back() {
    std::unique_ptr<http1_carrier> self(this);
    const use_end ending(*this);
    ending.pool.keep(ending.origin, std::move(self));
}

void http1_carrier::abandon() noexcept {
    const use_end ending(*this);
    delete this;
}

any_stream http1_carrier::take_stream() {
    std::string front(connection.surplus());
    any_stream stream = std::move(connection.stream());
    if (front.empty())
        return stream;
    return any_stream(prefixed_stream(std::move(front), std::move(stream)));
}

ready_or_task<std::error_code> http1_carrier::send_head(const outgoing_head& head, std::string_view body,
                                                        bool /*ends*/, const wait_limits& waits) {
    waits_ = waits;
    connection.limit_waits(waits);
    connection.begin(head.method);
    is_chunked_ = !head.body_size;
    head.text.append(body);
    return write(as_bytes(head.text));
}

task<std::error_code> http1_carrier::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const time_point idle_end =
            eddy::detail::deadline_after(worker::current().turn_time(), waits_.idle());
        const auto piece = bytes.first(std::min(bytes.size(), write_piece_max));
        const auto count = co_await connection.write_until(piece, std::min(idle_end, waits_.end()));
        if (!count && count.error() == std::errc::timed_out)
            co_return make_error_code(waits_.end() <= idle_end ? http_error::total_timed_out
                                                               : http_error::idle_timed_out);
        if (!count)
            co_return count.error();
        bytes = bytes.subspan(*count);
    }
    co_return std::error_code();
}

task<std::error_code> http1_carrier::send(std::span<const std::byte> bytes) {
    return is_chunked_ ? write_chunk(bytes) : write(bytes);
}

task<std::error_code> http1_carrier::write_chunk(std::span<const std::byte> bytes) {
    std::array<char, 20> room;
    std::error_code error = co_await write(as_bytes(chunk_head(room, bytes.size())));
    if (!error)
        error = co_await write(bytes);
    if (!error)
        error = co_await write(as_bytes("\r\n"));
    co_return error;
}

task<std::error_code> http1_carrier::end_body() {
    return write(is_chunked_ ? as_bytes("0\r\n\r\n") : std::span<const std::byte>());
}

}  // namespace eddy::http
