#include <eddy/detail/assert.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/multipart_reader.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace eddy::http {

namespace {

std::string boundary_of(request_head request) {
    auto boundary = parse_multipart_boundary(request.only(field::content_type).value_or(std::string_view()));
    if (!boundary)
        throw request_error(boundary.error().status(), std::string(boundary.error().reason()));
    return std::move(*boundary);
}

}  // namespace

multipart_reader::multipart_reader(exchange& ex, const multipart_limits& limits)
    : multipart_reader(ex.body(), boundary_of(ex.request()), limits) {}

multipart_event multipart_reader::advance() {
    for (;;) {
        const std::string_view bytes = as_text(buffer_.bytes());
        const multipart_step step = parser_.parse(bytes);
        switch (step.event()) {
            case multipart_event::error:
                throw request_error(step.error().status(), std::string(step.error().reason()));
            case multipart_event::data:
                data_size_ = step.consumed();
                return step.event();
            case multipart_event::need_more:
                buffer_.consume(step.consumed());
                if (step.consumed() == 0 || buffer_.empty())
                    return step.event();
                break;
            case multipart_event::part_begin:
                is_in_part_ = true;
                buffer_.consume(step.consumed());
                return step.event();
            case multipart_event::part_end:
                is_in_part_ = false;
                buffer_.consume(step.consumed());
                return step.event();
            case multipart_event::complete:
                is_complete_ = true;
                buffer_.consume(step.consumed());
                return step.event();
        }
    }
}

task<> multipart_reader::fill() {
    if (buffer_.is_ended())
        throw request_error(status::bad_request, "a multipart body ends before its last boundary");
    const std::span<std::byte> room = buffer_.make_room();
    const std::size_t count = co_await source_->read(room);
    if (count == 0) {
        buffer_.note_end();
        throw request_error(status::bad_request, "a multipart body ends before its last boundary");
    }
    buffer_.add(count);
}

task<std::optional<multipart_part>> multipart_reader::next() {
    while (!is_complete_) {
        buffer_.consume(std::exchange(data_size_, 0));
        switch (advance()) {
            case multipart_event::part_begin:
                co_return multipart_part(*this, parser_.header());
            case multipart_event::need_more:
                co_await fill();
                break;
            default:
                break;
        }
    }
    co_return std::nullopt;
}

std::size_t multipart_reader::take(std::span<std::byte> out) noexcept {
    const std::size_t count = std::min(out.size(), data_size_);
    std::memcpy(out.data(), buffer_.bytes().data(), count);
    buffer_.consume(count);
    data_size_ -= count;
    return count;
}

task<std::size_t> multipart_reader::read_slowly(std::span<std::byte> out) {
    while (is_in_part_ && data_size_ == 0)
        if (advance() == multipart_event::need_more)
            co_await fill();
    co_return take(out);
}

ready_or_task<std::size_t> multipart_part::read(std::span<std::byte> out) {
    EDDY_ASSERT(!out.empty(), "a read has room for at least one byte");
    if (reader_->data_size_ != 0)
        return reader_->take(out);
    return reader_->read_slowly(out);
}

task<std::string> multipart_part::read_all(std::size_t bytes_max) {
    std::string all;
    std::array<std::byte, 4096> piece;
    for (;;) {
        const std::size_t count = co_await read(piece);
        if (count == 0)
            co_return all;
        if (count > bytes_max - all.size())
            throw request_error(status::content_too_large, "a part is too large");
        all.append(as_text(std::span(piece).first(count)));
    }
}

task<uploaded_file> multipart_part::save(file_path below) {
    upload_writer writer = co_await upload_writer::open(std::move(below));
    const auto piece = std::make_unique_for_overwrite<std::byte[]>(65'536);
    const std::span<std::byte> room(piece.get(), 65'536);
    for (;;) {
        std::size_t filled = 0;
        // A read returns what is left of one arrival; larger pieces are cheaper to write to files.
        while (filled < room.size()) {
            const std::size_t count = co_await read(room.subspan(filled));
            if (count == 0)
                break;
            filled += count;
        }
        if (filled == 0)
            co_return std::move(writer).finish();
        co_await writer.write(room.first(filled));
    }
}

}  // namespace eddy::http
