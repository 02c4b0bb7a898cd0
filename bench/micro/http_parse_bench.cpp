// How long one request head takes to parse, for the requests a server sees most.

#include <eddy/http/codec/detail/request_parser.hpp>

#include <benchmark/benchmark.h>

#include <string_view>

namespace {

constexpr std::string_view wrk_request = "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";

constexpr std::string_view curl_request =
    "GET /index.html HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n";

constexpr std::string_view chrome_request =
    "GET /assets/app.js?v=3 HTTP/1.1\r\n"
    "Host: www.example.com\r\n"
    "Connection: keep-alive\r\n"
    "Cache-Control: max-age=0\r\n"
    "sec-ch-ua: \"Chromium\";v=\"124\", \"Google Chrome\";v=\"124\", \"Not-A.Brand\";v=\"99\"\r\n"
    "sec-ch-ua-mobile: ?0\r\n"
    "sec-ch-ua-platform: \"Linux\"\r\n"
    "Upgrade-Insecure-Requests: 1\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/124.0.0.0 Safari/537.36\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
    "Sec-Fetch-Site: none\r\n"
    "Sec-Fetch-Mode: navigate\r\n"
    "Sec-Fetch-User: ?1\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: en-US,en;q=0.9\r\n"
    "\r\n";

void parse(benchmark::State& state, std::string_view request) {
    const eddy::http::message_limits limits;
    eddy::http::request_parser parser(limits);
    for (auto _ : state) {
        benchmark::DoNotOptimize(request);
        parser.reset();
        auto result = parser.parse(request);
        benchmark::DoNotOptimize(result);
        if (result.state() != eddy::http::parse_state::complete) {
            state.SkipWithError("refused");
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(request.size()));
}

}  // namespace

BENCHMARK_CAPTURE(parse, wrk, wrk_request);
BENCHMARK_CAPTURE(parse, curl, curl_request);
BENCHMARK_CAPTURE(parse, chrome, chrome_request);
BENCHMARK_MAIN();
