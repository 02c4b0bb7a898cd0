#include <eddy/http/routing/metrics_registry.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace eddy::http::metrics_registry_test {
namespace {

TEST(metrics, are_written_in_the_format_of_prometheus) {
    metrics_registry registry;
    auto requests = registry.make_counter("requests_total", "Requests.", {{"method", "GET"}, {"path", "/a"}});
    auto others = registry.make_counter("requests_total", "Requests.", {{"method", "PUT"}, {"path", "/b"}});
    auto in_flight = registry.make_gauge("in_flight", "Now.");
    constexpr std::array<double, 2> bounds = {0.1, 1};
    auto seconds = registry.make_histogram("seconds", "Time.", bounds, {{"a", "b"}});
    requests.add(41);
    ++requests;
    in_flight.set(3);
    in_flight.add(-1.5);
    seconds.observe(0.1);
    seconds.observe(0.5);
    seconds.observe(7);
    EXPECT_EQ(registry.text(),
              "# HELP requests_total Requests.\n"
              "# TYPE requests_total counter\n"
              "requests_total{method=\"GET\",path=\"/a\"} 42\n"
              "requests_total{method=\"PUT\",path=\"/b\"} 0\n"
              "# HELP in_flight Now.\n"
              "# TYPE in_flight gauge\n"
              "in_flight 1.5\n"
              "# HELP seconds Time.\n"
              "# TYPE seconds histogram\n"
              "seconds_bucket{a=\"b\",le=\"0.1\"} 1\n"
              "seconds_bucket{a=\"b\",le=\"1\"} 2\n"
              "seconds_bucket{a=\"b\",le=\"+Inf\"} 3\n"
              "seconds_sum{a=\"b\"} 7.6\n"
              "seconds_count{a=\"b\"} 3\n");
}

TEST(metrics, of_several_owners_are_added_up_and_outlive_them) {
    metrics_registry registry;
    std::optional<metric_counter> first = registry.make_counter("c_total", "");
    std::optional<metric_gauge> gauge = registry.make_gauge("g", "");
    metric_counter second = registry.make_counter("c_total", "");
    metric_gauge other = registry.make_gauge("g", "");
    first->add(1);
    second.add(10);
    gauge->set(5);
    other.set(2);
    EXPECT_NE(registry.text().find("\nc_total 11\n"), std::string::npos);
    EXPECT_NE(registry.text().find("\ng 7\n"), std::string::npos);
    first.reset();
    gauge.reset();
    EXPECT_NE(registry.text().find("\nc_total 11\n"), std::string::npos);
    EXPECT_NE(registry.text().find("\ng 2\n"), std::string::npos);
}

TEST(metrics, of_many_threads_are_all_counted) {
    metrics_registry registry;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&registry] {
            metric_counter mine = registry.make_counter("c_total", "");
            metric_histogram times = registry.make_histogram("h", "", metrics_registry::latency_bounds());
            for (int count = 0; count < 10'000; ++count) {
                ++mine;
                times.observe(0.001);
                if (count % 1000 == 0) {
                    EXPECT_FALSE(registry.text().empty());
                }
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    const std::string text = registry.text();
    EXPECT_NE(text.find("\nc_total 40000\n"), std::string::npos);
    EXPECT_NE(text.find("\nh_count 40000\n"), std::string::npos);
    EXPECT_NE(text.find("\nh_bucket{le=\"0.0005\"} 0\n"), std::string::npos);
    EXPECT_NE(text.find("\nh_bucket{le=\"0.001\"} 40000\n"), std::string::npos);
}

TEST(metrics, that_outlive_their_registry_may_be_used) {
    std::optional<metrics_registry> registry(std::in_place);
    metric_counter counter = registry->make_counter("c_total", "");
    metric_histogram histogram = registry->make_histogram("h", "", metrics_registry::latency_bounds());
    registry.reset();
    ++counter;
    histogram.observe(1);
}

TEST(metrics, may_be_functions) {
    metrics_registry registry;
    double value = 1;
    registry.add_gauge("g", "", [&value] { return value; });
    registry.add_counter("c_total", "", [] { return 1e6; }, {{"a", "1"}});
    value = 2.25;
    EXPECT_NE(registry.text().find("\ng 2.25\n"), std::string::npos);
    EXPECT_NE(registry.text().find("c_total{a=\"1\"} 1000000\n"), std::string::npos) << registry.text();
}

TEST(metrics, escape_what_would_end_a_label_or_a_line) {
    metrics_registry registry;
    auto counter = registry.make_counter("c_total", "a\\b\nc", {{"path", "\"\\\n"}});
    EXPECT_EQ(registry.text(),
              "# HELP c_total a\\\\b\\nc\n"
              "# TYPE c_total counter\n"
              "c_total{path=\"\\\"\\\\\\n\"} 0\n");
}

TEST(metrics, of_one_name_are_of_one_kind) {
    metrics_registry registry;
    auto counter = registry.make_counter("c_total", "", {{"a", "1"}});
    EXPECT_THROW(static_cast<void>(registry.make_gauge("c_total", "")), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(registry.make_counter("c_total", "")), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(registry.make_counter("c_total", "", {{"b", "1"}})),
                 std::invalid_argument);
    for (const char* name : {"", "1a", "a b", "a-b", "\xc3\xa9"})
        EXPECT_THROW(static_cast<void>(registry.make_counter(name, "")), std::invalid_argument) << name;
    for (const char* label : {"", "1a", "a:b", "le"})
        EXPECT_THROW(static_cast<void>(registry.make_counter("d_total", "", {{label, ""}})),
                     std::invalid_argument)
            << label;
}

}  // namespace
}  // namespace eddy::http::metrics_registry_test
