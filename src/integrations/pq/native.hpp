#pragma once

#include <eddy/integrations/pq/error.hpp>

#include <cstddef>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>

namespace eddy::pq::detail {

struct connection_deleter {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
using native_connection = std::unique_ptr<PGconn, connection_deleter>;

struct result_deleter {
    void operator()(PGresult* answer) const noexcept { PQclear(answer); }
};
using native_result = std::unique_ptr<PGresult, result_deleter>;

/// A message of a COPY.
class copied_bytes {
public:
    /// Takes over what PQgetCopyData() gave.
    void reset(char* bytes, int size) noexcept {
        bytes_.reset(bytes);
        size_ = size > 0 ? static_cast<std::size_t>(size) : 0;
    }
    [[nodiscard]] std::string_view text() const noexcept { return {bytes_.get(), size_}; }

private:
    struct deleter {
        void operator()(char* bytes) const noexcept { PQfreemem(bytes); }
    };
    std::unique_ptr<char, deleter> bytes_;
    std::size_t size_ = 0;
};

/// libpq's last message about the connection, without its line ends.
[[nodiscard]] std::string message_of(const PGconn& connection);
/// What the server says of an error.
[[nodiscard]] server_fields fields_of(const PGresult& refused);

/// Whether it stands for an error.
[[nodiscard]] bool is_error(const PGresult& answer) noexcept;

}  // namespace eddy::pq::detail
