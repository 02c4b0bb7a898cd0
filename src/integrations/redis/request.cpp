#include <eddy/integrations/redis/request.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

namespace eddy::redis {

namespace {

/// Enough for what stands around an argument of less than 10 MB: `$`, a number and two ends of lines.
constexpr std::size_t around_argument_bytes = 12;

/// What stands before an array and before each string of it: `$` or `*`, a number and the end of the line.
void add_number(std::string& bytes, char kind, std::size_t value) {
    std::array<char, 20> digits;  // of 2^64
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    bytes += kind;
    bytes.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
    bytes += "\r\n";
}

/// Reads the number behind `$` or `*`, and goes behind its line.
std::size_t take_number(std::string_view& rest) {
    std::size_t value = 0;
    const auto end = std::from_chars(rest.data() + 1, rest.data() + rest.size(), value).ptr;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 2);
    return value;
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

void request::encode(std::span<const detail::argument> arguments) {
    if (arguments.empty())
        throw std::invalid_argument("a command has a name");
    std::size_t size = 0;
    for (const detail::argument& each : arguments)
        size += each.text().size() + around_argument_bytes;
    bytes_.clear();
    bytes_.reserve(size);
    add_number(bytes_, '*', arguments.size());
    for (const detail::argument& each : arguments) {
        add_number(bytes_, '$', each.text().size());
        bytes_ += each.text();
        bytes_ += "\r\n";
    }
}

std::vector<std::string_view> request::arguments() const {
    std::string_view rest = bytes_;
    std::vector<std::string_view> all(take_number(rest));
    for (std::string_view& each : all) {
        const std::size_t size = take_number(rest);
        each = rest.substr(0, size);
        rest.remove_prefix(size + 2);
    }
    return all;
}

std::optional<std::string_view> first_key(const request& req) {
    static constexpr std::string_view keyless[] = {
        "ACL",     "ASKING",  "AUTH",     "BGSAVE",    "CLIENT",   "CLUSTER",   "COMMAND",    "CONFIG",
        "DBSIZE",  "DISCARD", "ECHO",     "EXEC",      "FLUSHALL", "FLUSHDB",   "FUNCTION",   "HELLO",
        "INFO",    "KEYS",    "LASTSAVE", "LATENCY",   "MODULE",   "MONITOR",   "MULTI",      "PING",
        "PUBLISH", "PUBSUB",  "QUIT",     "RANDOMKEY", "READONLY", "READWRITE", "ROLE",       "SAVE",
        "SCAN",    "SCRIPT",  "SELECT",   "SHUTDOWN",  "SLOWLOG",  "SUBSCRIBE", "PSUBSCRIBE", "SWAPDB",
        "TIME",    "UNWATCH", "WAIT"};
    static constexpr std::string_view counted[] = {"EVAL",       "EVALSHA", "EVAL_RO",
                                                   "EVALSHA_RO", "FCALL",   "FCALL_RO"};
    static constexpr std::string_view second[] = {"BITOP", "OBJECT", "XINFO", "XGROUP", "MEMORY", "DEBUG"};
    static constexpr std::string_view numbered[] = {"LMPOP", "ZMPOP",      "ZINTER",    "ZUNION",
                                                    "ZDIFF", "SINTERCARD", "ZINTERCARD"};
    const auto all = req.arguments();
    std::string name(all.front());
    std::ranges::transform(name, name.begin(), [](char each) {
        return each >= 'a' && each <= 'z' ? static_cast<char>(each - 'a' + 'A') : each;
    });
    std::size_t place = 1;
    if (is_one_of(name, keyless))
        return std::nullopt;
    if (is_one_of(name, counted) || name == "BLMPOP" || name == "BZMPOP") {
        if (all.size() > 2 && all[2] == "0")
            return std::nullopt;
        place = 3;
    } else if (is_one_of(name, second) || is_one_of(name, numbered)) {
        place = 2;
    } else if (name == "XREAD" || name == "XREADGROUP") {
        const auto streams = std::ranges::find_if(
            all, [](std::string_view each) { return each == "STREAMS" || each == "streams"; });
        place = static_cast<std::size_t>(streams - all.begin()) + 1;
    }
    if (place >= all.size())
        return std::nullopt;
    return all[place];
}

}  // namespace eddy::redis
