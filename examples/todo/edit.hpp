#pragma once

#include <eddy/http/extract.hpp>
#include <eddy/http/request_error.hpp>

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

/// What a client wants an item to be: POST and PUT.
struct draft {
    std::string title;
    bool done = false;
};

/// What a client wants to be different: PATCH. What is missing stays.
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

// Handlers ask for a draft or an edit by the types of their parameters. Errors: those of
// eddy::http::read_json(), and todo::invalid_body.
template <>
struct eddy::http::extractor<todo::draft> {
    static task<todo::draft> from(exchange& asked);
};
template <>
struct eddy::http::extractor<todo::edit> {
    static task<todo::edit> from(exchange& asked);
};
