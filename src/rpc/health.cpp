#include <eddy/rpc/health.hpp>
#include <eddy/rpc/status.hpp>

#include <list>
#include <optional>
#include <stop_token>
#include <utility>

namespace eddy::rpc {
namespace {

constexpr unsigned varint_type = 0;
constexpr unsigned bytes_type = 2;

/// The fields of a message of protobuf, of which those of fixed length do not occur here.
class field_reader {
public:
    explicit field_reader(std::span<const std::byte> left) noexcept : left_(left) {}

    struct field {
        std::uint64_t number = 0;
        std::uint64_t value = 0;  // or how many bytes there are
        std::string_view bytes;
    };
    /// Throws rpc::error for what is malformed.
    [[nodiscard]] std::optional<field> next() {
        if (left_.empty())
            return std::nullopt;
        const std::uint64_t key = varint();
        field found{.number = key >> 3, .value = 0, .bytes = {}};
        const auto type = static_cast<unsigned>(key & 7);
        if (type != varint_type && type != bytes_type)
            fail();
        found.value = varint();
        if (type == varint_type)
            return found;
        if (found.value > left_.size())
            fail();
        found.bytes = {reinterpret_cast<const char*>(left_.data()), static_cast<std::size_t>(found.value)};
        left_ = left_.subspan(found.bytes.size());
        return found;
    }

private:
    [[noreturn]] static void fail() { throw error(status_code::internal, "a message that is malformed"); }

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
            const auto byte = std::to_integer<std::uint64_t>(left_.front());
            left_ = left_.subspan(1);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        fail();
    }

    std::span<const std::byte> left_;
};

/// Stands in a list as long as this lives.
class listed_event {
public:
    explicit listed_event(std::list<auto_reset_event>& in) : list_(in), at_(in.emplace(in.end())) {}
    listed_event(const listed_event&) = delete;
    listed_event& operator=(const listed_event&) = delete;
    ~listed_event() { list_.erase(at_); }

    [[nodiscard]] auto_reset_event& get() const noexcept { return *at_; }

private:
    std::list<auto_reset_event>& list_;
    std::list<auto_reset_event>::iterator at_;
};

void append_varint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

}  // namespace

void codec<health_request>::encode(const health_request& message, std::string_view, std::string& out) {
    if (message.service.empty())
        return;
    append_varint(out, 1U << 3 | bytes_type);
    append_varint(out, message.service.size());
    out += message.service;
}

void codec<health_request>::decode(std::span<const std::byte> bytes, std::string_view,
                                   health_request& message) {
    field_reader fields(bytes);
    while (const auto field = fields.next())
        if (field->number == 1)
            message.service = field->bytes;
}

void codec<health_reply>::encode(const health_reply& message, std::string_view, std::string& out) {
    if (message.status == serving_status::unknown)
        return;
    append_varint(out, 1U << 3 | varint_type);
    append_varint(out, static_cast<std::uint64_t>(message.status));
}

void codec<health_reply>::decode(std::span<const std::byte> bytes, std::string_view, health_reply& message) {
    field_reader fields(bytes);
    while (const auto field = fields.next())
        if (field->number == 1 && field->value <= static_cast<std::uint64_t>(serving_status::service_unknown))
            message.status = static_cast<serving_status>(field->value);
}

health_service::health_service() : service("grpc.health.v1.Health") {
    statuses_.emplace("", serving_status::serving);
    add_unary<health_request, health_reply>(
        "Check", [this](server_call&, health_request request) { return check(std::move(request)); });
    add_server_streaming<health_request, health_reply>(
        "Watch",
        [this](server_call& call, health_request request) { return watch_one(call, std::move(request)); });
}

void health_service::set(std::string_view service, serving_status now) {
    statuses_.insert_or_assign(std::string(service), now);
    for (auto_reset_event& each : watches_)
        each.set();
}

serving_status health_service::status_of(std::string_view service) const noexcept {
    const auto found = statuses_.find(service);
    return found == statuses_.end() ? serving_status::service_unknown : found->second;
}

task<health_reply> health_service::check(health_request request) {
    const serving_status now = status_of(request.service);
    if (now == serving_status::service_unknown)
        throw error(status_code::not_found, "unknown service");
    co_return health_reply{now};
}

async_generator<health_reply> health_service::watch_one(server_call& call, health_request request) {
    const listed_event news(watches_);
    const std::stop_token drains = call.stop_token();
    const std::stop_callback on_drain(drains, [&news] { news.get().set(); });
    std::optional<serving_status> said;
    while (!drains.stop_requested()) {
        const serving_status now = status_of(request.service);
        if (said != now) {
            said = now;
            health_reply reply;
            reply.status = now;
            co_yield std::move(reply);
            continue;
        }
        co_await news.get().wait();
    }
    throw error(status_code::unavailable, "the server drains");
}

}  // namespace eddy::rpc
