#include "answer.hpp"
#include "session.hpp"

#include <eddy/integrations/pq/copy_reader.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <utility>

namespace eddy::pq {

copy_reader::copy_reader(std::shared_ptr<detail::session> on,
                         std::unique_ptr<detail::exchange> begun) noexcept
    : session_(std::move(on)), exchange_(std::move(begun)) {}
copy_reader::copy_reader(copy_reader&& other) noexcept = default;
copy_reader::~copy_reader() = default;

task<std::size_t> copy_reader::read(std::span<std::byte> out) {
    if (given_ == row_.size()) {
        const bool has_row = co_await next_row();
        if (!has_row)
            co_return 0;
    }
    const std::string_view left = std::string_view(row_).substr(given_);
    const std::size_t count = std::min(left.size(), out.size());
    std::ranges::copy(as_bytes(left.substr(0, count)), out.begin());
    given_ += count;
    co_return count;
}

task<bool> copy_reader::next_row() {
    row_.clear();
    given_ = 0;
    if (exchange_ == nullptr)
        co_return false;
    detail::copied_bytes bytes;
    const bool has_row = co_await session_->next_copied(bytes);
    if (has_row) {
        row_ = bytes.text();
        co_return true;
    }
    detail::answer end;
    co_await detail::gather(*session_, end);
    std::exchange(exchange_, nullptr)->finish();
    const detail::native_result done = end.get(*session_);
    co_return false;
}

}  // namespace eddy::pq
