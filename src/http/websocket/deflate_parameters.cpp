#include "http/websocket/extension_list.hpp"

#include <eddy/http/websocket/detail/deflate_parameters.hpp>

#include <algorithm>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view extension_name = "permessage-deflate";
constexpr std::string_view server_forgets_name = "server_no_context_takeover";
constexpr std::string_view client_forgets_name = "client_no_context_takeover";
constexpr std::string_view server_bits_name = "server_max_window_bits";
constexpr std::string_view client_bits_name = "client_max_window_bits";

/// The parameters of one offer or answer, as they are written.
class written_parameters {
public:
    /// Reads up to the end of the extension; false for anything that section 7.1 does not define, or defines
    /// otherwise, or that comes twice.
    [[nodiscard]] bool read(extension_list& list, bool is_offer) noexcept {
        bool is_right = true;
        while (const auto each = list.next_parameter())
            is_right = add(*each, is_offer) && is_right;
        return is_right && list.is_valid();
    }

    bool server_forgets = false;
    bool client_forgets = false;
    std::optional<int> server_bits;
    std::optional<int> client_bits;  // 15 where an offer leaves the value out
    bool has_client_bits = false;

private:
    [[nodiscard]] bool add(const extension_list::parameter& each, bool is_offer) noexcept {
        if (each.name() == server_forgets_name)
            return !each.value() && !std::exchange(server_forgets, true);
        if (each.name() == client_forgets_name)
            return !each.value() && !std::exchange(client_forgets, true);
        if (each.name() == server_bits_name)
            return !server_bits && (server_bits = window_bits(each.value())).has_value();
        if (each.name() != client_bits_name || std::exchange(has_client_bits, true))
            return false;
        if (!each.value())
            return is_offer;
        return (client_bits = window_bits(each.value())).has_value();
    }
    /// A number from 8 to 15 without a leading zero.
    [[nodiscard]] static std::optional<int> window_bits(std::optional<std::string_view> value) noexcept {
        if (!value || value->empty() || value->size() > 2 || value->front() == '0' ||
            !std::ranges::all_of(*value, is_digit))
            return std::nullopt;
        int bits = 0;
        for (const char digit : *value)
            bits = bits * 10 + (digit - '0');
        if (bits < deflate_parameters::window_bits_min || bits > deflate_parameters::window_bits_max)
            return std::nullopt;
        return bits;
    }
};

/// What the server makes of an offer; nothing if it cannot be met.
std::optional<deflate_parameters> meet(const written_parameters& offer,
                                       const deflate_parameters& wanted) noexcept {
    deflate_parameters agreed;
    agreed.server_no_context_takeover(offer.server_forgets || wanted.server_no_context_takeover());
    agreed.client_no_context_takeover(offer.client_forgets || wanted.client_no_context_takeover());
    agreed.server_window_bits(std::min(offer.server_bits.value_or(15), wanted.server_window_bits()));
    agreed.names_server_window(offer.server_bits.has_value());
    if (offer.has_client_bits)
        agreed.client_window_bits(std::min(offer.client_bits.value_or(15), wanted.client_window_bits()));
    else if (wanted.client_window_bits() < deflate_parameters::window_bits_max)
        return std::nullopt;  // a client that does not know the parameter must not receive it
    return agreed;
}

void add_bits(std::string& text, std::string_view name, int bits, bool is_always_named = false) {
    if (bits != deflate_parameters::window_bits_max || is_always_named)
        text.append("; ").append(name).append("=").append(std::to_string(bits));
}

std::string in_words(const deflate_parameters& said) {
    std::string text(extension_name);
    if (said.server_no_context_takeover())
        text.append("; ").append(server_forgets_name);
    if (said.client_no_context_takeover())
        text.append("; ").append(client_forgets_name);
    add_bits(text, server_bits_name, said.server_window_bits(), said.names_server_window());
    return text;
}

}  // namespace

std::optional<deflate_parameters> accept_deflate_offer(std::string_view offers,
                                                       const deflate_parameters& wanted) {
    extension_list list(offers);
    while (const auto name = list.next_extension()) {
        if (!equal_ignoring_case(*name, extension_name))
            continue;
        written_parameters offer;
        if (!offer.read(list, true))
            continue;
        if (auto agreed = meet(offer, wanted))
            return agreed;
    }
    return std::nullopt;
}

std::string deflate_response(const deflate_parameters& agreed) {
    std::string text = in_words(agreed);
    add_bits(text, client_bits_name, agreed.client_window_bits());
    return text;
}

std::string deflate_offer(const deflate_parameters& wanted) {
    std::string text = in_words(wanted);
    text.append("; ").append(client_bits_name);
    if (wanted.client_window_bits() != deflate_parameters::window_bits_max)
        text.append("=").append(std::to_string(wanted.client_window_bits()));
    return text;
}

deflate_agreement check_deflate_response(std::string_view response, const deflate_parameters& wanted) {
    extension_list list(response);
    const auto name = list.next_extension();
    if (!name)
        return list.is_valid() ? deflate_agreement(std::nullopt) : deflate_agreement();
    written_parameters said;
    if (!equal_ignoring_case(*name, extension_name) || !said.read(list, false))
        return {};
    if (list.next_extension() || !list.is_valid())
        return {};  // an extension that was not offered, or the same one twice
    // The server may use less than was offered, and must grant what was requested (section 7.1).
    if ((wanted.server_no_context_takeover() && !said.server_forgets) ||
        said.server_bits.value_or(15) > wanted.server_window_bits() ||
        (said.client_bits && *said.client_bits > wanted.client_window_bits()))
        return {};
    deflate_parameters agreed;
    agreed.server_no_context_takeover(said.server_forgets);
    agreed.client_no_context_takeover(said.client_forgets || wanted.client_no_context_takeover());
    agreed.server_window_bits(said.server_bits.value_or(15));
    agreed.client_window_bits(said.client_bits.value_or(wanted.client_window_bits()));
    return deflate_agreement(agreed);
}

}  // namespace eddy::http
