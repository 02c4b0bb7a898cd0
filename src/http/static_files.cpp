#include <eddy/http/byte_range.hpp>
#include <eddy/http/conditional.hpp>
#include <eddy/http/method.hpp>
#include <eddy/http/static_files.hpp>
#include <eddy/http/target_path.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view index_name = "index.html";
constexpr std::string_view allowed_methods = "GET, HEAD, OPTIONS";
constexpr std::size_t path_bytes_max = 4096;  // PATH_MAX of Linux
constexpr std::size_t piece_bytes = 256 * 1024;
// Beside the other fields of an answer.
constexpr std::size_t location_bytes_max = 6 * 1024;

task<void> answer_plainly(exchange& asked, status code) {
    const std::string body = std::to_string(to_number(code)) + " " + std::string(reason_phrase(code)) + "\n";
    const std::array<answer_field, 2> fields = {answer_field("Content-Type", "text/plain; charset=utf-8"),
                                                answer_field("Allow", allowed_methods)};
    const std::size_t count = code == status::method_not_allowed ? 2 : 1;
    co_await asked.answer(code, answer_fields(std::span(fields).first(count)), body);
}

task<void> answer_options(exchange& asked) {
    const std::array<answer_field, 1> fields = {answer_field("Allow", allowed_methods)};
    co_await asked.answer(status::no_content, fields, {});
}

status status_of(const std::error_code& error) noexcept {
    // A socket cannot be opened at all (no_such_device_or_address), and is neither file nor folder.
    if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
        error == std::errc::no_such_device_or_address)
        return status::forbidden;
    // A link that leaves the folder (cross_device_link) is nobody's business outside.
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
        error == std::errc::cross_device_link || error == std::errc::too_many_symbolic_link_levels ||
        error == std::errc::filename_too_long || error == std::errc::invalid_argument)
        return status::not_found;
    if (error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system ||
        error == std::errc::not_enough_memory)
        return status::service_unavailable;
    return status::internal_server_error;
}

bool is_unreserved(char byte) noexcept {
    const auto lower = static_cast<char>(byte | 0x20);
    return (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' ||
           byte == '_' || byte == '~' || byte == '/';
}

// The target of a folder with its slash. Made of the resolved path, so that it cannot name another host.
std::string folder_location(const request_head& request) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::array<char, path_bytes_max> memory;
    const auto resolved = resolve_target_path(request.path(), memory);
    const std::string_view path = resolved ? resolved->path() : std::string_view();
    std::string location = "/";
    for (const char byte : path) {
        if (is_unreserved(byte)) {
            location += byte;
        } else {
            const auto value = static_cast<unsigned char>(byte);
            location += {'%', digits[value >> 4], digits[value & 15]};
        }
    }
    location += '/';
    if (!request.query().empty())
        location.append("?").append(request.query());
    return location;
}

task<void> redirect_to_folder(exchange& asked) {
    const std::string location = folder_location(asked.request());
    if (location.size() > location_bytes_max)
        co_return co_await answer_plainly(asked, status::uri_too_long);
    const std::array<answer_field, 1> fields = {answer_field("Location", location)};
    co_await asked.answer(status::moved_permanently, fields, {});
}

// Sends part of an open file. A file that has become shorter leaves the answer short, which ends the
// connection.
task<void> write_file(exchange& asked, const file& opened, std::uint64_t offset, std::uint64_t size) {
    const auto memory =
        std::make_unique_for_overwrite<std::byte[]>(std::min<std::uint64_t>(size, piece_bytes));
    while (size != 0) {
        const std::span<std::byte> piece(memory.get(), std::min<std::uint64_t>(size, piece_bytes));
        const std::size_t count = co_await opened.read_at(piece, offset);
        if (count == 0)
            co_return;
        co_await asked.write(piece.first(count));
        offset += count;
        size -= count;
    }
}

task<void> refuse_method(exchange& asked) {
    const method asked_method = asked.request().method();
    if (asked_method == method::options)
        co_return co_await answer_options(asked);
    co_await answer_plainly(
        asked, asked_method == method::other ? status::not_implemented : status::method_not_allowed);
}

task<void> answer_condition(exchange& asked, file_cache::file_pointer found, precondition condition) {
    if (condition == precondition::failed)
        co_return co_await answer_plainly(asked, status::precondition_failed);
    const std::array<answer_field, 2> fields = {answer_field("ETag", found->tag().text()),
                                                answer_field("Last-Modified", found->last_modified())};
    co_await asked.answer(status::not_modified, fields, {});
}

task<void> answer_range(exchange& asked, file_cache::file_pointer found, byte_range range) {
    const content_range part(range, found->size());
    const std::array<answer_field, 1> fields = {answer_field("Content-Range", part.text())};
    if (range.kind() == range_kind::unsatisfiable)
        co_return co_await asked.answer(status::range_not_satisfiable, fields, {});
    const answer_fields all(found->fields(), fields);
    if (const auto& content = found->content())
        co_return co_await asked.answer(status::partial_content, all,
                                        std::string_view(*content).substr(range.first(), range.length()));
    co_await asked.begin_answer(status::partial_content, all, range.length());
    if (asked.wants_body())
        co_await write_file(asked, found->opened(), range.first(), range.length());
}

task<void> answer_from_disk(exchange& asked, file_cache::file_pointer found) {
    co_await asked.begin_answer(status::ok, found->fields(), found->size());
    if (asked.wants_body())
        co_await write_file(asked, found->opened(), 0, found->size());
}

// Keeps the file until its content is sent.
task<void> finish_answer([[maybe_unused]] file_cache::file_pointer kept, prompt_task<> rest) {
    co_await std::move(rest);
}

}  // namespace

static_files::destination static_files::find(std::string_view target) {
    std::array<char, path_bytes_max> memory;
    const std::span<char> buffer(memory.data(), memory.size() - index_name.size() - 1);
    const auto resolved = resolve_target_path(target, buffer);
    destination found;
    if (!resolved) {
        found.is_error = true;
        found.error = resolved.error();
        return found;
    }
    std::size_t size = resolved->path().size();
    std::copy_n(resolved->path().data(), size, memory.data());
    found.names_folder = resolved->names_directory();
    if (found.names_folder) {
        if (size != 0)
            memory[size++] = '/';
        size += index_name.copy(memory.data() + size, index_name.size());
    }
    const std::string_view path(memory.data(), size);
    found.here = files_.find(path);
    if (!found.here)
        found.path = path;
    return found;
}

prompt_task<> static_files::handle(exchange& asked) {
    const request_head request = asked.request();
    if (request.method() != method::get && request.method() != method::head)
        return refuse_method(asked);
    destination found = find(request.path());
    if (found.here && found.here->is_regular()) [[likely]]
        return answer_file(asked, std::move(found.here));
    return handle_slowly(asked, std::move(found));
}

task<void> static_files::handle_slowly(exchange& asked, destination found) {
    if (found.is_error)
        co_return co_await answer_plainly(asked, found.error.status());
    if (!found.here) {
        auto loaded = co_await files_.load(found.path);
        if (!loaded)
            co_return co_await answer_plainly(asked, status_of(loaded.error()));
        found.here = std::move(*loaded);
    }
    if (found.here->is_folder() && found.names_folder)
        co_return co_await answer_plainly(asked, status::not_found);  // its index is a folder itself
    if (found.here->is_folder())
        co_return co_await redirect_to_folder(asked);
    if (!found.here->is_regular())
        co_return co_await answer_plainly(asked, status::forbidden);
    co_await answer_file(asked, std::move(found.here));
}

prompt_task<> static_files::answer_file(exchange& asked, file_cache::file_pointer found) {
    const request_head request = asked.request();
    const validators current(found->tag().view(), found->modified_seconds());
    const precondition condition = evaluate_preconditions(request, current, asked.unix_seconds());
    if (condition != precondition::proceed)
        return answer_condition(asked, std::move(found), condition);

    byte_range range = byte_range::whole();
    if (const auto wanted = request.find(field::range);
        wanted && may_answer_range(request, current, asked.unix_seconds()))
        range = parse_byte_range(*wanted, found->size());
    if (range.kind() != range_kind::whole)
        return answer_range(asked, std::move(found), range);
    if (!found->content())
        return answer_from_disk(asked, std::move(found));

    prompt_task<> rest = asked.answer(status::ok, found->fields(), *found->content());
    if (rest.is_done()) [[likely]]
        return {};
    return finish_answer(std::move(found), std::move(rest));
}

}  // namespace eddy::http
