#include <eddy/http/request_head.hpp>

namespace eddy::http {

std::string_view request_head::path() const noexcept {
    const bool is_implied = request().form == target_form::absolute && request().path.size == 0;
    return is_implied ? std::string_view("/") : view(request().path);
}

}  // namespace eddy::http
