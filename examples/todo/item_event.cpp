#include "item_event.hpp"

#include <nlohmann/json.hpp>

namespace todo {

std::string_view name_of(item_event::kind what) noexcept {
    switch (what) {
        case item_event::kind::added:
            return "added";
        case item_event::kind::changed:
            return "changed";
        case item_event::kind::removed:
            return "removed";
    }
    return {};
}

std::string message_of(const item_event& event) {
    return nlohmann::json({{"event", name_of(event.what)}, {"item", event.about}}).dump();
}

}  // namespace todo
