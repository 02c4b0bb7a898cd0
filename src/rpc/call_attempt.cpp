#include "rpc/call_attempt.hpp"

#include "rpc/call_status.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

metadata metadata_of(const http::response_head& head) {
    metadata arrived;
    for (std::size_t at = 0; at < head.header_count(); ++at)
        add_field(arrived, head.header(at).name(), head.header(at).value());
    return arrived;
}

void take_head(call_attempt& made, bool keeps_metadata) {
    const http::response_head head = made.exchange->head();
    status_fields fields;
    std::string_view encoding = "identity";
    bool is_ours = false;
    for (std::size_t at = 0; at < head.header_count(); ++at) {
        const http::header_view line = head.header(at);
        if (line.name() == "content-type")
            is_ours = line.value().starts_with("application/grpc");
        else if (line.name() == "grpc-encoding")
            encoding = line.value();
        fields.add(line.name(), line.value());
    }
    // A response that is a head alone has the trailing metadata there.
    const bool is_all = made.exchange->is_over() && made.exchange->trailers().empty();
    if (is_all && fields.has_status()) {
        made.trailing = metadata_of(head);
        made.end = fields.made();
        made.exchange.reset();
        return;
    }
    const http::status code = head.status();
    if (keeps_metadata || code != http::status::ok)
        made.initial = metadata_of(head);
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

}  // namespace

void call_attempt::fail(status why) {
    end = std::move(why);
    exchange.reset();
}

task<attempt_pointer> make_attempt(task<exchange_pointer> sending, bool keeps_metadata) {
    auto made = std::make_unique<call_attempt>();
    try {
        made->exchange = co_await std::move(sending);
        take_head(*made, keeps_metadata);
    } catch (const std::system_error& failed) {
        made->fail(status_from(failed));
    } catch (const error& failed) {
        made->fail(failed.status());
    }
    co_return made;
}

}  // namespace eddy::rpc::detail
