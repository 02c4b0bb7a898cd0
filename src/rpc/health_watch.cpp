#include "rpc/health_watch.hpp"

#include "rpc/call_attempt.hpp"
#include "rpc/call_status.hpp"
#include "rpc/incoming_messages.hpp"
#include "rpc/message_coding.hpp"

#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/detail/message_frame.hpp>

#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

constexpr std::size_t reply_bytes_max = 1024;

task<std::size_t> receive_some(http::client_response& response, incoming_messages& incoming) {
    try {
        // Chosen outside of the await, which g++ 12 needs.
        const std::span<std::byte> room = incoming.room();
        const std::size_t count = co_await response.body().read(room);
        incoming.add(count);
        co_return count;
    } catch (const std::system_error& failed) {
        throw error(status_from(failed));
    }
}

}  // namespace

async_generator<serving_status> watch_health(http::client& by, http::client_request request,
                                             std::string service) {
    health_request wanted;
    wanted.service = std::move(service);
    std::string frame = begin_frame();
    codec<health_request>::encode(wanted, "proto", frame);
    seal_frame(frame, compression::identity, frame.size());
    request.content(std::move(frame));
    const attempt_pointer made = co_await make_attempt(by.send(std::move(request)));
    if (made->end && !made->end->is_ok())
        throw error(*made->end);
    incoming_messages incoming(reply_bytes_max);
    incoming.set_compression(made->encoding);
    for (std::size_t count = made->end ? 0 : 1; count != 0;) {
        if (const auto message = incoming.next()) {
            health_reply reply;
            codec<health_reply>::decode(*message, "proto", reply);
            co_yield serving_status(reply.status);
        } else {
            count = co_await receive_some(*made->response, incoming);
        }
    }
    status_fields fields;
    if (made->response)
        for (const auto& [name, value] : made->response->body().trailers())
            fields.add(name, value);
    if (fields.has_status() && !fields.made().is_ok())
        throw error(fields.made());
}

}  // namespace eddy::rpc::detail
