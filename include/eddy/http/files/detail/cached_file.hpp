#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/files/detail/file_description.hpp>
#include <eddy/http/message/detail/content_coding.hpp>
#include <eddy/http/message/entity_tag.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/io/file_status.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// One version of a file, or of its encoded form: its header fields and its content belong together. Made by
/// a file_cache.
class cached_file {
public:
    [[nodiscard]] bool is_directory() const noexcept {
        return status_.kind == io::file_status::file_kind::directory;
    }
    [[nodiscard]] bool is_regular() const noexcept {
        return status_.kind == io::file_status::file_kind::regular;
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return status_.size; }
    [[nodiscard]] std::int64_t modified_seconds() const noexcept {
        return std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(status_.modified_ns))
            .count();
    }
    /// Weak for a file that was written just before it was looked at, since it could change once more without
    /// a new time, and for an encoded form that was made of it, which another encoder makes otherwise.
    [[nodiscard]] const entity_tag& tag() const noexcept { return tag_; }
    /// As a Last-Modified field.
    [[nodiscard]] std::string_view last_modified() const noexcept { return last_modified_; }
    [[nodiscard]] std::string_view media_type() const noexcept { return media_type_; }

    /// ETag, Last-Modified, Vary if there may be encoded forms, and what the description adds: for responses
    /// that carry the file or say that it has not changed.
    [[nodiscard]] const field_block& validator_fields() const noexcept { return validator_fields_; }
    /// The same with Content-Type, Content-Encoding and Accept-Ranges.
    [[nodiscard]] const field_block& fields() const noexcept { return fields_; }

    /// The content, if it is in memory.
    [[nodiscard]] const std::optional<std::string>& content() const noexcept { return content_; }
    /// The open file, if the content is not in memory. Requires: is_regular() and no content().
    [[nodiscard]] const file& opened() const noexcept { return *opened_; }

    /// Of an encoded form, its coding.
    [[nodiscard]] content_coding coding() const noexcept { return coding_; }
    /// Whether it is an encoded form that was made here, and not found.
    [[nodiscard]] bool is_made() const noexcept { return is_made_; }

    /// Whether there may be encoded forms.
    [[nodiscard]] bool has_codings() const noexcept { return has_codings_; }
    /// Whether encoded() may be called. Otherwise call file_cache::load_encoded().
    [[nodiscard]] bool knows_encoded(content_coding coding) const noexcept {
        return encoded_[static_cast<std::size_t>(coding)].is_known;
    }
    /// The encoded form; null if there is none. Requires: knows_encoded(coding).
    [[nodiscard]] const std::shared_ptr<const cached_file>& encoded(content_coding coding) const noexcept {
        return encoded_[static_cast<std::size_t>(coding)].form;
    }

private:
    friend class file_cache;

    /// Where it comes from.
    struct origin {
        origin(std::string named, const file_description& said)
            : path(std::move(named)), description(&said) {}
        std::string path;  // of the plain file
        const file_description* description;
        content_coding coding = content_coding::identity;
        bool is_made = false;
    };
    struct encoded_form {
        std::shared_ptr<const cached_file> form;
        bool is_known = false;
        bool is_pending = false;
    };

    cached_file(const io::file_status& status, bool is_fresh, const origin& from);
    [[nodiscard]] bool is_same_version(const io::file_status& now) const noexcept;
    [[nodiscard]] encoded_form& encoded_slot(content_coding coding) noexcept {
        return encoded_[static_cast<std::size_t>(coding)];
    }
    /// With that of its encoded forms.
    [[nodiscard]] std::size_t memory_bytes() const noexcept;

    io::file_status status_;
    bool is_fresh_;
    bool is_made_;
    bool has_codings_;
    content_coding coding_;
    entity_tag tag_;
    std::string_view media_type_;
    std::string last_modified_;
    field_block validator_fields_;
    field_block fields_;
    std::optional<std::string> content_;
    std::optional<file> opened_;
    std::array<encoded_form, content_coding_count> encoded_;
    time_point checked_at_{};
};

}  // namespace eddy::http
