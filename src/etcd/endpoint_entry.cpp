#include "etcd/endpoint_entry.hpp"

#include "eddy_etcd_messages.pb.h"

#include <eddy/io/detail/endpoint_text.hpp>

#include <google/protobuf/util/json_util.h>

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
    const auto made = eddy::detail::endpoint_from_text(read.addr());
    return made ? std::optional(*made) : std::nullopt;
}

}  // namespace eddy::etcd::detail
