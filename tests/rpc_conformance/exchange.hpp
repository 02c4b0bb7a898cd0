#pragma once

#include "connectrpc/conformance/v1/service.pb.h"

#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <cstdint>
#include <functional>
#include <google/protobuf/message_lite.h>
#include <string>
#include <string_view>

// What the suite and the programs under test say to each other: messages behind their length, over standard input and
// output; and how it writes metadata and errors.
namespace eddy::conformance {

namespace proto = connectrpc::conformance::v1;

/// False at the end of standard input. Throws std::runtime_error for what is no message.
[[nodiscard]] bool read_message(google::protobuf::MessageLite& into);
void write_message(const google::protobuf::MessageLite& said);

using headers = google::protobuf::RepeatedPtrField<proto::Header>;

/// Binary values are in base64 in the suite's headers.
void put_metadata(headers& out, const rpc::metadata& shown);
void for_each_header(const headers& shown,
                     const std::function<void(const std::string& name, std::string value)>& use);

[[nodiscard]] rpc::status status_from(const proto::Error& error);
[[nodiscard]] proto::Error error_from(const rpc::status& end);

}  // namespace eddy::conformance
