#pragma once

#include <eddy/integrations/curl/upload.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::curl {

/// A form that may have files in it, sent as multipart/form-data (RFC 7578) by libcurl's mime interface. A
/// value; setters chain.
///
///     curl::form entered;
///     entered.field("title", "A day").file("photo", "day.png", std::move(image), "image/png");
class form {
public:
    /// A field or a file of the form.
    class part {
    public:
        /// A part; an empty file name makes it a field.
        part(std::string name, std::string file_name, upload content, std::string type)
            : name_(std::move(name)),
              file_name_(std::move(file_name)),
              type_(std::move(type)),
              content_(std::move(content)) {}

        /// The name of the field.
        [[nodiscard]] const std::string& name() const noexcept { return name_; }
        /// The name that the server sees; empty for a field.
        [[nodiscard]] const std::string& file_name() const noexcept { return file_name_; }
        /// The media type; empty for libcurl's choice.
        [[nodiscard]] const std::string& type() const noexcept { return type_; }
        /// What is sent.
        [[nodiscard]] const upload& content() const noexcept { return content_; }

    private:
        std::string name_;
        std::string file_name_;
        std::string type_;
        upload content_;
    };

    form() = default;

    /// Adds a field.
    form& field(std::string name, std::string value) {
        parts_.emplace_back(std::move(name), std::string(), upload(std::move(value)), std::string());
        return *this;
    }
    /// `content` may be a stream; the caller opens the file.
    form& file(std::string name, std::string file_name, upload content,
               std::string type = "application/octet-stream") {
        parts_.emplace_back(std::move(name), std::move(file_name), std::move(content), std::move(type));
        return *this;
    }

    /// The parts, in order.
    [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }

private:
    std::vector<part> parts_;
};

/// A form as application/x-www-form-urlencoded, for bodies and queries: everything is escaped but letters,
/// digits and "-._~".
class url_encoded_form {
public:
    url_encoded_form() = default;
    /// Throws std::bad_alloc.
    url_encoded_form& field(std::string_view name, std::string_view value);
    /// The form as it is sent.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

}  // namespace eddy::curl
