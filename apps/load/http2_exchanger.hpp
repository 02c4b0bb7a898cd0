#pragma once

#include "load/exchanger.hpp"
#include "load/load_options.hpp"
#include "load/load_target.hpp"

#include <eddy/http/client.hpp>

#include <cstdint>
#include <memory>

namespace eddy::apps {

/// One connection over HTTP/2, which several exchangers share.
class http2_connection {
public:
    explicit http2_connection(const load_target& target);

    [[nodiscard]] http::client& by() noexcept { return client_; }
    /// How many connections were made since the last call.
    [[nodiscard]] std::uint64_t take_made() noexcept;

private:
    [[nodiscard]] task<any_stream> connect();

    const load_target& target_;
    std::uint64_t made_ = 0;
    http::client client_;
};

/// Requests over HTTP/2, one at a time; each is a stream.
class http2_exchanger final : public exchanger {
public:
    http2_exchanger(const load_target& target, std::shared_ptr<http2_connection> shared);

    [[nodiscard]] task<> exchange(load_result& counted) override;
    void give_up() noexcept override {}

private:
    const load_target& target_;
    std::shared_ptr<http2_connection> shared_;
    http::client_request request_;
};

}  // namespace eddy::apps
