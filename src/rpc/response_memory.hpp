#pragma once

#include "rpc/message_coding.hpp"
#include "rpc/spare_strings.hpp"

#include <eddy/http/message/field_block.hpp>
#include <eddy/rpc/compression.hpp>

#include <string>
#include <string_view>

namespace eddy::rpc::detail {

/// What the calls to some services use one after the other.
class response_memory {
public:
    /// For frames.
    [[nodiscard]] spare_strings& strings() noexcept { return strings_; }

    /// The fields of a head without metadata, made anew only where they differ from the last. Valid until the next call.
    [[nodiscard]] const http::field_block& head(std::string_view content_type, compression way) {
        if (content_type == type_ && way == way_)
            return head_;
        type_.clear();
        head_.clear();
        head_.add("content-type", content_type);
        if (way != compression::identity)
            head_.add("grpc-encoding", to_string(way));
        head_.add("grpc-accept-encoding", accepted_encodings);
        type_ = content_type;
        way_ = way;
        return head_;
    }

private:
    spare_strings strings_;
    http::field_block head_;
    std::string type_;  // empty: there is none
    compression way_ = compression::identity;
};

}  // namespace eddy::rpc::detail
