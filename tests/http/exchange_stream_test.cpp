#include "http/conversation.hpp"
#include "http/server/exchange_parts.hpp"
#include "http/server/output_buffer.hpp"
#include "http/server/server_state.hpp"
#include "support/run_bounded.hpp"

#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test::exchange_stream_test {
namespace {

/// A stream of a protocol that frames heads and bodies itself, as HTTP/2 does: what it is given, as text.
class recorded_stream final : public exchange_stream {
public:
    recorded_stream(server_state& shared, any_stream bytes)
        : exchange_stream(shared, protocol::other), bytes_(std::move(bytes)) {
        output_ = &buffer_;
    }

    const connection_info& info() override { return info_; }
    std::string_view arrived() const noexcept override { return {}; }
    receiving receive_until(time_point deadline) noexcept override {
        return bytes_.read_leased_until(deadline);
    }
    std::size_t try_receive(std::span<std::byte>) override { return 0; }
    void flush_before_wait(bool with_continue) override { record += with_continue ? "[continue]" : "[wait]"; }
    bool try_write_head(const response_writer& response, const response_fields& fields,
                        response_framing body) override {
        record += "[" + std::to_string(to_number(response.code()));
        for (const response_field& each : fields.single())
            record.append(" ").append(each.name()).append("=").append(each.value());
        if (const field_block* const added = response.added_fields();
            added != nullptr && !added->text().empty())
            record.append(" ").append(added->text().substr(0, added->text().find('\r')));
        if (body.end() == body_end::content_length)
            record += " length " + std::to_string(body.length());
        record += body.end() == body_end::stream ? " open]" : "]";
        return true;
    }
    ready_or_task<> send(std::string_view bytes) override {
        record.append(buffer_.bytes()).append(bytes);
        buffer_.clear();
        ++sends;
        co_return;
    }
    task<void> end_body(std::string_view trailers) override {
        co_await send({});
        record.append("[end ").append(trailers.substr(0, trailers.find('\r'))).append("]");
    }
    bool can_send_file() const noexcept override { return false; }
    task<std::uint64_t> send_file(const file&, std::uint64_t, std::uint64_t) override { co_return 0; }
    any_stream take_over(std::string_view) override {
        record += "[taken]";
        return std::move(bytes_);
    }

    std::string record;
    int sends = 0;

private:
    exchange_parts& make_parts() override { return kept_; }

    output_buffer buffer_;
    exchange_parts kept_;
    connection_info info_;
    any_stream bytes_;
};

/// Has a request handled whose body comes from the stream. Returns what the stream was given, and after a
/// bar what is left in its output.
std::string recorded(const std::string& head, std::string body, function_handler::function respond) {
    function_handler handler(std::move(respond));
    std::string record;
    auto handled = [&]() -> task<void> {
        server_state shared(std::nullopt, handler, server_options());
        auto [client, served] = duplex(65'536);
        if (!body.empty())
            co_await client.write_all(as_bytes(body));
        co_await client.shutdown();
        recorded_stream stream(shared, any_stream(std::move(served)));
        request_parser parser(shared.options.limits());
        EXPECT_EQ(parse_state::complete, parser.parse(head).state());
        response_writer response(stream, parser.head(head));
        exchange ex(response, shared.home.turn_time());
        co_await handler.handle(ex);
        if (response.has_open_end())
            co_await response.finish();
        record = stream.record + "|" + std::string(stream.output().bytes());
    };
    eddy::test::run_bounded(handled());
    return record;
}

const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(an_exchange_on_another_protocols_stream, writes_a_small_body_into_the_output) {
    const std::string seen = recorded(get, {}, [](exchange& ex) -> task<void> {
        const std::array<response_field, 1> fields = {response_field("A", "b")};
        co_await ex.respond(status::created, fields, "hello");
        EXPECT_EQ(status::created, ex.response_status());
        EXPECT_EQ(0U, ex.body_bytes_missing());
    });
    EXPECT_EQ("[201 A=b length 5]|hello", seen);
}

TEST(an_exchange_on_another_protocols_stream, passes_fields_that_were_added) {
    const std::string seen = recorded(get, {}, [](exchange& ex) -> task<void> {
        ex.add_field("X", "y");
        co_await ex.respond(status::ok, {}, "");
    });
    EXPECT_EQ("[200 X: y length 0]|", seen);
}

TEST(an_exchange_on_another_protocols_stream, leaves_the_framing_of_an_open_body_to_it) {
    const std::string seen = recorded(get, {}, [](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes(std::string_view("one")));
        co_await ex.flush();
        co_await ex.write(as_bytes(std::string_view("two")));
        ex.add_trailer("Sum", "6");
    });
    EXPECT_EQ("[200 open]onetwo[end Sum: 6]|", seen);
}

TEST(an_exchange_on_another_protocols_stream, sends_what_does_not_fit_the_output) {
    const std::string large(20'000, 'x');
    const std::string seen = recorded(get, {}, [&](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {}, 3 + large.size());
        co_await ex.write(as_bytes(std::string_view("abc")));
        co_await ex.write(as_bytes(large));
    });
    EXPECT_EQ("[200 length 20003]abc" + large + "|", seen);
}

TEST(an_exchange_on_another_protocols_stream, reads_the_requests_body_from_it) {
    const std::string seen =
        recorded("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", "hello",
                 [](exchange& ex) -> task<void> {
                     const std::string body = co_await ex.body().read_all(100);
                     co_await ex.respond(status::ok, {}, body);
                 });
    EXPECT_EQ("[continue][wait][200 length 5]|hello", seen);
}

TEST(an_exchange_on_another_protocols_stream, takes_it_over) {
    const std::string seen = recorded(get, {}, [](exchange& ex) -> task<void> {
        any_stream taken = co_await ex.upgrade({});
        EXPECT_TRUE(taken);
    });
    EXPECT_EQ("[101][taken]|", seen);
}

}  // namespace
}  // namespace eddy::http::test::exchange_stream_test
