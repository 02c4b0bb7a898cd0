#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc {

/// How a call has ended, with the numbers that gRPC sends (its doc/statuscodes.md, which says when to use which). Named as in
/// that document.
enum class status_code : std::uint8_t {
    ok = 0,
    cancelled = 1,
    unknown = 2,
    invalid_argument = 3,
    deadline_exceeded = 4,
    not_found = 5,
    already_exists = 6,
    permission_denied = 7,
    resource_exhausted = 8,
    failed_precondition = 9,
    aborted = 10,
    out_of_range = 11,
    unimplemented = 12,
    internal = 13,
    unavailable = 14,
    data_loss = 15,
    unauthenticated = 16,
};

/// As gRPC writes it: "NOT_FOUND". Lives forever.
[[nodiscard]] std::string_view to_string(status_code code) noexcept;

/// A code, a message for people, and details for programs. A value.
class status {
public:
    /// OK.
    status() noexcept = default;
    explicit status(status_code code, std::string message = {}, std::string details = {}) noexcept
        : code_(code), message_(std::move(message)), details_(std::move(details)) {}

    /// Whether the call has succeeded.
    [[nodiscard]] bool is_ok() const noexcept { return code_ == status_code::ok; }
    /// The code.
    [[nodiscard]] status_code code() const noexcept { return code_; }
    /// UTF-8.
    [[nodiscard]] const std::string& message() const noexcept { return message_; }
    /// The bytes of grpc-status-details-bin: a serialised google.rpc.Status, by custom. Empty if there are none.
    [[nodiscard]] const std::string& details() const noexcept { return details_; }

    [[nodiscard]] friend bool operator==(const status&, const status&) = default;

private:
    status_code code_ = status_code::ok;
    std::string message_;
    std::string details_;
};

/// A call that has ended with another status than OK. A handler throws it to end its call like that; what a client
/// awaits throws it.
///
///     throw rpc::error(rpc::status_code::not_found, "no such feature");
class error : public std::runtime_error {
public:
    /// Requires: not OK.
    explicit error(rpc::status why);
    explicit error(status_code code, std::string message = {})
        : error(rpc::status(code, std::move(message))) {}

    /// The status of the call.
    [[nodiscard]] const rpc::status& status() const noexcept { return status_; }
    /// Its code.
    [[nodiscard]] status_code code() const noexcept { return status_.code(); }

private:
    rpc::status status_;
};

}  // namespace eddy::rpc
