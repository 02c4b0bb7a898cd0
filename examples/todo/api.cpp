#include "api.hpp"

#include "problem.hpp"

#include <eddy/http/message/conditional.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/routing/json.hpp>
#include <eddy/http/server/request_error.hpp>

#include <string>
#include <utility>

namespace todo {

namespace {

namespace http = eddy::http;

std::string tag_of(const item& tagged) {
    return '"' + std::to_string(tagged.version) + '"';
}

http::response answer_with(const item& shown) {
    return http::json_response(shown).header("ETag", tag_of(shown)).header("Cache-Control", "no-cache");
}

[[noreturn]] void refuse(refusal why) {
    if (why == refusal::missing)
        throw http::request_error(http::status::not_found, "there is no such item");
    throw http::request_error(http::status::precondition_failed, "the item has changed meanwhile");
}

http::precondition judge(http::exchange& ex, const item& current) {
    const std::string tag = tag_of(current);
    const http::validators known(http::parse_entity_tag(tag), std::nullopt);
    return http::evaluate_preconditions(ex.request(), known, ex.unix_seconds());
}

// Where the next page is.
std::string next_target(const page_request& wanted, item_id last) {
    std::string target = "/todos?limit=" + std::to_string(wanted.limit) + "&before=" + std::to_string(last);
    if (wanted.done)
        target += *wanted.done ? "&done=true" : "&done=false";
    return target;
}

}  // namespace

void api::add_to(http::router& routes) {
    using limit = http::query<"limit", std::optional<std::size_t>>;
    using before = http::query<"before", std::optional<item_id>>;
    using done = http::query<"done", std::optional<bool>>;
    routes.add("GET", "/todos", with_problems([this](limit most, before older_than, done only) {
                   page_request wanted;
                   wanted.limit = most->value_or(wanted.limit);
                   wanted.before = older_than;
                   wanted.done = only;
                   return list(wanted);
               }));
    routes.add("POST", "/todos", with_problems([this](draft sent) { return add(std::move(sent)); }));
    routes.add("GET", "/todos/{id}",
               with_problems([this](http::exchange& ex, id_of_path id) { return show(ex, id); }));
    routes.add("PUT", "/todos/{id}", with_problems([this](http::exchange& ex, id_of_path id, draft sent) {
                   return change(ex, id, {std::move(sent.title), sent.done});
               }));
    routes.add("PATCH", "/todos/{id}", with_problems([this](http::exchange& ex, id_of_path id, edit sent) {
                   return change(ex, id, std::move(sent));
               }));
    routes.add("DELETE", "/todos/{id}",
               with_problems([this](http::exchange& ex, id_of_path id) { return remove(ex, id); }));
}

eddy::task<http::response> api::list(page_request wanted) {
    if (wanted.limit < 1 || wanted.limit > page_items_max)
        throw http::request_error(http::status::bad_request,
                                  "limit must be from 1 to " + std::to_string(page_items_max));
    const page found = co_await items_.list(wanted);
    nlohmann::json shown = {{"items", found.items}};
    if (found.has_more)
        shown["next"] = next_target(wanted, found.items.back().id);
    co_return http::json_response(shown).header("Cache-Control", "no-cache");
}

eddy::task<http::response> api::add(draft sent) {
    const item made = co_await items_.add(std::move(sent));
    co_return answer_with(made)
        .status(http::status::created)
        .header("Location", "/todos/" + std::to_string(made.id));
}

eddy::task<http::response> api::show(http::exchange& ex, item_id id) {
    const auto found = co_await items_.find(id);
    if (!found)
        refuse(refusal::missing);
    switch (judge(ex, *found)) {
        case http::precondition::not_modified:
            co_return http::response(http::status::not_modified).header("ETag", tag_of(*found));
        case http::precondition::failed:
            refuse(refusal::outdated);
        case http::precondition::proceed:
            break;
    }
    co_return answer_with(*found);
}

eddy::task<http::response> api::change(http::exchange& ex, item_id id, edit sent) {
    const auto expected = co_await expected_version(ex, id);
    const auto changed = co_await items_.change(id, std::move(sent), expected);
    if (!changed)
        refuse(changed.error());
    co_return answer_with(*changed);
}

eddy::task<http::response> api::remove(http::exchange& ex, item_id id) {
    const auto expected = co_await expected_version(ex, id);
    const auto removed = co_await items_.remove(id, expected);
    if (!removed)
        refuse(removed.error());
    co_return http::response(http::status::no_content);
}

eddy::task<std::optional<std::int64_t>> api::expected_version(http::exchange& ex, item_id id) {
    using http::field;
    const http::request_head& request = ex.request();
    if (!request.find(field::if_match) && !request.find(field::if_none_match))
        co_return std::nullopt;
    // The conditions are judged by the item as it is now, and the store looks again when it changes it.
    const auto current = co_await items_.find(id);
    if (!current)
        refuse(refusal::missing);
    if (judge(ex, *current) != http::precondition::proceed)
        refuse(refusal::outdated);
    co_return current->version;
}

}  // namespace todo
