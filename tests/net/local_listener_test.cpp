#include "support/no_more_descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/net/local_listener.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace eddy::local_listener_test {
namespace {

using test::run_bounded;

/// A directory of the test's own.
class local_listener_test : public ::testing::Test {
protected:
    [[nodiscard]] std::string path(const std::string& name = "socket") const { return directory_.at(name); }
    [[nodiscard]] static bool exists(const std::string& path) {
        return std::filesystem::exists(std::filesystem::symlink_status(path));
    }
    /// The file of a socket whose process has gone.
    static void leave_stale(const std::string& path, int kind = SOCK_STREAM) {
        const int left = ::socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        ASSERT_EQ(::bind(left, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
        ::close(left);
    }

    test::scratch_directory directory_;
};

task<> exchange_a_word(local_listener& listener) {
    local_stream client = co_await local_stream::connect(listener.local_endpoint());
    local_stream server = co_await listener.accept();
    co_await client.write_all(as_bytes("word"));
    std::array<std::byte, 8> memory{};
    const std::size_t size = co_await server.read(memory);
    EXPECT_EQ(as_text(std::span(memory).first(size)), "word");
}

TEST_F(local_listener_test, listens_at_a_path_and_removes_its_file_at_the_end) {
    const auto main = [this]() -> task<> {
        {
            local_listener listener = local_listener::bind(local_endpoint::path(path()));
            EXPECT_EQ(listener.local_endpoint(), local_endpoint::path(path()));
            co_await exchange_a_word(listener);
            EXPECT_TRUE(exists(path()));
        }
        EXPECT_FALSE(exists(path()));
        local_listener closed = local_listener::bind(local_endpoint::path(path()));
        closed.close();
        EXPECT_FALSE(exists(path()));
        const auto late = co_await closed.next();
        EXPECT_FALSE(late.has_value());
    };
    run_bounded(main());
}

TEST_F(local_listener_test, listens_at_abstract_names_of_any_bytes_and_at_free_ones) {
    const auto main = []() -> task<> {
        const std::string odd = "eddy \0\xff\n/" + std::to_string(::getpid());
        for (const auto& at : {local_endpoint::abstract(odd), local_endpoint()}) {
            local_listener listener = local_listener::bind(at);
            EXPECT_EQ(listener.local_endpoint().kind(), local_endpoint::naming::abstract);
            co_await exchange_a_word(listener);
        }
    };
    run_bounded(main());
}

TEST_F(local_listener_test, gives_the_file_the_bits_that_were_asked_for_whatever_the_umask) {
    const mode_t before = ::umask(0077);
    const auto main = [this]() -> task<> {
        for (const int bits : {0600, 0666, 0660}) {
            const auto options = local_listen_options().mode(bits);
            local_listener listener = local_listener::bind(local_endpoint::path(path()), options);
            struct stat status{};
            EXPECT_EQ(::stat(path().c_str(), &status), 0);
            EXPECT_EQ(status.st_mode & 07777, static_cast<mode_t>(bits));
        }
        co_return;
    };
    run_bounded(main());
    ::umask(before);
}

TEST_F(local_listener_test, removes_the_file_of_a_process_that_has_gone) {
    const auto main = [this]() -> task<> {
        for (const int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET}) {
            leave_stale(path(), kind);
            local_listener listener = local_listener::bind(local_endpoint::path(path()));
            co_await exchange_a_word(listener);
        }
        leave_stale(path());
        const local_datagram socket = local_datagram::bind(local_endpoint::path(path()));
        EXPECT_EQ(socket.local_endpoint(), local_endpoint::path(path()));
    };
    run_bounded(main());
}

TEST_F(local_listener_test, leaves_what_is_in_use_and_what_is_no_socket) {
    std::ofstream(path("file")) << "precious";
    const auto main = [this]() -> task<> {
        const auto bind_at = [this](const std::string& name) {
            try {
                static_cast<void>(local_listener::bind(local_endpoint::path(path(name))));
                ADD_FAILURE() << name;
            } catch (const std::system_error& refused) {
                EXPECT_EQ(refused.code(), std::errc::address_in_use);
                EXPECT_NE(std::string(refused.what()).find(path(name)), std::string::npos);
            }
        };
        bind_at("file");
        EXPECT_TRUE(exists(path("file")));
        local_listener stream = local_listener::bind(local_endpoint::path(path("stream")));
        bind_at("stream");
        const local_datagram datagram = local_datagram::bind(local_endpoint::path(path("datagram")));
        bind_at("datagram");
        local_packet_listener packets = local_packet_listener::bind(local_endpoint::path(path("packets")));
        bind_at("packets");
        // The probe came as a connection that was closed at once.
        local_stream probe = co_await stream.accept();
        std::array<std::byte, 1> memory{};
        const std::size_t size = co_await probe.read(memory);
        EXPECT_EQ(size, 0U);
    };
    run_bounded(main());
}

TEST_F(local_listener_test, leaves_the_file_of_one_that_is_about_to_listen) {
    const auto main = [this]() -> task<> {
        for (const int kind : {SOCK_STREAM, SOCK_SEQPACKET}) {
            const int other = ::socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            path().copy(address.sun_path, sizeof(address.sun_path) - 1);
            EXPECT_EQ(::bind(other, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
            const auto refused = [this]() -> bool {
                try {
                    static_cast<void>(local_listener::bind(local_endpoint::path(path())));
                    return false;
                } catch (const std::system_error& error) {
                    return error.code() == std::errc::address_in_use;
                }
            };
            EXPECT_TRUE(refused());
            EXPECT_TRUE(exists(path()));
            // Its file is bound under a name of its own, too, whatever others call it.
            std::filesystem::create_symlink(directory_.at("."), directory_.at("link"));
            EXPECT_THROW(
                static_cast<void>(local_listener::bind(local_endpoint::path(directory_.at("link/socket")))),
                std::system_error);
            EXPECT_TRUE(exists(path()));
            std::filesystem::remove(directory_.at("link"));
            ::close(other);
            local_listener listener = local_listener::bind(local_endpoint::path(path()));
            co_await exchange_a_word(listener);
        }
    };
    run_bounded(main());
}

TEST_F(local_listener_test, leaves_a_file_that_is_no_longer_its_own) {
    const auto main = [this]() -> task<> {
        {
            local_listener first = local_listener::bind(local_endpoint::path(path()));
            ::unlink(path().c_str());
            leave_stale(path());
        }
        EXPECT_TRUE(exists(path()));
        co_return;
    };
    run_bounded(main());
}

TEST_F(local_listener_test, refuses_names_that_no_socket_can_have) {
    EXPECT_THROW(static_cast<void>(local_endpoint::path(std::string(108, 'x'))), std::system_error);
    EXPECT_THROW(static_cast<void>(local_endpoint::abstract(std::string(108, 'x'))), std::system_error);
    EXPECT_THROW(static_cast<void>(local_endpoint::path("")), std::system_error);
    EXPECT_THROW(static_cast<void>(local_endpoint::path(std::string("a\0b", 3))), std::system_error);
    const auto main = [this]() -> task<> {
        const std::string longest = path() + std::string(local_endpoint::name_size_max - path().size(), 'x');
        local_listener listener = local_listener::bind(local_endpoint::path(longest));
        EXPECT_EQ(listener.local_endpoint().name(), longest);
        co_await exchange_a_word(listener);
    };
    run_bounded(main());
}

TEST_F(local_listener_test, keeps_packets_apart) {
    const auto main = [this]() -> task<> {
        local_packet_listener listener = local_packet_listener::bind(local_endpoint::path(path()));
        local_packets client = co_await local_packets::connect(listener.local_endpoint());
        local_packets server = co_await listener.accept();
        EXPECT_EQ(server.credentials().process, ::getpid());
        EXPECT_EQ(client.remote_endpoint(), listener.local_endpoint());
        co_await client.send(as_bytes("one"));
        co_await client.send(as_bytes("longer"));
        std::array<std::byte, 4> memory{};
        const auto first = co_await server.receive_from(memory);
        EXPECT_EQ(first.size, 3U);
        EXPECT_FALSE(first.is_truncated);
        const auto second = co_await server.receive_from(memory);
        EXPECT_EQ(second.size, 4U);
        EXPECT_TRUE(second.is_truncated);
        client.close();
        const std::size_t end = co_await server.receive(memory);
        EXPECT_EQ(end, 0U);
    };
    run_bounded(main());
}

TEST_F(local_listener_test, waits_while_descriptors_are_short) {
    const auto main = [this]() -> task<> {
        local_listener listener = local_listener::bind(local_endpoint::path(path()));
        local_stream client = co_await local_stream::connect(listener.local_endpoint());
        const auto accept = [&]() -> task<local_stream> { co_return co_await listener.accept(); };
        auto accepting = spawn(accept());
        {
            const test::no_more_descriptors full;
            co_await test::turns_until([&] { return listener.shortages() >= 2; });
            EXPECT_FALSE(accepting.done());
            const auto unconnected = co_await as_result(local_stream::connect(listener.local_endpoint()));
            EXPECT_EQ(unconnected.error(), std::errc::too_many_files_open);
        }
        const local_stream accepted = co_await with_timeout(std::move(accepting), std::chrono::seconds(30));
        EXPECT_EQ(accepted.credentials().process, ::getpid());
    };
    run_bounded(main());
}

TEST_F(local_listener_test, says_where_it_cannot_listen) {
    const auto main = [this]() -> task<> {
        const auto refusal = [](const std::string& at) {
            try {
                static_cast<void>(local_listener::bind(local_endpoint::path(at)));
            } catch (const std::system_error& refused) {
                EXPECT_NE(std::string(refused.what()).find(at), std::string::npos) << refused.what();
                return refused.code();
            }
            return std::error_code();
        };
        EXPECT_EQ(refusal(path("no/such/directory")), std::errc::no_such_file_or_directory);
        EXPECT_EQ(refusal(directory_.root()), std::errc::address_in_use);
        std::ofstream(path("file")) << "precious";
        EXPECT_EQ(refusal(path("file/socket")), std::errc::not_a_directory);
        co_return;
    };
    run_bounded(main());
    try {
        static_cast<void>(local_endpoint::path(std::string(200, 'x')));
        ADD_FAILURE() << "no socket has such a name";
    } catch (const std::system_error& refused) {
        EXPECT_EQ(refused.code(), std::errc::filename_too_long);
        EXPECT_NE(std::string(refused.what()).find("xxxx"), std::string::npos);
    }
}

/// A path of the full length, which the system takes without a null byte behind it (unix(7)).
TEST_F(local_listener_test, survives_a_peer_with_a_name_that_ours_never_have) {
    const std::string longest = path() + std::string(108 - path().size(), 'x');
    const int other = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    longest.copy(address.sun_path, sizeof(address.sun_path));
    ASSERT_EQ(::bind(other, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const auto main = [this, other]() -> task<> {
        local_listener listener = local_listener::bind(local_endpoint::path(path()));
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        path().copy(to.sun_path, sizeof(to.sun_path) - 1);
        EXPECT_EQ(::connect(other, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
        const local_stream accepted = co_await listener.accept();
        EXPECT_EQ(accepted.remote_endpoint(), local_endpoint()) << "no name that fits";
    };
    run_bounded(main());
    ::close(other);
}

}  // namespace
}  // namespace eddy::local_listener_test
