#include <eddy/io/detail/result.hpp>
#include <eddy/net/detail/datagram_state.hpp>

#include <algorithm>
#include <type_traits>

namespace eddy::detail {

datagram_state::datagram_state(worker_core& home, int descriptor, io::opcode send_to_peer) noexcept
    : worker_descriptor(home, descriptor, home.others_open()), send_to_peer_(send_to_peer) {}

datagram_state::~datagram_state() {
    EDDY_ASSERT(uses_.empty(), "a socket outlives the operations on it");
    close();
}

void datagram_state::close() noexcept {
    if (!is_open())
        return;
    uses_.for_each([this](socket_use& use) { backend().cancel(use.used()); });
    kept_.reset();
    is_one_lost_ = false;
    close_descriptor();
    backend().finish_closing();
}

void datagram_state::keep(std::span<const std::byte> bytes, const io::message& msg) noexcept {
    try {
        auto made = std::make_unique<kept_datagram>();
        made->bytes = owned_bytes(bytes.size());
        std::ranges::copy(bytes, made->bytes.bytes().begin());
        if (msg.peer != nullptr)
            made->from = *msg.peer;
        if (msg.local_peer != nullptr)
            made->local_from = *msg.local_peer;
        made->is_truncated = msg.is_truncated;
        made->segment_bytes = msg.segment_bytes_received;
        kept_ = std::move(made);
    } catch (const std::bad_alloc&) {
        is_one_lost_ = true;
    }
}

std::expected<std::unique_ptr<datagram_state::kept_datagram>, std::error_code>
datagram_state::take_kept() noexcept {
    if (kept_ == nullptr)
        return std::unexpected(io::error_of(std::exchange(is_one_lost_, false) ? -ENOMEM : -ECANCELED));
    return std::move(kept_);
}

std::size_t datagram_state::kept_datagram::copy_to(std::span<std::byte> out) noexcept {
    const std::size_t size = std::min(out.size(), bytes.size());
    std::ranges::copy(bytes.bytes().first(size), out.begin());
    is_truncated = is_truncated || size < bytes.size();
    return size;
}

template <class Endpoint>
awaited_datagram<Endpoint>::awaited_datagram(datagram_state& state, std::span<std::byte> out) noexcept
    : awaited_operation(state.backend(), io::opcode::receive_message), state_(state), out_(out) {}

template <class Endpoint>
awaited_datagram<Endpoint>::~awaited_datagram() {
    withdraw_if_pending();
    if (!was_awaited() || is_taken_)
        return;
    state_.is_receiving = false;
    // The receive had won the race: its datagram goes to the next one.
    if (result() >= 0 && state_.is_open())
        state_.keep(out_.first(static_cast<std::size_t>(result())), reported);
}

template <class Endpoint>
bool awaited_datagram<Endpoint>::await_ready() noexcept {
    if (out_.empty() || !state_.is_open())
        return true;
    state_.require_no_receive();
    if (state_.has_kept())
        return true;
    describe();
    return try_at_once(state_.receive_speculation) && consume_budget();
}

template <class Endpoint>
void awaited_datagram<Endpoint>::describe() noexcept {
    descriptor = state_.descriptor();
    piece_ = const_buffer(out_);
    reported.buffers = std::span(&piece_, 1);
    if constexpr (std::is_same_v<Endpoint, endpoint>) {
        reported.peer = &from_;
        reported.wants_segments = state_.receives_segments;
    } else {
        reported.local_peer = &from_;
    }
}

template <class Endpoint>
void awaited_datagram<Endpoint>::await_suspend(detail::suspension point) noexcept {
    state_.is_receiving = true;
    state_.list(use_);
    awaited_operation::await_suspend(point);
}

template <class Endpoint>
std::expected<received_from<Endpoint>, std::error_code> awaited_datagram<Endpoint>::outcome() noexcept {
    if (out_.empty())
        return received_from<Endpoint>{0, {}, false, 0};
    if (!was_awaited()) {
        const auto kept = state_.take_kept();
        if (!kept)
            return std::unexpected(kept.error());
        datagram_state::kept_datagram& taken = **kept;
        const std::size_t size = taken.copy_to(out_);
        received_from<Endpoint> given{size, {}, taken.is_truncated, taken.segment_bytes};
        if constexpr (std::is_same_v<Endpoint, endpoint>)
            given.from = taken.from;
        else
            given.from = taken.local_from;
        return given;
    }
    is_taken_ = true;
    state_.is_receiving = false;
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    return received_from<Endpoint>{static_cast<std::size_t>(result()), from_, reported.is_truncated,
                                   reported.segment_bytes_received};
}

template class awaited_datagram<endpoint>;
template class awaited_datagram<local_endpoint>;

awaited_datagram_send::awaited_datagram_send(datagram_state& state, std::span<const std::byte> bytes) noexcept
    : awaited_operation(state.backend(), state.send_to_peer()), state_(state), piece_(bytes) {
    address = const_cast<void*>(piece_.data());
    size = piece_.size();
}

awaited_datagram_send::awaited_datagram_send(datagram_state& state, std::span<const std::byte> bytes,
                                             const endpoint& to) noexcept
    : awaited_operation(state.backend(), io::opcode::send_message),
      state_(state),
      piece_(bytes),
      to_(to),
      has_peer_(true) {}

awaited_datagram_send::awaited_datagram_send(awaited_datagram_send&& other) noexcept
    : awaited_operation(std::move(other)),
      // NOLINTBEGIN(bugprone-use-after-move): the base took its part only
      state_(other.state_),
      piece_(other.piece_),
      to_(other.to_),
      has_peer_(other.has_peer_) {}
// NOLINTEND(bugprone-use-after-move)

bool awaited_datagram_send::await_ready() noexcept {
    descriptor = state_.descriptor();
    if (descriptor < 0)
        return true;
    reported.buffers = std::span(&piece_, 1);
    reported.peer = has_peer_ ? &to_ : nullptr;
    return try_at_once(state_.send_speculation) && consume_budget();
}

void awaited_datagram_send::await_suspend(detail::suspension point) noexcept {
    state_.list(use_);
    awaited_operation::await_suspend(point);
}

std::expected<std::size_t, std::error_code> awaited_datagram_send::outcome() noexcept {
    const std::int32_t sent = was_awaited() ? result() : -ECANCELED;
    return io::expected_count(sent);
}

}  // namespace eddy::detail
