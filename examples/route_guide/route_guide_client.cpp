// Calls a guide to places, in all four ways. The server is route_guide_server.cpp, or that of another implementation.
//
//     build/release/examples/route_guide/route_guide_client http://127.0.0.1:50051

#include "route_guide.eddy.hpp"

#include <eddy/eddy.hpp>
#include <eddy/rpc.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

namespace rpc = eddy::rpc;
using namespace std::chrono_literals;

routeguide::Point point_at(int latitude, int longitude) {
    routeguide::Point point;
    point.set_latitude(latitude);
    point.set_longitude(longitude);
    return point;
}

// [snippet: unary]
eddy::task<> print_feature(const routeguide::route_guide_client& guide, routeguide::Point at) {
    try {
        const auto feature = co_await guide.get_feature(at, rpc::call_options().timeout(5s));
        std::printf("there is %s\n", feature.name().c_str());
    } catch (const rpc::error& failed) {
        std::printf("%s\n", failed.what());  // NOT_FOUND, say, and what the server says of it
    }
}
// [/snippet]

// [snippet: server_streaming]
eddy::task<> print_features(const routeguide::route_guide_client& guide, routeguide::Rectangle area) {
    auto features = guide.list_features(area);
    while (const auto feature = co_await features.next())
        std::printf("in this area: %s\n", feature->name().c_str());
}
// [/snippet]

// [snippet: client_streaming]
template <class Points>
eddy::task<> print_summary(const routeguide::route_guide_client& guide, Points points) {
    auto route = guide.record_route();
    for (const auto& point : points)
        co_await route.write(point);
    const auto summary = co_await route.finish();
    std::printf("%d points, %d features, %d m\n", summary.point_count(), summary.feature_count(),
                summary.distance());
}
// [/snippet]

// [snippet: bidirectional]
eddy::task<> chat(const routeguide::route_guide_client& guide, routeguide::Point at) {
    auto notes = guide.route_chat();
    for (const char* text : {"first", "second", "third"}) {
        routeguide::RouteNote note;
        *note.mutable_location() = at;
        note.set_message(text);
        co_await notes.write(note);
    }
    co_await notes.finish_writing();
    while (const auto earlier = co_await notes.read())
        std::printf("a note from before: %s\n", earlier->message().c_str());
}
// [/snippet]

// [snippet: channel]
eddy::task<> travel(std::string target) {
    const rpc::channel server(target);
    const routeguide::route_guide_client guide(server);
    const auto gate = point_at(525'162'740, 133'777'040);
    const auto tower = point_at(525'208'180, 134'094'190);
    co_await print_feature(guide, gate);
    co_await print_feature(guide, point_at(0, 0));
    // [/snippet]
    routeguide::Rectangle berlin;
    *berlin.mutable_lo() = point_at(523'000'000, 131'000'000);
    *berlin.mutable_hi() = point_at(527'000'000, 137'000'000);
    co_await print_features(guide, berlin);
    const std::array way{gate, tower};
    co_await print_summary(guide, way);
    co_await chat(guide, gate);
}

int main(int count, char** arguments) {
    eddy::run(travel(count > 1 ? arguments[1] : "http://127.0.0.1:50051"));
}
