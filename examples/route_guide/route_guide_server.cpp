// A guide to places: calls of gRPC of all four kinds. Its client is route_guide_client.cpp.
//
//     build/release/examples/route_guide/route_guide_server 50051
//
// Any implementation of gRPC can call it. Without a port it takes one that is free. Ctrl-C drains it: calls that are
// under way have five seconds.

#include "places.hpp"
#include "route_guide.eddy.hpp"

#include <eddy/eddy.hpp>
#include <eddy/http/server.hpp>
#include <eddy/rpc.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace http = eddy::http;
namespace rpc = eddy::rpc;
using namespace std::chrono_literals;
using routeguide::Feature;
using routeguide::Point;
using routeguide::RouteNote;
using routeguide::RouteSummary;

// [snippet: service]
class guide final : public routeguide::route_guide_service {
public:
    eddy::task<Feature> get_feature(rpc::server_call&, Point at) override {
        for (const auto& known : routeguide::all_places())
            if (is_at(known, at))
                co_return feature_of(known);
        throw rpc::error(rpc::status_code::not_found, "nothing is to be seen there");
    }

    eddy::async_generator<Feature> list_features(rpc::server_call&, routeguide::Rectangle area) override {
        for (const auto& known : routeguide::all_places())
            if (is_within(known, area))
                co_yield feature_of(known);
    }

    eddy::async_generator<RouteNote> route_chat(rpc::server_call&, rpc::reader<RouteNote>& notes) override {
        while (auto left = co_await notes.read()) {
            // A copy: others may leave notes while these are on their way.
            const auto there = notes_[position_of(*left)];
            for (const auto& earlier : there)
                co_yield earlier;
            notes_[position_of(*left)].push_back(std::move(*left));
        }
    }
    // [/snippet]

    eddy::task<RouteSummary> record_route(rpc::server_call&, rpc::reader<Point>& points) override {
        const auto begin = std::chrono::steady_clock::now();
        RouteSummary route;
        double distance = 0;
        std::optional<Point> before;
        while (auto at = co_await points.read()) {
            route.set_point_count(route.point_count() + 1);
            route.set_feature_count(route.feature_count() + count_at(*at));
            distance += before ? distance_between(*before, *at) : 0;
            before = std::move(at);
        }
        route.set_distance(static_cast<int>(distance));
        const auto elapsed = std::chrono::steady_clock::now() - begin;
        route.set_elapsed_time(
            static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(elapsed).count()));
        co_return route;
    }

private:
    using position = std::pair<int, int>;

    static position position_of(const RouteNote& left) {
        return {left.location().latitude(), left.location().longitude()};
    }
    static int count_at(const Point& at) {
        const auto holds = [&at](const routeguide::place& known) { return is_at(known, at); };
        return static_cast<int>(std::ranges::count_if(routeguide::all_places(), holds));
    }

    std::map<position, std::vector<RouteNote>> notes_;
};

// [snippet: serve]
eddy::task<> serve(eddy::endpoint where) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    guide service;
    rpc::services calls;
    calls.add(service);
    http::server server(eddy::tcp_listener::bind(where), calls,
                        http::server_options().protocol(rpc::http2()));
    std::printf("listening on %s\n", server.listener().local_endpoint().to_string().c_str());
    std::fflush(stdout);
    co_await eddy::race(server.run(), ending.wait());
    server.drain();
    co_await server.join(5s);
}
// [/snippet]

int main(int count, char** arguments) {
    const auto port = static_cast<std::uint16_t>(count > 1 ? std::atoi(arguments[1]) : 0);
    eddy::run(serve(eddy::endpoint::loopback_ipv4(port)));
}
