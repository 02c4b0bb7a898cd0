// Whatever cannot be allocated, no answer comes to another transfer than its own, and the client goes on.

#include "http/served.hpp"
#include "integrations_curl/test_site.hpp"
#include "support/on_each_worker.hpp"
#include "support/time_bound.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::curl::allocation_test {
namespace {

using namespace std::chrono_literals;
using eddy::testing::scenario_options;

/// Gives whether it has succeeded.
task<bool> ask(client& by, std::string to, std::string expected) {
    try {
        transfer answer = co_await by.get(std::move(to));
        const std::string text = co_await answer.read_all();
        if (answer.status() == 200 && text != expected)
            throw std::logic_error("the answer to another request: " + text);
        co_return answer.status() == 200;
    } catch (const std::bad_alloc&) {
        co_return false;
    } catch (const std::system_error&) {
        co_return false;
    }
}

task<> converse(std::string place) {
    client by;
    handle<bool> beside = spawn(ask(by, place + "/one", "GET /one|-|-|-|-|eddy|"));
    const bool first = co_await ask(by, place + "/two", "GET /two|-|-|-|-|eddy|");
    const bool second = co_await beside;
    const bool third = co_await ask(by, place + "/three", "GET /three|-|-|-|-|eddy|");
    // A single allocation has failed, which may have taken a connection with it.
    if ((!first || !second) && !third)
        throw std::logic_error("the client does not go on");
}

TEST(a_curl_client_without_memory, gives_each_answer_to_whom_it_belongs) {
    const eddy::test::time_bound bound;
    // On a thread of its own, where nothing fails.
    http::test::served site([] { return std::make_unique<eddy::test::test_answers>(); });
    const auto found = eddy::testing::fail_allocation_everywhere(
        [place = "http://127.0.0.1:" + std::to_string(site.port())] {
            return eddy::test::on_each_worker([place] { return converse(place); });
        },
        scenario_options()
            .name("converse")
            .runtime(runtime_options().workers(2))
            .run_time_max(10s)
            .counts_descriptors(false));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 20U);
}

}  // namespace
}  // namespace eddy::curl::allocation_test
