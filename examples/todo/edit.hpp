#pragma once

#include <eddy/http/routing/extract.hpp>
#include <eddy/http/server/request_error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace todo {

/// Bytes of a request's body; beyond: 413.
inline constexpr std::size_t body_bytes_max = 16 * 1024;
/// Characters (code points) of a title.
inline constexpr std::size_t title_characters_max = 500;

/// The content of a new item: POST and PUT.
struct draft {
    std::string title;
    bool done = false;
};

/// The changes to an item: PATCH. What is missing stays.
struct edit {
    std::optional<std::string> title;
    std::optional<bool> done;
};

/// What is wrong with one field of a request.
struct fault {
    std::string field;
    std::string detail;
};

/// A body that is JSON, but does not say what it should: 422, with all that is wrong.
class invalid_body final : public eddy::http::request_error {
public:
    explicit invalid_body(std::vector<fault> found)
        : request_error(eddy::http::status::unprocessable_content, "the item is not valid"),
          faults_(std::move(found)) {}
    [[nodiscard]] const std::vector<fault>& faults() const noexcept { return faults_; }

private:
    std::vector<fault> faults_;
};

}  // namespace todo

// Handlers receive a draft or an edit by the types of their parameters. Errors: those of
// eddy::http::read_json(), and todo::invalid_body.
template <>
struct eddy::http::extractor<todo::draft> {
    static task<todo::draft> from(exchange& ex);
};
template <>
struct eddy::http::extractor<todo::edit> {
    static task<todo::edit> from(exchange& ex);
};
