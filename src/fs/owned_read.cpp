#include <eddy/fs/detail/file_transfer.hpp>
#include <eddy/fs/detail/owned_read.hpp>
#include <eddy/io/detail/result.hpp>

namespace eddy::detail {

owned_read::owned_read(io::backend& backend, int file, std::uint64_t from, std::size_t count)
    : operation(io::opcode::read_at, &on_read), backend_(backend), memory_(count) {
    descriptor = file;
    address = memory_.bytes().data();
    size = count;
    offset = checked_offset(from);
}

void owned_read::abandon() noexcept {
    waiter_ = nullptr;
    if (is_idle())
        delete this;
    else
        backend_.cancel(*this);
}

void owned_read::on_read(io::operation& ended, const io::completion& outcome) noexcept {
    auto& self = static_cast<owned_read&>(ended);
    if (self.waiter_ == nullptr) {
        delete &self;
        return;
    }
    self.result_ = outcome.result;
    self.waiter_->loop().make_ready(*self.waiter_);
}

std::expected<owned_bytes, std::error_code> owned_read::take() noexcept {
    if (result_ < 0)
        return std::unexpected(io::error_of(result_));
    memory_.shorten(static_cast<std::size_t>(result_));
    return std::move(memory_);
}

std::expected<owned_bytes, std::error_code> awaited_owned_read::outcome() noexcept {
    if (read_ == nullptr)  // the wait was interrupted
        return std::unexpected(std::make_error_code(std::errc::operation_canceled));
    return read_->take();
}

}  // namespace eddy::detail
