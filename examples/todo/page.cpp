#include "page.hpp"

#include "page_text.hpp"

#include <eddy/http/server/response.hpp>

#include <string>
#include <string_view>

namespace todo {

namespace {

namespace http = eddy::http;

void add_file(http::router& routes, std::string_view path, std::string_view content, std::string_view type) {
    routes.get(path, [content, type] {
        return http::response::with(std::string(content), type).header("Cache-Control", "no-cache");
    });
}

}  // namespace

void add_page_to(http::router& routes) {
    add_file(routes, "/", page_markup, "text/html; charset=utf-8");
    add_file(routes, "/style.css", page_style, "text/css; charset=utf-8");
    add_file(routes, "/script.js", page_script, "text/javascript; charset=utf-8");
}

}  // namespace todo
