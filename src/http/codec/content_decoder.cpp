#include <eddy/detail/assert.hpp>
#include <eddy/http/codec/detail/content_decoder.hpp>

#include <algorithm>
#include <brotli/decode.h>
#include <cstring>
#include <limits>
#include <new>
#include <zlib.h>

namespace eddy::http {

namespace {

// zlib counts in 32 bits.
uInt as_count(std::size_t size) noexcept {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

const unsigned char* as_input(std::span<const std::byte> bytes) noexcept {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* as_output(std::span<std::byte> bytes) noexcept {
    return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace

std::string_view to_string(decode_error error) noexcept {
    switch (error) {
        case decode_error::malformed:
            return "the encoded body is malformed";
        case decode_error::truncated:
            return "the encoded body ended in its middle";
        case decode_error::trailing:
            return "something follows the end of the encoded body";
        case decode_error::too_large:
            return "the decoded body is too large";
        case decode_error::expands:
            return "the encoded body expands too much";
        case decode_error::none:
            break;
    }
    return "no error";
}

class content_decoder::engine {
public:
    virtual ~engine() = default;
    // Requires: `room` is not empty.
    virtual decode_step step(std::span<const std::byte> piece, std::span<std::byte> room) = 0;
    // Whether the body may end where the input is.
    [[nodiscard]] virtual bool is_whole() const noexcept = 0;
};

class content_decoder::copying final : public engine {
public:
    decode_step step(std::span<const std::byte> piece, std::span<std::byte> room) override {
        const std::size_t count = std::min(piece.size(), room.size());
        std::copy_n(piece.begin(), count, room.begin());
        return {count, count, decode_error::none};
    }
    [[nodiscard]] bool is_whole() const noexcept override { return true; }
};

class content_decoder::inflating final : public engine {
public:
    explicit inflating(bool is_gzip) : is_gzip_(is_gzip) {
        // 15: the largest window. With 16 more it is gzip's envelope, negative it is none.
        if (inflateInit2(&stream_, is_gzip ? 15 + 16 : 15) != Z_OK)
            throw std::bad_alloc();
    }
    inflating(const inflating&) = delete;
    inflating& operator=(const inflating&) = delete;
    ~inflating() override { inflateEnd(&stream_); }

    decode_step step(std::span<const std::byte> piece, std::span<std::byte> room) override {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        if (!is_gzip_ && !knows_envelope_) {
            // Two bytes decide: see looks_like_zlib().
            while (head_size_ < 2 && consumed < piece.size())
                head_[head_size_++] = static_cast<unsigned char>(piece[consumed++]);
            if (head_size_ < 2)
                return {consumed, 0, decode_error::none};
            knows_envelope_ = true;
            if (!looks_like_zlib() && inflateReset2(&stream_, -15) != Z_OK)
                return {consumed, 0, decode_error::malformed};
            // Two bytes hold one byte of content at most, so that they are always taken.
            const decode_step head = inflate_some(std::as_bytes(std::span(head_)), room);
            produced = head.produced();
            if (head.error() != decode_error::none || produced == room.size())
                return {consumed, produced, head.error()};
        }
        const decode_step rest = inflate_some(piece.subspan(consumed), room.subspan(produced));
        return {consumed + rest.consumed(), produced + rest.produced(), rest.error()};
    }
    // What came in less than two bytes of deflate is no body.
    [[nodiscard]] bool is_whole() const noexcept override { return is_at_end_; }

private:
    // RFC 1950 section 2.2. No stream of RFC 1951 that an encoder makes begins so: it would be a stored block
    // with padding that is not zero.
    [[nodiscard]] bool looks_like_zlib() const noexcept {
        return (head_[0] & 15) == 8 && head_[0] >> 4 <= 7 && (head_[0] * 256 + head_[1]) % 31 == 0;
    }

    decode_step inflate_some(std::span<const std::byte> piece, std::span<std::byte> room) {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        for (;;) {
            if (is_at_end_) {
                if (consumed == piece.size())
                    return {consumed, produced, decode_error::none};
                if (!is_gzip_ || inflateReset(&stream_) != Z_OK)
                    return {consumed, produced, decode_error::trailing};
                is_at_end_ = false;
                members_ += 1;
            }
            const auto left = piece.subspan(consumed);
            const auto free = room.subspan(produced);
            stream_.next_in = const_cast<unsigned char*>(as_input(left));
            stream_.avail_in = as_count(left.size());
            stream_.next_out = as_output(free);
            stream_.avail_out = as_count(free.size());
            const uInt given = stream_.avail_in;
            const uInt offered = stream_.avail_out;
            const int result = inflate(&stream_, Z_NO_FLUSH);
            consumed += given - stream_.avail_in;
            produced += offered - stream_.avail_out;
            is_at_end_ = result == Z_STREAM_END;
            if (result == Z_MEM_ERROR)
                throw std::bad_alloc();
            // Data behind a member that does not begin like one is no member.
            if (result == Z_DATA_ERROR && members_ != 0 && stream_.total_out == 0 && stream_.total_in <= 2)
                return {consumed, produced, decode_error::trailing};
            if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
                return {consumed, produced, decode_error::malformed};
            if (result == Z_BUF_ERROR || produced == room.size() || (consumed == piece.size() && !is_at_end_))
                return {consumed, produced, decode_error::none};
        }
    }

    z_stream stream_{};
    std::uint64_t members_ = 0;
    unsigned char head_[2] = {};
    std::uint8_t head_size_ = 0;
    bool is_gzip_;
    bool knows_envelope_ = false;
    bool is_at_end_ = false;
};

class content_decoder::unbrotling final : public engine {
public:
    unbrotling() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
        if (state_ == nullptr)
            throw std::bad_alloc();
    }
    unbrotling(const unbrotling&) = delete;
    unbrotling& operator=(const unbrotling&) = delete;
    ~unbrotling() override { BrotliDecoderDestroyInstance(state_); }

    decode_step step(std::span<const std::byte> piece, std::span<std::byte> room) override {
        if (is_whole())
            return {0, 0, piece.empty() ? decode_error::none : decode_error::trailing};
        std::size_t left = piece.size();
        std::size_t free = room.size();
        const std::uint8_t* in = as_input(piece);
        std::uint8_t* out = as_output(room);
        const auto result = BrotliDecoderDecompressStream(state_, &left, &in, &free, &out, nullptr);
        const std::size_t consumed = piece.size() - left;
        const std::size_t produced = room.size() - free;
        if (result == BROTLI_DECODER_RESULT_ERROR) {
            const auto code = BrotliDecoderGetErrorCode(state_);
            // The library's errors of memory are numbered so: from alloc-contexts down to alloc-block-type.
            if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
                throw std::bad_alloc();
            return {consumed, produced, decode_error::malformed};
        }
        if (result == BROTLI_DECODER_RESULT_SUCCESS && left != 0)
            return {consumed, produced, decode_error::trailing};
        return {consumed, produced, decode_error::none};
    }
    [[nodiscard]] bool is_whole() const noexcept override {
        return BrotliDecoderIsFinished(state_) != BROTLI_FALSE;
    }

private:
    BrotliDecoderState* state_;
};

content_decoder::content_decoder(content_coding coding, content_decoder_options options) : options_(options) {
    switch (coding) {
        case content_coding::identity:
            engine_ = std::make_unique<copying>();
            break;
        case content_coding::gzip:
        case content_coding::deflate:
            engine_ = std::make_unique<inflating>(coding == content_coding::gzip);
            break;
        case content_coding::brotli:
            engine_ = std::make_unique<unbrotling>();
            break;
    }
}

content_decoder::content_decoder(content_decoder&&) noexcept = default;
content_decoder& content_decoder::operator=(content_decoder&&) noexcept = default;
content_decoder::~content_decoder() = default;

decode_step content_decoder::decode(std::span<const std::byte> piece, std::span<std::byte> room) {
    EDDY_ASSERT(!room.empty(), "a decoder needs room");
    if (error_ != decode_error::none)
        return {0, 0, error_};
    const decode_step step = engine_->step(piece, room);
    input_bytes_ += step.consumed();
    output_bytes_ += step.produced();
    has_more_ = step.produced() == room.size();
    error_ = step.error();
    if (error_ == decode_error::none && output_bytes_ > options_.output_bytes_max())
        error_ = decode_error::too_large;
    if (error_ == decode_error::none && output_bytes_ > options_.expansion_free_bytes() &&
        output_bytes_ / options_.expansion_max() > input_bytes_)
        error_ = decode_error::expands;
    return {step.consumed(), error_ == decode_error::none ? step.produced() : 0, error_};
}

bool content_decoder::has_more() const noexcept {
    return has_more_ && error_ == decode_error::none;
}

decode_error content_decoder::finish() noexcept {
    if (error_ == decode_error::none && input_bytes_ != 0 && !engine_->is_whole())
        error_ = decode_error::truncated;
    return error_;
}

std::uint64_t content_decoder::output_bytes() const noexcept {
    return output_bytes_;
}

}  // namespace eddy::http
