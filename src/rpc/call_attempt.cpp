#include "rpc/call_attempt.hpp"

#include "rpc/call_status.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

constexpr std::uint32_t refused_stream = 0x7;

void take_head(call_attempt& made) {
    const http::response_head head = made.response->head();
    status_fields fields;
    std::string_view encoding = "identity";
    bool is_ours = false;
    metadata arrived;
    for (std::size_t at = 0; at < head.header_count(); ++at) {
        const http::header_view line = head.header(at);
        if (line.name() == "content-type")
            is_ours = line.value().starts_with("application/grpc");
        else if (line.name() == "grpc-encoding")
            encoding = line.value();
        fields.add(line.name(), line.value());
        add_field(arrived, line.name(), line.value());
    }
    // A response that is a head alone has the trailing metadata there.
    const bool is_all = made.response->body().is_over() && made.response->body().trailers().empty();
    if (is_all && fields.has_status()) {
        made.trailing = std::move(arrived);
        made.end = fields.made();
        made.response.reset();
        return;
    }
    made.initial = std::move(arrived);
    const http::status code = made.response->status();
    if (code != http::status::ok)
        return made.fail(
            status(code_from_http(code), "HTTP status " + std::to_string(http::to_number(code))));
    if (!is_ours)
        return made.fail(status(status_code::unknown, "the response has another content type than gRPC's"));
    const auto way = compression_from(encoding);
    if (!way)
        return made.fail(status(status_code::internal, "the response has an unknown grpc-encoding"));
    made.encoding = *way;
}

bool was_not_processed(const std::system_error& failure) noexcept {
    const auto* const reset = dynamic_cast<const http::stream_reset_error*>(&failure);
    return reset != nullptr && reset->reset_code() == refused_stream;
}

}  // namespace

void call_attempt::fail(status why) {
    end = std::move(why);
    response.reset();
}

task<attempt_pointer> make_attempt(task<http::client_response> sending) {
    auto made = std::make_unique<call_attempt>();
    try {
        made->response = co_await std::move(sending);
        take_head(*made);
    } catch (const std::system_error& failed) {
        made->was_refused = was_not_processed(failed);
        made->fail(status_from(failed));
    } catch (const error& failed) {
        made->fail(failed.status());
    }
    co_return made;
}

}  // namespace eddy::rpc::detail
