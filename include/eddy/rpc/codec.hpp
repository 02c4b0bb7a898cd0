#pragma once

#include <eddy/detail/build.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// How messages of a type are written: specialised for each type, or for the types of a family.
///
/// A call names the format of its messages by the subtype of its content type ("proto", "json"): the client chooses,
/// and the server responds in kind. A codec knows one or more of them.
///
/// - `default_subtype()`: what a client uses that was not given another.
/// - `knows(subtype)`: whether it writes and reads this format.
/// - `encode(message, subtype, out)` appends a message to `out`.
/// - `decode(bytes, subtype, message)` reads one into a new message.
///
/// The latter two throw rpc::error for what cannot be done (internal, by custom). Requires: knows(subtype).
template <class Message>
struct codec;

/// A type that has a codec.
template <class Message>
concept message = std::default_initializable<Message> && std::movable<Message> &&
                  requires(const Message& whole, Message& made, std::string_view subtype, std::string& out,
                           std::span<const std::byte> bytes) {
                      { codec<Message>::default_subtype() } -> std::convertible_to<std::string_view>;
                      { codec<Message>::knows(subtype) } -> std::convertible_to<bool>;
                      codec<Message>::encode(whole, subtype, out);
                      codec<Message>::decode(bytes, subtype, made);
                  };

/// The bytes of a message as they are, of whatever format.
template <>
struct codec<std::string> {
    [[nodiscard]] static constexpr std::string_view default_subtype() noexcept { return "proto"; }
    [[nodiscard]] static constexpr bool knows(std::string_view) noexcept { return true; }
    static void encode(const std::string& message, std::string_view, std::string& out) { out += message; }
    static void decode(std::span<const std::byte> bytes, std::string_view, std::string& message) {
        message.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
};

}  // namespace eddy::rpc
