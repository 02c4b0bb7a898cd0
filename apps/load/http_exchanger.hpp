#pragma once

#include "load/exchanger.hpp"
#include "load/load_target.hpp"

#include <eddy/http/client/client_connection.hpp>
#include <eddy/http/message/method.hpp>

#include <optional>

namespace eddy::apps {

/// Requests over HTTP.
class http_exchanger final : public exchanger {
public:
    http_exchanger(const load_target& target, bool closes);

    [[nodiscard]] task<> exchange(load_result& counted) override;
    void give_up() noexcept override { connection_.reset(); }

private:
    const load_target& target_;
    http::method method_;
    bool closes_;
    std::optional<http::client_connection> connection_;
};

}  // namespace eddy::apps
