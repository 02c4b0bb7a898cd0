#pragma once

#include "support/etcd_node.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/etcd.hpp>
#include <eddy/rpc/status.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::etcd::test {

/// For servers that may take their time to start, and to choose a leader.
inline client_options patient() {
    return client_options()
        .request_time(std::chrono::seconds(60))
        .attempt_time(std::chrono::seconds(1))
        .watch_check_time(std::chrono::milliseconds(500));
}

/// One etcd for the tests of a source, each of which has keys of its own.
inline eddy::test::etcd_node& shared_node() {
    static eddy::test::etcd_node node;
    if (!node.is_running())
        node.start();
    return node;
}

inline client client_of(const eddy::test::etcd_node& node, client_options options = patient()) {
    return client({node.endpoint()}, std::move(options));
}

/// The status that a task ends with.
template <class T>
task<rpc::status_code> code_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const rpc::error& failed) {
        co_return failed.code();
    }
    co_return rpc::status_code::ok;
}

/// "key=value@revision" of each put, "-key@revision" of each removal, with "state" before those of a state.
inline std::string text_of(const watch_response& seen) {
    std::string made = seen.is_state ? "state" : "";
    for (const event& each : seen.events) {
        made += made.empty() ? "" : " ";
        made += each.type == event::kind::put ? each.kv.key + '=' + each.kv.value : '-' + each.kv.key;
    }
    return made;
}
inline task<std::string> next_text(async_generator<watch_response>& changes) {
    auto seen = co_await changes.next();
    EXPECT_TRUE(seen);
    co_return seen ? text_of(*seen) : "the end";
}

}  // namespace eddy::etcd::test
