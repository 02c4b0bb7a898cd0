#include "http/h2/http2_server_stream.hpp"

#include "http/h2/http2_connection.hpp"
#include "http/h2/http2_fields.hpp"
#include "http/h2/http2_stream_end.hpp"
#include "http/message/characters.hpp"
#include "http/message/field_syntax.hpp"
#include "http/message/string_memory.hpp"

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <charconv>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http {

namespace {

constexpr std::size_t front_bytes_kept = 16'384;

/// The fields of one head, for nghttp2.
class head_fields {
public:
    explicit head_fields(std::vector<nghttp2_nv>& room) noexcept : fields_(room) { fields_.clear(); }

    void add(std::string_view name, std::string_view value) {
        bytes_ += name.size() + value.size();
        fields_.push_back(field_pair(name, trim(value)));
    }
    void add_lines(std::string_view lines, bool is_upgrade) {
        while (!lines.empty()) {
            const field_text line = take_field_line(lines);
            add_field(line.name, line.value, is_upgrade);
        }
    }
    void add_field(std::string_view name, std::string_view value, bool is_upgrade) {
        if (is_of_the_connection(name) || (is_upgrade && field_from(name) == field::sec_websocket_accept))
            return;
        add(name, value);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::span<const nghttp2_nv> all() const noexcept { return fields_; }

private:
    std::vector<nghttp2_nv>& fields_;
    std::size_t bytes_ = 0;
};

}  // namespace

http2_server_stream::http2_server_stream(server_state& shared)
    : exchange_stream(shared, protocol::other),
      reader_(std::make_unique<eddy::detail::erased_stream_of<http2_stream_end>>(
          http2_stream_end(*this, http2_stream_end::ownership::none))) {
    output_ = &http2_stream::output();
}

http2_server_stream::~http2_server_stream() = default;

void http2_server_stream::clear() noexcept {
    http2_stream::clear();
    request.clear();
    clear_keeping(front, front_bytes_kept);
    trailers.clear();
    trailer_bytes = 0;
    front_unread = 0;
    connection = nullptr;
    ex.reset();
    response.reset();
    if (parts_ != nullptr)
        std::exchange(parts_, nullptr)->clear();
    is_begun = is_handled = is_rejected = is_own_end_sent = false;
    handled_at = {};
    discarded_bytes = 0;
    is_broken_ = false;
}

exchange_parts& http2_server_stream::make_parts() {
    if (kept_parts_ == nullptr)
        kept_parts_ = std::make_unique<exchange_parts>();
    return *kept_parts_;
}

const connection_info& http2_server_stream::info() {
    return connection->info();
}

exchange_stream::receiving http2_server_stream::receive_until(time_point deadline) noexcept {
    // What lies in front was read by now.
    note_read(std::exchange(front_unread, 0));
    return {*reader_, eddy::detail::stream_operation::timed, &eddy::detail::erased_stream::read_leased_until,
            deadline};
}

void http2_server_stream::flush_before_wait(bool with_continue) {
    if (connection == nullptr)
        return;
    if (with_continue && arrived_bytes() == 0 && !is_input_ended())
        connection->send_continue(*this);
    if (waiting_bytes() != 0)
        connection->stream_has_output(*this);
}

void http2_server_stream::add_trailers(field_list& to) const {
    for (const field_list::line& line : trailers)
        to.add(line.name(), line.value());
}

bool http2_server_stream::try_write_head(const response_writer& written, const response_fields& fields,
                                         response_framing body) {
    if (connection == nullptr || is_rejected || !is_open)
        throw std::system_error(std::make_error_code(std::errc::broken_pipe), "sending a response");
    for (const response_field& single : fields.single())
        if (!is_field(single.name(), single.value()))
            throw std::invalid_argument("a response has a field that HTTP does not allow");
    const bool is_upgrade = body.end() == body_end::upgrade;
    const status code =
        is_upgrade && written.code() == status::switching_protocols ? status::ok : written.code();
    std::array<char, 3> digits;
    std::to_chars(digits.data(), digits.data() + digits.size(), to_number(code));
    std::array<char, 20> length_digits;

    head_fields head(connection->field_room());
    head.add(":status", {digits.data(), digits.size()});
    head.add_lines(connection->common_fields(), false);
    head.add_lines(fields.block(), is_upgrade);
    for (const response_field& single : fields.single())
        head.add_field(single.name(), single.value(), is_upgrade);
    if (parts_ != nullptr)
        if (const field_block* const added = written.added_fields())
            head.add_lines(added->text(), is_upgrade);
    const bool has_length = body.end() == body_end::content_length && !forbids_body(code);
    if (has_length && body.is_announced()) {
        char* const begin = length_digits.data();
        const char* const end = std::to_chars(begin, begin + length_digits.size(), body.length()).ptr;
        head.add("content-length", {begin, static_cast<std::size_t>(end - begin)});
    }
    if (head.bytes() > sent_head_bytes_max)
        throw std::length_error("the fields of a response are too large");
    const bool sends_body = is_upgrade || (written.request().method() != method::head &&
                                           !forbids_body(code) && (!has_length || body.length() != 0));
    if (has_length && sends_body)
        left_to_send = body.length();
    connection->send_head(*this, head.all(), !sends_body);
    return true;
}

ready_or_task<> http2_server_stream::send(std::string_view bytes) {
    if (bytes.empty() && try_flush()) [[likely]]
        return {};
    return send_behind(bytes, is_broken_);
}

task<void> http2_server_stream::end_body(std::string_view lines) {
    trailers_to_send.assign(lines);
    end_output();
    co_return;
}

task<std::uint64_t> http2_server_stream::send_file(const file&, std::uint64_t, std::uint64_t) {
    co_return 0;
}

any_stream http2_server_stream::take_over(std::string_view unread) {
    if (!unread.empty())
        add_in_front(as_bytes(unread));
    front_unread = 0;
    // For good: the job ends with the stream, or with the part of the handler that runs in it.
    eddy::detail::job& running = *eddy::detail::resume_loop::current().running();
    running.set_context(eddy::detail::job_context_reference(
        new eddy::detail::job_context(running.context(), shared_.draining.get_token())));
    ++shared_.counts.upgrades;
    any_stream taken(http2_stream_end(*this, http2_stream_end::ownership::shared));
    return taken;
}

}  // namespace eddy::http
