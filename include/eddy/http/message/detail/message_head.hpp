#pragma once

#include <eddy/http/message/detail/body_framing.hpp>
#include <eddy/http/message/detail/head_layout.hpp>
#include <eddy/http/message/field.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace eddy::http {

/// One field line: name as written, value without the white space around it.
class header_view {
public:
    header_view(std::string_view name, std::string_view value, field id) noexcept
        : name_(name), value_(value), id_(id) {}

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    [[nodiscard]] std::string_view value() const noexcept { return value_; }
    [[nodiscard]] field id() const noexcept { return id_; }

private:
    std::string_view name_;
    std::string_view value_;
    field id_;
};

/// What the parsed heads of requests and responses have in common: their fields, and what these say of the
/// connection and the body. It owns nothing: it looks at the parser's offsets and at the received bytes, and
/// is valid while both stay where they are. When the bytes have moved, get a new one from the parser; that
/// costs nothing. Two pointers: pass it by value. Concurrent use needs no locking (it only reads).
class message_head {
public:
    /// 1, or 2 for HTTP/2.
    [[nodiscard]] unsigned major_version() const noexcept { return layout_->major_version; }
    /// 0 or 1: HTTP/1.x, any higher x being understood as 1.1 (RFC 9110 section 2.5). 1 in HTTP/2, which has all
    /// that 1.1 has.
    [[nodiscard]] unsigned minor_version() const noexcept { return layout_->minor_version; }

    [[nodiscard]] body_framing framing() const noexcept { return layout_->framing; }
    /// Whether the connection persists after this exchange (RFC 9112 section 9.3).
    [[nodiscard]] bool keep_alive() const noexcept { return layout_->keep_alive; }
    /// The protocols of Upgrade, when Connection says so too and the version is 1.1; else empty.
    [[nodiscard]] std::string_view upgrade() const noexcept;

    [[nodiscard]] std::size_t header_count() const noexcept { return layout_->header_count; }
    /// Requires: index < header_count(). In the order received.
    [[nodiscard]] header_view header(std::size_t index) const noexcept;

    [[nodiscard]] bool has(field id) const noexcept { return layout_->has(id); }
    /// The first line of this field.
    [[nodiscard]] std::optional<std::string_view> find(field id) const noexcept;
    /// The same by name, in any case: a search through all lines, for fields that have no id.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
    /// The value of a field that means something only when sent once: nothing when it came twice.
    [[nodiscard]] std::optional<std::string_view> only(field id) const noexcept;

    /// Calls visit(value) for each line of this field, in order.
    template <class Visitor>
    void for_each(field id, Visitor&& visit) const {
        if (!has(id)) {
            return;
        }
        for (std::size_t i = layout_->first[static_cast<std::size_t>(id)]; i < layout_->header_count; ++i) {
            if (layout_->lines[i].id == id) {
                visit(view(layout_->lines[i].value));
            }
        }
    }

protected:
    message_head(const head_layout& layout, const char* bytes) noexcept : layout_(&layout), bytes_(bytes) {}

    [[nodiscard]] const head_layout& layout() const noexcept { return *layout_; }
    [[nodiscard]] std::string_view view(text_range range) const noexcept {
        return {bytes_ + range.offset, range.size};
    }

private:
    const head_layout* layout_;
    const char* bytes_;
};

}  // namespace eddy::http
