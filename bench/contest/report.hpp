#pragma once

#include "contest/options.hpp"
#include "contest/rounds.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using machine_facts = std::vector<std::pair<std::string, std::string>>;

void print_contests(const std::vector<contest>& contests);
// What was measured on and how, and the heads of the table's columns.
void print_head(const suite& measured, const machine_facts& machine, const contest_options& options);
// One contest's part of the table.
void print_rows(const contest_result& result, const suite& of);

// What there is, not measured.
nlohmann::json list_json(const suite& measured, const std::vector<contest>& contests);
nlohmann::json to_json(const suite& measured, const machine_facts& machine, const contest_options& options,
                       const std::vector<contest_result>& results);

}  // namespace bench
