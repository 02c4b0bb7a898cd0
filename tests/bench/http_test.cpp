#include "load/http.hpp"

#include <gtest/gtest.h>

#include <string>

namespace http_test {
namespace {

using bench::connection;
using bench::http_protocol;
using bench::verdict;

const std::string reply = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";

class requested {
public:
    verdict once(std::string_view bytes) {
        protocol_.next_request(connection_);
        return protocol_.consume(connection_, bytes);
    }
    verdict in_pieces_of(std::size_t size, std::string_view bytes) {
        protocol_.next_request(connection_);
        verdict last = verdict::incomplete;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            EXPECT_EQ(last, verdict::incomplete) << "at " << at;
            last = protocol_.consume(connection_, bytes.substr(at, size));
        }
        return last;
    }

private:
    http_protocol protocol_{bench::get_request("/"), "body"};
    connection connection_;
};

TEST(a_reply, is_complete_with_its_last_byte_however_it_is_cut) {
    for (std::size_t size = 1; size <= reply.size(); ++size) {
        requested one;
        EXPECT_EQ(one.in_pieces_of(size, reply), verdict::complete) << size;
        EXPECT_EQ(one.in_pieces_of(size, reply), verdict::complete) << size << ", known header";
    }
}

TEST(a_reply, with_another_body_is_wrong) {
    EXPECT_EQ(requested().once("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodY"), verdict::wrong);
    EXPECT_EQ(requested().in_pieces_of(39, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodY"),
              verdict::wrong);
}

TEST(a_reply, of_another_length_or_status_is_wrong) {
    EXPECT_EQ(requested().once(reply + "!"), verdict::wrong);
    EXPECT_EQ(requested().once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody!"), verdict::wrong);
    EXPECT_EQ(requested().once("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nbody"), verdict::wrong);
}

TEST(a_reply, whose_header_does_not_end_is_wrong) {
    EXPECT_EQ(requested().once("HTTP/1.1 200 OK\r\nX: " + std::string(9000, 'x')), verdict::wrong);
}

TEST(a_post, brings_the_body_that_it_announces) {
    for (const std::size_t size : {1u, 1024u, 65536u}) {
        const std::string request = bench::post_request("/length", size);
        EXPECT_EQ(request.size() - request.find("\r\n\r\n") - 4, size);
        EXPECT_NE(request.find("\r\nContent-Length: " + std::to_string(size) + "\r\n"), request.npos);
    }
}

}  // namespace
}  // namespace http_test
