#include "edit.hpp"

#include <eddy/http/routing/json.hpp>

#include <algorithm>
#include <string_view>

namespace todo {

namespace {

using nlohmann::json;

// nlohmann-json has checked that it is UTF-8, in which each code point has one byte that is no continuation.
std::size_t count_characters(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xC0) != 0x80; }));
}

bool has_control_character(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(),
                       [](char each) { return (static_cast<unsigned char>(each) < 0x20) || each == 0x7F; });
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Reads the fields of a body one after the other, and gathers what is wrong with them.
class body_reader {
public:
    explicit body_reader(const json& body) : body_(body) {
        if (!body.is_object()) {
            complain("", "must be an object");
            finish();
        }
        for (const auto& each : body.items())
            if (each.key() != "title" && each.key() != "done")
                complain(each.key(), "is not known");
    }

    std::optional<std::string> title() {
        const auto found = body_.find("title");
        if (found == body_.end())
            return std::nullopt;
        if (!found->is_string())
            return complain("title", "must be a string"), std::nullopt;
        std::string text = trimmed(found->get_ref<const std::string&>());
        if (text.empty())
            complain("title", "must not be empty");
        else if (count_characters(text) > title_characters_max)
            complain("title",
                     "must not be longer than " + std::to_string(title_characters_max) + " characters");
        else if (has_control_character(text))
            complain("title", "must be one line of text");
        return text;
    }

    std::optional<bool> done() {
        const auto found = body_.find("done");
        if (found == body_.end())
            return std::nullopt;
        if (!found->is_boolean())
            return complain("done", "must be true or false"), std::nullopt;
        return found->get<bool>();
    }

    void complain(std::string field, std::string detail) {
        faults_.push_back({std::move(field), std::move(detail)});
    }

    /// Throws if anything was wrong.
    void finish() {
        if (!faults_.empty())
            throw invalid_body(std::move(faults_));
    }

private:
    const json& body_;
    std::vector<fault> faults_;
};

eddy::task<json> read_body(eddy::http::exchange& ex) {
    const auto limits = eddy::http::json_limits().bytes_max(body_bytes_max).depth_max(4);
    return eddy::http::read_json<json>(ex, limits);
}

}  // namespace

}  // namespace todo

namespace eddy::http {

task<todo::draft> extractor<todo::draft>::from(exchange& ex) {
    const nlohmann::json body = co_await todo::read_body(ex);
    todo::body_reader reader(body);
    auto title = reader.title();
    if (!body.contains("title"))
        reader.complain("title", "is missing");
    const auto done = reader.done();
    reader.finish();
    todo::draft made;
    made.title = std::move(*title);
    made.done = done.value_or(false);
    co_return made;
}

task<todo::edit> extractor<todo::edit>::from(exchange& ex) {
    const nlohmann::json body = co_await todo::read_body(ex);
    todo::body_reader reader(body);
    todo::edit made;
    made.title = reader.title();
    made.done = reader.done();
    if (body.empty())
        reader.complain("", "must have a title, or done, or both");
    reader.finish();
    co_return made;
}

}  // namespace eddy::http
