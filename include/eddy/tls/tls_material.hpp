#pragma once

#include <eddy/detail/build.hpp>

#include <string>
#include <utility>

namespace eddy {

/// Where something that TLS works with comes from: a file, which is read again at each reload, or memory.
class tls_material {
public:
    tls_material() = default;
    /// The content of a file.
    [[nodiscard]] static tls_material file(std::string path) { return {std::move(path), true}; }
    /// The content itself.
    [[nodiscard]] static tls_material text(std::string content) { return {std::move(content), false}; }

    /// Whether there is none.
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    /// Whether it is the path of a file, not a text.
    [[nodiscard]] bool is_file() const noexcept { return is_file_; }
    /// The path of a file, or the content.
    [[nodiscard]] const std::string& value() const noexcept { return text_; }

private:
    tls_material(std::string text, bool is_file) noexcept : text_(std::move(text)), is_file_(is_file) {}

    std::string text_;
    bool is_file_ = false;
};

}  // namespace eddy
