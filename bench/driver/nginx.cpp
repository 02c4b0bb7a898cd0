#include "driver/nginx.hpp"

#include "driver/certificates.hpp"
#include "driver/errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace bench {
namespace {

constexpr const char* configuration_text = R"(daemon off;
worker_processes {threads};
pid {temporary}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    sendfile {sendfile};
    tcp_nopush {sendfile};
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    default_type application/octet-stream;
    client_body_temp_path {temporary}/body;
    proxy_temp_path {temporary}/proxy;
    fastcgi_temp_path {temporary}/fastcgi;
    uwsgi_temp_path {temporary}/uwsgi;
    scgi_temp_path {temporary}/scgi;
    {cache}
    server {{
        listen 127.0.0.1:{port}{tls}{share} backlog=4096;
        {certificate}
        root {root};
        location = /hello {{
            default_type text/plain;
            return 200 "Hello, World!";
        }}
    }}
}}
)";

constexpr const char* cache_settings = "open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s;";

std::string certificate_settings(service s, const server_place& place) {
    if (!is_tls(s))
        return {};
    const certificate used =
        s == service::handshake_rsa ? rsa_certificate(place.temporary) : ecdsa_certificate(place.temporary);
    return fmt::format(
        "ssl_certificate {}; ssl_certificate_key {}; ssl_protocols TLSv1.3; ssl_session_cache off; "
        "ssl_session_tickets off;",
        used.chain.string(), used.key.string());
}

// On PATH for root only, so the directory is named.
std::string find_program() {
    for (const char* path : {"/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"})
        if (std::filesystem::exists(path))
            return path;
    throw failure("nginx is not installed (Debian: nginx-light)");
}

}  // namespace

std::vector<std::string> nginx_arguments(const server_place& place, service s, bool caches_open_files) {
    const std::string path = place.temporary / "nginx.conf";
    std::ofstream file(path);
    file << fmt::format(
        configuration_text, fmt::arg("temporary", place.temporary.string()),
        fmt::arg("cache", caches_open_files ? cache_settings : ""),
        fmt::arg("sendfile", s == service::http_big_file ? "on" : "off"),
        fmt::arg("tls", is_tls(s) ? " ssl" : ""), fmt::arg("certificate", certificate_settings(s, place)),
        fmt::arg("port", place.port), fmt::arg("threads", place.threads),
        fmt::arg("share", place.threads > 1 ? " reuseport" : ""), fmt::arg("root", place.root.string()));
    if (!file.flush())
        throw failure("cannot write " + path);
    return {find_program(), "-e", "stderr", "-c", path};
}

}  // namespace bench
