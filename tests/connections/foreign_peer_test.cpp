// Peers that know nothing of the library: programs in another language, over the loopback.

#include "support/ipv6.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/udp_socket.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace eddy::foreign_peer_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr auto long_wait = 60s;

/// A Python program that runs beside the test.
class python_program {
public:
    static bool is_there() { return std::system("python3 -c pass >/dev/null 2>&1") == 0; }

    /// `arguments`: without characters that a shell would mind.
    python_program(const test::scratch_directory& directory, std::string_view text,
                   const std::string& arguments) {
        directory.write("peer.py",
                        "import array, os, socket, struct, sys\n" + std::string(text) + "\nprint('ok')\n");
        output_ = ::popen(("python3 " + directory.at("peer.py") + " " + arguments + " 2>&1").c_str(), "re");
    }
    python_program(const python_program&) = delete;
    python_program& operator=(const python_program&) = delete;
    ~python_program() {
        std::string said;
        for (int got = std::fgetc(output_); got != EOF; got = std::fgetc(output_))
            said += static_cast<char>(got);
        EXPECT_EQ(::pclose(output_), 0);
        EXPECT_EQ(said, "ok\n");
    }

private:
    FILE* output_ = nullptr;
};

class foreign_peer : public ::testing::Test {
protected:
    void SetUp() override {
        if (!python_program::is_there())
            GTEST_SKIP() << "[python3] no python3 here";
    }
    test::scratch_directory directory_;
};

TEST_F(foreign_peer, speaks_tcp_and_ends_by_halves) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = [this]() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv6(0));
        const python_program peer(directory_, R"(
stream = socket.create_connection(('::1', int(sys.argv[1])))
sent = bytes(range(256)) * 4000
stream.sendall(sent)
stream.shutdown(socket.SHUT_WR)
echoed = b''
while got := stream.recv(65536):
    echoed += got
assert echoed == sent, len(echoed)
)",
                                  std::to_string(listener.local_endpoint().port()));
        tcp_stream stream = co_await with_timeout(listener.accept(), long_wait);
        std::vector<std::byte> all;
        for (;;) {
            const buffer_lease lease = co_await with_timeout(stream.read_leased(), long_wait);
            if (lease.empty())
                break;
            all.insert(all.end(), lease.bytes().begin(), lease.bytes().end());
        }
        EXPECT_EQ(all.size(), 1'024'000U);
        co_await stream.write_all(all);
        co_await stream.shutdown();
    };
    run_bounded(main());
}

TEST_F(foreign_peer, answers_datagrams) {
    const auto main = [this]() -> task<> {
        udp_socket socket = udp_socket::bind(endpoint::loopback_ipv4(0));
        const python_program peer(directory_, R"(
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer.sendto(b'question', ('127.0.0.1', int(sys.argv[1])))
for number in range(10):
    answer, sender = peer.recvfrom(2000)
    assert answer == b'answer' if number == 0 else len(answer) == (50 if number == 9 else 100), answer
)",
                                  std::to_string(socket.local_endpoint().port()));
        std::array<std::byte, 64> memory{};
        const auto question = co_await with_timeout(socket.receive_from(memory), long_wait);
        EXPECT_EQ(as_text(std::span(memory).first(question.size)), "question");
        co_await socket.send_to(as_bytes("answer"), question.from);
        const std::vector<std::byte> cut(850);
        co_await socket.send_segments(cut, 100, question.from);
    };
    run_bounded(main());
}

TEST_F(foreign_peer, passes_descriptors_and_knows_who_we_are) {
    const auto main = [this]() -> task<> {
        const auto at = local_endpoint::path(directory_.at("socket"));
        local_listener listener = local_listener::bind(at, local_listen_options().mode(0600));
        const python_program peer(directory_, R"(
stream = socket.socket(socket.AF_UNIX)
stream.connect(sys.argv[1])
who = struct.unpack('3i', stream.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
assert who[0] == int(sys.argv[2]), who
reading, writing = os.pipe()
socket.send_fds(stream, [b'end'], [writing])
os.close(writing)
assert os.read(reading, 100) == b'through the pipe'
text, passed, flags, sender = socket.recv_fds(stream, 100, 4)
assert text == b'two' and len(passed) == 2, (text, passed)
)",
                                  directory_.at("socket") + " " + std::to_string(::getpid()));
        local_stream stream = co_await with_timeout(listener.accept(), long_wait);
        EXPECT_GT(stream.credentials().process, 0);
        std::array<std::byte, 16> memory{};
        {
            const received_message received =
                co_await with_timeout(stream.receive_message(memory), long_wait);
            EXPECT_EQ(as_text(std::span(memory).first(received.size)), "end");
            EXPECT_EQ(received.descriptors.size(), 1U);
            EXPECT_EQ(::write(received.descriptors[0], "through the pipe", 16), 16);
        }
        const std::array<int, 2> passed{STDOUT_FILENO, STDERR_FILENO};
        co_await stream.send_message(as_bytes("two"), passed);
    };
    run_bounded(main());
}

TEST_F(foreign_peer, finds_abstract_names) {
    const auto main = [this]() -> task<> {
        const std::string name = "eddy-peer-" + std::to_string(::getpid());
        local_datagram socket = local_datagram::bind(local_endpoint::abstract(name));
        const python_program peer(directory_, R"(
peer = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
peer.bind('\0' + sys.argv[1] + '-peer')
peer.sendto(b'question', '\0' + sys.argv[1])
answer, sender = peer.recvfrom(100)
assert answer == b'answer' and sender == ('\0' + sys.argv[1]).encode(), (answer, sender)
)",
                                  name);
        std::array<std::byte, 64> memory{};
        const auto question = co_await with_timeout(socket.receive_from(memory), long_wait);
        EXPECT_EQ(question.from, local_endpoint::abstract(name + "-peer"));
        co_await socket.send_to(as_bytes("answer"), question.from);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::foreign_peer_test
