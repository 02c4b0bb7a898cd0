#include "load/memcached.hpp"

#include <random>

namespace bench {
namespace {

std::string value_of(std::size_t size, unsigned seed) {
    std::minstd_rand random(seed + 1);
    std::string value(size, '\0');
    for (char& byte : value)
        byte = static_cast<char>('a' + random() % 26);
    return value;
}

}  // namespace

memcached_protocol::memcached_protocol(memcached_work work, std::size_t value_size) : work_(work) {
    for (unsigned key = 0; key < key_count; ++key) {
        const std::string name = "bench:" + std::to_string(1000 + key), size = std::to_string(value_size);
        const std::string value = value_of(value_size, key);
        sets_.push_back({"set " + name + " 0 0 " + size + "\r\n" + value + "\r\n", "STORED\r\n"});
        gets_.push_back(
            {"get " + name + "\r\n", "VALUE " + name + " 0 " + size + "\r\n" + value + "\r\nEND\r\n"});
    }
    for (std::size_t first = 0; first < key_count; ++first) {
        exchange& together = batches_.emplace_back();
        for (std::size_t more = 0; more < batch; ++more) {
            together.request += gets_[(first + more) % key_count].request;
            together.reply += gets_[(first + more) % key_count].reply;
        }
    }
}

const memcached_protocol::exchange& memcached_protocol::exchange_of(const connection& c) const {
    const std::uint64_t turn = c.sequence - 1;
    if (turn < key_count)
        return sets_[turn];
    const std::size_t key = (c.index + turn) % key_count;
    switch (work_) {
        case memcached_work::get:
            return gets_[key];
        case memcached_work::set:
            return sets_[key];
        case memcached_work::pipelined_gets:
            return batches_[key];
        case memcached_work::pairs:
            break;
    }
    return (turn % 2 == 0 ? sets_ : gets_)[(c.index + turn / 2) % key_count];
}

std::string_view memcached_protocol::next_request(connection& c) {
    ++c.sequence;
    c.received = 0;
    return exchange_of(c).request;
}

verdict memcached_protocol::consume(connection& c, std::string_view bytes) {
    return take_expected(c, exchange_of(c).reply, bytes);
}

}  // namespace bench
