#pragma once

#include <eddy/integrations/redis/detail/reply_limits.hpp>
#include <eddy/integrations/redis/reply.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace eddy::redis {

/// Makes replies of what a server sends (https://redis.io/docs/reference/protocol-spec/, RESP2), by hiredis's
/// reader. Without I/O: bytes in, replies out.
///
///     reader.feed(bytes);
///     while (auto next = reader.next())
///         use(*std::move(next));
///
/// - Errors: next() throws std::system_error with client_error::protocol or limit_exceeded; nothing can be
///   read any more then.
/// - Thread safety: none.
/// - Cost: what is fed is copied once into the reader and once into the replies. Memory grows with what
///   arrives, never by what is announced.
class reply_reader {
public:
    /// Throws std::bad_alloc.
    explicit reply_reader(const reply_limits& limits = {});
    reply_reader(reply_reader&&) noexcept;
    reply_reader& operator=(reply_reader&&) noexcept;
    ~reply_reader();

    /// Throws std::bad_alloc.
    void feed(std::span<const std::byte> bytes);
    /// The next reply that is complete.
    [[nodiscard]] std::optional<reply> next();

private:
    class state;
    std::unique_ptr<state> state_;
};

}  // namespace eddy::redis
