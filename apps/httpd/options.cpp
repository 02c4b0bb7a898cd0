#include "httpd/options.hpp"

#include "common/inherited.hpp"
#include "httpd/config_file.hpp"

#if EDDY_HTTPD_HTTP2
#include <eddy/http/http2.hpp>
#endif

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace eddy::apps {

namespace {

constexpr bool knows_http2 = EDDY_HTTPD_HTTP2 != 0;

// CLI::Range lets what is no number pass.
CLI::Validator within(double smallest, double largest) {
    return CLI::Range(smallest, largest) &
           CLI::Validator(
               [](std::string& text) {
                   return text.find_first_of("nN") == std::string::npos ? "" : "not a number";
               },
               "");
}

duration seconds(double count) {
    return std::chrono::duration_cast<duration>(std::chrono::duration<double>(count));
}

// What stands before and behind the first `mark`. Throws std::invalid_argument.
std::pair<std::string, std::string> split(const std::string& text, char mark, const char* option) {
    const auto at = text.find(mark);
    if (at == std::string::npos || at == 0)
        throw std::invalid_argument(std::string(option) + ": '" + text + "' has no '" + mark +
                                    "' in its middle");
    std::string value = text.substr(at + 1);
    value.erase(0, value.find_first_not_of(' '));
    return {text.substr(0, at), std::move(value)};
}

// A text that begins with a slash, or is empty.
CLI::Validator url_path() {
    return CLI::Validator(
        [](std::string& text) {
            return text.empty() || text.front() == '/' ? "" : "does not begin with '/'";
        },
        "PATH");
}

}  // namespace

void httpd_options::add_to(CLI::App& options) {
    constexpr double longest_s = 86400;
    const auto seconds_option = [&](const char* name, double& value, const char* help, double smallest) {
        options.add_option(name, value, help)->check(within(smallest, longest_s))->capture_default_str();
    };
    serving.add_to(options);
    options.add_option("--root", root, "Directory to serve")->required();

    options.add_option("--index", index_names,
                       "Names of files that stand for their directory; the first there is");
    options.add_flag("--listing", has_listing, "Show what is in directories without an index");
    options.add_flag(
        "--compress", compresses,
        "Send gzip and brotli to clients that accept it; from *.gz and *.br files where there are");
    options.add_flag("--dot-files", serves_dot_files, "Serve files whose names begin with a dot");
    options.add_option("--cache-control", cache_rules, "PATTERN=VALUE: Cache-Control for paths that match");
    options.add_option("--header", fields, "NAME: VALUE: a field for every response");
    options.add_option("--media-type", media_types, "EXTENSION=TYPE: Content-Type for names that end so");
    options.add_option("--cache-entries", cache_entries_max, "Files kept by each worker")
        ->capture_default_str();
    options.add_option("--cache-bytes", cache_bytes_max, "Bytes of small files kept by each worker")
        ->capture_default_str();
    seconds_option("--revalidate", revalidate_s, "Seconds before a file is looked at again", 0);
    options.add_option("--live", live_path, "Path of a page that draws what the server does")
        ->check(url_path());
    options.add_option("--metrics", metrics_path, "Path of figures in Prometheus' form")->check(url_path());
    options.add_option("--health", health_path, "Path that says 200, or 503 while the server drains")
        ->check(url_path());

    options.add_option("--tls-cert", certificate_paths, "Certificate chain in PEM; again for other names");
    options.add_option("--tls-key", key_paths, "Its private key in PEM; as often as --tls-cert");
    options.add_option("--tls-groups", tls_groups,
                       "Groups for the key exchange, the preferred one first; X25519:P-256:P-384 by default");
    options.add_option("--redirect-port", redirect_port, "Port on which HTTP is redirected to HTTPS");
    if (knows_http2) {
        options.add_flag("--http2,!--no-http2", speaks_http2, "Speak HTTP/2 over TLS")->capture_default_str();
        options.add_flag("--h2c", speaks_http2_clear,
                         "Speak HTTP/2 without TLS, too, to clients that begin so");
    }
    seconds_option("--head-timeout", head_timeout_s, "Seconds for a request's head to arrive", 0.001);
    seconds_option("--idle-timeout", idle_timeout_s, "Seconds between requests", 0.001);
    seconds_option("--write-timeout", write_timeout_s, "Seconds for a piece of a response to be taken",
                   0.001);
    seconds_option("--drain-limit", drain_limit_s, "Seconds for responses to end after SIGINT or SIGTERM", 0);
    seconds_option("--drain-delay", drain_delay_s,
                   "Seconds in which the health path says 503 before the draining begins", 0);
    options.add_option("--connections-max", connections_max, "Connections of each worker at one time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options.add_option("--connections-per-address", connections_per_address_max,
                       "Connections of each worker from one address; 0: any number");

    options.add_flag("--access-log", logs_accesses, "Write a line for each response to standard output");
    const std::vector<std::pair<std::string, http::access_log_format>> formats = {
        {"brief", http::access_log_format::brief},
        {"common", http::access_log_format::common},
        {"combined", http::access_log_format::combined},
        {"json", http::access_log_format::json}};
    options.add_option("--access-log-format", log_format, "brief, common, combined or json")
        ->transform(CLI::CheckedTransformer(formats).description(""));
    options.add_option("--access-log-file", log_path, "File for these lines; opened anew on SIGHUP");

    options.add_flag("--check", only_checks, "Say whether everything is right, and serve nothing")
        ->configurable(false);
    options.set_config("--config", "", "Configuration file (TOML): the names of these options are its keys");
    options.config_formatter(std::make_shared<config_file>(options));
}

void httpd_options::check() const {
    if (certificate_paths.size() != key_paths.size())
        throw std::invalid_argument("--tls-cert and --tls-key: as many of one as of the other");
    if (redirects() && certificate_paths.empty())
        throw std::invalid_argument("--redirect-port: needs --tls-cert");
    if (!tls_groups.empty() && certificate_paths.empty())
        throw std::invalid_argument("--tls-groups: needs --tls-cert");
    for (const std::string& name : index_names)
        if (name.empty() || name.find('/') != std::string::npos || name.front() == '.')
            throw std::invalid_argument("--index: '" + name + "' is no name of a file");
    static_cast<void>(serving.where());
    static_cast<void>(serving.runtime());
    static_cast<void>(files());
}

http::server_options httpd_options::server() const {
    http::server_options made;
    made.head_timeout(seconds(head_timeout_s))
        .idle_timeout(seconds(idle_timeout_s))
        .write_timeout(seconds(write_timeout_s))
        .connections_max(connections_max);
    if (connections_per_address_max != 0)
        made.connections_per_address_max(connections_per_address_max);
#if EDDY_HTTPD_HTTP2
    if (certificate_paths.empty() ? speaks_http2_clear : speaks_http2)
        made.protocol(http::http2());
#endif
    return made;
}

http::static_files_options httpd_options::files() const {
    http::static_files_options made;
    made.cache(http::file_cache_options()
                   .validity(seconds(revalidate_s))
                   .entries_max(cache_entries_max)
                   .memory_bytes_max(cache_bytes_max))
        .index_names(index_names)
        .listing(has_listing)
        .compress(compresses)
        .dot_files(serves_dot_files);
    for (const std::string& rule : cache_rules) {
        auto [pattern, value] = split(rule, '=', "--cache-control");
        made.cache_control(std::move(pattern), std::move(value));
    }
    for (const std::string& line : fields) {
        const auto [name, value] = split(line, ':', "--header");
        made.add_field(name, value);
    }
    for (const std::string& rule : media_types) {
        auto [extension, type] = split(rule, '=', "--media-type");
        made.media_type(extension, std::move(type));
    }
    return made;
}

std::optional<tls_server_options> httpd_options::tls() const {
    std::optional<tls_server_options> made;
    for (std::size_t i = 0; i < certificate_paths.size(); ++i) {
        auto one = tls_certificate::files(certificate_paths[i], key_paths[i]);
        if (made)
            made->certificate(std::move(one));
        else
            made.emplace(std::move(one));
    }
    if (made)
        made->alpn(speaks_http2 && knows_http2 ? std::vector<std::string>{"h2", "http/1.1"}
                                               : std::vector<std::string>{"http/1.1"});
    if (made && !tls_groups.empty())
        made->groups(tls_groups);
    return made;
}

bool httpd_options::redirects() const {
    return redirect_port != 0 || has_inherited_socket(redirection_socket);
}

duration httpd_options::drain_limit() const {
    return seconds(drain_limit_s);
}

duration httpd_options::drain_delay() const {
    return seconds(drain_delay_s);
}

}  // namespace eddy::apps
