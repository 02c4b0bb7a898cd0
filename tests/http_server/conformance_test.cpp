#include "http/blocking_client.hpp"
#include "http/conversation.hpp"
#include "http/routed.hpp"
#include "http/sample_handler.hpp"
#include "http/temporary_site.hpp"
#include "support/no_more_descriptors.hpp"

#include <eddy/fs/directory.hpp>
#include <eddy/http/files/static_files.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

// What RFC 9110 and RFC 6455 ask of a server at the edges.
namespace eddy::http::test::conformance_test {
namespace {

task<void> answer_hello(exchange& ex) {
    co_await ex.respond(status::ok, {}, "hello");
}

TEST(an_answer_of_426, names_upgrade_in_connection) {
    const auto chat = [](exchange& ex) -> task<void> {
        const websocket socket = co_await accept_websocket(ex);
    };
    const std::string heard = conversation(chat).hears("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(heard.starts_with("HTTP/1.1 426 Upgrade Required\r\n")) << heard;
    EXPECT_NE(heard.find("\r\nConnection: Upgrade\r\n"), std::string::npos) << heard;
    EXPECT_NE(heard.find("\r\nUpgrade: websocket\r\n"), std::string::npos) << heard;
}

TEST(an_answer_to_connect, has_no_framing_if_it_opens_a_tunnel) {
    const std::string connect = "CONNECT host:443 HTTP/1.1\r\nHost: host:443\r\n\r\n";
    const std::string next = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    EXPECT_EQ(conversation(&answer_hello).hears(connect + next),
              "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
    const auto pieces = [](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes("hello"));
    };
    EXPECT_EQ(conversation(pieces).hears(connect + next),
              "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
    const auto refuse = [](exchange& ex) -> task<void> { co_await ex.respond(status::forbidden, {}, "no"); };
    EXPECT_EQ(conversation(refuse).hears(connect + connect),
              "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"
              "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
}

TEST(a_target, with_a_bare_backslash_leads_nowhere) {
    temporary_site site;
    site.write("evil.com/index.html", "x");
    served server([&] { return std::make_unique<static_files>(directory::open(site.root())); });
    EXPECT_EQ(blocking_client(server.port()).ask(get("/\\evil.com/")).value_or(response_seen()).status, 400);
    EXPECT_EQ(blocking_client(server.port()).ask(get("/%5Cevil.com")).value_or(response_seen()).status, 404);
}

TEST(static_files_as_a_value, are_mounted_as_the_comment_of_a_router_says) {
    temporary_site site;
    site.write("a.txt", "content");
    routed server(
        [&](router& routes) { routes.mount("/files", static_files(directory::open(site.root()))); });
    EXPECT_EQ(server.said("GET", "/files/a.txt"), "200 content");
    EXPECT_EQ(server.get("/a.txt").status, 404);
}

TEST(a_client_that_excludes_the_plain_form, gets_406_for_a_file_that_has_no_other) {
    temporary_site site;
    site.write("a.png", "image");
    for (const bool compresses : {false, true}) {
        served server([&] {
            return std::make_unique<static_files>(directory::open(site.root()),
                                                  static_files_options().compress(compresses));
        });
        blocking_client client(server.port());
        for (const std::string_view excluded : {"identity;q=0", "gzip, *;q=0"}) {
            const auto response =
                client.ask(get("/a.png", "Accept-Encoding: " + std::string(excluded) + "\r\n"));
            ASSERT_TRUE(response);
            EXPECT_EQ(response->status, 406) << excluded;
            EXPECT_EQ(response->field("Vary"), "Accept-Encoding");
        }
        EXPECT_EQ(client.ask(get("/a.png", "Accept-Encoding: gzip\r\n")).value_or(response_seen()).body,
                  "image");
    }
}

TEST(a_listing, shows_names_that_are_no_utf_8_and_leads_to_their_files) {
    temporary_site site;
    site.write("l/\xff\xe4.txt", "latin");
    site.write("l/\xc3\xa4\xed\xa0\x80\xf0\x9f\x98\x80.txt", "mixed");
    served server([&] {
        return std::make_unique<static_files>(directory::open(site.root()),
                                              static_files_options().listing(true));
    });
    blocking_client client(server.port());
    const std::string page = client.ask(get("/l/")).value_or(response_seen()).body;
    const std::string unknown = "\xef\xbf\xbd";
    EXPECT_NE(page.find("<a href=\"./%FF%E4.txt\">" + unknown + unknown + ".txt</a>"), std::string::npos)
        << page;
    EXPECT_NE(page.find(">\xc3\xa4" + unknown + unknown + unknown + "\xf0\x9f\x98\x80.txt</a>"),
              std::string::npos)
        << page;
    EXPECT_EQ(client.ask(get("/l/%FF%E4.txt")).value_or(response_seen()).body, "latin");
}

// As nanoseconds in 64 bits a time after 2262 would be one of long ago.
TEST(a_file, has_the_nearest_time_that_can_be_told) {
    temporary_site site;
    site.write("late", "x", 10'413'792'000);    // 2300-01-01
    site.write("early", "x", -11'676'096'000);  // 1600-01-01
    site.write("before", "x");
    const timespec half_a_second_before[2] = {{-1, 500'000'000}, {-1, 500'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, site.at("before").c_str(), half_a_second_before, 0), 0);
    served server([&] { return std::make_unique<static_files>(directory::open(site.root())); });
    blocking_client client(server.port());
    const auto modified = [&](std::string_view name) {
        return client.ask(get(name)).value_or(response_seen()).field("Last-Modified");
    };
    EXPECT_EQ(modified("/before"), "Wed, 31 Dec 1969 23:59:59 GMT");
    struct stat known{};
    ASSERT_EQ(::stat(site.at("late").c_str(), &known), 0);
    if (known.st_mtim.tv_sec == 10'413'792'000) {  // not every file system keeps it
        EXPECT_EQ(modified("/late"), "Fri, 11 Apr 2262 23:47:16 GMT");
    }
    ASSERT_EQ(::stat(site.at("early").c_str(), &known), 0);
    if (known.st_mtim.tv_sec == -11'676'096'000) {
        EXPECT_EQ(modified("/early"), "Tue, 21 Sep 1677 00:12:43 GMT");
    }
}

/// Leaves this process no descriptors but those that it gives.
class counted_descriptors {
public:
    counted_descriptors() {
        for (int number = 0; number < 100; ++number)
            held_.push_back(::dup(0));
        full_.emplace();
    }
    counted_descriptors(const counted_descriptors&) = delete;
    counted_descriptors& operator=(const counted_descriptors&) = delete;
    ~counted_descriptors() { give(static_cast<int>(held_.size())); }

    void give(int count) {
        for (; count > 0; --count) {
            ::close(held_.back());
            held_.pop_back();
        }
    }
    void take_all() {
        for (int taken = ::dup(0); taken >= 0; taken = ::dup(0))
            held_.push_back(taken);
    }

private:
    std::vector<int> held_;
    std::optional<eddy::test::no_more_descriptors> full_;
};

TEST(at_the_limit_of_descriptors, the_connection_that_was_idle_longest_makes_way) {
    counted_descriptors left;
    left.give(60);
    sample_server server;
    std::vector<blocking_client> idle;
    for (int number = 0; number < 3; ++number) {
        idle.emplace_back(server.port());
        ASSERT_TRUE(idle.back().ask(get("/")));
    }
    left.take_all();
    left.give(2);
    ASSERT_TRUE(idle[0].ask(get("/again")));  // so that the second has waited longest
    blocking_client busy(server.port());
    ASSERT_TRUE(busy.send(get("/wait")));
    server.wait_for_waiting(1);
    std::vector<blocking_client> late;  // the first gets the descriptor that the server has kept for it
    for (int number = 0; number < 2; ++number) {
        left.give(1);  // for the client; there is none for the server
        late.emplace_back(server.port());
        EXPECT_EQ(late.back().ask(get("/late")).value_or(response_seen()).body, "/late");
    }
    EXPECT_TRUE(idle[1].sees_end());
    EXPECT_EQ(idle[0].ask(get("/first")).value_or(response_seen()).body, "/first");
    server.open_doors();
    EXPECT_EQ(busy.read_response().value_or(response_seen()).body, "waited");
}

}  // namespace
}  // namespace eddy::http::test::conformance_test
