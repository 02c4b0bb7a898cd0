#pragma once

#include <eddy/http/message/method.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http::detail {

/// A pattern taken apart: see router. Throws std::invalid_argument, with the pattern in its message, for one
/// that is malformed.
class route_pattern {
public:
    enum class kind : std::uint8_t { text, parameter, rest };
    struct segment {
        segment(kind of, std::string_view named) : type(of), text(named) {}
        kind type;
        std::string text;  // decoded, or the name
    };
    static constexpr std::size_t parameters_max = 16;

    explicit route_pattern(std::string_view pattern);

    [[nodiscard]] const std::vector<segment>& segments() const noexcept { return segments_; }
    /// Of the parameters and the rest, in order.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    void add(std::string_view segment, bool is_last, std::string_view pattern);

    std::vector<segment> segments_;
};

/// The routes of one path: at most one a method, and one for all other methods.
class route_methods {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// An empty name is any method. Returns the route that was there, or none.
    std::uint32_t add(std::string_view method_name, std::uint32_t route);
    /// HEAD finds what GET does, unless it has a route of its own.
    [[nodiscard]] std::uint32_t find(method requested, std::string_view method_name) const noexcept;
    [[nodiscard]] bool empty() const noexcept { return known_.empty() && any_ == none; }
    /// Adds the names of its methods, HEAD and OPTIONS included, that are not there yet.
    void add_names(std::vector<std::string_view>& names) const;

private:
    std::vector<std::pair<std::string, std::uint32_t>> known_;
    std::array<std::uint32_t, 10> by_method_ = {none, none, none, none, none, none, none, none, none, none};
    std::uint32_t any_ = none;
};

/// Where the paths of a router's patterns lead: a tree with a level for each segment. Literal segments are
/// tried before parameters, and these before the rest of a path; if that leads nowhere, or to no route for
/// the method, what is less specific is tried. As a node's level is the segment's number, each node is looked
/// at once at most.
class route_tree {
public:
    route_tree() : nodes_(1) {}

    /// Throws std::invalid_argument if a route that would match the same requests is there: `conflict` is
    /// that route's then.
    class conflict_error {
    public:
        explicit conflict_error(std::uint32_t there) noexcept : route(there) {}
        std::uint32_t route;
    };
    /// Throws conflict_error if there is such a route.
    void add(const route_pattern& pattern, std::string_view method_name, std::uint32_t route);

    /// What was found: a route and the values of its parameters, of which the last may be the rest of the
    /// path, from a segment on.
    class match {
    public:
        std::uint32_t route = route_methods::none;
        std::array<std::uint16_t, route_pattern::parameters_max> parameters;  // numbers of segments
        std::uint16_t parameter_count = 0;
        std::uint16_t rest_from = 0;
        bool has_rest = false;
    };
    /// Whether a path of these segments has a route for this method. If it has routes for others, their
    /// `allowed` are added, if that is not null. Allocates nothing but these.
    [[nodiscard]] bool find(std::span<const std::string_view> segments, method requested,
                            std::string_view method_name, match& found,
                            std::vector<const route_methods*>* allowed) const;

    /// The route of a path that a pattern without parameters and escapes spells, or none: what find() finds for it, too.
    [[nodiscard]] std::uint32_t find_literal(std::string_view path, method requested,
                                             std::string_view method_name) const noexcept;

    [[nodiscard]] const std::vector<const route_methods*> all_methods() const;

private:
    struct node;
    struct search;
    using index = std::uint32_t;
    static constexpr index none = ~index{0};

    index make_child(index parent, const route_pattern::segment& segment);
    [[nodiscard]] bool find_below(search& search, index at, std::size_t level) const;

    struct edge {
        std::string text;
        index child;
    };
    using edge_list = std::vector<edge>;  // by size, then by text
    [[nodiscard]] static index child_of(const edge_list& edges, std::string_view text) noexcept;
    static void add_edge(edge_list& edges, std::string text, index child);
    struct node {
        edge_list edges;
        index parameter = none;
        route_methods here;
        route_methods rest;
    };
    std::vector<node> nodes_;
    edge_list literal_paths_;
};

}  // namespace eddy::http::detail
