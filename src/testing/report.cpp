#include <eddy/testing/report.hpp>

namespace eddy::testing {

std::string report::message() const {
    std::string text = title_ + ": " + std::to_string(runs_) + " runs, " + std::to_string(points_) +
                       " points, " + (passed() ? "passed" : std::to_string(findings_.size()) + " findings");
    for (const std::string& finding : findings_)
        text += "\n  " + finding;
    return text;
}

}  // namespace eddy::testing
