#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/duplex.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// The other end of a client's connection, which says what a test wants.
namespace eddy::http::test {

/// Reads from the pipe until what has come ends so (a head, say), and not a byte more; gives it all. Less at
/// the end of the pipe.
inline task<std::string> read_until(duplex_stream& from, std::string_view end) {
    std::string text;
    std::array<std::byte, 1> room;
    while (!text.ends_with(end)) {
        const std::size_t count = co_await from.read(room);
        if (count == 0)
            break;
        text.append(as_text(std::span(room).first(count)));
    }
    co_return text;
}

/// Writes the response in pieces that end at `cut` and then in steps, and ends the pipe if told so.
inline task<> answer_in_pieces(duplex_stream& to, std::string response, std::size_t cut, std::size_t step) {
    std::string_view left = response;
    std::size_t size = cut;
    while (!left.empty()) {
        const auto piece = left.substr(0, size == 0 ? step : size);
        co_await to.write_all(as_bytes(piece));
        left.remove_prefix(piece.size());
        size = step;
    }
}

}  // namespace eddy::http::test
