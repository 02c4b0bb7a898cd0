#include "httpd/options.hpp"

#include <chrono>
#include <string>

namespace eddy::apps {

namespace {

// CLI::Range lets what is no number pass.
CLI::Validator within(double smallest, double largest) {
    return CLI::Range(smallest, largest) &
           CLI::Validator(
               [](std::string& text) {
                   return text.find_first_of("nN") == std::string::npos ? "" : "not a number";
               },
               "");
}

duration seconds(double count) {
    return std::chrono::duration_cast<duration>(std::chrono::duration<double>(count));
}

}  // namespace

void httpd_options::add_to(CLI::App& options) {
    serving.add_to(options);
    constexpr double longest_s = 86400;
    options.add_option("--root", root, "Folder to serve")->required();
    options.add_flag("--access-log", logs_accesses, "Write a line for each answer to standard output");
    options.add_option("--head-timeout", head_timeout_s, "Seconds for a request's head to arrive")
        ->check(within(0.001, longest_s))
        ->capture_default_str();
    options.add_option("--idle-timeout", idle_timeout_s, "Seconds between requests")
        ->check(within(0.001, longest_s))
        ->capture_default_str();
    options.add_option("--write-timeout", write_timeout_s, "Seconds for a piece of an answer to be taken")
        ->check(within(0.001, longest_s))
        ->capture_default_str();
    options.add_option("--drain-limit", drain_limit_s, "Seconds for answers to end after SIGINT or SIGTERM")
        ->check(within(0.0, longest_s))
        ->capture_default_str();
    options.add_option("--revalidate", revalidate_s, "Seconds before a file is looked at again")
        ->check(within(0.0, longest_s))
        ->capture_default_str();
    options.add_option("--connections-max", connections_max, "Connections of each worker at one time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

http::server_options httpd_options::server() const {
    return http::server_options()
        .head_timeout(seconds(head_timeout_s))
        .idle_timeout(seconds(idle_timeout_s))
        .write_timeout(seconds(write_timeout_s))
        .connections_max(connections_max);
}

http::file_cache_options httpd_options::cache() const {
    return http::file_cache_options().validity(seconds(revalidate_s));
}

duration httpd_options::drain_limit() const {
    return seconds(drain_limit_s);
}

}  // namespace eddy::apps
