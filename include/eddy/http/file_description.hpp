#pragma once

#include <eddy/http/field_block.hpp>
#include <eddy/http/media_type.hpp>

#include <string_view>

namespace eddy::http {

/// What answers say of a file beside what the system knows of it. Asked once for each version of a file that
/// a file_cache loads, by a path relative to the cache's folder.
class file_description {
public:
    virtual ~file_description() = default;

    /// Its Content-Type. The text lives as long as this object.
    [[nodiscard]] virtual std::string_view media_type(std::string_view path) const {
        return media_type_of(path);
    }
    /// Whether there may be encoded forms of it, by which answers vary.
    [[nodiscard]] virtual bool has_codings(std::string_view path) const {
        static_cast<void>(path);
        return false;
    }
    /// Adds fields for answers that have the file or say that it has not changed.
    virtual void add_fields(std::string_view path, field_block& fields) const {
        static_cast<void>(path);
        static_cast<void>(fields);
    }
};

}  // namespace eddy::http
