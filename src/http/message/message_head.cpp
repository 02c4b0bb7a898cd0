#include "http/message/characters.hpp"

#include <eddy/http/message/detail/message_head.hpp>

namespace eddy::http {

std::string_view message_head::upgrade() const noexcept {
    return layout_->upgrades ? find(field::upgrade).value_or(std::string_view()) : std::string_view();
}

header_view message_head::header(std::size_t index) const noexcept {
    const field_line& line = layout_->lines[index];
    return {{bytes_ + line.name_offset, line.name_size}, view(line.value), line.id};
}

std::optional<std::string_view> message_head::find(field id) const noexcept {
    if (!has(id)) {
        return std::nullopt;
    }
    return view(layout_->lines[layout_->first[static_cast<std::size_t>(id)]].value);
}

std::optional<std::string_view> message_head::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < header_count(); ++i) {
        if (const auto line = header(i); equal_ignoring_case(line.name(), name)) {
            return line.value();
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> message_head::only(field id) const noexcept {
    return layout_->repeats(id) ? std::nullopt : find(id);
}

}  // namespace eddy::http
