#include "http/routing/metric_family.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace eddy::http::detail {

namespace {

constexpr std::array<std::string_view, 3> kind_names = {"counter", "gauge", "histogram"};
constexpr int gauge_kind = 1;
constexpr int histogram_kind = 2;

void append_value(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "NaN";
    } else if (std::isinf(value)) {
        out += value > 0 ? "+Inf" : "-Inf";
    } else {
        // Plain digits where they are few, as people read them.
        const double size = std::abs(value);
        const bool is_plain = value == 0 || (size >= 1e-9 && size < 1e15);
        std::array<char, 64> text;
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                       is_plain ? std::chars_format::fixed : std::chars_format::scientific)
                             .ptr;
        out.append(text.data(), end);
    }
}

// Backslashes and line ends, and quotes in the values of labels, are escaped.
void append_escaped(std::string& out, std::string_view text, bool is_quoted) {
    for (const char byte : text) {
        if (byte == '\n') {
            out += "\\n";
            continue;
        }
        if (byte == '\\' || (is_quoted && byte == '"'))
            out += '\\';
        out += byte;
    }
}

std::string written_labels(const metric_labels& labels) {
    std::string out;
    for (const auto& label : labels) {
        if (!out.empty())
            out += ',';
        out.append(label.first).append("=\"");
        append_escaped(out, label.second, true);
        out += '"';
    }
    return out;
}

// `name{labels} `; `more` is a label in addition.
void append_series_name(std::string& out, std::string_view name, std::string_view suffix,
                        std::string_view labels, std::string_view more = {}) {
    out.append(name).append(suffix);
    if (!labels.empty() || !more.empty()) {
        out.append("{").append(labels);
        if (!labels.empty() && !more.empty())
            out += ',';
        out.append(more).append("}");
    }
    out += ' ';
}

}  // namespace

struct metric_series::totals {
    std::vector<std::uint64_t> counts;
    double sum = 0;
};

void metric_series::add(metric_cell& cell) {
    const std::lock_guard lock(mutex_);
    cells_.push_back(&cell);
}

void metric_series::remove(metric_cell& cell) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase(cells_, &cell);
    if (is_gauge_)
        return;
    for (std::size_t index = 0; index < left_counts_.size(); ++index)
        left_counts_[index] += cell.count(index).value();
    left_sum_ += cell.sum();
}

void metric_series::ask(std::function<double()> function) {
    const std::lock_guard lock(mutex_);
    ask_ = std::move(function);
}

// Requires: the lock is held.
metric_series::totals metric_series::gather(std::size_t buckets) const {
    totals all;
    all.counts.assign(left_counts_.begin(), left_counts_.begin() + static_cast<std::ptrdiff_t>(buckets));
    all.sum = left_sum_;
    for (metric_cell* const cell : cells_) {
        for (std::size_t index = 0; index < buckets; ++index)
            all.counts[index] += cell->count(index).value();
        all.sum += cell->sum();
    }
    return all;
}

void metric_series::append_to(std::string& out, std::string_view name, bool is_histogram) const {
    const std::lock_guard lock(mutex_);
    const totals all = gather(is_gauge_ ? 0 : bounds_.size() + 1);
    if (!is_histogram) {
        append_series_name(out, name, "", labels_);
        if (is_gauge_ || ask_)
            append_value(out, ask_ ? ask_() : all.sum);
        else
            out += std::to_string(all.counts.front());
        out += '\n';
        return;
    }
    std::uint64_t count = 0;
    for (std::size_t index = 0; index <= bounds_.size(); ++index) {
        count += all.counts[index];
        std::string bound = "le=\"";
        append_value(bound, index < bounds_.size() ? bounds_[index] : HUGE_VAL);
        bound += '"';
        append_series_name(out, name, "_bucket", labels_, bound);
        out.append(std::to_string(count)).append("\n");
    }
    append_series_name(out, name, "_sum", labels_);
    append_value(out, all.sum);
    out += '\n';
    append_series_name(out, name, "_count", labels_);
    out.append(std::to_string(count)).append("\n");
}

bool metric_family::is_like(int kind, std::span<const double> bounds) const noexcept {
    return kind == kind_ && std::ranges::equal(bounds, bounds_);
}

std::shared_ptr<metric_series> metric_family::series(const metric_labels& labels) {
    const auto names_equal = [&] {
        return std::ranges::equal(labels, label_names_, {}, [](const auto& label) { return label.first; });
    };
    if (series_.empty()) {
        for (const auto& label : labels)
            label_names_.push_back(label.first);
    } else if (!names_equal()) {
        throw std::invalid_argument("the series of a metric have the same labels");
    }
    std::string written = written_labels(labels);
    const auto found = std::ranges::find(series_, written, [](const auto& each) { return each->labels(); });
    if (found != series_.end())
        return *found;
    return series_.emplace_back(
        std::make_shared<metric_series>(std::move(written), kind_ == gauge_kind, bounds_));
}

void metric_family::append_to(std::string& out) const {
    out.append("# HELP ").append(name_).append(" ");
    append_escaped(out, help_, false);
    out.append("\n# TYPE ").append(name_).append(" ");
    out.append(kind_names[static_cast<std::size_t>(kind_)]).append("\n");
    for (const auto& each : series_)
        each->append_to(out, name_, kind_ == histogram_kind);
}

}  // namespace eddy::http::detail
