#include <eddy/http/health.hpp>
#include <eddy/http/response.hpp>

namespace eddy::http {

prompt_task<> health_page::handle(exchange& asked) {
    const bool is_ready = state_->is_ready() && !asked.stop_token().stop_requested();
    response answered = is_ready ? response::plain(status::ok, "ready")
                                 : response::plain(status::service_unavailable, "not ready");
    answered.header("Cache-Control", "no-store");
    return response::send(asked, std::move(answered));
}

}  // namespace eddy::http
