#pragma once

#include <eddy/http/message/response_head.hpp>
#include <eddy/stream/any_stream.hpp>

#include <memory>

namespace eddy::http {

class client_exchange;

/// A connection that has changed to another protocol, and the response that said so. Moves, does not copy;
/// the stream may be moved out.
class upgraded_stream {
public:
    upgraded_stream(std::unique_ptr<client_exchange> exchange, any_stream stream) noexcept;
    upgraded_stream(upgraded_stream&&) noexcept;
    upgraded_stream& operator=(upgraded_stream&&) noexcept;
    ~upgraded_stream();

    /// Valid as long as this is.
    [[nodiscard]] response_head head() const noexcept;
    /// Begins with what came behind the head.
    [[nodiscard]] any_stream& stream() noexcept { return stream_; }

private:
    std::unique_ptr<client_exchange> exchange_;
    any_stream stream_;
};

}  // namespace eddy::http
