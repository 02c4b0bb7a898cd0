#include <eddy/http/routing/health.hpp>
#include <eddy/http/server/response.hpp>

namespace eddy::http {

ready_or_task<> health_page::handle(exchange& ex) {
    const bool is_ready = state_->is_ready() && !ex.stop_token().stop_requested();
    response answered = is_ready ? response::plain(status::ok, "ready")
                                 : response::plain(status::service_unavailable, "not ready");
    answered.header("Cache-Control", "no-store");
    return response::send(ex, std::move(answered));
}

}  // namespace eddy::http
