"""What stands around the examples of public headers, by header and in the order in which they stand there.

None: it is no C++. Otherwise a dictionary, empty for the body of a coroutine that needs nothing:

    given          parameters of the coroutine
    before         declarations in front of it
    result, end    what it returns, if that is no task<>, and its last line
    is_global      it is no body, but declarations
    is_expression  each line is an expression
    meaning        texts that a reader has to fill in, and what is filled in here
"""

HTTP = "using namespace eddy::http;"


def http(**said):
    return {"namespaces": HTTP, **said}


CONTEXTS = {
    "combine/task_set.hpp": [{"given": "task_set& sessions"}],
    "core/async_generator.hpp": [{"given": "async_generator<std::string>& lines"}],
    "core/async_sequence.hpp": [{"given": "async_generator<std::string>& sequence"}],
    "core/generator.hpp": [{"is_global": True,
                            "meaning": {"for (int at : count(1, 4)) ...":
                                        "inline void each() { for (int at : count(1, 4)) use(at); }"}}],
    "core/stop_scope.hpp": [{"given": "std::vector<int> numbers", "before": "task<int> add_up(std::vector<int> numbers);"}],
    "fs/directory_walk.hpp": [{}],
    "fs/directory_watch.hpp": [{"before": "template <class T> void look_at(T&&) {}"}],
    "fs/open_options.hpp": [{"is_expression": True}],
    "net/serve.hpp": [{"before": "task<> echo(tcp_stream client);"}],
    "net/tcp_listener.hpp": [{"given": "tcp_listener& listener, task_set& sessions",
                              "before": "task<> serve(tcp_stream client);"}],
    "os/command.hpp": [{}],
    "os/signals.hpp": [{}, {}],
    "runtime/clock_sleep.hpp": [{}],
    "runtime/repeat.hpp": [{"before": "task<> flush();"}],
    "runtime/ticker.hpp": [{}],
    "runtime/timer.hpp": [{}],
    "sync/channel.hpp": [{"before": "struct job {}; void work(const job& done);"}],
    "sync/channel_operations.hpp": [{"given": "channel<int>& queue, int item"}],
    "sync/detail/gate_awaiter.hpp": [None],
    "sync/oneshot.hpp": [{}],
    "http/routing/access_log.hpp": [None],
    "http/codec/detail/chunked_decoder.hpp": [http(given="chunked_decoder decoder, std::string_view input",
                                      end="static_cast<void>(result); co_return;")],
    "http/client/client.hpp": [
        http(),
        http(),
    ],
    "http/client/client_connection.hpp": [http(given="std::string_view request")],
    "http/client/client_request.hpp": [http(given="std::string_view tag, std::string text, std::string_view token")],
    "http/codec/detail/content_decoder.hpp": [http(
        given="std::vector<std::span<const std::byte>> pieces, std::span<std::byte> room",
        meaning={"for (piece : pieces)": "for (std::span<const std::byte> piece : pieces)"})],
    "http/server/event_stream.hpp": [http(given="exchange& ex", before="task<std::string> next_news();")],
    "http/routing/extract.hpp": [http(given="router& routes",
                              meaning={"{ ... }": "{ co_return response::text(std::to_string(id + (*page).value_or(0))); }"})],
    "http/message/limits.hpp": [http(end="static_cast<void>(limits); co_return;")],
    "http/server/multipart_reader.hpp": [http(given="exchange& ex")],
    "http/codec/request_head_writer.hpp": [http(given="std::string text, url to", before="",
                                          end="co_return;")],
    "http/codec/detail/request_parser.hpp": [http(given="request_parser& parser, std::string_view received",
                                     end="static_cast<void>(result); co_return;")],
    "http/server/response.hpp": [http(given="std::string text, std::string place", result="task<response>", end="")],
    "http/codec/detail/response_head_writer.hpp": [http(given="date_cache& dates, std::int64_t now",
                                           end="static_cast<void>(head); co_return;")],
    "http/codec/detail/response_parser.hpp": [http(given="const message_limits& limits, std::string_view received",
                                      end="static_cast<void>(result); co_return;")],
    "http/routing/router.hpp": [http(meaning={"{ ... }": "{ co_return response::text(std::to_string(id)); }"})],
    "http/message/cookies.hpp": [http(given="response& response, std::string token")],
    "http/websocket/accept_websocket.hpp": [http(is_global=True)],
    "http/websocket/detail/message_decoder.hpp": [http(
        given="message_decoder& decoder, std::span<std::byte> bytes, std::string gathered")],
    "http/websocket/options.hpp": [http(is_expression=True)],
    "http/websocket/websocket.hpp": [http(given="websocket& socket")],
    "rpc/call.hpp": [{"given": "rpc::channel& through, std::string request"}],
    "rpc/call_credentials.hpp": [{"given": "rpc::channel_options& options, token_source& tokens",
                                  "before": "struct token_source { task<std::string> current(std::string service); };"}],
    "rpc/call_options.hpp": [{"given": "greeter_client& client, std::string at, std::string id",
                              "before": "struct greeter_client { task<> get_feature(std::string, rpc::call_options); };"}],
    "rpc/channel.hpp": [{"given": "std::string request"}],
    "rpc/client_stream.hpp": [{"given": "route_client& client, std::vector<point> way",
                               "before": "using point = std::string; using route_summary = std::string; "
                                         "struct route_client { rpc::client_stream<point, route_summary> record_route(); };"}],
    "rpc/metadata.hpp": [{"given": "std::string id, std::string bytes", "is_expression": True}],
    "rpc/reflection.hpp": [{"given": "rpc::services& calls"}],
    "rpc/service.hpp": [{}],
    "rpc/health.hpp": [{"given": "rpc::services& calls"}],
    "rpc/protocol.hpp": [{}],
    "rpc/services.hpp": [{"given": "rpc::services& calls"}, {"given": "tcp_listener listener",
                          "before": "class greeter : public rpc::service { public: greeter() : service(\"greeter\") {} };"}],
    "rpc/status.hpp": [{"end": "co_return;"}],
    "etcd/claim.hpp": [{"given": "etcd::client& db, etcd::lease& held, std::string text"}],
    "etcd/client.hpp": [{}],
    "etcd/key_range.hpp": [{"given": "etcd::client& db", "is_expression": True}],
    "etcd/lease.hpp": [{"given": "etcd::client& db"}],
    "etcd/name_resolver.hpp": [{"given": "etcd::client& db"}],
    "etcd/registration.hpp": [{"given": "etcd::client& db, http::server& server"}],
    "etcd/transaction.hpp": [{"is_expression": True}, {"given": "etcd::client& db"}],
}
