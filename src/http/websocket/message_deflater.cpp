#include "http/websocket/message_deflater.hpp"

#include "http/websocket/sync_flush_tail.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>
#include <zlib.h>

namespace eddy::http {

message_deflater::message_deflater(int window_bits, const deflate_options& options)
    : zlib_(std::make_unique<z_stream>()) {
    const int level = std::clamp(options.level(), 1, 9);
    const int memory_level = std::clamp(options.memory_level(), 1, 9);
    if (deflateInit2(zlib_.get(), level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

message_deflater::~message_deflater() {
    deflateEnd(zlib_.get());
}

void message_deflater::deflate(std::span<const std::byte> piece, bool is_last, std::string& out) {
    z_stream& zlib = *zlib_;
    const std::size_t before = out.size();
    std::size_t room = std::min<std::size_t>(deflateBound(&zlib, piece.size()) + 16, 65'536);
    bool is_flushed = false;
    while (!is_flushed) {
        const std::size_t filled = out.size();
        out.resize_and_overwrite(filled + room, [&](char* text, std::size_t) {
            const auto given =
                static_cast<uInt>(std::min<std::size_t>(piece.size(), std::numeric_limits<uInt>::max()));
            zlib.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(piece.data()));
            zlib.avail_in = given;
            zlib.next_out = reinterpret_cast<Bytef*>(text + filled);
            zlib.avail_out = static_cast<uInt>(room);
            ::deflate(&zlib, Z_SYNC_FLUSH);
            piece = piece.subspan(given - zlib.avail_in);
            is_flushed = piece.empty() && zlib.avail_out != 0;
            return filled + room - zlib.avail_out;
        });
        room = 65'536;
    }
    if (!is_last)
        return;
    // Nothing comes of nothing behind a flush; an empty message is one byte then (section 7.2.3.6).
    if (std::string_view(out).substr(before).ends_with(sync_flush_tail))
        out.resize(out.size() - sync_flush_tail.size());
    if (out.size() == before)
        out.push_back('\0');
}

void message_deflater::reset() noexcept {
    deflateReset(zlib_.get());
}

}  // namespace eddy::http
