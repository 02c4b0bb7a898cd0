#pragma once

#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// Whether values of this name are base64 on the wire.
[[nodiscard]] inline bool is_binary(std::string_view name) noexcept {
    return name.ends_with("-bin");
}
/// Whether a name belongs to gRPC's or HTTP's own fields. Requires: it is in lower case.
[[nodiscard]] bool is_of_the_protocol(std::string_view name) noexcept;

/// A value as it is sent.
[[nodiscard]] std::string wire_value(std::string_view name, std::string_view value);
/// Adds what has come in a field, unless the field is the protocol's. Binary values that are malformed are left out.
void add_field(metadata& to, std::string_view name, std::string_view value);

/// grpc-message: percent-encoded but for printable ASCII (PROTOCOL-HTTP2.md, Status-Message).
[[nodiscard]] std::string encode_message(std::string_view message);
/// The same back; what is no escape stays as it is.
[[nodiscard]] std::string decode_message(std::string_view text);
/// What base64 has, with padding or without. Nothing for what is malformed.
[[nodiscard]] std::optional<std::string> decode_binary(std::string_view text);
[[nodiscard]] std::string encode_binary(std::string_view bytes);

}  // namespace eddy::rpc
