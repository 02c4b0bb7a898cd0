#pragma once

#include <cstdint>
#include <cstdio>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::pq::detail {

/// The secret by which a server authorises requests to cancel a connection's commands.
struct cancel_key {
    std::int32_t process = 0;
    std::int32_t secret = 0;
};

/// Learns the cancel key of a connection that is being made. libpq keeps the secret to itself, for
/// PQcancel(), which blocks; the one public way to it is PQtrace(), which writes down each message. So it
/// traces into this until the connection is made. Nothing of it is kept but the key.
class cancel_key_watch {
public:
    /// Requires: the connection outlives it.
    explicit cancel_key_watch(PGconn& watched);
    cancel_key_watch(const cancel_key_watch&) = delete;
    cancel_key_watch& operator=(const cancel_key_watch&) = delete;
    ~cancel_key_watch();

    /// Empty if the server has sent none, as some proxies do.
    [[nodiscard]] std::optional<cancel_key> key() noexcept {
        std::fflush(file_.get());
        return key_;
    }
    /// Takes more of the trace.
    void append(std::string_view text);

private:
    void look_at_line();

    struct closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    PGconn& watched_;
    std::string line_;  // the received part of the last one
    std::optional<cancel_key> key_;
    std::unique_ptr<std::FILE, closer> file_;
};

}  // namespace eddy::pq::detail
