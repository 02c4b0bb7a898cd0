// The steps of lab 5 from the request on.

#include "http.hpp"
#include "request.hpp"
#include "served.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <sys/stat.h>

using namespace lab_test;
using namespace std::chrono_literals;

// -- step 6 --

constexpr const char* request_anchor = "step-6-requests";

namespace {

/// The status that a request is refused by; 200 if it is right, 0 if it is not complete.
int status_of(const std::string& bytes) {
    try {
        return lab::parse_request(bytes) ? 200 : 0;
    } catch (const lab::bad_request& refused) {
        return refused.status;
    }
}

bool keeps_alive(const std::string& version, const std::string& field) {
    const std::string bytes = "GET / " + version + "\r\nHost: x\r\n" + field + "\r\n";
    return lab::parse_request(bytes)->keeps_alive;
}

}  // namespace

TEST(step6, a_request_is_parsed_once_it_is_complete) {
    const std::string whole = "GET /style.css?v=2 HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(status_of(whole.substr(0, size)), 0)
            << size << " bytes" << course::why("a head ends with an empty line", request_anchor);
    const std::string two = whole + "GET / HTTP/1.1\r\n";
    const auto parsed = lab::parse_request(two);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->method, "GET");
    EXPECT_EQ(parsed->target, "/style.css?v=2");
    EXPECT_EQ(parsed->head_bytes, whole.size()) << course::why(
        "head_bytes ends behind the empty line: the next request begins there", request_anchor);
    EXPECT_TRUE(parsed->keeps_alive);
}

TEST(step6, what_is_no_request_is_refused) {
    EXPECT_EQ(status_of("GET /\r\n\r\n"), 400)
        << course::why("the first line has a method, a target and a version", request_anchor);
    EXPECT_EQ(status_of("GET  / HTTP/1.1\r\nHost: x\r\n\r\n"), 400)
        << course::why("one space stands between the parts of the first line", request_anchor);
    EXPECT_EQ(status_of("GET a HTTP/1.1\r\nHost: x\r\n\r\n"), 400)
        << course::why("a target begins with a slash", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505)
        << course::why("another version of HTTP is 505", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400)
        << course::why("HTTP/1.1 requires a Host", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), 200);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"), 400)
        << course::why("a second Host: a proxy may have looked at the other one", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n"), 400)
        << course::why("a field has a colon", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost : x\r\n\r\n"), 400)
        << course::why("a name has no spaces, not even before the colon", request_anchor);
}

TEST(step6, a_body_is_refused) {
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"), 501)
        << course::why("a body that is not read would be taken for the next request", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\ntransfer-ENCODING: chunked\r\n\r\n"), 501)
        << course::why("names of fields are compared without case", request_anchor);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"), 200);
}

TEST(step6, connections_are_kept_by_version_and_field) {
    EXPECT_TRUE(keeps_alive("HTTP/1.1", ""));
    EXPECT_FALSE(keeps_alive("HTTP/1.1", "Connection: close\r\n"));
    EXPECT_FALSE(keeps_alive("HTTP/1.1", "connection:  Close \r\n"))
        << course::why("blanks around a value do not count, nor does its case", request_anchor);
    EXPECT_FALSE(keeps_alive("HTTP/1.0", ""))
        << course::why("HTTP/1.0 ends a connection with its response", request_anchor);
    EXPECT_TRUE(keeps_alive("HTTP/1.0", "Connection: keep-alive\r\n"));
}

TEST(step6, a_path_stays_below_the_root) {
    EXPECT_EQ(lab::path_of("/"), "index.html");
    EXPECT_EQ(lab::path_of("/a/b.txt"), "a/b.txt");
    EXPECT_EQ(lab::path_of("/a/?x=/.."), "a/index.html");
    EXPECT_EQ(lab::path_of("/%41%20b"), "A b");
    EXPECT_EQ(lab::path_of("/a..b/..c"), "a..b/..c");
    for (const char* climbs : {"/../x", "/a/../../x", "/a/.."})
        EXPECT_EQ(lab::path_of(climbs), std::nullopt)
            << climbs << course::why("a part that is .. is refused, wherever it would lead", request_anchor);
    EXPECT_EQ(lab::path_of("/%2e%2E/x"), std::nullopt)
        << course::why("look for .. after decoding: %2e is a dot", request_anchor);
    EXPECT_EQ(lab::path_of("/..%2fx"), std::nullopt)
        << course::why("look for .. after decoding: %2f is a slash", request_anchor);
    EXPECT_EQ(lab::path_of("/a%00b"), std::nullopt)
        << course::why("a zero byte ends the path for the system", request_anchor);
    for (const char* broken : {"/a%4", "/a%zz"})
        EXPECT_EQ(lab::path_of(broken), std::nullopt)
            << broken << course::why("two hexadecimal digits follow a percent sign", request_anchor);
}

// -- step 7 --

constexpr const char* directory_anchor = "step-7-a-directory";

TEST(step7, files_are_served) {
    course::suspect("a request is not answered", directory_anchor);
    const sample_directory directory;
    served(directory.served()).run([&](std::uint16_t port, auto) {
        http_client client(port);
        for (int times = 0; times < 2; ++times) {
            const auto text = client.get("/a.txt");
            EXPECT_EQ(text.status, "200");
            EXPECT_EQ(text.body, std::string(1024, 'a'));
            EXPECT_NE(text.head.find("Content-Type: text/plain"), std::string::npos);
            EXPECT_EQ(client.get("/").body, "<h1>index</h1>");
            EXPECT_EQ(client.get("/sub/").body, "sub");
            EXPECT_EQ(client.get("/with%20space.txt").body, "space");
            EXPECT_EQ(client.get("/good-link.txt").body, std::string(1024, 'a'));
            EXPECT_TRUE(client.get("/big.bin").body == sample_directory::big())
                << course::why("a large file is sent piece by piece, all of it", directory_anchor);
            EXPECT_EQ(client.get("/none").status, "404");
            EXPECT_EQ(client.get("/sub").status, "404");
        }
    });
}

TEST(step7, nothing_outside_is_served) {
    const sample_directory directory;
    served(directory.served()).run([&](std::uint16_t port, auto) {
        for (const char* target : {"/../secret.txt", "/%2e%2e/secret.txt", "/sub/..%2f..%2fsecret.txt"})
            EXPECT_NE(http_client(port).get(target).status, "200") << target;
        EXPECT_EQ(http_client(port).get("/link.txt").status, "404") << course::why(
            "a link leads out of the directory: openat2 with RESOLVE_BENEATH refuses it", directory_anchor);
    });
}

TEST(step7, head_has_no_body_and_requests_may_come_together) {
    const sample_directory directory;
    served(directory.served()).run([&](std::uint16_t port, auto) {
        http_client client(port);
        const auto head = client.get("/a.txt", "", "HEAD");
        EXPECT_NE(head.head.find("Content-Length: 1024"), std::string::npos)
            << course::why("HEAD announces the length that GET would have", directory_anchor);
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /sub/ HTTP/1.1\r\nHost: x\r\n\r\nGET /a.t");
        EXPECT_EQ(client.read().body, "<h1>index</h1>")
            << course::why("the response to HEAD has no body", directory_anchor);
        EXPECT_EQ(client.read().body, "sub")
            << course::why("what follows the first request is the second one", directory_anchor);
        client.send("xt HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(client.read().body.size(), 1024U);
    });
}

TEST(step7, a_refused_request_is_answered_and_closes) {
    const sample_directory directory;
    served(directory.served()).run([&](std::uint16_t port, auto) {
        http_client post(port);
        post.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + std::string(200'000, 'b'));
        EXPECT_EQ(post.read().status, "501") << course::why(
            "the response is lost: close() with unread bytes resets the connection, so end writing and read "
            "on first",
            directory_anchor);
        EXPECT_TRUE(post.is_ended()) << course::why(
            "the connection is reset: close() with unread bytes does that, and the reset may overtake the "
            "response, so end writing and read on first",
            directory_anchor);
        http_client put(port);
        EXPECT_EQ(put.get("/", "", "DELETE").status, "405");
        EXPECT_TRUE(put.is_closed()) << course::why("every status but 200 and 404 closes the connection",
                                                    directory_anchor);
        http_client closing(port);
        const auto last = closing.get("/", "Connection: close\r\n");
        EXPECT_NE(last.head.find("Connection: close"), std::string::npos);
        EXPECT_TRUE(closing.is_closed());
        http_client large(port);
        large.send("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x'));
        EXPECT_EQ(large.read().status, "431")
            << course::why("a head without an end must not fill memory", directory_anchor);
    });
}

TEST(step7, a_pipe_in_the_directory_does_not_stop_the_server) {
    course::suspect("opening a named pipe waits for its other end: open with O_NONBLOCK", directory_anchor);
    const sample_directory directory;
    ASSERT_EQ(::mkfifo((directory.served() + "/fifo").c_str(), 0600), 0);
    served(directory.served()).run([&](std::uint16_t port, auto) {
        EXPECT_EQ(http_client(port).get("/fifo").status, "404") << course::why(
            "opening a named pipe waits for its other end: open with O_NONBLOCK, and serve regular files "
            "only",
            directory_anchor);
    });
}

TEST(step7, connections_are_limited_and_places_come_back) {
    course::suspect("the place of a connection that has ended is not given back", directory_anchor);
    const sample_directory directory;
    lab::http_options options;
    options.connections_max = 3;
    served(directory.served(), options).run([&](std::uint16_t port, auto) {
        for (int round = 0; round < 5; ++round) {
            http_client first(port);
            http_client second(port);
            http_client third(port);
            EXPECT_EQ(first.get("/").status, "200")
                << course::why("the places of connections that have ended are lost", directory_anchor);
            EXPECT_EQ(second.get("/").status, "200");
            EXPECT_EQ(third.get("/").status, "200");
        }
    });
}

// -- step 8 --

constexpr const char* deadline_anchor = "step-8-deadlines";

TEST(step8, an_idle_connection_is_closed) {
    const sample_directory directory;
    lab::http_options options;
    options.idle_timeout = 50ms;
    served(directory.served(), options).run([&](std::uint16_t port, auto) {
        http_client silent(port);
        EXPECT_TRUE(silent.is_closed()) << course::why(
            "a client that connects and sends nothing stays for ever: idle_timeout", deadline_anchor);
        http_client once(port);
        EXPECT_EQ(once.get("/").status, "200");
        EXPECT_TRUE(once.is_closed())
            << course::why("a connection is idle between requests, too", deadline_anchor);
    });
}

TEST(step8, a_head_has_one_deadline_for_all_of_it) {
    const sample_directory directory;
    lab::http_options options;
    options.head_timeout = 300ms;
    served(directory.served(), options).run([&](std::uint16_t port, auto) {
        http_client slow(port);
        const timeval pause{0, 40'000};
        ::setsockopt(slow.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &pause, sizeof(pause));
        bool is_closed = false;
        // A byte every 40 ms, for a second; closed is what recv() says in between.
        for (int sent = 0; sent < 25 && !is_closed; ++sent) {
            slow.send(sent == 0 ? "G" : "x");
            char byte = 0;
            const auto size = ::recv(slow.descriptor(), &byte, 1, 0);
            is_closed = size == 0 || (size < 0 && errno != EAGAIN);
        }
        EXPECT_TRUE(is_closed) << course::why(
            "a byte now and then keeps the connection for ever: the deadline is for the whole head, not for "
            "each read",
            deadline_anchor);
    });
}

TEST(step8, a_response_that_is_not_read_is_given_up) {
    const sample_directory directory;
    lab::http_options options;
    options.write_timeout = 100ms;
    served here(directory.served(), options);
    here.run([&](std::uint16_t port, auto) {
        http_client lazy(port);
        const int small = 4096;
        ::setsockopt(lazy.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
        for (int times = 0; times < 10; ++times)
            lazy.send("GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        ::usleep(600'000);
    });
    EXPECT_EQ(here.sessions_left, 0U) << course::why(
        "a client that does not read its response holds the server: write_timeout", deadline_anchor);
}

// -- step 9 --

constexpr const char* drain_anchor = "step-9-a-drain";

TEST(step9, a_drain_ends_idle_connections_and_the_server) {
    course::suspect("run() does not end after drain()", drain_anchor);
    const sample_directory directory;
    lab::http_options options;
    options.drain_limit = 1h;
    const bool has_ended = served(directory.served(), options).run([&](std::uint16_t port, auto drain) {
        http_client idle(port);
        EXPECT_EQ(idle.get("/").status, "200");
        http_client new_one(port);
        ::usleep(20'000);
        drain();
        EXPECT_TRUE(idle.is_closed())
            << course::why("drain() drops connections that wait for a request", drain_anchor);
        EXPECT_TRUE(new_one.is_closed());
        EXPECT_LT(course::connect_to(port), 0)
            << course::why("after a drain new clients are refused: close the listener", drain_anchor);
    });
    EXPECT_TRUE(has_ended) << course::why("run() ends when the last connection has ended", drain_anchor);
}

TEST(step9, a_connection_that_has_just_come_ends_as_well) {
    const sample_directory directory;
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&](int count) -> lab::task<> {
        lab::acceptor from;
        lab::http_server server(from, directory.served());
        lab::task<> serving = server.run();
        serving.handle().resume();
        const int client = course::connect_to(from.port());
        co_await turns(count);
        server.drain();
        co_await turns(20);
        char byte = 0;
        const auto size = ::recv(client, &byte, 1, MSG_DONTWAIT);
        EXPECT_FALSE(size < 0 && errno == EAGAIN)
            << "drained after " << count << " turns"
            << course::why(
                   "a connection that was accepted before the drain, and whose session began after it, stays",
                   drain_anchor);
        ::close(client);
    };
    for (int count = 0; count < 12; ++count)
        loop.run(work(count));
}

TEST(step9, a_response_that_is_under_way_is_finished) {
    course::suspect("a drained connection does not end after its response", drain_anchor);
    const sample_directory directory;
    // More than the buffers of both sides hold.
    const std::string huge(16'000'000, 'h');
    directory.write("served/huge.bin", huge);
    lab::http_options options;
    options.drain_limit = 1h;
    const bool has_ended = served(directory.served(), options).run([&](std::uint16_t port, auto drain) {
        http_client busy(port);
        const int small = 65'536;
        ::setsockopt(busy.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
        busy.send("GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        busy.await_response();
        drain();
        ::usleep(50'000);
        EXPECT_EQ(busy.read().body.size(), huge.size()) << course::why(
            "drain() has broken a response that was under way: only idle connections are dropped",
            drain_anchor);
        EXPECT_TRUE(busy.is_closed())
            << course::why("after the response that was under way a drained connection ends", drain_anchor);
    });
    EXPECT_TRUE(has_ended);
}

TEST(step9, the_limit_ends_a_drain) {
    course::suspect("a client that does not read keeps a draining server for ever", drain_anchor);
    const sample_directory directory;
    // More than the buffers of both sides hold.
    const std::string huge(16'000'000, 'h');
    directory.write("served/huge.bin", huge);
    lab::http_options options;
    options.drain_limit = 100ms;
    options.write_timeout = 1h;
    const bool has_ended = served(directory.served(), options).run([&](std::uint16_t port, auto drain) {
        http_client lazy(port);
        const int small = 65'536;
        ::setsockopt(lazy.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
        lazy.send("GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        lazy.await_response();
        drain();
        ::usleep(600'000);
        EXPECT_LT(lazy.read().body.size(), huge.size()) << course::why(
            "one client that does not read keeps a draining server for ever: drain_limit drops the rest",
            drain_anchor);
    });
    EXPECT_TRUE(has_ended);
}
