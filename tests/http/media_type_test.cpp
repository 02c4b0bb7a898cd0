#include <eddy/http/message/detail/media_type.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace eddy::http::media_type_test {
namespace {

TEST(media_type, goes_by_the_extension) {
    for (const auto& [name, type] : {
             std::pair("index.html", "text/html; charset=utf-8"),
             std::pair("a/b.c/style.css", "text/css; charset=utf-8"),
             std::pair("app.js", "text/javascript; charset=utf-8"),
             std::pair("app.mjs", "text/javascript; charset=utf-8"),
             std::pair("data.json", "application/json"),
             std::pair("a.svg", "image/svg+xml"),
             std::pair("a.png", "image/png"),
             std::pair("a.jpg", "image/jpeg"),
             std::pair("A.JPEG", "image/jpeg"),
             std::pair("a.webp", "image/webp"),
             std::pair("a.avif", "image/avif"),
             std::pair("favicon.ico", "image/vnd.microsoft.icon"),
             std::pair("a.wasm", "application/wasm"),
             std::pair("a.woff2", "font/woff2"),
             std::pair("a.pdf", "application/pdf"),
             std::pair("a.txt", "text/plain; charset=utf-8"),
             std::pair("README.md", "text/markdown; charset=utf-8"),
             std::pair("a.xml", "application/xml"),
             std::pair("a.mp4", "video/mp4"),
             std::pair("a.webm", "video/webm"),
             std::pair("a.mp3", "audio/mpeg"),
             std::pair("a.tar.gz", "application/gzip"),
             std::pair("a.zip", "application/zip"),
             std::pair("app.webmanifest", "application/manifest+json"),
             std::pair("a.7z", "application/x-7z-compressed"),
             std::pair("a.zst", "application/zstd"),
         }) {
        EXPECT_EQ(media_type_of(name), type) << name;
    }
}

TEST(media_type, anything_else_is_bytes) {
    for (const char* name : {"", "a", "a.", ".html", "a/.html", "a.html/b", "a.unknown", "a.htmlx",
                             "a.verylongextension", "a.ht\xff"}) {
        EXPECT_EQ(media_type_of(name), "application/octet-stream") << name;
    }
}

TEST(media_type, text_is_worth_compressing_and_packed_data_is_not) {
    for (const char* name : {"a.html", "a.css", "a.js", "a.json", "a.svg", "a.xml", "a.wasm", "a.txt",
                             "a.atom", "a.webmanifest"}) {
        EXPECT_TRUE(is_compressible(media_type_of(name))) << name;
    }
    for (const char* name : {"a.png", "a.jpg", "a.gz", "a.zip", "a.mp4", "a.woff2", "a", "a.docx"}) {
        EXPECT_FALSE(is_compressible(media_type_of(name))) << name;
    }
}

}  // namespace
}  // namespace eddy::http::media_type_test
