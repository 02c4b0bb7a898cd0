// One process of several that share work: each is a member, one leads and assigns the shares, all work on theirs. Whichever of
// them ends, the others go on. cluster.py starts etcd and some of these, and ends some of them.
//
//   cluster_node NAME ENDPOINT...
//
// It prints "NAME leads" and "NAME works on 0 3", and ends by a signal.

#include <eddy/eddy.hpp>
#include <eddy/etcd.hpp>
#include <eddy/rpc/status.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace etcd = eddy::etcd;
using namespace std::chrono_literals;

constexpr int shares = 6;

void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// "members/a" is "a".
std::string last_part(const std::string& key) {
    return key.substr(key.rfind('/') + 1);
}

/// Keeps a map of the keys below a prefix as a watch shows them.
void apply(std::map<std::string, std::string>& known, const etcd::watch_response& seen) {
    if (seen.is_state)
        known.clear();
    for (const etcd::event& each : seen.events) {
        if (each.type == etcd::event::kind::put)
            known[last_part(each.kv.key)] = each.kv.value;
        else
            known.erase(last_part(each.kv.key));
    }
}

// [snippet: assign]
/// The leader's part: whenever members come or go, each share has a member that exists. Only while it leads: an
/// assignment by one that has been replaced without noticing fails.
eddy::task<> assign_shares(const etcd::client& db, const etcd::claim& leadership) {
    auto changes = db.watch(etcd::key_range::prefix("members/"), etcd::watch_options().with_state());
    std::map<std::string, std::string> members;
    while (const auto seen = co_await changes.next()) {
        apply(members, *seen);
        etcd::transaction assignment;
        assignment.when(leadership.held());
        auto next = members.begin();
        for (int share = 0; share < shares && !members.empty(); ++share) {
            assignment.then(etcd::put_request("shares/" + std::to_string(share), next->first));
            if (++next == members.end())
                next = members.begin();
        }
        co_await db.commit(std::move(assignment));
    }
}

/// Waits until this member is the leader, and is it as long as it can.
eddy::task<> lead(const etcd::client& db, const etcd::lease& membership, std::string name) {
    const etcd::claim leadership = co_await db.campaign("leader", name, membership);
    say(name + " leads");
    co_await eddy::race(leadership.lost(), assign_shares(db, leadership));
}
// [/snippet]

// [snippet: work]
/// A piece of work, done once each time: the next number of the share, as long as that is this member's.
eddy::task<> work_on(const etcd::client& db, std::string share, std::string name) {
    for (;;) {
        const auto done = co_await db.get("counts/" + share);
        const int count = done ? std::stoi(done->value) : 0;
        etcd::transaction step;
        step.when(etcd::compare::value("shares/" + share).equal(name))
            .when(etcd::compare::mod_revision("counts/" + share).equal(done ? done->mod_revision : 0))
            .then(etcd::put_request("counts/" + share, std::to_string(count + 1)));
        co_await db.commit(std::move(step));
        co_await eddy::sleep_for(20ms);
    }
}

/// Tries again whatever has failed: without etcd there is nothing else to do.
eddy::task<> work_always(const etcd::client& db, std::string share, std::string name) {
    for (;;) {
        try {
            co_await work_on(db, share, name);
        } catch (const eddy::rpc::error& failed) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), failed.what());
        }
        co_await eddy::sleep_for(100ms);
    }
}

eddy::task<> work(const etcd::client& db, std::string name) {
    auto changes = db.watch(etcd::key_range::prefix("shares/"), etcd::watch_options().with_state());
    std::map<std::string, std::string> assigned;
    std::map<std::string, eddy::handle<>> running;
    while (const auto seen = co_await changes.next()) {
        apply(assigned, *seen);
        std::string mine;
        const std::size_t before = running.size();
        // What is assigned to another is dropped.
        std::erase_if(running, [&](const auto& each) { return assigned[each.first] != name; });
        bool is_changed = running.size() < before;
        for (const auto& [share, member] : assigned) {
            if (member != name)
                continue;
            mine += " " + share;
            if (running.contains(share))
                continue;
            running[share] = eddy::spawn(work_always(db, share, name));
            is_changed = true;
        }
        if (is_changed)
            say(name + " works on" + mine);
    }
}
// [/snippet]

// [snippet: member]
/// A member under a lease. When that is lost, all that was held under it is, and it begins anew.
eddy::task<> be_member(const etcd::client& db, std::string name) {
    const etcd::lease membership = co_await db.grant(2s);
    co_await db.put(etcd::put_request("members/" + name, "").lease(membership.id()));
    co_await eddy::race(membership.lost(), lead(db, membership, name), work(db, name));
}
// [/snippet]

eddy::task<> run_node(std::string name, std::vector<std::string> endpoints) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    const etcd::client db(endpoints, etcd::client_options().attempt_time(1s).watch_check_time(1s));
    auto membership = [](const etcd::client& through, std::string called) -> eddy::task<> {
        for (;;) {
            try {
                co_await be_member(through, called);
            } catch (const eddy::rpc::error& failed) {
                std::fprintf(stderr, "%s: %s\n", called.c_str(), failed.what());
            }
            co_await eddy::sleep_for(100ms);
        }
    };
    co_await eddy::race(membership(db, name), ending.wait());
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "cluster_node NAME ENDPOINT...\n");
        return 2;
    }
    eddy::run(run_node(words[1], std::vector<std::string>(words + 2, words + count)));
}
