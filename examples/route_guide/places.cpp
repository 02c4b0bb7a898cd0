#include "places.hpp"

#include "route_guide.pb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace routeguide {
namespace {

constexpr std::array places{
    place{.latitude = 525'162'740, .longitude = 133'777'040, .name = "Brandenburg Gate"},
    place{.latitude = 525'208'180, .longitude = 134'094'190, .name = "Television Tower"},
    place{.latitude = 525'186'200, .longitude = 133'761'870, .name = "Reichstag"},
    place{.latitude = 488'583'740, .longitude = 22'944'810, .name = "Eiffel Tower"},
    place{.latitude = 515'007'290, .longitude = -1'246'250, .name = "Big Ben"},
};

bool is_between(int value, int one, int other) noexcept {
    return std::min(one, other) <= value && value <= std::max(one, other);
}

double radians(int position) noexcept {
    return position * 1e-7 * std::numbers::pi / 180;
}

}  // namespace

std::span<const place> all_places() noexcept {
    return places;
}

bool is_at(const place& known, const Point& at) noexcept {
    return known.latitude == at.latitude() && known.longitude == at.longitude();
}

bool is_within(const place& known, const Rectangle& area) noexcept {
    return is_between(known.latitude, area.lo().latitude(), area.hi().latitude()) &&
           is_between(known.longitude, area.lo().longitude(), area.hi().longitude());
}

Feature feature_of(const place& known) {
    Feature feature;
    feature.set_name(known.name);
    feature.mutable_location()->set_latitude(known.latitude);
    feature.mutable_location()->set_longitude(known.longitude);
    return feature;
}

double distance_between(const Point& from, const Point& to) noexcept {
    constexpr double earth_radius_m = 6'371'000;
    const double across = std::sin((radians(to.latitude()) - radians(from.latitude())) / 2);
    const double along = std::sin((radians(to.longitude()) - radians(from.longitude())) / 2);
    const double chord = across * across + std::cos(radians(from.latitude())) *
                                               std::cos(radians(to.latitude())) * along * along;
    return 2 * earth_radius_m * std::asin(std::min(1.0, std::sqrt(chord)));
}

}  // namespace routeguide
