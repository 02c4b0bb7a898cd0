#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <bit>
#include <brotli/encode.h>
#include <limits>
#include <new>
#include <zlib.h>

namespace eddy::http {

namespace {

// What is added to a string at a time, so that a string that grows by encoding stays near its size.
constexpr std::size_t room_bytes = 16 * 1024;

// The window that holds all of it, at most `largest` bits.
int window_bits_for(std::uint64_t size, int smallest, int largest) noexcept {
    return size == 0 ? largest : std::clamp(static_cast<int>(std::bit_width(size)), smallest, largest);
}

}  // namespace

class content_encoder::engine {
public:
    enum class then : std::uint8_t { go_on, flush, finish };

    virtual ~engine() = default;
    virtual void encode(std::span<const std::byte> piece, then next, std::string& out) = 0;
};

class content_encoder::copying final : public engine {
public:
    void encode(std::span<const std::byte> piece, then, std::string& out) override {
        out.append(as_text(piece));
    }
};

class content_encoder::deflating final : public engine {
public:
    deflating(bool is_gzip, const content_encoder_options& options) {
        constexpr int smallest_window_bits = 9;  // 8 does not work in zlib
        constexpr int largest_window_bits = 15;
        const int bits = window_bits_for(options.size_hint(), smallest_window_bits, largest_window_bits);
        // The table of hashes has a share of the memory that goes with the window, and is cleared first.
        const int memory_level = std::clamp(bits - 7, 1, 8);
        const int level = std::clamp(options.gzip_level(), 1, 9);
        if (deflateInit2(&stream_, level, Z_DEFLATED, is_gzip ? bits + 16 : bits, memory_level,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    deflating(const deflating&) = delete;
    deflating& operator=(const deflating&) = delete;
    ~deflating() override { deflateEnd(&stream_); }

    void encode(std::span<const std::byte> piece, then next, std::string& out) override {
        const int mode = next == then::go_on ? Z_NO_FLUSH : next == then::flush ? Z_SYNC_FLUSH : Z_FINISH;
        do {
            const std::size_t count = std::min<std::size_t>(piece.size(), std::numeric_limits<uInt>::max());
            stream_.next_in =
                const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(piece.data()));
            stream_.avail_in = static_cast<uInt>(count);
            piece = piece.subspan(count);
            drain(piece.empty() ? mode : Z_NO_FLUSH, out);
        } while (!piece.empty());
    }

private:
    // Until all of the input is taken and nothing more comes out.
    void drain(int mode, std::string& out) {
        do {
            const std::size_t size = out.size();
            out.resize(size + room_bytes);
            stream_.next_out = reinterpret_cast<unsigned char*>(out.data() + size);
            stream_.avail_out = room_bytes;
            static_cast<void>(deflate(&stream_, mode));  // no error is possible here
            out.resize(size + room_bytes - stream_.avail_out);
        } while (stream_.avail_out == 0);
    }

    z_stream stream_{};
};

class content_encoder::brotling final : public engine {
public:
    explicit brotling(const content_encoder_options& options)
        : state_(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr)) {
        if (state_ == nullptr)
            throw std::bad_alloc();
        // A larger window than this costs memory on both sides, and gains little for what the web sends.
        constexpr int largest_window_bits = 19;
        const int quality = std::clamp(options.brotli_quality(), BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY);
        const int bits = window_bits_for(options.size_hint(), BROTLI_MIN_WINDOW_BITS, largest_window_bits);
        BrotliEncoderSetParameter(state_, BROTLI_PARAM_QUALITY, static_cast<std::uint32_t>(quality));
        BrotliEncoderSetParameter(state_, BROTLI_PARAM_LGWIN, static_cast<std::uint32_t>(bits));
        if (options.size_hint() != 0 && options.size_hint() <= std::numeric_limits<std::uint32_t>::max())
            BrotliEncoderSetParameter(state_, BROTLI_PARAM_SIZE_HINT,
                                      static_cast<std::uint32_t>(options.size_hint()));
    }
    brotling(const brotling&) = delete;
    brotling& operator=(const brotling&) = delete;
    ~brotling() override { BrotliEncoderDestroyInstance(state_); }

    void encode(std::span<const std::byte> piece, then next, std::string& out) override {
        const auto operation = next == then::go_on   ? BROTLI_OPERATION_PROCESS
                               : next == then::flush ? BROTLI_OPERATION_FLUSH
                                                     : BROTLI_OPERATION_FINISH;
        std::size_t left = piece.size();
        const auto* in = reinterpret_cast<const std::uint8_t*>(piece.data());
        do {
            std::size_t none = 0;
            if (BrotliEncoderCompressStream(state_, operation, &left, &in, &none, nullptr, nullptr) ==
                BROTLI_FALSE)
                throw std::bad_alloc();
            std::size_t count = 0;
            const std::uint8_t* const encoded = BrotliEncoderTakeOutput(state_, &count);
            out.append(reinterpret_cast<const char*>(encoded), count);
        } while (left != 0 || BrotliEncoderHasMoreOutput(state_) != BROTLI_FALSE);
    }

private:
    BrotliEncoderState* state_;
};

content_encoder::content_encoder(content_coding coding, content_encoder_options options) {
    switch (coding) {
        case content_coding::identity:
            engine_ = std::make_unique<copying>();
            break;
        case content_coding::gzip:
        case content_coding::deflate:
            engine_ = std::make_unique<deflating>(coding == content_coding::gzip, options);
            break;
        case content_coding::brotli:
            engine_ = std::make_unique<brotling>(options);
            break;
    }
}

content_encoder::content_encoder(content_encoder&&) noexcept = default;
content_encoder& content_encoder::operator=(content_encoder&&) noexcept = default;
content_encoder::~content_encoder() = default;

void content_encoder::append(std::span<const std::byte> piece, std::string& out) {
    if (!piece.empty())
        engine_->encode(piece, engine::then::go_on, out);
}

void content_encoder::flush(std::string& out) {
    engine_->encode({}, engine::then::flush, out);
}

void content_encoder::finish(std::string& out) {
    engine_->encode({}, engine::then::finish, out);
}

std::string encode_content(std::span<const std::byte> content, content_coding coding,
                           content_encoder_options options) {
    content_encoder encoder(coding, options.size_hint(content.size()));
    std::string encoded;
    encoder.append(content, encoded);
    encoder.finish(encoded);
    return encoded;
}

}  // namespace eddy::http
