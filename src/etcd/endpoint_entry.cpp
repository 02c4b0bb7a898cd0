#include "etcd/endpoint_entry.hpp"

#include "eddy_etcd_messages.pb.h"

#include <charconv>
#include <cstdint>
#include <google/protobuf/util/json_util.h>
#include <string_view>

namespace eddy::etcd::detail {

std::string entry_of(const endpoint& at) {
    wire::RegisteredEndpoint made;
    made.set_addr(at.to_string());
    google::protobuf::util::JsonPrintOptions options;
    options.always_print_primitive_fields = true;
    std::string text;
    // What has a string and a number can be written as JSON.
    static_cast<void>(google::protobuf::util::MessageToJsonString(made, &text, options));
    return text;
}

std::optional<endpoint> endpoint_of(const std::string& entry) {
    wire::RegisteredEndpoint read;
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    if (!google::protobuf::util::JsonStringToMessage(entry, &read, options).ok())
        return std::nullopt;
    const std::string_view address = read.addr();
    const std::size_t colon = address.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    std::uint16_t port = 0;
    const char* const end = address.data() + address.size();
    const auto parsed = std::from_chars(address.data() + colon + 1, end, port);
    if (parsed.ec != std::errc() || parsed.ptr != end)
        return std::nullopt;
    const auto made = endpoint::parse(address.substr(0, colon), port);
    if (!made)
        return std::nullopt;
    return *made;
}

}  // namespace eddy::etcd::detail
