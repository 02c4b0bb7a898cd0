#pragma once

#include "http/blocking_client.hpp"
#include "http/served.hpp"
#include "http/temporary_site.hpp"

#include <eddy/http/files/static_files.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test {

/// A directory that is served, looked at for each request, and a client.
class served_site : public testing::Test {
protected:
    /// To be called once, before ask(). The files may be written before or after.
    void serve(static_files_options options) {
        options.cache(file_cache_options(options.cache()).validity(duration::zero()));
        server_.emplace([this, options = std::move(options)] {
            return std::make_unique<static_files>(directory::open(site.root()), options);
        });
        client_.emplace(server_->port());
    }

    response_seen ask(std::string_view request) {
        auto response = client_->ask(request);
        EXPECT_TRUE(response) << request;
        return std::move(response).value_or(response_seen());
    }
    response_seen get_as(std::string_view path, std::string_view accept_encoding,
                         std::string_view more_fields = {}) {
        return ask(get(
            path, "Accept-Encoding: " + std::string(accept_encoding) + "\r\n" + std::string(more_fields)));
    }
    int status_of(std::string_view path) { return ask(get(path)).status; }

    temporary_site site;

private:
    std::optional<served> server_;
    std::optional<blocking_client> client_;
};

}  // namespace eddy::http::test
