#include "rpc/health_watch.hpp"

#include "rpc/call_attempt.hpp"
#include "rpc/call_status.hpp"
#include "rpc/incoming_messages.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/request_head.hpp"
#include "rpc/subchannel.hpp"

#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/detail/message_frame.hpp>

#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

constexpr std::size_t reply_bytes_max = 1024;

task<std::size_t> receive_some(call_exchange& exchange, incoming_messages& incoming) {
    try {
        // Chosen outside of the await, which g++ 12 needs.
        const std::span<std::byte> room = incoming.room();
        const std::size_t count = co_await exchange.read(room);
        incoming.add(count);
        co_return count;
    } catch (const std::system_error& failed) {
        throw error(status_from(failed));
    }
}

}  // namespace

async_generator<serving_status> watch_health(subchannel& by, std::string head, std::string service) {
    health_request wanted;
    wanted.service = std::move(service);
    std::string frame = begin_frame();
    codec<health_request>::encode(wanted, "proto", frame);
    seal_frame(frame, compression::identity, frame.size());
    call_request request{.head = std::move(head), .frame = frame};
    add_line(request.head, "content-type", "application/grpc");
    end_head(request.head);
    const attempt_pointer made = co_await make_attempt(by.send(request), false);
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
            count = co_await receive_some(*made->exchange, incoming);
        }
    }
    status_fields fields;
    if (made->exchange)
        for (const auto& [name, value] : made->exchange->trailers())
            fields.add(name, value);
    if (fields.has_status() && !fields.made().is_ok())
        throw error(fields.made());
}

}  // namespace eddy::rpc::detail
