#pragma once

#include "common/buffer_ring.hpp"
#include "common/ring.hpp"
#include "peers/common/listen_socket.hpp"

#include <cerrno>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace bench {

// Bytes to send. `buffer` is the provided buffer that they lie in, which is given back when they are sent;
// no_buffer for bytes that live longer.
struct piece {
    static constexpr int no_buffer = -1;
    std::string_view bytes;
    int buffer = no_buffer;
};

struct ring_connection {
    int fd;
    bool receiving = false;
    bool sending = false;
    bool ending = false;        // receives no more; goes when nothing is under way
    piece under_way{};          // what is being sent
    std::deque<piece> queue{};  // what is sent after it
    std::string unparsed{};     // http: input that makes no whole request yet
};

// Multishot accept, multishot receive into provided buffers, one send under way a connection, one system
// call a turn. README.md beside this file tells what else was tried. `Handler` is called as
// handler(loop, connection, bytes, buffer) and must see to it that the buffer is given back.
template <class Handler>
class ring_loop {
public:
    ring_loop(int listener, Handler handler) : listener_(listener), handler_(std::move(handler)) { accept(); }

    [[noreturn]] void run() {
        for (;;) {
            ring_.submit_and_wait();
            alone_ = io_uring_cq_ready(&ring_.native()) == 1;
            ring_.for_each_completion([this](const io_uring_cqe& cqe) { take(cqe); });
            if (buffers_.publish() > 0 && !starved_.empty())
                receive_again();
        }
    }

    void give_back(int buffer) {
        if (buffer != piece::no_buffer)
            buffers_.give_back(static_cast<unsigned>(buffer));
    }

    // Sends after all that is queued already.
    void send(ring_connection& c, piece p) {
        if (c.sending)
            return c.queue.push_back(p);
        if (alone_ && send_at_once(c, p))
            return give_back(p.buffer);
        c.sending = true;
        c.under_way = p;
        submit_send(c);
    }

    // Ends the connection's input; the receive under way completes and takes the connection with it.
    void end(ring_connection& c) { shutdown(c.fd, SHUT_RDWR); }

private:
    static constexpr unsigned buffer_count = 256;
    static constexpr std::uintptr_t of_receive = 0, of_send = 1, tag_mask = 1;

    void take(const io_uring_cqe& cqe) {
        auto* c = reinterpret_cast<ring_connection*>(cqe.user_data & ~tag_mask);
        if (!c)
            take_accept(cqe);
        else if ((cqe.user_data & tag_mask) == of_send)
            take_send(c, cqe.res);
        else
            take_receive(c, cqe);
    }

    void take_accept(const io_uring_cqe& cqe) {
        if (cqe.res >= 0)
            receive(*new ring_connection{.fd = cqe.res});
        if (!(cqe.flags & IORING_CQE_F_MORE))
            accept();
    }

    void take_receive(ring_connection* c, const io_uring_cqe& cqe) {
        if (cqe.flags & IORING_CQE_F_BUFFER) {
            const int buffer = static_cast<int>(cqe.flags >> IORING_CQE_BUFFER_SHIFT);
            const char* bytes = buffers_[static_cast<unsigned>(buffer)];
            handler_(*this, *c, std::string_view(bytes, static_cast<std::size_t>(cqe.res)), buffer);
        }
        if (cqe.flags & IORING_CQE_F_MORE)
            return;
        if (cqe.res == -ENOBUFS)
            return starved_.push_back(c);
        c->receiving = false;
        if (cqe.res > 0)
            return receive(*c);
        c->ending = true;
        free_if_idle(c);
    }

    void take_send(ring_connection* c, int result) {
        if (result > 0 && static_cast<std::size_t>(result) < c->under_way.bytes.size()) {
            c->under_way.bytes.remove_prefix(static_cast<std::size_t>(result));
            return submit_send(*c);
        }
        give_back(c->under_way.buffer);
        c->sending = false;
        if (result < 0)
            drop_queue(*c);
        if (!c->queue.empty()) {
            send_next(*c);
        } else if (c->ending) {
            free_if_idle(c);
        }
    }

    void send_next(ring_connection& c) {
        const piece next = c.queue.front();
        c.queue.pop_front();
        send(c, next);
    }

    // After a failed send nothing more is sent, and the receive is made to end.
    void drop_queue(ring_connection& c) {
        for (const piece& p : c.queue)
            give_back(p.buffer);
        c.queue.clear();
        end(c);
    }

    void free_if_idle(ring_connection* c) {
        if (c->receiving || c->sending)
            return;
        close(c->fd);
        delete c;
    }

    void accept() {
        io_uring_sqe* sqe = ring_.entry();
        io_uring_prep_multishot_accept(sqe, listener_, nullptr, nullptr, SOCK_CLOEXEC);
        io_uring_sqe_set_data64(sqe, 0);
    }

    void receive(ring_connection& c) {
        io_uring_sqe* sqe = ring_.entry();
        io_uring_prep_recv_multishot(sqe, c.fd, nullptr, 0, 0);
        sqe->flags |= IOSQE_BUFFER_SELECT;
        io_uring_sqe_set_data64(sqe, reinterpret_cast<std::uintptr_t>(&c) | of_receive);
        c.receiving = true;
    }

    void receive_again() {
        for (ring_connection* c : std::exchange(starved_, {}))
            receive(*c);
    }

    // With one completion in a turn there is no batch for the ring to save calls on, and the plain call is
    // cheaper. False when something is left, which `p` then holds.
    bool send_at_once(ring_connection& c, piece& p) {
        const ssize_t sent = ::send(c.fd, p.bytes.data(), p.bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0)
            p.bytes.remove_prefix(static_cast<std::size_t>(sent));
        return p.bytes.empty();
    }

    void submit_send(ring_connection& c) {
        io_uring_sqe* sqe = ring_.entry();
        const std::string_view bytes = c.under_way.bytes;
        io_uring_prep_send(sqe, c.fd, bytes.data(), bytes.size(), MSG_WAITALL | MSG_NOSIGNAL);
        io_uring_sqe_set_data64(sqe, reinterpret_cast<std::uintptr_t>(&c) | of_send);
    }

    ring ring_;
    buffer_ring buffers_{ring_.native(), buffer_count};
    int listener_;
    Handler handler_;
    bool alone_ = false;  // this turn has one completion
    // Found no buffer: they wait until a send completes and gives one back. They count as receiving.
    std::vector<ring_connection*> starved_;
};

}  // namespace bench
