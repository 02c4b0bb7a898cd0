#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/stream/detail/splice_pipe.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace eddy::detail {

namespace {

// What a pipe takes at once. Larger ones count against a limit of the user's.
constexpr std::size_t pipe_bytes = 65'536;

// Awaits bytes out of the pipe.
class awaited_rest : public io::awaited_operation<io::operation>, public outcome_awaiter<awaited_rest> {
public:
    awaited_rest(io::backend& backend, int pipe, std::span<std::byte> out) noexcept
        : awaited_operation(backend, io::opcode::read) {
        descriptor = pipe;
        address = out.data();
        size = out.size();
    }
    std::expected<std::size_t, std::error_code> outcome() noexcept { return io::expected_count(result()); }
    [[nodiscard]] static const char* what() noexcept { return "read"; }
};

}  // namespace

awaited_splice::awaited_splice(io::opcode kind, const splice_end& from, const splice_end& end, int pipe,
                               std::size_t bytes_max) noexcept
    : awaited_operation(end.backend(), kind), from_(from), requested_(end) {
    descriptor = end.descriptor();
    other = pipe;
    offset = end.offset();
    size = bytes_max;
}

void awaited_splice::settle() noexcept {
    if (!std::exchange(is_noted_, false))
        return;
    requested_.end();
    if (code != io::opcode::splice_to || result() <= 0)
        return;
    from_.move_on(static_cast<std::uint64_t>(result()));
    requested_.move_on(static_cast<std::uint64_t>(result()));
}

bool splice_pipe::open(io::backend& backend) {
    if (reading_)
        return true;
    int reading = -1;
    int writing = -1;
    if (backend.system().descriptors->open_pipe(reading, writing) < 0)
        return false;
    reading_.emplace(backend, reading);
    writing_.emplace(backend, writing);
    return true;
}

bool splice_pipe::note_refusal(std::int32_t result) noexcept {
    is_refused_ = result == -EINVAL || result == -ENOSYS || result == -EOPNOTSUPP || result == -ESPIPE;
    return is_refused_;
}

task<std::uint64_t> splice_pipe::pass(splice_end from, splice_end to) {
    if (!open(from.backend())) {
        is_refused_ = true;
        co_return 0;
    }
    awaited_splice taking(from, writing_->get(), pipe_bytes);
    const std::int32_t taken = co_await taking;
    if (taken <= 0) {
        if (taken < 0 && !note_refusal(taken))
            io::throw_error(taken, "read");
        co_return 0;
    }
    remaining_ = static_cast<std::size_t>(taken);
    while (remaining_ > 0) {
        awaited_splice giving(from, reading_->get(), to, remaining_);
        const std::int32_t given = co_await giving;
        if (given <= 0) {
            if (given < 0 && note_refusal(given))
                break;
            io::throw_error(given < 0 ? given : -EIO, "write");
        }
        remaining_ -= static_cast<std::size_t>(given);
    }
    co_return static_cast<std::uint64_t>(taken) - remaining_;
}

task<std::size_t> splice_pipe::read_back(std::span<std::byte> out) {
    awaited_rest reading(reading_->backend(), reading_->get(), out.first(std::min(out.size(), remaining_)));
    const std::size_t count = co_await reading;
    remaining_ -= count;
    co_return count;
}

}  // namespace eddy::detail
