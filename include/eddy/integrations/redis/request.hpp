#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace eddy::redis {

namespace detail {

/// One argument as text: text that is the caller's, or a number written out.
class argument {
public:
    explicit argument(std::string_view text) noexcept : text_(text) {}
    explicit argument(std::span<const std::byte> bytes) noexcept
        : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}
    template <class Number>
        requires(std::integral<Number> || std::floating_point<Number>)
    explicit argument(Number value) noexcept {
        size_ = static_cast<std::size_t>(
            std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr - digits_.data());
    }
    [[nodiscard]] std::string_view text() const noexcept {
        return size_ == 0 ? text_ : std::string_view(digits_.data(), size_);
    }

private:
    std::string_view text_;
    std::array<char, 32> digits_;
    std::size_t size_ = 0;  // of the digits
};

template <class T>
concept plain_argument = std::constructible_from<argument, const T&> && !std::same_as<T, bool>;
template <class T>
concept pair_of_arguments = requires(const T& pair) {
    pair.first;
    pair.second;
};

template <class T>
void add_argument(std::vector<argument>& all, const T& value) {
    if constexpr (plain_argument<T>) {
        all.emplace_back(value);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
        all.emplace_back(std::string_view(value));
    } else if constexpr (pair_of_arguments<T>) {
        add_argument(all, value.first);
        add_argument(all, value.second);
    } else {
        static_assert(std::ranges::input_range<const T>,
                      "an argument is text, bytes, a number, a pair of such, or a range of them");
        for (const auto& each : value)
            add_argument(all, each);
    }
}

}  // namespace detail

/// A command as it is sent: an array of strings (RESP2).
///
///     redis::request("SET", "greeting", "hello", "EX", 60)
///     redis::request("MSET", std::map<std::string, int>{...})       // ranges and pairs add their elements
///
/// Arguments are text or bytes of any content, numbers, pairs, and ranges of these. What they refer to is
/// copied. A value; throws std::invalid_argument if there is no argument, std::bad_alloc.
class request {
public:
    /// A command and its arguments.
    template <class... Arguments>
        requires(sizeof...(Arguments) > 0 && !(std::same_as<Arguments, request> || ...))
    explicit request(const Arguments&... arguments) {
        std::vector<detail::argument> all;
        all.reserve(sizeof...(Arguments));
        (detail::add_argument(all, arguments), ...);
        encode(all);
    }

    /// What goes to the server.
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    /// The arguments, the command's name among them.
    [[nodiscard]] std::vector<std::string_view> arguments() const;

private:
    void encode(std::span<const detail::argument> arguments);

    std::string bytes_;
};

/// The first key of a command, which decides which node of a cluster it goes to; none for commands without
/// keys. EVAL and the like, XREAD, OBJECT and other commands whose keys stand elsewhere are known; of an
/// unknown command the first argument is taken.
[[nodiscard]] std::optional<std::string_view> first_key(const request& req);

/// Commands that go to the server together, in one write where they fit. A value.
///
///     redis::pipeline batch;
///     batch.add("SET", "a", 1).add("INCR", "a");
///     const std::vector<redis::reply> replies = co_await server.run(batch);
class pipeline {
public:
    /// Adds a command and its arguments.
    template <class... Arguments>
    pipeline& add(const Arguments&... arguments) {
        requests_.emplace_back(arguments...);
        return *this;
    }
    pipeline& add(request made) {
        requests_.push_back(std::move(made));
        return *this;
    }

    /// The commands, in order.
    [[nodiscard]] const std::vector<request>& requests() const noexcept { return requests_; }
    /// Moves the commands out.
    [[nodiscard]] std::vector<request> take() && noexcept { return std::move(requests_); }
    /// The number of commands.
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    /// Whether there is no command.
    [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }
    /// Removes all commands.
    void clear() noexcept { requests_.clear(); }

private:
    std::vector<request> requests_;
};

}  // namespace eddy::redis
