#include "fs/pool_files.hpp"

#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/offload.hpp>

#include <memory>
#include <system_error>

namespace eddy {

namespace {

using detail::pooled_descriptor;

pooled_descriptor duplicate_pooled(const detail::owned_descriptor& original) {
    return detail::duplicate_for_pool(*original.backend().system().files, original.get());
}

task<> sync_on_pool(pooled_descriptor target, bool only_data) {
    const int result = co_await offload(
        work_kind::short_running,
        [](const pooled_descriptor& synced, bool only) { return synced.files().sync(synced.get(), only); },
        std::move(target), only_data);
    io::require_done(result, "fsync");
}

}  // namespace

detail::awaited_owned_read file::read_owned_at(std::uint64_t offset, std::size_t count) const {
    return {descriptor_.backend(), descriptor_.get(), offset, count};
}

task<> file::write_all_at(std::span<const std::byte> bytes, std::uint64_t offset) const {
    while (!bytes.empty()) {
        const std::size_t count = co_await write_at(bytes, offset);
        if (count == 0)
            throw std::system_error(std::make_error_code(std::errc::io_error), "write");
        bytes = bytes.subspan(count);
        offset += count;
    }
}

task<std::size_t> file::write_all(std::span<const std::byte> bytes) {
    for (std::span<const std::byte> rest = bytes; !rest.empty();) {
        const std::size_t count = co_await write(rest);
        if (count == 0)
            throw std::system_error(std::make_error_code(std::errc::io_error), "write");
        rest = rest.subspan(count);
    }
    co_return bytes.size();
}

task<std::size_t> file::write_all(std::span<const_buffer> buffers) {
    std::size_t written = 0;
    for (const const_buffer& buffer : buffers)
        written += co_await write_all(std::span(static_cast<const std::byte*>(buffer.data()), buffer.size()));
    co_return written;
}

io::file_status file::status() const {
    io::file_status found;
    io::require_done(descriptor_.backend().system().files->status_of(descriptor_.get(), found), "fstat");
    return found;
}

task<> file::truncate(std::uint64_t size) const {
    const int result = co_await offload(
        work_kind::short_running,
        [](const pooled_descriptor& cut, std::uint64_t to) { return cut.files().truncate(cut.get(), to); },
        duplicate_pooled(descriptor_), size);
    io::require_done(result, "ftruncate");
}

task<> file::allocate(std::uint64_t offset, std::uint64_t size) const {
    const int result = co_await offload(
        work_kind::short_running,
        [](const pooled_descriptor& filled, std::uint64_t from, std::uint64_t count) {
            return filled.files().allocate(filled.get(), from, count);
        },
        duplicate_pooled(descriptor_), offset, size);
    io::require_done(result, "fallocate");
}

task<> file::sync() const {
    co_await sync_on_pool(duplicate_pooled(descriptor_), false);
}

task<> file::sync_data() const {
    co_await sync_on_pool(duplicate_pooled(descriptor_), true);
}

}  // namespace eddy
