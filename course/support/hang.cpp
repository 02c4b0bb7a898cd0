#include "support/hang.hpp"

#include "support/test.hpp"
#include "support/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <unistd.h>

namespace course {

namespace {

std::string line_of(const char* file, unsigned number) {
    std::ifstream source(file);
    std::string line;
    for (unsigned at = 0; at < number && std::getline(source, line); ++at) {
    }
    const auto begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : line.substr(begin);
}

// From "lab1/..." or "solution/..." on.
std::string short_name(const std::string& file) {
    const auto at = file.rfind("/course/");
    return at == std::string::npos ? file : file.substr(at + 1);
}

}  // namespace

void print_waiting_places() {
#if COURSE_TRACE
    std::map<std::tuple<std::string, unsigned, std::string>, int> places;
    int not_begun = 0;
    traced_frame::for_each([&](std::source_location place) {
        if (place.line() == 0)
            ++not_begun;
        else
            ++places[{place.file_name(), place.line(), place.function_name()}];
    });
    for (const auto& [place, count] : places) {
        const auto& [file, line, function] = place;
        std::printf("course: waits: %s:%u: %s", short_name(file).c_str(), line,
                    line_of(file.c_str(), line).c_str());
        std::printf(count > 1 ? "  (%d coroutines)\n" : "\n", count);
    }
    if (not_begun > 0)
        std::printf("course: waits: %d coroutine%s that came to no co_await\n", not_begun,
                    not_begun == 1 ? "" : "s");
    if (places.empty() && not_begun == 0)
        std::printf("course: waits: no coroutine is alive\n");
#endif
}

int live_coroutines() {
    int count = 0;
#if COURSE_TRACE
    traced_frame::for_each([&](std::source_location) { ++count; });
#endif
    return count;
}

void report_hang(const std::string& reason) {
    std::printf("\ncourse: hang: %s\n", reason.c_str());
    print_waiting_places();
    print_suspicion();
    std::fflush(stdout);
    _exit(exit_hang);
}

}  // namespace course
