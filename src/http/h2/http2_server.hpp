#pragma once

#include "http/h2/http2_link.hpp"
#include "http/h2/http2_server_stream.hpp"
#include "http/h2/spare_objects.hpp"
#include "http/server/server_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/h2/http2_options.hpp>

#include <memory>
#include <nghttp2/nghttp2.h>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// What the HTTP/2 connections of one server share: what they recycle.
class http2_server final : public other_protocol {
public:
    http2_server(server_state& served, const http2_options& chosen);

    [[nodiscard]] task<void> serve(any_stream stream, std::unique_ptr<connection_info> info,
                                   address_counts::slot slot, std::string front) override;

    /// The fields that every response has.
    [[nodiscard]] std::string_view common_fields() {
        if (const std::int64_t now = shared.unix_seconds(); now != shared.common_second) [[unlikely]]
            shared.renew_common_fields(now);
        return shared.common.text();
    }

    server_state& shared;
    const http2_options options;
    spare_objects<http2_server_stream, 4096> streams;
    frame_memory frames;
    std::vector<nghttp2_nv> fields;
};

}  // namespace eddy::http
