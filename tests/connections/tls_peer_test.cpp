// Peers that speak another TLS than ours, or ours without this library: openssl's programs and Python's ssl.

#include "support/children.hpp"
#include "support/free_port.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/os/command.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::tls_peer_test {
namespace {

using namespace std::chrono_literals;
using test::authority;
using test::certificate_wish;
using test::run_bounded;

class tls_peer : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::system("openssl version >/dev/null 2>&1 && python3 -c 'import ssl' >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "[openssl] no openssl or python3 here";
        place.write("authority.pem", authority().pem());
        place.write("chain.pem", test::localhost().certificate_pem());
        place.write("key.pem", test::localhost().key_pem());
        const auto own = authority().issue(certificate_wish("client.test"));
        place.write("client.pem", own.certificate_pem() + own.key_pem());
    }

    test::scratch_directory place;
};

std::string port_of(const tcp_listener& listener) {
    return std::to_string(listener.local_endpoint().port());
}

/// Answers one client with what it has said, in brackets, until it ends.
task<tls_session_info> answer_one(tcp_listener& listener, tls_context context) {
    tcp_stream accepted = co_await listener.accept();
    auto client = co_await tls_accept(std::move(accepted), context);
    for (;;) {
        const std::string said = co_await test::read_text(client);
        if (said.empty())
            break;
        co_await test::write_text(client, "[" + said + "]");
    }
    co_await client.shutdown();
    co_return client.info();
}

// -- their clients --

/// What `openssl s_client` prints, which says "hello" and ends when it has been answered.
task<std::string> openssl_client(tcp_listener& listener, std::string options) {
    auto started = co_await test::shell("openssl s_client -connect 127.0.0.1:" + port_of(listener) +
                                        " -servername localhost " + options + " 2>&1")
                       .input(child_stream::pipe())
                       .output(child_stream::pipe())
                       .start();
    co_await started.input().write_all(as_bytes("hello\n"));
    std::string said;
    while (said.find("[hello\n]") == std::string::npos) {
        std::array<std::byte, 4096> out;
        const std::size_t count = co_await started.output().read(out);
        if (count == 0)
            break;
        said += as_text(std::span(out).first(count));
    }
    started.input().close();
    said += co_await test::read_all(started.output());
    co_await started.wait();
    co_return said;
}

TEST_F(tls_peer, may_be_a_client_of_openssl) {
    run_bounded([](const test::scratch_directory& files) -> task<> {
        for (const std::string version : {"-tls1_2", "-tls1_3"}) {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            auto answering = spawn(answer_one(
                listener, tls_context(test::server_options()
                                          .alpn({"http/1.1"})
                                          .client_certificates(tls_client_check::required,
                                                               tls_trust().pem(authority().pem())))));
            std::string options =
                version + " -alpn h2,http/1.1 -verify_return_error -verify_hostname localhost";
            options += " -CAfile " + files.at("authority.pem") + " -cert " + files.at("client.pem");
            const std::string said = co_await openssl_client(listener, options);
            const tls_session_info info = co_await std::move(answering);
            EXPECT_EQ(info.version, version == "-tls1_2" ? tls_version::tls_1_2 : tls_version::tls_1_3);
            EXPECT_EQ(info.alpn, "http/1.1");
            EXPECT_EQ(info.peer->subject, "CN=client.test");
            EXPECT_NE(said.find("[hello\n]"), std::string::npos) << said;
            EXPECT_NE(said.find("Verify return code: 0 (ok)"), std::string::npos) << said;
        }
    }(place));
}

TEST_F(tls_peer, resumes_sessions) {
    run_bounded([](const test::scratch_directory& files) -> task<> {
        const tls_context context(test::server_options());
        for (const bool is_first : {true, false}) {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            auto answering = spawn(answer_one(listener, context));
            const std::string session = files.at("session");
            const std::string options = is_first ? "-sess_out " + session : "-sess_in " + session;
            co_await openssl_client(listener, options);
            const tls_session_info info = co_await std::move(answering);
            EXPECT_EQ(info.is_resumed, !is_first);
        }
    }(place));
}

TEST_F(tls_peer, may_be_a_client_in_python) {
    place.write("client.py", R"(
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[2])
context.set_alpn_protocols(['http/1.1'])
with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as below:
    with context.wrap_socket(below, server_hostname='localhost') as stream:
        sent = bytes(range(256)) * 4000
        got = b''
        for at in range(0, len(sent), 50000):
            piece = sent[at:at + 50000]
            stream.sendall(piece)
            answer = b''
            while len(answer.replace(b'[', b'').replace(b']', b'')) < len(piece.replace(b'[', b'').replace(b']', b'')):
                answer += stream.recv(65536)
            got += answer
        stream.unwrap()
        print(stream.version() if stream.version() else 'ended', len(got) >= len(sent))
)");
    run_bounded([](const test::scratch_directory& files) -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto answering = spawn(answer_one(listener, tls_context(test::server_options().alpn({"http/1.1"}))));
        const std::string said = co_await test::output_of(command("python3").arguments(
            files.at("client.py"), port_of(listener), files.at("authority.pem")));
        const tls_session_info info = co_await std::move(answering);
        EXPECT_EQ(info.alpn, "http/1.1");
        EXPECT_NE(said.find("True"), std::string::npos) << said;
    }(place));
}

// -- their servers --

/// Connects as soon as the server listens.
task<tcp_stream> connect_when_up(endpoint to) {
    for (;;) {
        auto connecting = as_result(tcp_stream::connect(to));
        auto connected = co_await std::move(connecting);
        if (connected)
            co_return std::move(*connected);
        co_await test::turns(1);
    }
}

TEST_F(tls_peer, may_be_a_server_of_openssl) {
    run_bounded([](const test::scratch_directory& files) -> task<> {
        for (const std::string version : {"-tls1_2", "-tls1_3"}) {
            const endpoint at = endpoint::loopback_ipv4(test::free_port());
            auto server = co_await test::shell("exec openssl s_server -rev -accept 127.0.0.1:" +
                                               std::to_string(at.port()) + " -alpn http/1.1 " + version +
                                               " -Verify 1 -CAfile " + files.at("authority.pem") + " -cert " +
                                               files.at("chain.pem") + " -key " + files.at("key.pem"))
                              .input(child_stream::pipe())
                              .output(child_stream::null())
                              .error(child_stream::null())
                              .start();
            const tls_context context(
                test::client_options()
                    .alpn({"http/1.1"})
                    .certificate(tls_certificate::files(files.at("client.pem"), files.at("client.pem"))));
            for (const bool is_first : {true, false}) {
                tcp_stream below = co_await connect_when_up(at);
                auto client = co_await tls_connect(std::move(below), context, tls_target("localhost"));
                EXPECT_EQ(client.info().alpn, "http/1.1");
                EXPECT_EQ(client.info().is_resumed, !is_first);
                EXPECT_TRUE(client.info().peer->is_verified);
                co_await test::write_text(client, "abc\n");
                std::string said;
                while (said.size() < 4)
                    said += co_await test::read_text(client);
                EXPECT_EQ(said, "cba\n");
                co_await client.shutdown();
            }
        }
    }(place));
}

TEST_F(tls_peer, is_refused_if_it_is_not_who_it_should_be) {
    run_bounded([](const test::scratch_directory& files) -> task<> {
        const endpoint at = endpoint::loopback_ipv4(test::free_port());
        auto server =
            co_await test::shell("exec openssl s_server -rev -accept 127.0.0.1:" + std::to_string(at.port()) +
                                 " -cert " + files.at("chain.pem") + " -key " + files.at("key.pem"))
                .input(child_stream::pipe())
                .output(child_stream::null())
                .error(child_stream::null())
                .start();
        tcp_stream below = co_await connect_when_up(at);
        auto connecting =
            tls_connect(std::move(below), tls_context(test::client_options()), tls_target("other.test"));
        EXPECT_EQ(co_await test::error_of(std::move(connecting)), tls_error::certificate_refused);
    }(place));
}

}  // namespace
}  // namespace eddy::tls_peer_test
