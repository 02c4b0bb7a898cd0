#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::rpc {

/// Names and values that go along with a call: before its messages (initial) or behind them (trailing).
///
///     rpc::metadata().add("x-request-id", id).add("signature-bin", bytes)
///
/// - Names are of lower-case letters, digits, "-", "_" and "."; add() turns upper case into lower. Several values of
///   one name keep their order.
/// - A value is of printable ASCII characters, without a space at its ends, but that of a name that ends with "-bin",
///   which is any bytes: these are in base64 on the wire, and as they are here.
/// - Names that begin with "grpc-" are the protocol's.
class metadata {
public:
    /// A name and its value.
    using entry = std::pair<std::string, std::string>;

    /// Throws std::invalid_argument for what is not allowed, the protocol's own names among them.
    metadata& add(std::string_view name, std::string_view value);

    /// The first value of this name.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
    /// Whether there is an entry of this name.
    [[nodiscard]] bool contains(std::string_view name) const noexcept { return find(name).has_value(); }
    /// All values of this name, in order.
    [[nodiscard]] std::vector<std::string_view> find_all(std::string_view name) const;

    [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
    [[nodiscard]] auto end() const noexcept { return entries_.end(); }
    /// The number of entries.
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    /// Whether there is no entry.
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    /// Removes all entries.
    void clear() noexcept { entries_.clear(); }

    [[nodiscard]] friend bool operator==(const metadata&, const metadata&) = default;

    // -- for the library --

    /// What a peer has sent, which need not be what add() allows. Requires: the name is in lower case.
    metadata& add_received(std::string_view name, std::string value);

private:
    std::vector<entry> entries_;
};

}  // namespace eddy::rpc
