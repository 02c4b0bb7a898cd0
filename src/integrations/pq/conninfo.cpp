#include "conninfo.hpp"

#include "native.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/net/resolver.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::pq::detail {
namespace {

struct options_deleter {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};
using native_options = std::unique_ptr<PQconninfoOption, options_deleter>;

native_options parse(const std::string& text) {
    char* message = nullptr;
    native_options parsed(PQconninfoParse(text.c_str(), &message));
    const std::unique_ptr<char, decltype(&PQfreemem)> owned(message, [](void* freed) { PQfreemem(freed); });
    if (parsed == nullptr)
        throw error(errc::invalid_argument, message == nullptr ? "out of memory" : message);
    return parsed;
}

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        list.remove_prefix(comma + 1);
    }
}

void append(std::string& list, bool is_first, std::string_view part) {
    if (!is_first)
        list += ',';
    list += part;
}

/// Whether libpq would look it up.
bool is_name(const std::string& host) {
    return !host.empty() && !host.starts_with('/') && !host.starts_with('@');
}

/// The address without its port, as hostaddr has it.
std::string address_of(const endpoint& found) {
    const std::string text = found.to_string();
    const std::size_t colon = text.rfind(':');
    return text.starts_with('[') ? text.substr(1, colon - 2) : text.substr(0, colon);
}

}  // namespace

conninfo::conninfo(const connection_options& options) {
    set("client_encoding", "UTF8");
    set("gssencmode", "disable");
    const auto take = [this](const native_options& from) {
        for (const PQconninfoOption* option = from.get(); option->keyword != nullptr; ++option) {
            if (option->val != nullptr)
                set(option->keyword, option->val);
        }
    };
    // Of what libpq takes from the environment by itself only the host needs to be known.
    const native_options defaults(PQconndefaults());
    if (defaults == nullptr)
        throw std::bad_alloc();
    for (const PQconninfoOption* option = defaults.get(); option->keyword != nullptr; ++option) {
        const std::string_view keyword(option->keyword);
        if (option->val != nullptr && (keyword == "host" || keyword == "hostaddr" || keyword == "port"))
            set(option->keyword, option->val);
    }
    take(parse(options.connection_string()));
    for (const auto& [keyword, value] : options.parameters())
        set(keyword, value);
}

const std::string& conninfo::value(const std::string& keyword) const noexcept {
    static const std::string none;
    const auto found = std::ranges::find(settings_, keyword, &setting::keyword);
    return found == settings_.end() ? none : found->value;
}

void conninfo::set(const std::string& keyword, std::string value) {
    const auto found = std::ranges::find(settings_, keyword, &setting::keyword);
    if (found != settings_.end())
        found->value = std::move(value);
    else
        settings_.emplace_back(keyword, std::move(value));
}

task<> conninfo::resolve_hosts() {
    if (!value("hostaddr").empty() || value("host").empty())
        co_return;
    const std::vector<std::string> hosts = split(value("host"));
    const std::vector<std::string> ports = split(value("port"));
    if (std::ranges::none_of(hosts, is_name) || (ports.size() != 1 && ports.size() != hosts.size()))
        co_return;  // libpq has words for the second

    std::string all_hosts;
    std::string all_addresses;
    std::string all_ports;
    std::optional<std::error_code> refused;
    std::size_t count = 0;
    for (std::size_t index = 0; index < hosts.size(); ++index) {
        const std::string& port = ports.size() == 1 ? ports.front() : ports[index];
        std::vector<std::string> addresses(1);
        if (is_name(hosts[index])) {
            auto found = co_await as_result(resolve(hosts[index], std::string()));
            if (!found) {
                refused = found.error();
                continue;
            }
            addresses.clear();
            for (const endpoint& each : *found)
                addresses.push_back(address_of(each));
        }
        for (const std::string& address : addresses) {
            append(all_hosts, count == 0, hosts[index]);
            append(all_addresses, count == 0, address);
            append(all_ports, count == 0, port);
            ++count;
        }
    }
    if (count == 0)
        throw std::system_error(*refused, value("host"));
    set("host", std::move(all_hosts));
    set("hostaddr", std::move(all_addresses));
    set("port", std::move(all_ports));
}

std::vector<const char*> conninfo::keywords() const {
    std::vector<const char*> pointers;
    pointers.reserve(settings_.size() + 1);
    for (const setting& each : settings_)
        pointers.push_back(each.keyword.c_str());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<const char*> conninfo::values() const {
    std::vector<const char*> pointers;
    pointers.reserve(settings_.size() + 1);
    for (const setting& each : settings_)
        pointers.push_back(each.value.c_str());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace eddy::pq::detail
