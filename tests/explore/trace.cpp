#include "explore/trace.hpp"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <string_view>

namespace eddy::explore {

namespace {

std::string demangled(const char* type) {
    int status = 0;
    char* const text = abi::__cxa_demangle(type, nullptr, nullptr, &status);
    std::string found = status == 0 ? text : type;
    std::free(text);
    constexpr std::string_view own = "eddy::detail::";
    if (found.starts_with(own))
        found.erase(0, own.size());
    return found;
}

std::string number(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, value < 100'000 ? "%llu" : "%#llx",
                  static_cast<unsigned long long>(value));
    return text;
}

std::string values_of(const step& made) {
    switch (made.what.what) {
        case action::load:
        case action::wait:
            return "= " + number(made.seen);
        case action::compare_exchange:
            if (made.seen == made.left)
                return "= " + number(made.seen) + ", unchanged";
            [[fallthrough]];
        case action::store:
        case action::exchange:
        case action::modify:
            return number(made.seen) + " -> " + number(made.left);
        default:
            return {};
    }
}

}  // namespace

const char* name_of(action what) noexcept {
    switch (what) {
        case action::load:
            return "load";
        case action::store:
            return "store";
        case action::exchange:
            return "exchange";
        case action::compare_exchange:
            return "compare_exchange";
        case action::modify:
            return "modify";
        case action::wait:
            return "wait";
        case action::notify:
            return "notify";
        case action::destroy:
            return "destroy";
        case action::relax:
            return "relax";
        case action::wake:
            return "wake";
    }
    return "?";
}

std::string describe(const object_name& named, unsigned threads) {
    const char maker = named.maker >= threads ? 's' : static_cast<char>('a' + named.maker);
    return maker + std::to_string(named.ordinal) + " (" + demangled(named.type) + ")";
}

std::string describe(const std::source_location& where) {
    const std::string_view file = where.file_name();
    return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(where.line());
}

std::string describe(const std::vector<step>& steps, const std::vector<object_name>& objects,
                     unsigned threads) {
    std::string text;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const step& made = steps[at];
        const std::string object =
            made.what.object == no_object ? std::string() : describe(objects[made.what.object], threads);
        char line[512];
        std::snprintf(line, sizeof line, "%5zu  thread %u  %-16s %-28s %-24s %s\n", at, made.thread,
                      name_of(made.what.what), object.c_str(), values_of(made).c_str(),
                      describe(made.what.where).c_str());
        text += line;
    }
    return text;
}

std::string schedule_of(const std::vector<step>& steps) {
    std::string digits;
    for (const step& made : steps)
        digits += static_cast<char>('0' + made.thread);
    return digits;
}

}  // namespace eddy::explore
