#include <eddy/io/inherited_descriptors.hpp>

#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace eddy::io {

namespace {

constexpr int first_inherited = 3;  // SD_LISTEN_FDS_START

// Takes a variable out of the environment.
std::optional<std::string> take_variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr)
        return std::nullopt;
    std::string taken(value);
    ::unsetenv(name);
    return taken;
}

// 0 for what is no number.
int number(const std::optional<std::string>& text) {
    int value = 0;
    if (!text)
        return 0;
    const char* const last = text->data() + text->size();
    const auto [end, error] = std::from_chars(text->data(), last, value);
    return error == std::errc() && end == last ? value : 0;
}

// The text before the first colon, which is cut off with it.
std::string_view cut_name(std::string_view& names) {
    const std::string_view name = names.substr(0, names.find(':'));
    names.remove_prefix(name.size());
    if (!names.empty())
        names.remove_prefix(1);
    return name;
}

}  // namespace

std::vector<inherited_descriptor> take_inherited_descriptors() {
    const int meant_for = number(take_variable("LISTEN_PID"));
    const int count = number(take_variable("LISTEN_FDS"));
    const std::string all_names = take_variable("LISTEN_FDNAMES").value_or("");
    std::vector<inherited_descriptor> taken;
    if (meant_for != ::getpid())
        return taken;
    std::string_view names = all_names;
    for (int at = 0; at < count; ++at) {
        const int descriptor = first_inherited + at;
        if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
            break;  // there are not as many as announced
        taken.push_back({std::string(cut_name(names)), plain_descriptor(descriptor)});
    }
    return taken;
}

}  // namespace eddy::io
