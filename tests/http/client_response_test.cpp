#include "http/scripted_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace eddy::http::client_response_test {
namespace {

using eddy::test::run_bounded;
using test::empty;
using test::error_of;
using test::line_of;
using test::ok;
using test::scripted_origin;

task<std::string> text_of(client& by, std::string to) {
    client_response response = co_await by.get(std::move(to));
    co_return co_await response.text();
}

TEST(a_client, follows_redirects_as_each_status_says) {
    const auto second_line = [](const char* code, method requested) -> task<std::string> {
        scripted_origin origin({{empty(code, "Location: ../to?x\r\n"), ok("there")}});
        client by(origin.options());
        client_request wanted(requested, "http://a/b/c/d");
        if (requested == method::post || requested == method::put)
            wanted.content(std::string("data"), "text/plain");
        const client_response response = co_await by.send(wanted);
        EXPECT_EQ(response.url().text(), "http://a/b/to?x");
        EXPECT_EQ(origin.connected().size(), 1U);
        const std::string& second = origin.requested().at(1);
        co_return line_of(second).substr(0, line_of(second).find(" /b/to?x")) +
            (second.ends_with("\r\n\r\ndata") ? "+data" : "") +
            (second.contains("Content-Type") ? "+type" : "");
    };
    for (const char* code : {"301 ", "302 "}) {
        EXPECT_EQ(run_bounded(second_line(code, method::get)), "GET");
        EXPECT_EQ(run_bounded(second_line(code, method::post)), "GET");
        EXPECT_EQ(run_bounded(second_line(code, method::put)), "PUT+data+type");
    }
    EXPECT_EQ(run_bounded(second_line("303 ", method::put)), "GET");
    EXPECT_EQ(run_bounded(second_line("303 ", method::head)), "HEAD");
    for (const char* code : {"307 ", "308 "}) {
        EXPECT_EQ(run_bounded(second_line(code, method::get)), "GET");
        EXPECT_EQ(run_bounded(second_line(code, method::post)), "POST+data+type");
    }
}

TEST(a_client, follows_only_so_many_redirects) {
    run_bounded([]() -> task<> {
        const std::string again = empty("302 Found", "Location: /\r\n");
        scripted_origin origin({{again, again, ok("end")}, {again, again, again}, {again}});
        client by(origin.options().redirects_max(2));
        const std::string end = co_await text_of(by, "http://a/");
        EXPECT_EQ(end, "end");
        by.close_idle_connections();
        const std::error_code error = co_await error_of(by.get("http://a/"));
        EXPECT_EQ(error, http_error::too_many_redirects);
        const client_response as_it_is = co_await get("http://a/", origin.options().redirects_max(0));
        EXPECT_EQ(as_it_is.status(), status::found);
    }());
}

TEST(a_client, gives_no_credentials_to_another_origin) {
    run_bounded([]() -> task<> {
        scripted_origin origin(
            {{empty("302 ", "Location: /here\r\n"), empty("302 ", "Location: http://b/there\r\n")},
             {ok("")}});
        client by(origin.options());
        client_request wanted(method::get, "http://user:pass@a/");
        wanted.field("Cookie", "c=d").field("X-Other", "e");
        client_request with_token = wanted;
        static_cast<void>(co_await by.send(with_token.bearer_auth("token")));
        EXPECT_TRUE(origin.requested().at(0).contains("Authorization: Bearer token\r\n"));
        EXPECT_TRUE(origin.requested().at(1).contains("Authorization: Bearer token\r\n"));
        const std::string& there = origin.requested().at(2);
        EXPECT_FALSE(there.contains("Authorization"));
        EXPECT_FALSE(there.contains("Cookie"));
        EXPECT_TRUE(there.contains("X-Other: e"));
        EXPECT_TRUE(there.contains("Host: b\r\n"));
    }());
}

TEST(a_client, keeps_the_credentials_of_its_url_on_the_same_origin) {
    run_bounded([]() -> task<> {
        scripted_origin origin(
            {{empty("302 ", "Location: /here\r\n"), empty("302 ", "Location: http://other@a/there\r\n"),
              empty("302 ", "Location: http://b/\r\n")},
             {empty("302 ", "Location: /last\r\n"), ok("")}});
        client by(origin.options());
        static_cast<void>(co_await by.get("http://user:pass@a/"));
        const std::string own = "Authorization: Basic dXNlcjpwYXNz\r\n";
        EXPECT_TRUE(origin.requested().at(0).contains(own));
        EXPECT_TRUE(origin.requested().at(1).contains(own)) << origin.requested().at(1);
        EXPECT_TRUE(origin.requested().at(2).contains("Authorization: Basic b3RoZXI6\r\n"))
            << origin.requested().at(2);
        EXPECT_FALSE(origin.requested().at(3).contains("Authorization"));
        EXPECT_FALSE(origin.requested().at(4).contains("Authorization"));
    }());
}

TEST(a_client, refuses_redirects_that_lead_astray) {
    const auto outcome = [](std::string location, std::string from = "http://a/") -> task<std::error_code> {
        scripted_origin origin({{empty("302 ", "Location: " + location + "\r\n")}});
        co_return co_await error_of(get(std::move(from), origin.options()));
    };
    EXPECT_EQ(run_bounded(outcome("http://")), http_error::redirect_refused);
    EXPECT_EQ(run_bounded(outcome("ftp://a/")), http_error::redirect_refused);
    EXPECT_EQ(run_bounded(outcome("http+unix://%2Frun%2Fdocker.sock/")), http_error::redirect_refused);
    EXPECT_EQ(run_bounded(outcome("javascript:alert(1)")), http_error::redirect_refused);
    EXPECT_EQ(run_bounded([]() -> task<std::error_code> {
                  scripted_origin origin({{empty("307 ", "Location: /\r\n")}});
                  client by(origin.options());
                  client_request wanted(method::post, "http://a/");
                  const auto pieces = []() -> async_generator<std::string> { co_yield std::string("x"); };
                  wanted.content(outgoing_body::of_texts(pieces()));
                  co_return co_await error_of(by.send(wanted));
              }()),
              http_error::body_not_replayable);
}

TEST(a_client, decodes_what_it_asked_for) {
    run_bounded([]() -> task<> {
        const std::string text(100'000, 'e');
        std::string packed;
        content_encoder encoder(content_coding::gzip);
        encoder.append(as_bytes(text), packed);
        encoder.finish(packed);
        const std::string whole = ok(packed, "Content-Encoding: gzip\r\n");
        scripted_origin origin({{whole, whole, whole, ok(packed.substr(0, 20), "Content-Encoding: gzip\r\n")},
                                {ok("what?", "Content-Encoding: br\r\n")},
                                {whole}});
        client by(origin.options());
        client_response response = co_await by.get("http://a/");
        EXPECT_EQ(response.body().size(), std::nullopt);
        const std::string decoded = co_await response.text();
        EXPECT_EQ(decoded, text);
        client_request raw(method::get, "http://a/");
        client_response undecoded = co_await by.send(raw.field("Accept-Encoding", "gzip"));
        const std::string bytes = co_await undecoded.text();
        EXPECT_EQ(bytes, packed) << "who asks for a coding decodes it";
        const client_response only_head = co_await by.head("http://a/");
        static_cast<void>(only_head);
        by.close_idle_connections();
    }());
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("what?", "Content-Encoding: gzip\r\n"), ok("")}});
        client by(origin.options());
        const std::error_code error = co_await error_of(text_of(by, "http://a/"));
        EXPECT_EQ(error, http_error::malformed_content);
    }());
}

TEST(a_client, refuses_an_encoded_body_that_lacks_its_end) {
    run_bounded([]() -> task<> {
        std::string packed;
        content_encoder encoder(content_coding::gzip);
        encoder.append(as_bytes("text"), packed);
        encoder.finish(packed);
        packed.resize(packed.size() - 1);
        scripted_origin origin({{ok(packed, "Content-Encoding: gzip\r\n")}});
        client by(origin.options());
        const std::error_code error = co_await error_of(text_of(by, "http://a/"));
        EXPECT_EQ(error, http_error::malformed_content);
    }());
}

TEST(a_client, refuses_what_was_encoded_more_than_once) {
    run_bounded([]() -> task<> {
        std::string packed;
        content_encoder encoder(content_coding::gzip);
        encoder.append(as_bytes("text"), packed);
        encoder.finish(packed);
        for (const char* const fields :
             {"Content-Encoding: br, gzip\r\n", "Content-Encoding: unknown, gzip\r\n",
              "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"}) {
            scripted_origin origin({{ok("what?", fields)}});
            client by(origin.options());
            EXPECT_EQ(co_await error_of(text_of(by, "http://a/")), http_error::malformed_content) << fields;
        }
        for (const char* const fields :
             {"Content-Encoding: gzip, identity\r\n", "Content-Encoding: ,gzip,\r\n",
              "Content-Encoding: identity\r\nContent-Encoding: x-gzip\r\n"}) {
            scripted_origin origin({{ok(packed, fields)}});
            client by(origin.options());
            EXPECT_EQ(co_await text_of(by, "http://a/"), "text") << fields;
        }
    }());
}

TEST(a_client, limits_what_it_reads) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("hello")}, {ok("hello")}});
        client by(origin.options());
        client_response response = co_await by.get("http://a/");
        std::error_code error = co_await error_of(response.text(4));
        EXPECT_EQ(error, http_error::body_too_large);
        response = co_await by.get("http://a/");
        const std::string text = co_await response.text(5);
        EXPECT_EQ(text, "hello");
    }());
}

}  // namespace
}  // namespace eddy::http::client_response_test
