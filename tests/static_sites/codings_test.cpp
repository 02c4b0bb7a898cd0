// Static files in encoded forms, by negotiation.

#include "http/served_site.hpp"

#include <eddy/http/codec/detail/content_decoder.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace eddy::http::test::codings_test {
namespace {

std::string text_of(std::size_t size) {
    std::string text;
    for (int i = 0; text.size() < size; ++i)
        text += "line " + std::to_string(i * 7919 % 1009) + "\n";
    text.resize(size);
    return text;
}

std::string decode(const response_seen& response) {
    const auto coding = content_coding_from(response.field("Content-Encoding"));
    content_decoder decoder(coding.value_or(content_coding::identity));
    std::string room(1 << 20, '\0');
    const auto step = decoder.decode(as_bytes(response.body), std::as_writable_bytes(std::span(room)));
    EXPECT_EQ(step.error(), decode_error::none);
    EXPECT_EQ(decoder.finish(), decode_error::none);
    return room.substr(0, step.produced());
}

class compressed_site : public served_site {
protected:
    compressed_site() {
        site.write("page.html", page);
        site.write("small.html", "<p>small</p>");
        site.write("noise.txt", noise);
        site.write("image.png", text_of(5000));
        serve(static_files_options().compress(true));
    }

    const std::string page = text_of(20'000);
    const std::string noise = [] {
        std::string bytes;
        std::uint64_t state = 1;
        while (bytes.size() < 5000) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            bytes += static_cast<char>(state >> 56);
        }
        return bytes;
    }();
};

TEST_F(compressed_site, gives_each_client_what_it_wants_most) {
    const auto brotli = get_as("/page.html", "gzip, deflate, br");
    EXPECT_EQ(brotli.field("Content-Encoding"), "br");
    EXPECT_LT(brotli.body.size() * 3, page.size());
    EXPECT_TRUE(decode(brotli) == page);
    EXPECT_EQ(brotli.field("Content-Type"), "text/html; charset=utf-8");
    const auto gzip = get_as("/page.html", "gzip, br;q=0.5");
    EXPECT_EQ(gzip.field("Content-Encoding"), "gzip");
    EXPECT_TRUE(decode(gzip) == page);
    EXPECT_TRUE(ask(get("/page.html")).body == page);
    EXPECT_TRUE(get_as("/page.html", "zstd").body == page);
    EXPECT_TRUE(get_as("/page.html", "gzip;q=0, *;q=0, identity").body == page);
}

TEST_F(compressed_site, says_that_answers_vary_whatever_the_client_wants) {
    for (const auto wanted : {"gzip", "identity", "", "gzip;q=0"}) {
        const auto response = get_as("/page.html", wanted);
        EXPECT_EQ(response.field("Vary"), "Accept-Encoding") << wanted;
    }
    EXPECT_EQ(ask(get("/page.html")).field("Vary"), "Accept-Encoding");
    EXPECT_EQ(get_as("/image.png", "gzip").field("Vary"), "");
}

TEST_F(compressed_site, gives_each_form_a_tag_of_its_own) {
    const auto plain = ask(get("/page.html")).field("ETag");
    const auto gzip = get_as("/page.html", "gzip").field("ETag");
    const auto brotli = get_as("/page.html", "br").field("ETag");
    EXPECT_NE(plain, gzip);
    EXPECT_NE(plain, brotli);
    EXPECT_NE(gzip, brotli);
    EXPECT_TRUE(gzip.starts_with("W/")) << "another encoder makes other bytes";
    const auto same = get_as("/page.html", "gzip", "If-None-Match: " + gzip + "\r\n");
    EXPECT_EQ(same.status, 304);
    EXPECT_EQ(same.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(same.field("ETag"), gzip);
    EXPECT_EQ(get_as("/page.html", "gzip", "If-None-Match: " + plain + "\r\n").status, 200);
}

TEST_F(compressed_site, compresses_only_what_gains) {
    EXPECT_EQ(get_as("/small.html", "gzip").body, "<p>small</p>");
    EXPECT_TRUE(get_as("/noise.txt", "gzip, br").body == noise);
    EXPECT_EQ(get_as("/image.png", "gzip").field("Content-Encoding"), "");
}

TEST_F(compressed_site, encodes_what_does_not_gain_for_who_excludes_the_plain_form) {
    const auto response = get_as("/noise.txt", "identity;q=0, gzip");
    EXPECT_EQ(response.field("Content-Encoding"), "gzip");
    EXPECT_TRUE(decode(response) == noise);
    EXPECT_EQ(decode(get_as("/small.html", "*;q=0, br")), "<p>small</p>");
    EXPECT_EQ(get_as("/noise.txt", "gzip").field("Content-Encoding"), "");
}

TEST_F(compressed_site, answers_406_where_no_form_will_do) {
    for (const auto path : {"/page.html", "/noise.txt", "/small.html"}) {
        const auto response = get_as(path, "*;q=0");
        EXPECT_EQ(response.status, 406);
        EXPECT_EQ(response.field("Vary"), "Accept-Encoding");
    }
}

TEST_F(compressed_site, compresses_a_large_file_on_its_way) {
    const std::string large = text_of(700'000);
    site.write("large.txt", large);
    for (const auto wanted : {"gzip", "br", "gzip;q=0, br, identity;q=0"}) {
        const auto response = get_as("/large.txt", wanted);
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.field("Vary"), "Accept-Encoding");
        EXPECT_LT(response.body.size() * 3, large.size());
        EXPECT_TRUE(decode(response) == large);
        const auto tag = response.field("ETag");
        EXPECT_TRUE(tag.starts_with("W/")) << tag;
        EXPECT_EQ(get_as("/large.txt", wanted, "If-None-Match: " + tag + "\r\n").status, 304);
    }
    EXPECT_TRUE(ask(get("/large.txt")).body == large);
    const auto part = get_as("/large.txt", "gzip", "Range: bytes=10-19\r\n");
    EXPECT_EQ(part.status, 206);
    EXPECT_EQ(part.body, large.substr(10, 10));
}

TEST_F(compressed_site, gives_ranges_of_the_plain_form) {
    const auto response = get_as("/page.html", "gzip", "Range: bytes=5-9\r\n");
    EXPECT_EQ(response.status, 206);
    EXPECT_EQ(response.field("Content-Encoding"), "");
    EXPECT_EQ(response.body, page.substr(5, 5));
}

TEST_F(compressed_site, gives_head_the_same) {
    const auto whole = get_as("/page.html", "gzip");
    const auto head = ask("HEAD /page.html HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    for (const auto name : {"Content-Length", "Content-Encoding", "ETag", "Vary"})
        EXPECT_EQ(head.field(name), whole.field(name)) << name;
}

TEST_F(compressed_site, gives_a_new_form_of_a_changed_file) {
    EXPECT_TRUE(decode(get_as("/page.html", "br")) == page);
    const std::string changed = text_of(10'000);
    site.write("page.html", changed, temporary_site::long_ago + 5);
    EXPECT_TRUE(decode(get_as("/page.html", "br")) == changed);
}

class precompressed_site : public served_site {
protected:
    precompressed_site() {
        site.write("page.html", "<p>plain</p>");
        site.write("page.html.gz", gzip);
        site.write("page.html.br", brotli);
        site.write("data.bin", "bytes");
        site.write("data.bin.gz", "no form of data.bin");
        serve(static_files_options().compress(true));
    }

    const std::string gzip =
        encode_content(as_bytes(std::string_view("<p>from the gzip file</p>")), content_coding::gzip);
    const std::string brotli =
        encode_content(as_bytes(std::string_view("<p>from the brotli file</p>")), content_coding::brotli);
};

TEST_F(precompressed_site, gives_the_files_that_are_there) {
    const auto response = get_as("/page.html", "br, gzip");
    EXPECT_TRUE(response.body == brotli);
    EXPECT_EQ(response.field("Content-Encoding"), "br");
    EXPECT_EQ(response.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_FALSE(response.field("ETag").starts_with("W/"));
    EXPECT_TRUE(get_as("/page.html", "gzip").body == gzip);
    EXPECT_EQ(ask(get("/page.html")).body, "<p>plain</p>");
    EXPECT_EQ(get_as("/data.bin", "gzip").body, "bytes");
    EXPECT_TRUE(ask(get("/page.html.gz")).body == gzip);
    EXPECT_EQ(ask(get("/page.html.gz")).field("Content-Encoding"), "");
}

TEST_F(precompressed_site, passes_over_files_that_are_older_than_the_plain_one) {
    site.write("page.html", "<p>new</p>", temporary_site::long_ago + 1);
    EXPECT_EQ(get_as("/page.html", "br, gzip").body, "<p>new</p>");
}

TEST_F(precompressed_site, notices_files_that_come_change_and_go) {
    std::filesystem::remove(site.at("page.html.br"));
    EXPECT_TRUE(get_as("/page.html", "br, gzip").body == gzip);
    std::filesystem::remove(site.at("page.html.gz"));
    EXPECT_EQ(get_as("/page.html", "br, gzip").body, "<p>plain</p>");
    site.write("page.html.br", brotli);
    EXPECT_TRUE(get_as("/page.html", "br, gzip").body == brotli);
    const std::string other =
        encode_content(as_bytes(std::string_view("<p>other</p>")), content_coding::brotli);
    site.write("page.html.br", other, temporary_site::long_ago + 3);
    EXPECT_TRUE(get_as("/page.html", "br, gzip").body == other);
}

TEST_F(precompressed_site, gives_a_range_of_the_form_by_its_strong_tag) {
    const auto whole = get_as("/page.html", "br");
    const auto part =
        get_as("/page.html", "br", "Range: bytes=3-\r\nIf-Range: " + whole.field("ETag") + "\r\n");
    EXPECT_EQ(part.status, 206);
    EXPECT_EQ(part.field("Content-Encoding"), "br");
    EXPECT_TRUE(part.body == brotli.substr(3));
    const auto several = get_as("/page.html", "br", "Range: bytes=0-0,-1\r\n");
    EXPECT_TRUE(several.body == brotli);
}

TEST_F(precompressed_site, follows_no_link_out_of_the_site_for_a_form) {
    const temporary_site outside;
    outside.write("secret", "secret");
    std::filesystem::remove(site.at("page.html.br"));
    std::filesystem::create_symlink(outside.at("secret"), site.at("page.html.br"));
    EXPECT_TRUE(get_as("/page.html", "br, gzip").body == gzip);
}

class uncompressed_site : public served_site {};

TEST_F(uncompressed_site, knows_nothing_of_codings_unless_asked_to) {
    site.write("page.html", text_of(5000));
    site.write("page.html.br", "encoded");
    serve(static_files_options());
    EXPECT_EQ(get_as("/page.html", "br, gzip, identity;q=0").status, 406) << "and has no other form";
    const auto response = get_as("/page.html", "br, gzip, identity;q=0.1");
    EXPECT_TRUE(response.body == text_of(5000));
    EXPECT_EQ(response.field("Vary"), "");
}

}  // namespace
}  // namespace eddy::http::test::codings_test
