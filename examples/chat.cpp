// A chat room for browsers, over WebSocket: names, arrivals and departures, and the last 50 lines for
// newcomers.
//
//     build/release/examples/chat 8080       # then open http://127.0.0.1:8080/ in two windows
//
// A client that reads so slowly that 64 lines wait for it is disconnected, so that it does not delay the
// others; from one that talks faster than 20 lines a second (or the second argument) lines are read at that
// rate. Ctrl-C sends all clients a goodbye, and the program ends once they have gone.

#include <eddy/eddy.hpp>
#include <eddy/http/routing/extract.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/token_bucket.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace http = eddy::http;
using namespace std::chrono_literals;
using nlohmann::json;

extern const std::string_view page;  // below

constexpr std::size_t name_bytes_max = 40;
constexpr std::size_t line_bytes_max = 4096;
constexpr std::size_t history_lines_max = 50;
constexpr std::size_t waiting_lines_max = 64;

/// What everybody is sent, once in memory for all of them.
using line = std::shared_ptr<const std::string>;

line make_line(const json& reported) {
    // Names come from a URL, which may hold anything; what is no UTF-8 is replaced.
    return std::make_shared<const std::string>(reported.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// Why a member is disconnected.
struct farewell {
    http::websocket_close_code code;
    std::string reason;
};

struct member {
    explicit member(std::string known_as) : name(std::move(known_as)) {}

    std::string name;
    eddy::channel<line> lines{waiting_lines_max};  // that are to be sent to it
    eddy::event<farewell> dismissal;
};

/// The members and the last lines. Belongs to one worker.
class room {
public:
    /// A member's stay: ends with this object.
    class stay {
    public:
        stay(room& joined, std::string name) : room_(joined), place_(joined.enter(std::move(name))) {}
        stay(const stay&) = delete;
        stay& operator=(const stay&) = delete;
        ~stay() { room_.leave(place_); }
        member& who() const noexcept { return *place_; }

    private:
        room& room_;
        std::list<member>::iterator place_;
    };

    void say(const member& speaker, std::string_view text) {
        const line said = make_line({{"from", speaker.name}, {"text", text}});
        history_.push_back(said);
        if (history_.size() > history_lines_max)
            history_.pop_front();
        tell_all(said);
    }

    /// Disconnects all members, and later ones too.
    void close() {
        is_closed_ = true;
        for (member& each : members_)
            dismiss(each, closing());
    }

    const std::deque<line>& history() const noexcept { return history_; }

private:
    std::list<member>::iterator enter(std::string name) {
        const auto place = members_.emplace(members_.end(), free_name(std::move(name)));
        tell_who_is_here(place->name + " has joined");
        if (is_closed_)
            dismiss(*place, closing());
        return place;
    }
    void leave(std::list<member>::iterator place) {
        const std::string name = std::move(place->name);
        members_.erase(place);
        tell_who_is_here(name + " has left");
    }

    void tell_who_is_here(const std::string& notice) {
        json names = json::array();
        for (const member& each : members_)
            names.push_back(each.name);
        tell_all(make_line({{"notice", notice}, {"here", names}}));
    }
    // [snippet: tell_all]
    // Never waits: a member without room for a line must go.
    void tell_all(const line& reported) {
        for (member& each : members_)
            if (each.lines.try_send(reported) != eddy::try_send_result::sent)
                dismiss(each, {http::websocket_close_code::policy_violation, "you read too slowly"});
    }
    // [/snippet]
    static farewell closing() { return {http::websocket_close_code::going_away, "the room closes"}; }
    static void dismiss(member& leaving, farewell why) {
        if (!leaving.dismissal.is_set())
            leaving.dismissal.set(std::move(why));
    }

    std::string free_name(std::string wanted) const {
        const auto is_taken = [this](const std::string& name) {
            for (const member& each : members_)
                if (each.name == name)
                    return true;
            return false;
        };
        std::string name = wanted;
        for (int number = 2; is_taken(name); ++number)
            name = wanted + " " + std::to_string(number);
        return name;
    }

    std::list<member> members_;
    std::deque<line> history_;
    bool is_closed_ = false;
};

// [snippet: session]
/// Says what a member types, at a bearable pace, until its end of the connection closes.
eddy::task<> listen(http::websocket& socket, room& all, const member& speaker, double lines_per_s) {
    http::token_bucket pace(lines_per_s, lines_per_s, std::chrono::steady_clock::now());
    while (const auto typed = co_await socket.receive_view()) {
        while (!pace.try_take(std::chrono::steady_clock::now()))
            co_await eddy::sleep_for(pace.wait(std::chrono::steady_clock::now()));
        if (typed->is_text() && !typed->text().empty())
            all.say(speaker, typed->text());
        co_await eddy::yield();  // the receivers run first, then this member's next line
    }
}

/// Sends a member its name, the lines before it came, and those from then on.
eddy::task<> tell(http::websocket& socket, member& listener, std::deque<line> before) {
    const line greeting = make_line({{"you", listener.name}});
    co_await socket.send_text(*greeting);
    for (const line& each : before)
        co_await socket.send_text(*each);
    while (const auto next = co_await listener.lines.recv())
        co_await socket.send_text(**next);
}

eddy::task<> visit(http::exchange& ex, room& all, std::string name, double lines_per_s) {
    if (name.empty() || name.size() > name_bytes_max)
        throw http::request_error(http::status::bad_request, "a name has 1 to 40 bytes");
    http::websocket socket = co_await http::accept_websocket(
        ex, http::websocket_options().message_bytes_max(line_bytes_max).close_timeout(2s));
    const room::stay here(all, std::move(name));
    try {
        // Whatever ends first ends the visit, and the other two are dropped.
        const auto end =
            co_await eddy::race(listen(socket, all, here.who(), lines_per_s),
                                tell(socket, here.who(), all.history()), here.who().dismissal.wait());
        if (const auto* const reported = std::get_if<std::reference_wrapper<const farewell>>(&end))
            co_await socket.close(reported->get().code, reported->get().reason);
    } catch (const std::system_error&) {
        // The connection is lost, or the client broke the protocol and got a close code.
    }
}
// [/snippet]

eddy::task<> program(std::uint16_t port, double lines_per_s) {
    room all;
    http::router routes;
    routes.get("/", [] {
        return http::response::html(std::string(page))
            .header("Content-Security-Policy",
                    "default-src 'none'; style-src 'unsafe-inline'; "
                    "script-src 'unsafe-inline'; connect-src 'self'; img-src data:");
    });
    routes.get("/room", [&](http::exchange& ex, http::query<"name"> name) {
        return visit(ex, all, name, lines_per_s);
    });

    eddy::signal_set ending({SIGINT, SIGTERM});
    http::server server(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), routes);
    std::printf("chat: http://127.0.0.1:%u/\n", unsigned{server.listener().local_endpoint().port()});
    std::fflush(stdout);
    eddy::handle<> serving = eddy::spawn(server.run(), "server");
    co_await ending.wait();
    server.drain();
    all.close();
    const std::size_t left = co_await server.join(5s);
    std::printf("%zu connections were cut off\n", left);
}

int main(int count, char** arguments) {
    const int port = count > 1 ? std::atoi(arguments[1]) : 0;
    const double lines_per_s = count > 2 ? std::atof(arguments[2]) : 20;
    eddy::run(program(static_cast<std::uint16_t>(port), lines_per_s));
}

constexpr std::string_view page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>eddy chat</title>
<link rel="icon" href="data:,">
<style>
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --card: #fff; --ink: #1a2230; --faint: #667085; --rule: #dfe3ea; --accent: #0b6bcb; --mine: #e3effb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10141b; --card: #181e28; --ink: #e6eaf1; --faint: #93a0b4; --rule: #2a3342; --accent: #5aa9ff; --mine: #1d3550;
  }
}
* { box-sizing: border-box; }
body {
  display: flex; flex-direction: column; height: 100vh; height: 100dvh; max-width: 46rem; margin: 0 auto; padding: 0 1rem;
  background: var(--ground); color: var(--ink); font: 16px/1.45 system-ui, sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; padding: .8rem 0; }
h1 { font-size: 1.15rem; margin: 0; }
#state, #here, .notice, b { color: var(--faint); font-size: .85rem; }
#lines { flex: 1; min-height: 0; overflow-y: auto; margin: 0; padding: .8rem; list-style: none;
  background: var(--card); border: 1px solid var(--rule); border-radius: .6rem; }
#lines li { width: fit-content; max-width: 85%; margin-bottom: .4rem; padding: .3rem .7rem; overflow-wrap: anywhere;
  white-space: pre-wrap; border: 1px solid var(--rule); border-radius: .8rem; }
#lines .notice { margin-inline: auto; border: 0; }
#lines .mine { margin-left: auto; background: var(--mine); border-color: transparent; }
b { display: block; font-weight: 600; }
form { display: flex; gap: .5rem; padding: .8rem 0 1rem; }
input, button { font: inherit; padding: .5rem .8rem; border-radius: .6rem; border: 1px solid var(--rule); }
input { flex: 1; min-width: 0; background: var(--card); color: inherit; }
input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button { background: var(--accent); border-color: transparent; color: var(--ground); font-weight: 600; }
[hidden] { display: none !important; }
</style>
</head>
<body>
<header><h1>eddy chat</h1><span id="state" role="status">not connected</span><span id="here"></span></header>
<ul id="lines" aria-live="polite"></ul>
<form id="enter"><input id="name" placeholder="Your name" aria-label="Your name" maxlength="13" required autofocus>
<button>Join</button></form>
<form id="say" hidden><input id="text" placeholder="Say something" aria-label="Say something" maxlength="1000"
autocomplete="off"><button>Send</button></form>
<script>
'use strict';
const find = (id) => document.getElementById(id);
let socket, me, pause_ms = 500;

function add(text, kind, from) {
  const list = find('lines'), item = document.createElement('li');
  const was_at_end = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  item.className = kind;
  if (from) {
    const name = document.createElement('b');
    name.textContent = from;
    item.append(name);
  }
  item.append(text);
  list.append(item);
  while (list.children.length > 500) list.firstChild.remove();
  if (was_at_end || kind === 'mine') list.scrollTop = list.scrollHeight;
}

function hear(told) {
  if (told.you) {  // a new visit: what was said comes anew
    me = told.you;
    find('lines').replaceChildren();
    find('state').textContent = 'you are ' + me;
  }
  if (told.here) find('here').textContent = told.here.length + ' here: ' + told.here.join(', ');
  if (told.notice) add(told.notice, 'notice');
  if (told.text) add(told.text, told.from === me ? 'mine' : '', told.from === me ? '' : told.from);
}

function enter(name) {
  const place = new URL('/room?name=' + encodeURIComponent(name), location.href);
  place.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  socket = new WebSocket(place);
  socket.onopen = () => {
    pause_ms = 500;
    find('enter').hidden = true;
    find('say').hidden = false;
    find('text').focus();
  };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = (end) => {
    find('state').textContent = 'not connected' + (end.reason ? ' (' + end.reason + ')' : '') + ', trying again';
    find('here').textContent = '';
    setTimeout(enter, pause_ms, name);
    pause_ms = Math.min(pause_ms * 2, 10000);
  };
}

find('enter').onsubmit = (event) => {
  event.preventDefault();
  enter(find('name').value.trim() || 'anonymous');
};
find('say').onsubmit = (event) => {
  event.preventDefault();
  const text = find('text').value;
  if (!text || socket.readyState !== WebSocket.OPEN) return;
  socket.send(text);
  find('text').value = '';
};
</script>
</body>
</html>
)";
