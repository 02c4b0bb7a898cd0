#include "http/routing/route_tree.hpp"

#include "http/message/characters.hpp"

#include <eddy/http/message/percent_encoding.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::http::detail {

namespace {

[[noreturn]] void refuse_pattern(std::string_view pattern, std::string_view why) {
    throw std::invalid_argument("route " + std::string(pattern) + ": " + std::string(why));
}

bool is_parameter_name(std::string_view name) noexcept {
    const auto is_letter = [](char byte) {
        return (to_lower(byte) >= 'a' && to_lower(byte) <= 'z') || byte == '_';
    };
    return !name.empty() && is_letter(name.front()) &&
           std::ranges::all_of(name, [&](char byte) { return is_letter(byte) || is_digit(byte); });
}

bool is_before(std::string_view one, std::string_view other) noexcept {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
}

void add_name(std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

}  // namespace

route_pattern::route_pattern(std::string_view pattern) {
    if (!pattern.starts_with('/'))
        refuse_pattern(pattern, "a pattern begins with a slash");
    std::string_view rest = pattern;
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view segment = rest.substr(0, rest.find('/'));
        rest.remove_prefix(segment.size());
        add(segment, rest.empty(), pattern);
    }
    const std::vector<std::string> all = names();
    for (auto name = all.begin(); name != all.end(); ++name)
        if (std::find(name + 1, all.end(), *name) != all.end())
            refuse_pattern(pattern, "two parameters have the same name");
    if (all.size() > parameters_max)
        refuse_pattern(pattern, "too many parameters");
}

void route_pattern::add(std::string_view segment, bool is_last, std::string_view pattern) {
    if (segment.starts_with('{') && segment.ends_with('}')) {
        std::string_view name = segment.substr(1, segment.size() - 2);
        const bool is_rest = name.ends_with("...");
        if (is_rest)
            name.remove_suffix(3);
        if (!is_parameter_name(name))
            refuse_pattern(pattern, "the name of a parameter has letters, digits and underscores");
        if (is_rest && !is_last)
            refuse_pattern(pattern, "the rest of a path is the last segment");
        segments_.emplace_back(is_rest ? kind::rest : kind::parameter, name);
        return;
    }
    if (segment.find_first_of("{}") != std::string_view::npos)
        refuse_pattern(pattern, "a parameter is a whole segment");
    const auto decoded = percent_decode(segment);
    if (!decoded)
        refuse_pattern(pattern, "a malformed escape");
    if (*decoded == "." || *decoded == ".." || decoded->find('\0') != std::string::npos)
        refuse_pattern(pattern, "a segment that no request can have");
    segments_.emplace_back(kind::text, *decoded);
}

std::vector<std::string> route_pattern::names() const {
    std::vector<std::string> all;
    for (const segment& each : segments_)
        if (each.type != kind::text)
            all.push_back(each.text);
    return all;
}

std::uint32_t route_methods::add(std::string_view method_name, std::uint32_t route) {
    if (method_name.empty()) {
        if (any_ == none)
            any_ = route;
        return any_ == route ? none : any_;
    }
    for (const auto& known : known_)
        if (known.first == method_name)
            return known.second;
    known_.emplace_back(method_name, route);
    if (const method known = method_from(method_name); known != method::other)
        by_method_[static_cast<std::size_t>(known)] = route;
    return none;
}

std::uint32_t route_methods::find(method requested, std::string_view method_name) const noexcept {
    std::uint32_t found = none;
    if (requested != method::other) [[likely]] {
        found = by_method_[static_cast<std::size_t>(requested)];
        if (found == none && requested == method::head)
            found = by_method_[static_cast<std::size_t>(method::get)];
    } else {
        for (const auto& known : known_)
            if (known.first == method_name)
                found = known.second;
    }
    return found != none ? found : any_;
}

void route_methods::add_names(std::vector<std::string_view>& names) const {
    for (const auto& known : known_) {
        add_name(names, known.first);
        if (known.first == "GET")
            add_name(names, "HEAD");
    }
    add_name(names, "OPTIONS");
}

route_tree::index route_tree::child_of(const edge_list& edges, std::string_view text) noexcept {
    const auto found = std::lower_bound(
        edges.begin(), edges.end(), text,
        [](const edge& each, std::string_view wanted) { return is_before(each.text, wanted); });
    return found != edges.end() && found->text == text ? found->child : none;
}

route_tree::index route_tree::make_child(index parent, const route_pattern::segment& segment) {
    const bool is_text = segment.type == route_pattern::kind::text;
    if (const index there = is_text ? child_of(nodes_[parent].edges, segment.text) : nodes_[parent].parameter;
        there != none)
        return there;
    const auto made = static_cast<index>(nodes_.size());
    nodes_.emplace_back();
    node& above = nodes_[parent];
    if (!is_text) {
        above.parameter = made;
        return made;
    }
    add_edge(above.edges, segment.text, made);
    return made;
}

void route_tree::add_edge(edge_list& edges, std::string text, index child) {
    const auto position = std::ranges::lower_bound(edges, text, is_before, &edge::text);
    edges.insert(position, edge{std::move(text), child});
}

void route_tree::add(const route_pattern& pattern, std::string_view method_name, std::uint32_t route) {
    index at = 0;
    bool is_rest = false;
    bool is_literal = true;
    std::string path;
    for (const auto& segment : pattern.segments()) {
        is_rest = segment.type == route_pattern::kind::rest;
        if (!is_rest)
            at = make_child(at, segment);
        // Text that a path can have in an escape only is found by its segments.
        is_literal = is_literal && segment.type == route_pattern::kind::text &&
                     segment.text.find_first_of("%/") == std::string::npos;
        path.append("/").append(segment.text);
    }
    if (is_literal && child_of(literal_paths_, path) == none)
        add_edge(literal_paths_, std::move(path), at);
    route_methods& methods = is_rest ? nodes_[at].rest : nodes_[at].here;
    if (const std::uint32_t there = methods.add(method_name, route); there != route_methods::none)
        throw conflict_error(there);
}

std::uint32_t route_tree::find_literal(std::string_view path, method requested,
                                       std::string_view method_name) const noexcept {
    const index found = child_of(literal_paths_, path);
    return found == none ? route_methods::none : nodes_[found].here.find(requested, method_name);
}

struct route_tree::search {
    std::span<const std::string_view> segments;
    method requested;
    std::string_view method_name;
    match& found;
    std::vector<const route_methods*>* allowed;

    [[nodiscard]] bool accept(const route_methods& methods) const {
        found.route = methods.find(requested, method_name);
        if (found.route != route_methods::none)
            return true;
        if (allowed != nullptr && !methods.empty())
            allowed->push_back(&methods);
        return false;
    }
};

bool route_tree::find(std::span<const std::string_view> segments, method requested,
                      std::string_view method_name, match& found,
                      std::vector<const route_methods*>* allowed) const {
    search here{segments, requested, method_name, found, allowed};
    return find_below(here, 0, 0);
}

bool route_tree::find_below(search& search, index at, std::size_t level) const {
    const node& here = nodes_[at];
    if (level == search.segments.size())
        return search.accept(here.here);
    const std::string_view segment = search.segments[level];
    if (const index child = child_of(here.edges, segment);
        child != none && find_below(search, child, level + 1))
        return true;
    match& found = search.found;
    if (here.parameter != none && !segment.empty()) {
        found.parameters[found.parameter_count++] = static_cast<std::uint16_t>(level);
        if (find_below(search, here.parameter, level + 1))
            return true;
        --found.parameter_count;
    }
    if (here.rest.empty() || !search.accept(here.rest))
        return false;
    found.has_rest = true;
    found.rest_from = static_cast<std::uint16_t>(level);
    return true;
}

const std::vector<const route_methods*> route_tree::all_methods() const {
    std::vector<const route_methods*> all;
    for (const node& each : nodes_) {
        if (!each.here.empty())
            all.push_back(&each.here);
        if (!each.rest.empty())
            all.push_back(&each.rest);
    }
    return all;
}

}  // namespace eddy::http::detail
