#include "http/files/directory_page.hpp"
#include "http/files/file_response.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/http/files/static_files.hpp>
#include <eddy/http/message/detail/accept_encoding.hpp>
#include <eddy/http/message/detail/target_path.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/routing/compression.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view allowed_methods = "GET, HEAD, OPTIONS";
constexpr std::size_t path_bytes_max = 4096;  // PATH_MAX of Linux
// Beside the other fields of a response.
constexpr std::size_t location_bytes_max = 6 * 1024;

status status_of(const std::error_code& error) noexcept {
    // A socket cannot be opened at all (no_such_device_or_address), and is neither file nor directory.
    if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
        error == std::errc::no_such_device_or_address)
        return status::forbidden;
    // A link that leaves the directory (cross_device_link) is not revealed to clients.
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
        error == std::errc::cross_device_link || error == std::errc::too_many_symbolic_link_levels ||
        error == std::errc::filename_too_long || error == std::errc::invalid_argument)
        return status::not_found;
    if (error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system ||
        error == std::errc::not_enough_memory)
        return status::service_unavailable;
    return status::internal_server_error;
}

// The path of the directory that a request names, from the root of the server. Made of the resolved path, so
// that as a location it cannot name another host.
std::string directory_path(const request_head& request) {
    std::array<char, path_bytes_max> memory;
    const auto resolved = resolve_target_path(request.path(), memory);
    const std::string_view path = resolved ? resolved->path() : std::string_view();
    return path.empty() ? "/" : "/" + std::string(path) + "/";
}

bool can_be_encoded_for(const request_head& request) {
    constexpr std::array made = {content_coding::brotli, content_coding::gzip};
    return !request.has(field::range) && negotiate_coding(accepted_codings(request), made);
}

std::string join(std::string_view directory, std::string_view name) {
    std::string path(directory);
    if (!path.empty())
        path += '/';
    return path.append(name);
}

}  // namespace

std::string_view static_files::description::media_type(std::string_view path) const {
    return options_.media_type_for(path);
}

bool static_files::description::has_codings(std::string_view path) const {
    return options_.compress() && is_compressible(options_.media_type_for(path));
}

void static_files::description::add_fields(std::string_view path, field_block& fields) const {
    if (const auto rule = options_.cache_control_for(path); !rule.empty())
        fields.add("Cache-Control", rule);
    fields.add(options_.fields());
}

static_files::parts::parts(directory root, static_files_options chosen)
    : options(std::move(chosen)),
      compression_at_any_size(compression_options(options.compression())
                                  .bytes_min(0)
                                  .bytes_max(std::numeric_limits<std::uint64_t>::max())),
      said(options),
      files(std::move(root),
            file_cache_options(options.cache())
                .precompressed(options.compress())
                .compresses(options.compress()),
            said) {}

static_files::static_files(directory root, static_files_options options)
    : parts_(std::make_unique<parts>(std::move(root), std::move(options))),
      options_(parts_->options),
      compression_at_any_size_(parts_->compression_at_any_size),
      files_(parts_->files) {}

bool static_files::is_hidden(std::string_view path) const noexcept {
    if (options_.dot_files())
        return false;
    constexpr std::string_view well_known = ".well-known";
    if (path == well_known || (path.starts_with(well_known) && path[well_known.size()] == '/'))
        path.remove_prefix(well_known.size());
    return path.starts_with('.') || path.find("/.") != std::string_view::npos;
}

static_files::destination static_files::find(std::string_view target) {
    std::array<char, path_bytes_max> memory;
    const auto resolved = resolve_target_path(target, memory);
    destination found;
    if (!resolved) {
        found.is_error = true;
        found.error = resolved.error();
        return found;
    }
    const std::string_view path = resolved->path();
    found.names_directory = resolved->names_directory();
    if (!found.names_directory) {
        found.here = files_.find(path);
    } else {
        // The resolved path may lie anywhere in the memory, and the longest leaves no room for an index.
        std::array<char, path_bytes_max> longer;
        for (const std::string& name : options_.index_names()) {
            if (path.size() + 1 + name.size() > longer.size())
                continue;
            std::size_t size = path.copy(longer.data(), path.size());
            if (size != 0)
                longer[size++] = '/';
            size += name.copy(longer.data() + size, name.size());
            found.here = files_.find(std::string_view(longer.data(), size));
            if (!found.here)
                continue;
            found.path = std::string_view(longer.data(), size);
            return found;
        }
    }
    if (!found.here || found.here->has_codings())
        found.path = path;
    return found;
}

ready_or_task<> static_files::handle(exchange& ex) {
    const request_head request = ex.request();
    if (request.method() != method::get && request.method() != method::head)
        return refuse_method(ex);
    destination found = find(ex.path());
    if (found.here && found.here->is_regular()) [[likely]]
        return respond(ex, std::move(found.here), found.path);
    return handle_slowly(ex, std::move(found));
}

task<void> static_files::refuse_method(exchange& ex) const {
    const method wanted = ex.request().method();
    field_block fields;
    fields.add(options_.fields());
    if (wanted == method::other)
        co_return co_await respond_plainly(ex, status::not_implemented, fields);
    fields.add("Allow", allowed_methods);
    if (wanted == method::options)
        co_return co_await ex.respond(status::no_content, fields, {});
    co_await respond_plainly(ex, status::method_not_allowed, fields);
}

task<void> static_files::redirect_to_directory(exchange& ex) const {
    std::string location = escape_path(directory_path(ex.request()));
    if (const auto query = ex.request().query(); !query.empty())
        location.append("?").append(query);
    if (location.size() > location_bytes_max)
        co_return co_await respond_plainly(ex, status::uri_too_long, options_.fields());
    const std::array<response_field, 1> fields = {response_field("Location", location)};
    co_await ex.respond(status::moved_permanently, response_fields(options_.fields(), fields), {});
}

task<void> static_files::handle_slowly(exchange& ex, destination found) {
    if (found.is_error)
        co_return co_await respond_plainly(ex, found.error.status(), options_.fields());
    if (is_hidden(found.path))
        co_return co_await respond_plainly(ex, status::not_found, options_.fields());
    if (found.names_directory)
        co_return co_await handle_directory(ex, std::move(found.path));
    if (!found.here) {
        auto loaded = co_await files_.load(found.path);
        if (!loaded)
            co_return co_await respond_plainly(ex, status_of(loaded.error()), options_.fields());
        found.here = std::move(*loaded);
    }
    if (found.here->is_directory())
        co_return co_await redirect_to_directory(ex);
    if (!found.here->is_regular())
        co_return co_await respond_plainly(ex, status::forbidden, options_.fields());
    co_await respond(ex, std::move(found.here), found.path);
}

task<void> static_files::handle_directory(exchange& ex, std::string path) {
    status failure = status::not_found;
    for (const std::string& name : options_.index_names()) {
        const std::string index = join(path, name);
        auto loaded = co_await files_.load(index);
        if (loaded && (*loaded)->is_regular())
            co_return co_await respond(ex, std::move(*loaded), index);
        if (loaded)
            continue;
        const status code = status_of(loaded.error());
        if (code != status::not_found) {
            failure = code;
            break;
        }
    }
    if (failure != status::not_found || !options_.listing())
        co_return co_await respond_plainly(ex, failure, options_.fields());
    co_await list_directory(ex, std::move(path));
}

task<void> static_files::list_directory(exchange& ex, std::string path) {
    const char* const name = path.empty() ? "." : path.c_str();
    auto opened = co_await as_result(files_.root().open_file(name));
    if (!opened)
        co_return co_await respond_plainly(ex, status_of(opened.error()), options_.fields());
    if (opened->status().kind != io::file_status::file_kind::directory)
        co_return co_await respond_plainly(ex, status::not_found, options_.fields());
    auto content = co_await as_result(read_directory_content(
        files_.root(), path, std::move(*opened), options_.listing_entries_max(), options_.dot_files()));
    if (!content)
        co_return co_await respond_plainly(ex, status_of(content.error()), options_.fields());
    if (options_.compress() && !ex.has_filter())
        ex.filter_response(make_compression(ex.request(), options_.compression()));
    const std::string page = render_directory_page(directory_path(ex.request()), *content);
    const std::array<response_field, 3> fields = {
        response_field("Content-Type", "text/html; charset=utf-8"),
        response_field("Cache-Control", "no-cache"),
        response_field("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")};
    co_await ex.respond(status::ok, response_fields(options_.fields(), fields), page);
}

// What is in memory has got its encoded form already, unless that does not gain.
void static_files::compress_on_the_way(exchange& ex, const cached_file& form) const {
    if (form.coding() == content_coding::identity && !form.content() && !ex.has_filter() &&
        !ex.request().has(field::range))
        ex.filter_response(make_compression(ex.request(), options_.compression()));
}

static_files::selection static_files::select(const request_head& request,
                                             const file_cache::file_pointer& plain) const {
    const accepted_codings accepted(request);
    auto left = preferred_codings;
    std::size_t count = left.size();
    for (;;) {
        const auto best = negotiate_coding(accepted, std::span(left).first(count));
        if (!best)
            return {};
        if (*best == content_coding::identity)
            return {plain, std::nullopt};
        if (!plain->knows_encoded(*best))
            return {nullptr, best};
        // What was made here has no strong tag, by which parts of it could be put together.
        const auto& form = plain->encoded(*best);
        if (form && !(form->is_made() && request.has(field::range)))
            return {form, std::nullopt};
        count =
            static_cast<std::size_t>(std::remove(left.begin(), left.begin() + count, *best) - left.begin());
    }
}

ready_or_task<> static_files::respond(exchange& ex, file_cache::file_pointer plain, std::string_view path) {
    if (!ex.request().has(field::accept_encoding)) [[likely]]
        return respond_with_cached_file(ex, std::move(plain), options_.fields());
    if (!plain->has_codings()) {
        if (!accepted_codings(ex.request()).accepts(content_coding::identity)) [[unlikely]]
            return refuse_codings(ex);
        return respond_with_cached_file(ex, std::move(plain), options_.fields());
    }
    selection selected = select(ex.request(), plain);
    if (selected.form) {
        compress_on_the_way(ex, *selected.form);
        return respond_with_cached_file(ex, std::move(selected.form), options_.fields());
    }
    return respond_encoded(ex, std::move(plain), std::string(path));
}

task<void> static_files::refuse_codings(exchange& ex) const {
    field_block fields;
    fields.add("Vary", "Accept-Encoding").add(options_.fields());
    co_await respond_plainly(ex, status::not_acceptable, fields);
}

task<void> static_files::respond_encoded(exchange& ex, file_cache::file_pointer plain, std::string path) {
    selection selected = select(ex.request(), plain);
    while (selected.wanted) {
        const content_coding wanted = *selected.wanted;
        co_await files_.load_encoded(path, plain, wanted);
        if (!plain->knows_encoded(wanted)) {
            // Another request is encoding it.
            selected.wanted.reset();
            if (accepted_codings(ex.request()).accepts(content_coding::identity))
                selected.form = plain;
            break;
        }
        selected = select(ex.request(), plain);
    }
    if (!selected.form && can_be_encoded_for(ex.request())) {
        // Whether it gains or not: the client will not have it otherwise.
        ex.filter_response(make_compression(ex.request(), compression_at_any_size_));
        selected.form = plain;
    }
    if (!selected.form)
        co_return co_await refuse_codings(ex);
    compress_on_the_way(ex, *selected.form);
    co_await respond_with_cached_file(ex, std::move(selected.form), options_.fields());
}

}  // namespace eddy::http
