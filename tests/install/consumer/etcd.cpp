#include <eddy/eddy.hpp>
#include <eddy/etcd.hpp>
#include <eddy/rpc/status.hpp>

#include <chrono>

namespace {

// There is no etcd at this port.
eddy::task<bool> find_nothing() {
    const eddy::etcd::client db({"http://127.0.0.1:1"},
                                eddy::etcd::client_options().request_time(std::chrono::milliseconds(100)));
    try {
        co_await db.get("a");
    } catch (const eddy::rpc::error& failed) {
        co_return failed.code() == eddy::rpc::status_code::unavailable;
    }
    co_return false;
}

}  // namespace

int main() {
    return eddy::run(find_nothing()) ? 0 : 1;
}
