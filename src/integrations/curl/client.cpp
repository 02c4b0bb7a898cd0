#include "integrations/curl/engine.hpp"
#include "integrations/curl/transfer_state.hpp"

#include <eddy/integrations/curl/client.hpp>

#include <new>
#include <utility>

namespace eddy::curl {

namespace {

/// A handle that does nothing but speak for the jar.
easy_handle jar_of(const engine& of) {
    easy_handle jar(curl_easy_init());
    if (jar == nullptr)
        throw std::bad_alloc();
    require(curl_easy_setopt(jar.get(), CURLOPT_SHARE, of.share()));
    return jar;
}

}  // namespace

client::client(client_options options) : engine_(std::make_shared<engine>(std::move(options))) {}
client::~client() = default;

transfer client::start(const request& req) {
    return transfer(std::make_unique<transfer_state>(engine_, req));
}

task<transfer> client::send(request req) {
    transfer begun = start(req);
    co_await begun.head();
    co_return begun;
}

task<transfer> client::get(std::string url) {
    return send(request(std::move(url)));
}

task<transfer> client::head(std::string url) {
    request req(std::move(url));
    req.method("HEAD");
    return send(std::move(req));
}

task<transfer> client::post(std::string url, upload body, std::string_view type) {
    request req(std::move(url));
    req.method("POST").body(std::move(body), type);
    return send(std::move(req));
}

task<transfer> client::put(std::string url, upload body, std::string_view type) {
    request req(std::move(url));
    req.method("PUT").body(std::move(body), type);
    return send(std::move(req));
}

task<transfer> client::remove(std::string url) {
    request req(std::move(url));
    req.method("DELETE");
    return send(std::move(req));
}

std::size_t client::running() const noexcept {
    return engine_->running();
}

std::vector<std::string> client::cookies() const {
    const easy_handle jar = jar_of(*engine_);
    curl_slist* listed = nullptr;
    require(curl_easy_getinfo(jar.get(), CURLINFO_COOKIELIST, &listed));
    const string_list owner(listed);
    std::vector<std::string> all;
    for (const curl_slist* each = listed; each != nullptr; each = each->next)
        all.emplace_back(each->data);
    return all;
}

void client::add_cookie(const std::string& line) {
    const easy_handle jar = jar_of(*engine_);
    require(curl_easy_setopt(jar.get(), CURLOPT_COOKIELIST, line.c_str()));
}

void client::clear_cookies() {
    const easy_handle jar = jar_of(*engine_);
    require(curl_easy_setopt(jar.get(), CURLOPT_COOKIELIST, "ALL"));
}

}  // namespace eddy::curl
