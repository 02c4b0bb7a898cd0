#include <eddy/io/detail/result.hpp>
#include <eddy/io/detail/terminals.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/os/terminal.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace eddy {

namespace {

using detail::polled_stream;

std::unique_ptr<polled_stream> open_shared(int descriptor, bool is_terminal, bool is_writing) {
    // A terminal that may not be opened once more, say after a change of the user, is used as it is.
    int own =
        is_terminal ? detail::worker_core::current().system().terminals->reopen(descriptor, is_writing) : -1;
    if (own < 0)
        own = detail::worker_core::current().system().files->duplicate(descriptor);
    io::require_done(own, "dup");
    return detail::make_polled_stream(own);
}

/// The part of a line that was taken from the stream; put back unless the line is returned.
class partial_line {
public:
    explicit partial_line(polled_stream& from) noexcept : from_(from) {}
    partial_line(const partial_line&) = delete;
    partial_line& operator=(const partial_line&) = delete;
    ~partial_line() {
        if (!text_.empty())
            from_.put_back(std::as_bytes(std::span(text_)));
    }

    /// Takes what the stream has kept up to the line's end or, if that is not there, all, but one byte more
    /// than `limit` at the most. Whether the line's end was there.
    bool take(std::size_t limit) {
        const auto unread = from_.unread();
        const auto looked_at = unread.first(std::min(unread.size(), limit - text_.size() + 1));
        const auto end = std::ranges::find(looked_at, std::byte{'\n'});
        const auto count = static_cast<std::size_t>(end - looked_at.begin());
        text_.append(reinterpret_cast<const char*>(unread.data()), count);
        const bool is_whole = end != looked_at.end();
        from_.skip(count + (is_whole ? 1 : 0));
        return is_whole;
    }
    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }
    [[nodiscard]] std::string give() noexcept { return std::exchange(text_, {}); }

private:
    polled_stream& from_;
    std::string text_;
};

}  // namespace

input_stream::input_stream(int descriptor)
    : state_owner(open_shared(descriptor, eddy::is_terminal(descriptor), false)),
      is_terminal_(eddy::is_terminal(descriptor)) {}

output_stream::output_stream(int descriptor)
    : descriptor_sink(open_shared(descriptor, eddy::is_terminal(descriptor), true)),
      is_terminal_(eddy::is_terminal(descriptor)) {}

task<std::optional<std::string>> input_stream::read_line(std::size_t limit) {
    polled_stream& from = here();
    partial_line line(from);
    std::array<std::byte, 4096> arrived;
    while (!line.take(limit)) {
        if (line.size() > limit)
            throw std::system_error(std::make_error_code(std::errc::message_size), "read_line");
        const std::size_t count = co_await detail::polled_read(from, arrived);
        if (count == 0 && line.size() == 0)
            co_return std::nullopt;
        if (count == 0)
            break;
        from.put_back(std::span(arrived).first(count));
    }
    co_return line.give();
}

}  // namespace eddy
