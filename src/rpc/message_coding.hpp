#pragma once

#include <eddy/http/message/detail/content_coding.hpp>
#include <eddy/rpc/compression.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// What grpc-accept-encoding says on this side.
inline constexpr std::string_view accepted_encodings = "identity,gzip";

/// As grpc-encoding has it.
[[nodiscard]] std::string_view to_string(compression way) noexcept;
/// Nothing for one that is not known here.
[[nodiscard]] std::optional<compression> compression_from(std::string_view name) noexcept;
/// Whether a list of names has it.
[[nodiscard]] bool lists(std::string_view names, compression way) noexcept;

/// Writes the prefix of a frame whose message, of less than 4 GiB, is there.
void write_prefix(std::string& frame, char flag) noexcept;

/// Completes a frame that begin_frame() has begun and whose message follows: compresses that, where it becomes smaller,
/// and writes the prefix. Throws rpc::error (resource_exhausted) for a message over the limit.
void seal_frame(std::string& frame, compression way, std::size_t message_bytes_max);

/// Decompresses a message into `out`. Throws rpc::error: internal for what is malformed, resource_exhausted over
/// the limit.
void decompress(std::span<const std::byte> message, compression way, std::size_t message_bytes_max,
                std::string& out);

}  // namespace eddy::rpc
