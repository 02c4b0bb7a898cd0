#pragma once

#include "http/client/client_protocol.hpp"
#include "http/h2/http2_client_stream.hpp"
#include "http/h2/http2_link.hpp"
#include "http/h2/spare_objects.hpp"

#include <eddy/http/h2/http2_options.hpp>
#include <eddy/runtime/worker.hpp>

#include <memory>
#include <nghttp2/nghttp2.h>
#include <string>
#include <vector>

namespace eddy::http {

/// What the HTTP/2 connections of one client share: what they recycle. Belongs to the worker that makes it.
class http2_client final : public client_protocol {
public:
    explicit http2_client(const http2_options& chosen);

    [[nodiscard]] std::string name() const override { return "h2"; }
    [[nodiscard]] bool is_spoken_in_clear() const noexcept override { return options.prior_knowledge(); }
    [[nodiscard]] std::unique_ptr<shared_connection> make(any_stream stream, client_pool& pool,
                                                          client_origin& origin) override;

    eddy::detail::worker_core& home;
    const http2_options options;
    spare_objects<http2_client_stream, 1024> streams;
    frame_memory frames;
    std::vector<nghttp2_nv> fields;
};

}  // namespace eddy::http
