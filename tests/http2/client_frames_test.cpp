#include "http2/client_origins.hpp"
#include "support/end_notice.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

// The client against servers that are written frame by frame.
namespace eddy::http::test::client_frames_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;

task<void> answer_ok(frame_peer& peer, std::int32_t id, std::string body) {
    co_await peer.say(frame_peer::head(id, answer(), false) + frame_peer::data(id, body));
}

TEST(http2_client_frames, say_what_the_client_allows_and_asks) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ(0U, peer.settings.at(NGHTTP2_SETTINGS_ENABLE_PUSH));
            EXPECT_EQ(256U * 1024, peer.settings.at(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE));
            EXPECT_EQ((1U << 20) - 65'535, peer.credit);
            const response_seen& asked = peer.seen[1];
            EXPECT_EQ("POST", asked.field(":method"));
            EXPECT_EQ("http", asked.field(":scheme"));
            EXPECT_EQ("a.test:81", asked.field(":authority"));
            EXPECT_EQ("/b?c", asked.field(":path"));
            EXPECT_EQ("text/plain", asked.field("content-type"));
            EXPECT_EQ("4", asked.field("content-length"));
            EXPECT_EQ("y", asked.field("x-own"));
            EXPECT_EQ("", asked.field("host"));
            EXPECT_EQ("", asked.field("connection"));
            EXPECT_EQ("body", asked.body);
            co_await answer_ok(peer, 1, "ok");
        }});
        client by(origin.options());
        client_request request(method::post, "http://a.test:81/b?c#d");
        request.content(std::string("body"), "text/plain").field("X-Own", "y");
        client_response response = co_await by.send(std::move(request));
        EXPECT_EQ("ok", co_await response.text());
    }());
}

TEST(http2_client_frames, pass_interim_responses_and_trailers) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            std::string all = frame_peer::head(1, answer("103"), false);
            all += frame_peer::head(1, answer("100"), false) + frame_peer::head(1, answer("102"), false);
            all += frame_peer::head(1, answer("200", {{"x", "y"}}), false);
            all += frame_peer::data(1, "body", false) + frame_peer::head(1, {{"sum", "7"}});
            co_await peer.say(all);
        }});
        client by(origin.options());
        client_response response = co_await by.get("http://a/");
        EXPECT_EQ("y", response.find("X"));
        EXPECT_EQ("body", co_await response.text());
        EXPECT_EQ("7", response.body().trailers().at(0).second);
        EXPECT_EQ(1U, by.idle_connections());
    }());
}

// Streams above the last one that GOAWAY names were not processed; the others go on.
TEST(http2_client_frames, go_elsewhere_after_a_goaway_that_leaves_them_out) {
    run_bounded([]() -> task<> {
        event<> may_answer;
        framed_origin origin({[&](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(5));
                                  co_await peer.say(
                                      text_of(frame(NGHTTP2_GOAWAY, 0, 0, number(3, 4) + number(0, 4))));
                                  co_await may_answer.wait();
                                  co_await answer_ok(peer, 1, "first");
                                  co_await answer_ok(peer, 3, "first");
                                  co_await peer.until_end();
                              },
                              [&](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(1));
                                  co_await answer_ok(peer, 1, "second");
                                  may_answer.set();
                              }});
        client by(origin.options());
        std::vector<handle<std::string>> all;
        for (int index = 0; index < 3; ++index)
            all.push_back(spawn([](client& asks) -> task<std::string> {
                client_response response = co_await asks.post("http://a/", std::string("x"), "text/plain");
                co_return co_await response.text();
            }(by)));
        EXPECT_EQ("first", co_await all[0]);
        EXPECT_EQ("first", co_await all[1]);
        EXPECT_EQ("second", co_await all[2]);
        EXPECT_EQ(2U, origin.connected());
        EXPECT_EQ(1U, by.idle_connections());
    }());
}

TEST(http2_client_frames, are_sent_again_elsewhere_when_a_stream_is_refused) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(1));
                                  co_await peer.say(frame_peer::reset(1, NGHTTP2_REFUSED_STREAM));
                              },
                              [](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(1));
                                  EXPECT_EQ("x", peer.seen[1].body);
                                  co_await answer_ok(peer, 1, "second");
                              }});
        client by(origin.options());
        client_response response = co_await by.post("http://a/", std::string("x"), "text/plain");
        EXPECT_EQ("second", co_await response.text());
    }());
}

TEST(http2_client_frames, are_not_sent_again_for_ever) {
    run_bounded([]() -> task<> {
        const framed_origin::script refusing = [](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            for (std::int32_t id = 1;; id += 2) {
                const bool has_come = co_await peer.until_over(id);
                if (!has_come)
                    break;
                co_await peer.say(frame_peer::reset(id, NGHTTP2_REFUSED_STREAM));
            }
        };
        framed_origin origin(std::vector<framed_origin::script>(20, refusing));
        client by(origin.options());
        const std::error_code refused = co_await error_of(text_of(by, "http://a/"));
        EXPECT_EQ(http_error::stream_reset, refused);
        EXPECT_GE(10U, origin.connected());
    }());
}

TEST(http2_client_frames, end_a_request_whose_stream_is_reset_and_only_that) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            co_await peer.say(frame_peer::reset(1, NGHTTP2_ENHANCE_YOUR_CALM));
            EXPECT_TRUE(co_await peer.until_over(3));
            co_await peer.say(frame_peer::head(3, answer(), false) + frame_peer::data(3, "part", false) +
                              frame_peer::reset(3, NGHTTP2_INTERNAL_ERROR));
            EXPECT_TRUE(co_await peer.until_over(5));
            co_await answer_ok(peer, 5, "whole");
        }});
        client by(origin.options());
        EXPECT_EQ(http_error::stream_reset, co_await error_of(text_of(by, "http://a/")));
        client_response cut = co_await by.get("http://a/");
        EXPECT_EQ(http_error::stream_reset, co_await error_of(cut.text()));
        EXPECT_EQ("whole", co_await text_of(by, "http://a/"));
    }());
}

TEST(http2_client_frames, reset_a_stream_with_a_code_that_the_error_has) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            co_await peer.say(frame_peer::reset(1, NGHTTP2_ENHANCE_YOUR_CALM));
        }});
        client by(origin.options());
        std::uint32_t code = 0;
        try {
            static_cast<void>(co_await by.get("http://a/"));
        } catch (const stream_reset_error& error) {
            code = error.reset_code();
        }
        EXPECT_EQ(NGHTTP2_ENHANCE_YOUR_CALM, code);
    }());
}

TEST(http2_client_frames, end_a_stream_of_a_request_that_is_not_taken) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].head.empty(); }));
            co_await peer.say(frame_peer::head(1, answer(), false));
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].body.empty(); }));
            co_await peer.say(frame_peer::reset(1, NGHTTP2_NO_ERROR));
        }});
        client by(origin.options());
        event<> ended;
        const auto without_end = [](event<>& at_end) -> async_generator<std::string> {
            const eddy::test::end_notice until_then(at_end);
            for (;;)
                co_yield std::string(10'000, 'x');
        };
        client_request wanted(method::post, "http://a/");
        wanted.content(outgoing_body::of_texts(without_end(ended)));
        const client_response response = co_await by.send(std::move(wanted));
        co_await ended.wait();
    }());
}

TEST(http2_client_frames, say_that_trailers_are_wanted) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ("trailers", peer.seen[1].field("te"));
            EXPECT_EQ("", peer.seen[1].field("connection"));
            co_await answer_ok(peer, 1, "");
        }});
        client by(origin.options());
        client_request wanted(method::get, "http://a/");
        wanted.accept_trailers();
        static_cast<void>(co_await by.send(std::move(wanted)));
    }());
}

TEST(http2_client_frames, repeat_what_may_be_repeated_when_a_connection_in_use_has_ended) {
    run_bounded([]() -> task<> {
        const framed_origin::script once = [](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            co_await answer_ok(peer, 1, "ok");
            static_cast<void>(co_await peer.until_over(3));
            peer.close();
        };
        framed_origin origin({once, once});
        client by(origin.options());
        EXPECT_EQ("ok", co_await text_of(by, "http://a/"));
        EXPECT_EQ("ok", co_await text_of(by, "http://a/"));
        EXPECT_EQ(2U, origin.connected());
        const std::error_code closed =
            co_await error_of(by.post("http://a/", std::string("x"), "text/plain"));
        EXPECT_EQ(http_error::connection_closed, closed);
    }());
}

TEST(http2_client_frames, give_credit_for_what_the_caller_has_read) {
    run_bounded([]() -> task<> {
        event<> may_look, has_read_some, may_read_on;
        framed_origin origin({[&](frame_peer& peer) -> task<void> {
            // A reply to a PING is behind all credit.
            const auto ask_for_pong = [&]() -> task<void> {
                const int seen = peer.pongs;
                co_await peer.say(text_of(frame(NGHTTP2_PING, 0, 0, std::string(8, 'p'))));
                EXPECT_TRUE(co_await peer.until([&] { return peer.pongs > seen; }));
            };
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            const std::uint64_t before = peer.credit;
            co_await peer.say(frame_peer::head(1, answer(), false));
            for (int count = 0; count < 8; ++count)
                co_await peer.say(frame_peer::data(1, std::string(8192, 'x'), false));
            co_await ask_for_pong();
            EXPECT_EQ(0U, peer.credits[1]);
            EXPECT_EQ(before, peer.credit);
            may_look.set();
            co_await has_read_some.wait();
            co_await ask_for_pong();
            EXPECT_EQ(0U, peer.credits[1]) << "less than half of the window was read";
            may_read_on.set();
            EXPECT_TRUE(co_await peer.until([&] { return peer.credits[1] >= 32'768; }));
            co_await peer.say(frame_peer::data(1, "end"));
            co_await peer.until_end();
        }});
        client by(origin.options(in_clear().stream_window_bytes(65'536)));
        client_response response = co_await by.get("http://a/");
        co_await may_look.wait();
        const std::size_t first = (co_await response.body().read_leased()).size();
        EXPECT_LE(first, 16'384U);
        has_read_some.set();
        co_await may_read_on.wait();
        EXPECT_EQ(8 * 8192U + 3, first + (co_await response.text()).size());
    }());
}

TEST(http2_client_frames, stay_where_they_are_until_read_while_more_arrive) {
    run_bounded([]() -> task<> {
        std::string sent;
        for (int count = 0; count < 5000; ++count)
            sent += static_cast<char>('a' + count % 23);
        event<> has_read_one, may_read_on;
        framed_origin origin({[&](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until_over(1));
            co_await peer.say(frame_peer::head(1, answer(), false));
            co_await peer.say(frame_peer::data(1, sent.substr(0, 600), false));
            co_await has_read_one.wait();
            co_await peer.say(frame_peer::data(1, sent.substr(600)));
            // The reply is behind all that.
            co_await peer.say(text_of(frame(NGHTTP2_PING, 0, 0, std::string(8, 'p'))));
            EXPECT_TRUE(co_await peer.until([&] { return peer.pongs > 0; }));
            may_read_on.set();
            co_await peer.until_end();
        }});
        client by(origin.options(in_clear()));
        client_response response = co_await by.get("http://a/");
        std::array<std::byte, 1> first{};
        EXPECT_EQ(1U, co_await response.body().read(first));
        has_read_one.set();
        co_await may_read_on.wait();
        const std::string rest = co_await response.text();
        EXPECT_EQ(sent, std::string(as_text(first)) + rest);
    }());
}

TEST(http2_client_frames, keep_a_requests_body_within_the_servers_windows) {
    run_bounded([]() -> task<> {
        const std::string sent(100'000, 'b');
        framed_origin origin({[&](frame_peer& peer) -> task<void> {
            peer.gives_credit = false;
            co_await peer.begin_as_server(frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1000));
            EXPECT_TRUE(co_await peer.until([&] { return peer.settings_acks == 1; }));
            // What was sent before it knew of the window counts.
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].head.empty(); }));
            co_await peer.say(text_of(frame(NGHTTP2_PING, 0, 0, std::string(8, 'p'))));
            EXPECT_TRUE(co_await peer.until([&] { return peer.pongs == 1; }));
            const std::size_t first = peer.seen[1].body.size();
            EXPECT_GE(65'535U, first);
            co_await peer.say(frame_peer::window(0, 1 << 20) + frame_peer::window(1, 1 << 20));
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ(sent, peer.seen[1].body);
            co_await answer_ok(peer, 1, "ok");
            // A later stream has a small window.
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[3].body.size() == 1000; }));
            co_await peer.say(text_of(frame(NGHTTP2_PING, 0, 0, std::string(8, 'p'))));
            EXPECT_TRUE(co_await peer.until([&] { return peer.pongs == 2; }));
            EXPECT_EQ(1000U, peer.seen[3].body.size());
            co_await peer.say(frame_peer::window(3, 1 << 20));
            EXPECT_TRUE(co_await peer.until_over(3));
            co_await answer_ok(peer, 3, "ok");
        }});
        client by(origin.options());
        for (int round = 0; round < 2; ++round) {
            client_response response = co_await by.post("http://a/", sent, "text/plain");
            EXPECT_EQ("ok", co_await response.text());
        }
    }());
}

TEST(http2_client_frames, end_a_body_that_the_server_does_not_take_in_time) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            peer.gives_credit = false;
            co_await peer.begin_as_server(frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_reset; }));
            EXPECT_EQ(unsigned{NGHTTP2_CANCEL}, peer.seen[1].code);
        }});
        client by(origin.options().idle_time(1ms));
        const std::error_code late =
            co_await error_of(by.post("http://a/", std::string(200'000, 'b'), "text/plain"));
        EXPECT_EQ(http_error::idle_timed_out, late);
        co_await origin.script_end(0);
    }());
}

TEST(http2_client_frames, keep_the_time_limits_of_responses) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_reset; }));
            EXPECT_EQ(unsigned{NGHTTP2_CANCEL}, peer.seen[1].code);
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[3].head.empty(); }));
            co_await peer.say(frame_peer::head(3, answer(), false));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[3].is_reset; }));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[5].is_reset; }));
        }});
        client by(origin.options().first_byte_time(1ms).idle_time(2ms));
        EXPECT_EQ(http_error::first_byte_timed_out, co_await error_of(by.get("http://a/")));
        EXPECT_EQ(http_error::idle_timed_out, co_await error_of(text_of(by, "http://a/")));
        client_request hurried(method::get, "http://a/");
        hurried.total_time(1us);
        EXPECT_EQ(http_error::total_timed_out, co_await error_of(by.send(std::move(hurried))));
    }());
}

TEST(http2_client_frames, ask_a_silent_server_whether_it_is_there) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(1));
                                  co_await answer_ok(peer, 1, "one");
                                  // It replies to one PING, not to the next.
                                  co_await peer.until_end();
                              },
                              [](frame_peer& peer) -> task<void> {
                                  co_await peer.begin_as_server();
                                  EXPECT_TRUE(co_await peer.until_over(1));
                                  co_await answer_ok(peer, 1, "two");
                              }});
        client by(origin.options(in_clear().ping_after(1ms).ping_timeout(1ms)));
        EXPECT_EQ("one", co_await text_of(by, "http://a/"));
        frame_peer& first = origin.peer(0);
        while (first.pings < 3)
            co_await yield();
        EXPECT_FALSE(first.is_over);
        first.answers_pings = false;
        co_await origin.script_end(0);
        EXPECT_EQ(0U, by.idle_connections());
        EXPECT_EQ("two", co_await text_of(by, "http://a/"));
    }());
}

std::string whole_conversation() {
    return text_of(frame(NGHTTP2_SETTINGS, 0, 0, "")) +
           text_of(frame(NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, "")) +
           frame_peer::head(1, answer("103"), false) +
           frame_peer::head(1, answer("200", {{"content-length", "8"}}), false) +
           frame_peer::data(1, "four", false) + frame_peer::data(1, "more", false) +
           frame_peer::head(1, {{"sum", "7"}});
}

// Wherever the connection ends, the request does, and only a whole response passes for one.
TEST(http2_client_frames, survive_a_cut_everywhere) {
    const std::string all = whole_conversation();
    for (std::size_t at = 0; at <= all.size(); ++at)
        run_bounded([](const std::string& text, std::size_t cut) -> task<> {
            framed_origin origin({[&](frame_peer& peer) -> task<void> {
                peer.expect_preface();
                peer.acks_settings = false;
                EXPECT_TRUE(co_await peer.until_over(1));
                co_await peer.say(text.substr(0, cut));
                peer.close();
            }});
            client by(origin.options());
            client_request once(method::post, "http://a/");
            std::error_code failed;
            std::string body;
            try {
                client_response response = co_await by.send(std::move(once));
                body = co_await response.text();
            } catch (const std::system_error& error) {
                failed = error.code();
            }
            EXPECT_EQ(cut == text.size(), !failed) << cut << ": " << failed.message();
            EXPECT_EQ(cut == text.size() ? "fourmore" : "", body);
        }(all, at));
}

TEST(http2_client_frames, may_come_byte_by_byte) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<void> {
            peer.expect_preface();
            peer.acks_settings = false;
            EXPECT_TRUE(co_await peer.until_over(1));
            for (const char byte : whole_conversation()) {
                co_await peer.say(std::string(1, byte));
                for (int turn = 0; turn < 3; ++turn)
                    co_await yield();
            }
        }});
        client by(origin.options());
        EXPECT_EQ("fourmore", co_await text_of(by, "http://a/"));
    }());
}

}  // namespace
}  // namespace eddy::http::test::client_frames_test
