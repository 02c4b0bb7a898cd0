#include "http/websocket/message_inflater.hpp"

#include "http/websocket/sync_flush_tail.hpp"

#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <zlib.h>

namespace eddy::http {

namespace {

constexpr std::size_t window_bytes_max = 32768;
// How many blocks of a message may say that they are the last one: each costs a copy of the window, for two
// bytes of the peer's.
constexpr unsigned ends_max = 32;

uInt bounded(std::size_t size) noexcept {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

message_inflater::message_inflater(int window_bits) : zlib_(std::make_unique<z_stream>()) {
    // Some encoders, zlib's among them, use a window of 512 bytes for one of 256.
    if (inflateInit2(zlib_.get(), -std::max(window_bits, 9)) != Z_OK)
        throw std::bad_alloc();
}

message_inflater::~message_inflater() {
    inflateEnd(zlib_.get());
}

std::size_t message_inflater::inflate(std::span<const std::byte>& from, std::span<std::byte> to) {
    if (is_broken_)
        return 0;
    z_stream& zlib = *zlib_;
    const uInt room = bounded(to.size());
    zlib.next_out = reinterpret_cast<Bytef*>(to.data());
    zlib.avail_out = room;
    for (;;) {
        const uInt given = bounded(from.size());
        zlib.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(from.data()));
        zlib.avail_in = given;
        const int outcome = ::inflate(&zlib, Z_SYNC_FLUSH);
        from = from.subspan(given - zlib.avail_in);
        if (outcome == Z_MEM_ERROR)
            throw std::bad_alloc();
        if (outcome == Z_STREAM_END && ++ends_ <= ends_max)
            begin_again();
        else
            is_broken_ = outcome != Z_OK && outcome != Z_BUF_ERROR;
        if (is_broken_ || from.empty() || zlib.avail_out == 0 || outcome == Z_BUF_ERROR)
            return room - zlib.avail_out;
    }
}

std::size_t message_inflater::finish(std::span<std::byte> to) {
    std::span<const std::byte> left = as_bytes(sync_flush_tail).subspan(tail_taken_);
    const std::size_t made = inflate(left, to);
    tail_taken_ = static_cast<std::uint8_t>(sync_flush_tail.size() - left.size());
    return made;
}

void message_inflater::end_message(bool forgets) {
    tail_taken_ = 0;
    ends_ = 0;
    if (forgets)
        inflateReset(zlib_.get());
}

/// A block may say that it is the last one (section 7.2.3.4): another stream follows, which refers to what
/// came before.
void message_inflater::begin_again() {
    std::array<Bytef, window_bytes_max> window;
    uInt size = 0;
    inflateGetDictionary(zlib_.get(), window.data(), &size);
    inflateReset(zlib_.get());
    if (size != 0)
        inflateSetDictionary(zlib_.get(), window.data(), size);
}

}  // namespace eddy::http
