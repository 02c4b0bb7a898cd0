#include "integrations/redis/handshake.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/integrations/redis/request.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <span>
#include <string>
#include <system_error>

namespace eddy::redis::detail {

namespace {

task<any_stream> open_stream(const options& wanted) {
    if (!wanted.local_path().empty())
        co_return any_stream(co_await local_stream::connect(local_endpoint::path(wanted.local_path())));
    tcp_stream plain = co_await eddy::connect(wanted.host(), wanted.port());
    if (!wanted.tls())
        co_return any_stream(std::move(plain));
    const tls_target target(wanted.host());
    co_return any_stream(co_await tls_connect(std::move(plain), *wanted.tls(), target));
}

pipeline introduction(const options& wanted) {
    pipeline words;
    if (!wanted.user().empty())
        words.add("AUTH", wanted.user(), wanted.password());
    else if (!wanted.password().empty())
        words.add("AUTH", wanted.password());
    if (!wanted.client_name().empty())
        words.add("CLIENT", "SETNAME", wanted.client_name());
    if (wanted.database() != 0)
        words.add("SELECT", wanted.database());
    return words;
}

task<> introduce(greeted_stream& made, const options& wanted) {
    const pipeline words = introduction(wanted);
    if (words.empty())
        co_return;
    std::string bytes;
    for (const request& each : words.requests())
        bytes += each.bytes();
    co_await made.stream.write_all(std::as_bytes(std::span(bytes)));
    for (std::size_t answers = 0; answers != words.size();) {
        if (auto next = made.reader.next()) {
            next->throw_if_error();
            ++answers;
            continue;
        }
        const buffer_lease received = co_await made.stream.read_leased();
        if (received.empty())
            throw std::system_error(client_error::connection_lost, "while it was made");
        made.reader.feed(received.bytes());
    }
}

task<greeted_stream> greet_at_leisure(const options& wanted) {
    any_stream stream = co_await open_stream(wanted);
    greeted_stream made(std::move(stream), reply_reader(wanted.limits()));
    co_await introduce(made, wanted);
    co_return made;
}

}  // namespace

task<greeted_stream> greet(const options& wanted) {
    co_return co_await with_timeout(greet_at_leisure(wanted), wanted.connect_timeout());
}

}  // namespace eddy::redis::detail
