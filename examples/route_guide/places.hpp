#pragma once

#include "route_guide.pb.h"

#include <span>

namespace routeguide {

struct place {
    int latitude;
    int longitude;
    const char* name;
};

/// What the guide knows.
std::span<const place> all_places() noexcept;

bool is_at(const place& known, const Point& at) noexcept;
bool is_within(const place& known, const Rectangle& area) noexcept;
Feature feature_of(const place& known);

/// In metres, on a sphere.
double distance_between(const Point& from, const Point& to) noexcept;

}  // namespace routeguide
