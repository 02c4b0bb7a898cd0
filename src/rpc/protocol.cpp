#include <eddy/http/h2/http2.hpp>
#include <eddy/rpc/protocol.hpp>

namespace eddy::rpc {

http::http2_options http2_options() noexcept {
    return http::http2_options().streams_max(1000).resets_per_s_max(10'000).idle_frames_per_s_max(10'000);
}

std::shared_ptr<const http::protocol_choice> http2(const http::http2_options& options) {
    return http::http2(options);
}

}  // namespace eddy::rpc
