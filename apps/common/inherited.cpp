#include "common/inherited.hpp"

#include <eddy/io/inherited_descriptors.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace eddy::apps {

namespace {

using sockets = std::vector<io::inherited_descriptor>;

// What this process was started with is there once for all of it.
sockets& inherited() {
    static sockets all = io::take_inherited_descriptors();
    return all;
}

sockets::iterator find(std::string_view name) {
    return std::ranges::find_if(inherited(), [name](const io::inherited_descriptor& each) {
        const bool is_special = each.name == redirection_socket || each.name == websocket_socket;
        return name.empty() ? !is_special : each.name == name;
    });
}

}  // namespace

bool has_inherited_socket(std::string_view name) {
    return find(name) != inherited().end();
}

bool adopt_inherited(shared_listeners& opened, std::string_view name) {
    const auto found = find(name);
    if (found == inherited().end())
        return false;
    opened.adopt(std::move(found->descriptor));
    return true;
}

}  // namespace eddy::apps
