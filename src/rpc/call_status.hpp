#pragma once

#include <eddy/http/message/status.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <cstdint>
#include <string_view>
#include <system_error>

namespace eddy::rpc {

/// What a response of HTTP means that does not come from a server of gRPC (its doc/http-grpc-status-mapping.md).
[[nodiscard]] status_code code_from_http(http::status code) noexcept;

/// What a reset of the stream means (PROTOCOL-HTTP2.md, HTTP2 Transport Mapping).
[[nodiscard]] status_code code_from_reset(std::uint32_t reset_code) noexcept;

/// What ends a call whose connection or stream has failed.
[[nodiscard]] status status_from(const std::system_error& failure);

/// Collects the fields of the protocol that say how a call has ended.
class status_fields {
public:
    /// Takes the field if it is one of them.
    void add(std::string_view name, std::string_view value);
    [[nodiscard]] bool has_status() const noexcept { return has_status_; }
    /// Requires: has_status().
    [[nodiscard]] status made() const { return status(code_, message_, details_); }

private:
    std::string message_;
    std::string details_;
    status_code code_ = status_code::unknown;
    bool has_status_ = false;
};

}  // namespace eddy::rpc
