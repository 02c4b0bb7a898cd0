#pragma once

#include <eddy/http/message/detail/media_type.hpp>
#include <eddy/http/message/field_block.hpp>

#include <string_view>

namespace eddy::http {

/// What responses say of a file beyond what the system knows of it. Called once for each version of a file
/// that a file_cache loads, with a path relative to the cache's directory.
class file_description {
public:
    virtual ~file_description() = default;

    /// Its Content-Type. The text lives as long as this object.
    [[nodiscard]] virtual std::string_view media_type(std::string_view path) const {
        return media_type_of(path);
    }
    /// Whether there may be encoded forms of it, by which responses vary.
    [[nodiscard]] virtual bool has_codings(std::string_view path) const {
        static_cast<void>(path);
        return false;
    }
    /// Adds fields for responses that have the file or say that it has not changed.
    virtual void add_fields(std::string_view path, field_block& fields) const {
        static_cast<void>(path);
        static_cast<void>(fields);
    }
};

}  // namespace eddy::http
