#include "answer.hpp"
#include "session.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/integrations/pq/copy_writer.hpp>

#include <algorithm>
#include <utility>

namespace eddy::pq {

namespace {

constexpr std::size_t chunk_size_max = 64 * 1024;  // bytes passed to libpq before they are sent
constexpr std::size_t rows_size_max = 16 * 1024;   // of rows that gather before they are

}  // namespace

copy_writer::copy_writer(std::shared_ptr<detail::session> on,
                         std::unique_ptr<detail::exchange> begun) noexcept
    : session_(std::move(on)), exchange_(std::move(begun)) {}
copy_writer::copy_writer(copy_writer&& other) noexcept = default;
copy_writer::~copy_writer() = default;

// A dropped write has passed part of the bytes to libpq, so the copy cannot continue.
task<> copy_writer::put(std::span<const std::byte> bytes) {
    EDDY_ASSERT(exchange_ != nullptr, "a copy that has ended, or of which a write was dropped");
    std::unique_ptr<detail::exchange> running = std::move(exchange_);
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), chunk_size_max);
        if (PQputCopyData(session_->native(), reinterpret_cast<const char*>(bytes.data()),
                          static_cast<int>(count)) < 0)
            session_->throw_failed(errc::connection_lost);
        bytes = bytes.subspan(count);
        co_await session_->flush();
    }
    exchange_ = std::move(running);
}

task<std::size_t> copy_writer::write(std::span<const std::byte> bytes) {
    const std::string rows = std::exchange(rows_, {});
    co_await put(as_bytes(rows));
    co_await put(bytes);
    co_return bytes.size();
}

task<std::size_t> copy_writer::write_all(std::span<const_buffer> buffers) {
    std::size_t count = 0;
    for (const const_buffer& each : buffers) {
        const std::span<const std::byte> bytes(static_cast<const std::byte*>(each.data()), each.size());
        count += co_await write(bytes);
    }
    co_return count;
}

task<> copy_writer::write_rows() {
    if (rows_.size() < rows_size_max)
        co_return;
    const std::string rows = std::exchange(rows_, {});
    co_await put(as_bytes(rows));
}

task<std::uint64_t> copy_writer::finish() {
    const std::string rows = std::exchange(rows_, {});
    co_await put(as_bytes(rows));
    std::unique_ptr<detail::exchange> running = std::move(exchange_);
    if (PQputCopyEnd(session_->native(), nullptr) < 0)
        session_->throw_failed(errc::connection_lost);
    detail::answer end;
    co_await detail::gather(*session_, end);
    running->finish();
    const result done = detail::shared(end.get(*session_));
    co_return done.affected_rows();
}

}  // namespace eddy::pq
