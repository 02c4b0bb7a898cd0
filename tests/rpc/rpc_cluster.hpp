#pragma once

#include "rpc/rpc_origin.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/sync/event.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::rpc::test {

/// A list that a test changes.
class listed_addresses final : public name_resolver {
public:
    void set(std::vector<endpoint> now) {
        list_ = std::move(now);
        changed_.set();
        changed_.reset();
    }
    async_generator<std::vector<endpoint>> watch(std::string wanted) override {
        name = std::move(wanted);
        ++watches;
        if (failures-- > 0)
            throw std::runtime_error("no such name");
        for (;;) {
            std::vector<endpoint> now = list_;
            co_yield std::move(now);
            if (ends)
                co_return;
            co_await changed_.wait();
        }
    }

    int failures = 0;   ///< so many watches fail first
    bool ends = false;  ///< a watch yields the list once
    int watches = 0;
    std::string name;

private:
    std::vector<endpoint> list_;
    event<> changed_;
};

/// Some servers in memory, each with an address. Belongs to a worker.
class rpc_cluster {
public:
    static constexpr std::string_view name = "/test.Greeter/Name";
    static constexpr std::string_view wait = "/test.Greeter/Wait";

    explicit rpc_cluster(std::size_t count) {
        std::vector<endpoint> all;
        for (std::size_t index = 0; index < count; ++index) {
            rpc_origin& made = *nodes_.emplace_back(std::make_unique<rpc_origin>());
            made.greeter.add_unary<std::string, std::string>(
                "Name",
                [index](server_call&, std::string) -> task<std::string> { co_return std::to_string(index); });
            made.greeter.add_unary<std::string, std::string>(
                "Wait", [this, index](server_call&, std::string) -> task<std::string> {
                    began.set();
                    co_await go_on.wait();
                    co_return std::to_string(index);
                });
            made.greeter.add_unary<std::string, std::string>(
                "Authority", [](server_call& call, std::string) -> task<std::string> {
                    co_return std::string(call.exchange().request().find("host").value_or("none"));
                });
            all.push_back(at(index));
        }
        addresses->set(std::move(all));
    }

    [[nodiscard]] rpc_origin& operator[](std::size_t index) { return *nodes_[index]; }
    [[nodiscard]] static endpoint at(std::size_t index) {
        return endpoint::ipv4({10, 0, 0, static_cast<std::uint8_t>(index)}, 1);
    }
    /// Attempts to connect to it never end.
    void silence(std::size_t index) { silent_.insert(index); }

    [[nodiscard]] channel connect(channel_options options = {}, std::string_view target = "test:///nodes") {
        options.resolver("test", addresses).transport([this](http::client_target to) {
            return open(*this, static_cast<std::size_t>(to.host().back() - '0'));
        });
        return channel(target, std::move(options));
    }
    /// Which one responds.
    [[nodiscard]] static task<std::string> ask(const channel& to) {
        return call<std::string>(to, name, std::string());
    }
    /// Asks until all of these have responded. Calls that fail do not count.
    [[nodiscard]] static task<> until_called(const channel& to, std::string_view wanted) {
        std::string seen;
        const auto is_seen = [&](char node) { return seen.find(node) != std::string::npos; };
        while (!std::ranges::all_of(wanted, is_seen)) {
            const status_code end = co_await code_of(add_answer(to, seen));
            if (end != status_code::ok && end != status_code::unavailable)
                throw error(end);
            co_await yield();
        }
    }

    const std::shared_ptr<listed_addresses> addresses = std::make_shared<listed_addresses>();
    event<> began;  ///< a call of Wait
    event<> go_on;  ///< its end

private:
    static task<bool> add_answer(const channel& to, std::string& seen) {
        seen += co_await ask(to);
        co_return true;
    }
    static task<any_stream> open(rpc_cluster& self, std::size_t index) {
        if (self.silent_.contains(index)) {
            event<> never;
            co_await never.wait();
        }
        co_return co_await self[index].open();
    }

    std::vector<std::unique_ptr<rpc_origin>> nodes_;
    std::set<std::size_t> silent_;
};

}  // namespace eddy::rpc::test
