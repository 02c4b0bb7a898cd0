#pragma once

#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/status.hpp>

#include <concepts>
#include <cstddef>
#include <google/protobuf/message.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/util/json_util.h>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc {

namespace detail {

inline void encode_proto(const google::protobuf::MessageLite& message, std::string& out) {
    if (!message.IsInitialized())
        throw error(status_code::internal, "a message lacks " + message.InitializationErrorString());
    if (!message.AppendPartialToString(&out))
        throw error(status_code::internal, "a message has more than 2 GiB");
}

inline void decode_proto(std::span<const std::byte> bytes, google::protobuf::MessageLite& message) {
    const bool fits = bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
    if (!fits || !message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
        !message.IsInitialized())
        throw error(status_code::internal, "what has arrived is no " + std::string(message.GetTypeName()));
}

inline void encode_json(const google::protobuf::Message& message, std::string& out) {
    std::string text;
    const auto done = google::protobuf::util::MessageToJsonString(message, &text);
    if (!done.ok())
        throw error(status_code::internal, "a message cannot be written as JSON: " + done.ToString());
    out += text;
}

inline void decode_json(std::span<const std::byte> bytes, google::protobuf::Message& message) {
    // A field that an older program does not know is skipped, as it is in protobuf's own format.
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!google::protobuf::util::JsonStringToMessage(text, &message, options).ok())
        throw error(status_code::internal,
                    "what has arrived is no " + std::string(message.GetTypeName()) + " in JSON");
}

}  // namespace detail

/// Messages of protobuf, in its own format ("proto") or as JSON ("json": its ProtoJSON format,
/// https://protobuf.dev/programming-guides/json/). Those of the lite runtime have no JSON.
///
/// What this header uses of protobuf, a program is linked with: by eddy_protobuf() of CMake, or by itself.
///
/// - Errors: rpc::error with INTERNAL for what has arrived and is malformed, or lacks a required field, and for a
///   message to be sent that lacks one.
/// - JSON that has arrived may have unknown fields, which are skipped; what is sent leaves out fields that have their
///   default values, without spaces.
template <std::derived_from<google::protobuf::MessageLite> Message>
struct codec<Message> {
    [[nodiscard]] static constexpr std::string_view default_subtype() noexcept { return "proto"; }
    [[nodiscard]] static constexpr bool knows(std::string_view subtype) noexcept {
        return subtype == "proto" || (has_json && subtype == "json");
    }
    static void encode(const Message& message, std::string_view subtype, std::string& out) {
        if constexpr (has_json)
            if (subtype == "json")
                return detail::encode_json(message, out);
        detail::encode_proto(message, out);
    }
    static void decode(std::span<const std::byte> bytes, std::string_view subtype, Message& message) {
        if constexpr (has_json)
            if (subtype == "json")
                return detail::decode_json(bytes, message);
        detail::decode_proto(bytes, message);
    }

private:
    static constexpr bool has_json = std::derived_from<Message, google::protobuf::Message>;
};

}  // namespace eddy::rpc
