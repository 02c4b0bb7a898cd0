#include "http/routed.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/http/server/multipart_reader.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace eddy::http::test::multipart_reader_test {
namespace {

std::string part(std::string_view name, std::string_view file_name, std::string_view content) {
    std::string text = "--XX\r\nContent-Disposition: form-data; name=\"" + std::string(name) + "\"";
    if (!file_name.empty())
        text.append("; filename=\"").append(file_name).append("\"");
    return text.append("\r\n\r\n").append(content).append("\r\n");
}

std::string numbered(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        text[at] = at % 97 == 0 ? '\r' : static_cast<char>(at * 31 + at / 251);
    return text;
}

task<> send(duplex_stream& to, std::string text, std::size_t piece_size) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view piece = rest.substr(0, piece_size);
        co_await to.write_all(as_bytes(piece));
        rest.remove_prefix(piece.size());
    }
    co_await to.shutdown();
}

task<std::string> read_form(duplex_stream& from) {
    multipart_reader form(from, "XX");
    std::string seen;
    for (;;) {
        auto next = co_await form.next();
        if (!next)
            co_return seen;
        seen.append(next->name()).append("=");
        seen += co_await next->read_all(1 << 20);
        seen += ";";
    }
}

TEST(a_multipart_reader, gives_parts_and_bodies_whatever_pieces_they_come_in) {
    const std::string large = numbered(40'000);
    const std::string body =
        part("a", "", "1") + part("b", "f.bin", large) + part("c", "", "") + "--XX--\r\n";
    for (const std::size_t size : {1UZ, 7UZ, 4096UZ, 100'000UZ}) {
        auto [here, there] = duplex(8192);
        auto both = [](duplex_stream& from, duplex_stream& to, const std::string& sent,
                       std::size_t piece) -> task<std::string> {
            auto results = co_await when_all(read_form(from), send(to, sent, piece));
            co_return std::get<0>(results);
        };
        EXPECT_EQ(eddy::test::run_bounded(both(here, there, body, size)), "a=1;b=" + large + ";c=;") << size;
    }
}

TEST(a_multipart_reader, leaves_out_what_nobody_reads) {
    auto [here, there] = duplex(200'000);
    auto program = [](duplex_stream& from, duplex_stream& to) -> task<std::string> {
        const std::string body =
            part("a", "", numbered(50'000)) + part("b", "", numbered(50'000)) + part("c", "", "x") + "--XX--";
        co_await send(to, body, body.size());
        multipart_reader form(from, "XX");
        std::string names;
        for (;;) {
            auto next = co_await form.next();
            if (!next)
                co_return names;
            names += next->name();
            std::array<std::byte, 10> some;
            co_await next->read(some);
        }
    };
    EXPECT_EQ(eddy::test::run_bounded(program(here, there)), "abc");
}

status refusal(std::string body, multipart_limits limits = {}) {
    auto [here, there] = duplex(200'000);
    auto program = [](duplex_stream& from, duplex_stream& to, std::string sent,
                      multipart_limits kept) -> task<status> {
        co_await send(to, sent, sent.size());
        multipart_reader form(from, "XX", kept);
        try {
            for (;;) {
                auto next = co_await form.next();
                if (!next)
                    co_return status::ok;
                static_cast<void>(co_await next->read_all(100));
            }
        } catch (const request_error& error) {
            co_return error.status();
        }
    };
    return eddy::test::run_bounded(program(here, there, std::move(body), limits));
}

TEST(a_multipart_reader, refuses_what_ends_early_or_is_too_large) {
    const std::string whole = part("a", "", "12345") + "--XX--";
    EXPECT_EQ(refusal(whole), status::ok);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(refusal(whole.substr(0, size)), status::bad_request) << size;
    EXPECT_EQ(refusal(part("a", "", std::string(100, 'x')) + "--XX--"), status::ok);
    EXPECT_EQ(refusal(part("a", "", std::string(101, 'x')) + "--XX--"), status::content_too_large);
    EXPECT_EQ(refusal(whole, multipart_limits().part_bytes_max(4)), status::content_too_large);
}

std::string content_of(const std::string& path) {
    std::ifstream opened(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(opened), {}};
}

class uploads : public testing::Test {
protected:
    uploads() {
        std::string name = (std::filesystem::temp_directory_path() / "eddy-uploads-XXXXXX").string();
        directory = ::mkdtemp(name.data());
    }
    ~uploads() override { std::filesystem::remove_all(directory); }
    [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(directory); }
    [[nodiscard]] std::string listing() const {
        std::string all;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
            all += entry.path().string() + " ";
        return all;
    }
    std::string directory;
};

TEST_F(uploads, are_kept_by_a_name_or_leave_nothing) {
    const std::string content = numbered(300'000);
    const auto routes_of_uploads = [this](router& routes) {
        routes.post("/{keep}", [this](path<"keep", bool> keep, multipart_reader form) -> task<response> {
            std::string seen;
            for (;;) {
                auto next = co_await form.next();
                if (!next)
                    co_return response::text(seen);
                uploaded_file saved = co_await next->save(directory);
                seen +=
                    next->header().file_name().value_or("") + " " + std::to_string(saved.size_bytes()) + ";";
                if (keep)
                    co_await saved.keep(directory + "/" + next->name());
            }
        });
    };
    const std::string_view type = "Content-Type: multipart/form-data; boundary=XX\r\n";
    const std::string body = part("a", "x.bin", content) + part("b", "../y", "") + "--XX--\r\n";
    {
        routed server(routes_of_uploads);
        EXPECT_EQ(server.said("POST", "/false", type, body), "200 x.bin 300000;../y 0;");
    }
    // Nobody waits for the removal but the runtime, at its end.
    EXPECT_EQ(listing(), "");
    routed server(routes_of_uploads);
    EXPECT_EQ(server.said("POST", "/true", type, body), "200 x.bin 300000;../y 0;");
    EXPECT_EQ(content_of(directory + "/a"), content);
    EXPECT_EQ(content_of(directory + "/b"), "");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 2);
    EXPECT_EQ(server.ask("POST", "/true", "Content-Type: text/plain\r\n", body).status, 415);
    EXPECT_EQ(server.ask("POST", "/true", "", body).status, 415);
    EXPECT_EQ(server.ask("POST", "/true", type, body.substr(0, 1000)).status, 400);
}

TEST_F(uploads, that_are_dropped_half_way_leave_nothing) {
    const std::size_t descriptors = eddy::test::open_descriptors();
    {
        routed server([this](router& routes) {
            routes.post("/", [this](multipart_reader form) -> task<response> {
                auto next = co_await form.next();
                const uploaded_file saved = co_await next->save(directory);
                co_return response::text("never");
            });
        });
        blocking_client client(server.port());
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
            "Content-Length: 1000000\r\n\r\n" +
            part("a", "f", numbered(100'000)));
        while (is_empty())
            std::this_thread::yield();
        server.drop();
    }
    EXPECT_TRUE(is_empty());
    EXPECT_EQ(eddy::test::open_descriptors(), descriptors);
}

}  // namespace
}  // namespace eddy::http::test::multipart_reader_test
