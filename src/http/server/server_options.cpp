#include "http/server/connection.hpp"
#include "http/server/secure_service.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// A handshake begins with a record of type 22; a request with the letter of a method.
bool looks_like_http(const buffer_lease& arrived) noexcept {
    const auto first = std::to_integer<unsigned char>(arrived.bytes().front());
    return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '\r';
}

// Only setting a context makes one of these: this is the only file of servers that needs TLS.
class tls_service final : public secure_service {
public:
    explicit tls_service(tls_context context) noexcept : context_(std::move(context)) {}

    [[nodiscard]] task<void> serve(server_state& shared, tcp_stream accepted,
                                   address_counts::slot slot) const override;

private:
    tls_context context_;
};

task<void> tls_service::serve(server_state& shared, tcp_stream accepted, address_counts::slot slot) const {
    try {
        const duration longest =
            std::min(eddy::detail::saturated(context_.handshake_time_max()), shared.options.idle_timeout());
        auto first = co_await as_result(with_timeout(accepted.read_leased(), longest));
        if (!first || first->empty())
            co_return;
        if (looks_like_http(*first))
            co_return co_await connection::reject(shared, any_stream(std::move(accepted)),
                                                  status::bad_request,
                                                  "this port speaks HTTPS: the request came without TLS");
        accepted.put_back(std::move(*first));
        auto info = std::make_unique<connection_info>();
        info->peer(accepted.remote_endpoint()).local(accepted.local_endpoint());
        auto secured = co_await tls_accept(std::move(accepted), context_);
        info->tls(&secured.info());
        if (shared.protocol != nullptr && secured.info().alpn == "h2")
            co_return co_await shared.protocol->serve(any_stream(std::move(secured)), std::move(info),
                                                      std::move(slot), {});
        co_return co_await connection::serve(shared, any_stream(std::move(secured)), std::move(info),
                                             std::move(slot));
    } catch (...) {
        // The handshake has failed: this connection ends.
        ++shared.counts.connections_refused;
    }
}

}  // namespace

server_options& server_options::tls(tls_context context) {
    secure_ = std::make_shared<const tls_service>(std::move(context));
    return *this;
}

}  // namespace eddy::http
