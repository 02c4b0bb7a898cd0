#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace eddy::detail {

// Bytes one piece after the other. A piece lasts until the next call of next().

inline async_generator<std::span<const std::byte>> pieces_of_texts(async_generator<std::string> texts) {
    for (;;) {
        const std::optional<std::string> text = co_await texts.next();
        if (!text)
            co_return;
        co_yield as_bytes(*text);
    }
}

/// The bytes of a source until its end.
template <byte_source Source>
async_generator<std::span<const std::byte>> pieces_of_source(Source source) {
    const auto buffer = std::make_unique_for_overwrite<std::array<std::byte, 16'384>>();
    for (;;) {
        const std::size_t count = co_await source.read(*buffer);
        if (count == 0)
            co_return;
        co_yield std::span<const std::byte>(*buffer).first(count);
    }
}

}  // namespace eddy::detail
