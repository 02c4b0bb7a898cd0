#pragma once

#include "http/blocking_client.hpp"
#include "http/served.hpp"

#include <eddy/http/routing/router.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test {

/// A server with a router, and a client of it.
class routed : public served {
public:
    /// `add_routes` is called on the server's worker.
    explicit routed(std::function<void(router&)> add_routes, server_options options = {})
        : served(
              [add_routes = std::move(add_routes)] {
                  auto made = std::make_unique<router>();
                  add_routes(*made);
                  return made;
              },
              std::move(options)),
          client_(std::in_place, port()) {}

    /// What a request of this method for this path is answered, over one connection that is made anew when
    /// the server has ended it.
    response_seen ask(std::string_view method, std::string_view target, std::string_view more_fields = {},
                      std::string_view body = {}) {
        std::string text;
        text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: test\r\n");
        text.append(more_fields);
        if (!body.empty() || method == "POST" || method == "PUT")
            text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
        text.append("\r\n").append(body);
        auto response = client_->ask(text);
        if (!response) {
            client_.emplace(port());
            response = client_->ask(text);
        }
        if (!response || response->field("Connection") == "close")
            client_.emplace(port());
        return response.value_or(response_seen());
    }
    response_seen get(std::string_view target, std::string_view more_fields = {}) {
        return ask("GET", target, more_fields);
    }
    /// Status and body.
    std::string said(std::string_view method, std::string_view target, std::string_view more_fields = {},
                     std::string_view body = {}) {
        const response_seen response = ask(method, target, more_fields, body);
        return std::to_string(response.status) + " " + response.body;
    }

private:
    std::optional<blocking_client> client_;
};

}  // namespace eddy::http::test
