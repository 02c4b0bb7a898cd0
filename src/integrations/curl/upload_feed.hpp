#pragma once

#include "integrations/curl/library.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/curl/upload.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

namespace eddy::curl {

class transfer_state;

/// Passes the bytes of an upload to libcurl on demand. A stream is read by a separate task, one piece at a
/// time; while there is none the transfer's sending is paused.
class upload_feed {
public:
    upload_feed(upload content, transfer_state& owner);
    upload_feed(const upload_feed&) = delete;
    upload_feed& operator=(const upload_feed&) = delete;
    ~upload_feed() = default;

    /// The result for CURLOPT_READFUNCTION.
    [[nodiscard]] std::size_t read(std::span<std::byte> out) noexcept;
    /// The result for CURLOPT_SEEKFUNCTION.
    [[nodiscard]] int seek(std::int64_t offset) noexcept;

    [[nodiscard]] const upload& content() const noexcept { return content_; }
    /// What the stream has thrown, if it has.
    [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

    static std::size_t on_read(char* out, std::size_t size, std::size_t count, void* self) noexcept;
    static int on_seek(void* self, curl_off_t offset, int origin) noexcept;

private:
    [[nodiscard]] task<> pump();
    [[nodiscard]] task<> each_piece();
    [[nodiscard]] std::size_t give(std::span<std::byte> out, std::span<const std::byte> bytes) noexcept;
    [[nodiscard]] std::size_t read_stream(std::span<std::byte> out) noexcept;

    upload content_;
    transfer_state& owner_;
    std::uint64_t given_ = 0;
    std::span<const std::byte> piece_;  // what is left of the stream's last one
    bool has_ended_ = false;
    std::exception_ptr error_;
    auto_reset_event wanted_;  // the piece is used up
    handle<> pump_;
};

}  // namespace eddy::curl
