#include "integrations_curl/test_site.hpp"
#include "support/descriptor_limit.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

// A thousand downloads at a time from eddy-httpd, three hundred of which are dropped on their way.
namespace eddy::curl::many_downloads_test {
namespace {

using eddy::test::between;
using eddy::test::may_have_descriptors;
using eddy::test::needs_descriptors;
using eddy::test::numbered_text;
using eddy::test::open_descriptors;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;
using eddy::test::seeded_generator;
using eddy::test::turns;
using eddy::test::turns_until;

constexpr std::size_t size = 100'000;

/// The port that eddy-httpd names in its first line.
task<std::string> port_of(child& server) {
    std::string line;
    std::string room(500, '\0');
    while (line.find('\n') == line.npos) {
        const std::size_t count = co_await server.output().read(std::as_writable_bytes(std::span(room)));
        if (count == 0)
            break;
        line.append(room, 0, count);
    }
    const auto colon = line.find("127.0.0.1:");
    if (colon == line.npos)
        throw std::runtime_error("no port in: " + line);
    const auto begin = colon + 10;
    co_return line.substr(begin, line.find_first_not_of("0123456789", begin) - begin);
}

task<bool> download(client& by, std::string url, const std::string& expected) {
    transfer answer = co_await by.get(std::move(url));
    const std::string text = co_await answer.read_all();
    co_return text == expected;
}

task<> download_many(std::string origin, std::mt19937_64& random, int downloads, int drops) {
    const std::string expected = numbered_text(size);
    const auto connections = static_cast<std::size_t>(downloads);
    client by(client_options().connections_max(connections).connections_per_host_max(connections));
    std::vector<handle<bool>> running;
    for (int count = 0; count < downloads; ++count)
        running.push_back(spawn(download(by, origin + "/file.bin", expected)));
    std::ranges::shuffle(running, random);
    for (int count = 0; count < drops; ++count) {
        running.pop_back();
        if (count % 10 == 0)
            co_await turns(between(random, 0, 15));
    }
    int right = 0;
    for (handle<bool>& each : running) {
        const bool is_right = co_await each;
        right += is_right ? 1 : 0;
    }
    EXPECT_EQ(right, downloads - drops);
    EXPECT_EQ(by.running(), 0U);
}

TEST(a_thousand_curl_downloads, are_right_byte_for_byte_with_many_dropped) {
    const char* const programs = std::getenv("PROGRAMS");
    if (programs == nullptr)
        GTEST_SKIP() << "[programs] PROGRAMS does not say where eddy-httpd is";
    if (!may_have_descriptors(1200))
        GTEST_SKIP() << needs_descriptors;
    run_bounded([](std::string httpd) -> task<> {
        auto random = seeded_generator();
        const scratch_directory directory;
        directory.write("file.bin", numbered_text(size));
        child server = co_await command(httpd)
                           .arguments("--root", directory.root(), "--port", "0", "--workers", "1")
                           .output(child_stream::pipe())
                           .start();
        const std::string origin = "http://127.0.0.1:" + co_await port_of(server);
        co_await download_many(origin, random, 50, 15);
        const std::size_t before = open_descriptors();
        co_await download_many(origin, random, 1000, 300);
        co_await turns_until([&] { return open_descriptors() <= before; });
    }(std::string(programs) + "/eddy-httpd"));
}

}  // namespace
}  // namespace eddy::curl::many_downloads_test
