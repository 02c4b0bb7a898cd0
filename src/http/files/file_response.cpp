#include "http/files/file_response.hpp"

#include <eddy/http/message/conditional.hpp>
#include <eddy/http/message/detail/byte_ranges.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::size_t part_bytes = 256 * 1024;

// Sends part of an open file. A file that has become shorter leaves the response short, which ends the
// connection.
task<void> write_file(exchange& ex, const file& opened, std::uint64_t offset, std::uint64_t size) {
    const auto memory =
        std::make_unique_for_overwrite<std::byte[]>(std::min<std::uint64_t>(size, part_bytes));
    while (size != 0) {
        const std::span<std::byte> piece(memory.get(), std::min<std::uint64_t>(size, part_bytes));
        const std::size_t count = co_await opened.read_at(piece, offset);
        if (count == 0)
            co_return;
        co_await ex.write(piece.first(count));
        offset += count;
        size -= count;
    }
}

task<void> write_part(exchange& ex, const cached_file& found, const byte_range& part) {
    if (const auto& content = found.content())
        co_await ex.write(as_bytes(std::string_view(*content).substr(part.first(), part.length())));
    else
        co_await write_file(ex, found.opened(), part.first(), part.length());
}

task<void> respond_to_condition(exchange& ex, file_cache::file_pointer found, precondition condition,
                                const field_block& always) {
    if (condition == precondition::failed)
        co_return co_await respond_plainly(ex, status::precondition_failed, always);
    co_await ex.respond(status::not_modified, found->validator_fields(), {});
}

task<void> respond_unsatisfiable(exchange& ex, file_cache::file_pointer found, const field_block& always) {
    const content_range where(byte_range::unsatisfiable(), found->size());
    const std::array<response_field, 1> fields = {response_field("Content-Range", where.text())};
    co_await ex.respond(status::range_not_satisfiable, response_fields(always, fields), {});
}

task<void> respond_with_range(exchange& ex, file_cache::file_pointer found, byte_range range) {
    const content_range where(range, found->size());
    const std::array<response_field, 1> fields = {response_field("Content-Range", where.text())};
    const response_fields all(found->fields(), fields);
    if (const auto& content = found->content())
        co_return co_await ex.respond(status::partial_content, all,
                                      std::string_view(*content).substr(range.first(), range.length()));
    co_await ex.respond_with_file(status::partial_content, all, found->opened(), range.first(),
                                  range.length());
}

std::string random_boundary() {
    io::randomness& source = *eddy::detail::worker_core::current().system().randomness;
    std::array<char, 32> text{};
    char* at = text.data();
    for (int word = 0; word < 2; ++word)
        at = std::to_chars(at, text.data() + text.size(), source.bits(), 16).ptr;
    return {text.data(), at};
}

task<void> respond_with_ranges(exchange& ex, file_cache::file_pointer found, byte_ranges ranges) {
    const multipart_ranges body(ranges, found->size(), found->media_type(), random_boundary());
    // The type of the whole is that of its envelope; each part says the file's.
    field_block fields;
    fields.add("Content-Type", body.content_type()).add(found->validator_fields());
    co_await ex.begin_response(status::partial_content, fields, body.body_bytes());
    if (!ex.wants_body())
        co_return;
    const auto parts = ranges.parts();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::string head = body.head(part);
        co_await ex.write(as_bytes(head));
        co_await write_part(ex, *found, parts[part]);
        if (ex.body_bytes_missing() == 0)
            co_return;
    }
    const std::string tail = body.tail();
    co_await ex.write(as_bytes(tail));
}

task<void> respond_from_disk(exchange& ex, file_cache::file_pointer found) {
    co_await ex.respond_with_file(status::ok, found->fields(), found->opened(), 0, found->size());
}

// Keeps the file until its content is sent.
task<void> finish_response([[maybe_unused]] file_cache::file_pointer kept, ready_or_task<> rest) {
    co_await std::move(rest);
}

}  // namespace

task<void> respond_plainly(exchange& ex, status code, const field_block& always) {
    const std::string body = std::to_string(to_number(code)) + " " + std::string(reason_phrase(code)) + "\n";
    const std::array<response_field, 1> fields = {
        response_field("Content-Type", "text/plain; charset=utf-8")};
    co_await ex.respond(code, response_fields(always, fields), body);
}

ready_or_task<> respond_with_cached_file(exchange& ex, file_cache::file_pointer found,
                                         const field_block& always) {
    const request_head request = ex.request();
    const validators current(found->tag().view(), found->modified_seconds());
    const precondition condition = evaluate_preconditions(request, current, ex.unix_seconds());
    if (condition != precondition::proceed)
        return respond_to_condition(ex, std::move(found), condition, always);

    if (const auto wanted = request.find(field::range);
        wanted && may_send_range(request, current, ex.unix_seconds())) {
        const byte_ranges ranges = parse_byte_ranges(*wanted, found->size());
        if (ranges.kind() == range_kind::unsatisfiable)
            return respond_unsatisfiable(ex, std::move(found), always);
        if (ranges.kind() == range_kind::partial && ranges.parts().size() == 1)
            return respond_with_range(ex, std::move(found), ranges.parts().front());
        // In an encoded form Content-Encoding would say that the envelope is encoded: the whole is sent.
        if (ranges.kind() == range_kind::partial && found->coding() == content_coding::identity)
            return respond_with_ranges(ex, std::move(found), ranges);
    }
    if (!found->content())
        return respond_from_disk(ex, std::move(found));

    ready_or_task<> rest = ex.respond(status::ok, found->fields(), *found->content());
    if (rest.is_done()) [[likely]]
        return {};
    return finish_response(std::move(found), std::move(rest));
}

}  // namespace eddy::http
