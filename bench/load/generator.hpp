#pragma once

#include "common/buffer_ring.hpp"
#include "common/ring.hpp"
#include "load/clock.hpp"
#include "load/connect.hpp"
#include "load/connection.hpp"
#include "load/cpu_clock.hpp"
#include "load/options.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace bench {

// Keeps every connection busy with one request at a time: warm-up, then the measured window; or as many
// requests on each connection as are asked for.
// A request costs one submission (a send that completes silently) and one completion (of a multishot
// receive), and a turn of the loop one system call: less than a server, which must also learn when its
// sends are done. What a protocol gives to send stays as it is until the server has answered it.
template <class Protocol>
class generator {
public:
    generator(Protocol& protocol, const load_options& options)
        : protocol_(protocol), options_(options), connections_(options.connections) {}
    generator(const generator&) = delete;
    ~generator() {
        for (connection& c : connections_)
            if (c.fd >= 0)
                close(c.fd);
    }

    load_result run() {
        for (unsigned i = 0; i < connections_.size(); ++i) {
            connections_[i].index = i;
            open(connections_[i]);
        }
        for (connection& c : connections_)
            begin(c);
        if (options_.requests_each == 0) {
            run_for(options_.warmup_seconds);
            result_.latencies = {};
        }
        const cpu_time measured_before = read_cpu_time(options_.measured_processes);
        const cpu_time own_before = read_cpu_time({getpid()});
        const std::uint64_t begin_ns = now_ns();
        if (options_.requests_each == 0)
            run_for(options_.seconds);
        else
            run_until([this] { return finished_ == connections_.size(); });
        result_.elapsed_ns = now_ns() - begin_ns;
        result_.requests_at_once = protocol_.requests_at_once();
        result_.own_cpu = read_cpu_time({getpid()}) - own_before;
        result_.measured_cpu = read_cpu_time(options_.measured_processes) - measured_before;
        return result_;
    }

private:
    // Low bits of user_data beside a connection's address.
    static constexpr std::uintptr_t of_receive = 0, of_send = 1, of_deadline = 2, tag_mask = 3;
    // One for each connection, so that a burst of answers finds one each, within bounds: as long as they are
    // few they stay in the caches.
    static unsigned buffers_for(unsigned connections) {
        return std::clamp(std::bit_ceil(connections), 256u, 8192u);
    }
    static constexpr std::uint64_t errors_max = 1000;

    void run_for(double seconds) {
        const auto time_ns = static_cast<long long>(seconds * 1e9);
        __kernel_timespec time{.tv_sec = time_ns / 1'000'000'000, .tv_nsec = time_ns % 1'000'000'000};
        io_uring_sqe* sqe = ring_.entry();
        io_uring_prep_timeout(sqe, &time, 0, 0);
        io_uring_sqe_set_data64(sqe, of_deadline);
        deadline_passed_ = false;
        run_until([this] { return deadline_passed_; });
    }

    template <class Condition>
    void run_until(const Condition& is_over) {
        while (!is_over()) {
            ring_.submit_and_wait();
            now_ns_ = now_ns();
            ring_.for_each_completion([this](const io_uring_cqe& cqe) { take(cqe); });
            buffers_.publish();
        }
    }

    void take(const io_uring_cqe& cqe) {
        auto* c = reinterpret_cast<connection*>(cqe.user_data & ~tag_mask);
        switch (cqe.user_data & tag_mask) {
            case of_receive:
                return take_receive(*c, cqe);
            // Only a send that failed completes visibly; the receive ends too and opens the connection anew.
            case of_send:
                shutdown(c->fd, SHUT_RDWR);
                return;
            case of_deadline:
                deadline_passed_ = true;
                return;
        }
    }

    void take_receive(connection& c, const io_uring_cqe& cqe) {
        if (cqe.flags & IORING_CQE_F_BUFFER) {
            const unsigned buffer = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
            judge(c, {buffers_[buffer], static_cast<std::size_t>(cqe.res)});
            buffers_.give_back(buffer);
        }
        if (cqe.flags & IORING_CQE_F_MORE)
            return;
        if (cqe.res > 0 || cqe.res == -ENOBUFS)
            return receive(c);
        if (cqe.res == 0 && protocol_.ended(c) == verdict::complete)
            count(c);
        else
            count_error();
        reopen(c);
    }

    void judge(connection& c, std::string_view bytes) {
        switch (protocol_.consume(c, bytes)) {
            case verdict::incomplete:
                return;
            case verdict::wrong:
                shutdown(c.fd, SHUT_RDWR);
                return;
            case verdict::replies:
                return send(c, protocol_.reply(c));
            case verdict::complete:
                count(c);
                begin(c);
        }
    }

    void count(connection& c) {
        result_.latencies.add(now_ns_ - c.begun_ns);
        ++c.answered;
    }

    void begin(connection& c) {
        if (options_.requests_each != 0 && c.answered == options_.requests_each) {
            ++finished_;
            return;
        }
        c.begun_ns = now_ns_;
        send(c, protocol_.next_request(c));
    }

    void send(connection& c, std::string_view bytes) {
        io_uring_sqe* sqe = ring_.entry();
        io_uring_prep_send(sqe, c.fd, bytes.data(), bytes.size(), MSG_WAITALL | MSG_NOSIGNAL);
        sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe_set_data64(sqe, reinterpret_cast<std::uintptr_t>(&c) | of_send);
    }

    void receive(connection& c) {
        io_uring_sqe* sqe = ring_.entry();
        io_uring_prep_recv_multishot(sqe, c.fd, nullptr, 0, 0);
        sqe->flags |= IOSQE_BUFFER_SELECT;
        io_uring_sqe_set_data64(sqe, reinterpret_cast<std::uintptr_t>(&c) | of_receive);
    }

    void open(connection& c) {
        const auto patience_ns = static_cast<std::uint64_t>(options_.connect_seconds_max * 1e9);
        c.fd = connect_to_server(options_.port, now_ns() + patience_ns);
        protocol_.connected(c);
        receive(c);
    }

    void count_error() {
        if (++result_.errors > errors_max)
            throw std::runtime_error("more than 1000 wrong replies or lost connections");
    }

    void reopen(connection& c) {
        close_at_once(c.fd);
        open(c);
        begin(c);
    }

    Protocol& protocol_;
    const load_options& options_;
    ring ring_;
    buffer_ring buffers_{ring_.native(), buffers_for(options_.connections)};
    std::vector<connection> connections_;
    std::uint64_t now_ns_ = now_ns();  // when the completions of this turn were taken
    bool deadline_passed_ = false;
    std::size_t finished_ = 0;  // connections that have made their requests
    load_result result_;
};

}  // namespace bench
