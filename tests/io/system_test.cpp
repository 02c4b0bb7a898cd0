#include "support/forwarding_sockets.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/io/detail/names.hpp>
#include <eddy/io/detail/system.hpp>
#include <eddy/net/network_interfaces.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::testing::system_test {
namespace {

using namespace std::chrono_literals;

// Runs a task on one worker whose system is what `change` makes of the real one.
void run_changed(task<> main, system_change change) {
    test::run_bounded(std::move(main), runtime_options().workers(1).change_system(std::move(change)));
}

/// Clocks that stand still, but for the one that timers use, which runs ahead of the real one.
class fixed_clocks final : public io::clocks {
public:
    static constexpr duration ahead = 1000h;
    static constexpr std::int64_t wall_ns = 1'600'000'000'000'000'000;
    static constexpr std::int64_t boot_ns = 5'000'000'000;

    explicit fixed_clocks(io::clocks& real) noexcept : real_(real) {}

    time_point now() const noexcept override { return real_.now() + ahead; }
    std::int64_t wall_clock_ns() const noexcept override { return wall_ns; }
    std::int64_t boot_clock_ns() const noexcept override { return boot_ns; }
    int open_clock_changes() noexcept override { return real_.open_clock_changes(); }
    int renew_clock_changes(int descriptor) noexcept override {
        return real_.renew_clock_changes(descriptor);
    }
    void shift_clocks(duration wall, duration boot) noexcept override { real_.shift_clocks(wall, boot); }

private:
    io::clocks& real_;
};

task<> look_at_the_clocks() {
    EXPECT_EQ(boot_clock::now().time_since_epoch(), duration(fixed_clocks::boot_ns));
    const std::chrono::system_clock::time_point fixed(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(duration(fixed_clocks::wall_ns)));
    // Both are over, which the real clocks do not know.
    co_await sleep_until(fixed);
    co_await sleep_until(clock::now() + fixed_clocks::ahead);
}

TEST(system, its_clocks_can_be_replaced) {
    std::optional<fixed_clocks> clocks;
    run_changed(look_at_the_clocks(),
                [&](io::system& changed) { changed.clocks = &clocks.emplace(*changed.clocks); });
}

class counted_randomness final : public io::randomness {
public:
    void fill(std::span<std::byte> out) noexcept override {
        std::ranges::fill(out, std::byte{0x5a});
        ++calls;
    }
    int calls = 0;
};

task<> make_a_directory(file_path below) {
    temporary_directory made = co_await fs::make_temporary_directory(std::move(below));
    EXPECT_EQ(std::filesystem::path(made.path().text()).filename(), ".eddy-a5a5a5a5a5a5a5a5");
    co_await made.remove();
}

TEST(system, its_randomness_can_be_replaced) {
    const test::scratch_directory place;  // of this process alone, since the name is no random one
    counted_randomness source;
    run_changed(make_a_directory(place.root()), [&](io::system& changed) { changed.randomness = &source; });
    EXPECT_EQ(source.calls, 1);
}

/// A system that is out of descriptors.
class no_sockets final : public io::forwarding_sockets {
public:
    using forwarding_sockets::forwarding_sockets;
    int open_socket(endpoint::family) noexcept override { return -EMFILE; }
};

task<> connect_without_sockets() {
    const auto connected = co_await as_result(tcp_stream::connect(endpoint::loopback_ipv4(1)));
    EXPECT_EQ(connected.error(), std::errc::too_many_files_open);
}

TEST(system, the_error_of_a_call_that_fails_is_reported) {
    std::optional<no_sockets> sockets;
    run_changed(connect_without_sockets(),
                [&](io::system& changed) { changed.sockets = &sockets.emplace(*changed.sockets); });
}

/// Knows one host.
class one_name final : public io::names {
public:
    std::expected<std::vector<endpoint>, std::error_code> look_up(const std::string& host, const std::string&,
                                                                  std::optional<endpoint::family>,
                                                                  bool) override {
        if (host != "one.example")
            return std::unexpected(make_error_code(io::lookup_error::not_found));
        return std::vector(1, endpoint::loopback_ipv4(81));
    }
    std::expected<io::endpoint_names, std::error_code> look_up_names(const endpoint&) override {
        return io::endpoint_names{"one.example", "hosts2-ns"};
    }
    std::vector<io::network_interface> interfaces() override {
        io::network_interface only;
        only.name = "only0";
        return {only};
    }
};

task<> look_up_names() {
    const auto found = co_await resolve("one.example", "any");
    EXPECT_EQ(found, std::vector(1, endpoint::loopback_ipv4(81)));
    const auto unknown = co_await as_result(resolve("localhost", "80"));
    EXPECT_EQ(unknown.error(), io::lookup_error::not_found);
    const io::endpoint_names names = co_await resolve_names(endpoint::loopback_ipv4(81));
    EXPECT_EQ(names.host, "one.example");
    const auto interfaces = network_interfaces();
    EXPECT_EQ(interfaces.size(), 1U);
    EXPECT_EQ(interfaces.at(0).name, "only0");
}

TEST(system, its_names_can_be_replaced) {
    one_name names;
    run_changed(look_up_names(), [&](io::system& changed) { changed.names = &names; });
}

}  // namespace
}  // namespace eddy::testing::system_test
