#include "integrations/curl/upload_feed.hpp"

#include "integrations/curl/transfer_state.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy::curl {

upload_feed::upload_feed(upload content, transfer_state& owner)
    : content_(std::move(content)), owner_(owner) {
    if (content_.is_stream())
        pump_ = spawn(pump(), "curl upload");
}

std::size_t upload_feed::read(std::span<std::byte> out) noexcept {
    if (const auto size = content_.size())
        out = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), *size - given_)));
    if (out.empty())
        return 0;
    if (content_.is_stream())
        return read_stream(out);
    return give(out, std::as_bytes(std::span(content_.bytes())).subspan(static_cast<std::size_t>(given_)));
}

std::size_t upload_feed::read_stream(std::span<std::byte> out) noexcept {
    if (!piece_.empty()) {
        const std::size_t count = give(out, piece_);
        piece_ = piece_.subspan(count);
        if (piece_.empty())
            wanted_.set();
        return count;
    }
    if (error_ != nullptr)
        return CURL_READFUNC_ABORT;
    if (has_ended_)
        return 0;
    wanted_.set();
    owner_.note_sending_paused();
    return CURL_READFUNC_PAUSE;
}

std::size_t upload_feed::give(std::span<std::byte> out, std::span<const std::byte> bytes) noexcept {
    const std::size_t count = std::min(out.size(), bytes.size());
    std::memcpy(out.data(), bytes.data(), count);
    given_ += count;
    return count;
}

int upload_feed::seek(std::int64_t offset) noexcept {
    if (content_.is_stream())
        return offset == 0 && given_ == 0 ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
    if (offset < 0 || static_cast<std::uint64_t>(offset) > content_.bytes().size())
        return CURL_SEEKFUNC_FAIL;
    given_ = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

// A coroutine may not wait in a handler, and what it does after one is the same in either case.
task<> upload_feed::pump() {
    try {
        co_await each_piece();
        has_ended_ = true;
    } catch (...) {
        error_ = std::current_exception();
    }
    owner_.resume_sending();
}

task<> upload_feed::each_piece() {
    co_await wanted_.wait();
    std::uint64_t count = 0;
    for (;;) {
        const std::optional<std::span<const std::byte>> next = co_await content_.stream()->next();
        if (!next)
            break;
        count += next->size();
        piece_ = *next;
        owner_.resume_sending();
        while (!piece_.empty())
            co_await wanted_.wait();
    }
    if (const auto size = content_.size(); size && count < *size)
        throw std::system_error(make_error_code(transfer_error::upload_failed),
                                "the stream ended before its announced size");
}

std::size_t upload_feed::on_read(char* out, std::size_t size, std::size_t count, void* self) noexcept {
    return static_cast<upload_feed*>(self)->read(std::as_writable_bytes(std::span(out, size * count)));
}

int upload_feed::on_seek(void* self, curl_off_t offset, int origin) noexcept {
    if (origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    return static_cast<upload_feed*>(self)->seek(offset);
}

}  // namespace eddy::curl
