// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {
namespace {

struct NgramRules {
    std::int64_t shortest, longest, skips;
    std::vector<std::int64_t> starts, columns;
};

std::int64_t required(KernelContext& context, std::string_view name) {
    if (!context.node().has_attribute(name))
        context.fail("attribute " + quote(name) + " is required but missing");
    return context.node().int_attribute(name, 0);
}

NgramRules rules_of(KernelContext& context, std::size_t pool_size) {
    NgramRules rules{required(context, "min_gram_length"), required(context, "max_gram_length"),
                     required(context, "max_skip_count"),
                     context.node().ints_attribute("ngram_counts"),
                     context.node().ints_attribute("ngram_indexes")};
    if (rules.shortest < 1 || rules.longest < rules.shortest ||
        static_cast<std::uint64_t>(rules.longest) > rules.starts.size()) {
        context.fail("n-gram lengths " + std::to_string(rules.shortest) + " to " +
                     std::to_string(rules.longest) + " do not fit ngram_counts with " +
                     std::to_string(rules.starts.size()) + " entries");
    }
    if (rules.skips < 0)
        context.fail("max_skip_count " + std::to_string(rules.skips) + " is negative");
    std::int64_t before = 0;
    for (const std::int64_t start : rules.starts) {
        if (start < before || static_cast<std::uint64_t>(start) > pool_size) {
            context.fail("ngram_counts entry " + std::to_string(start) +
                         " does not fit a pool of " + std::to_string(pool_size) + " items");
        }
        before = start;
    }
    for (const std::int64_t column : rules.columns) {
        if (column < 0)
            context.fail("ngram_indexes entry " + std::to_string(column) + " is negative");
    }
    return rules;
}

// n-gram -> its output column, for the lengths that count.
template <typename T>
std::map<std::vector<T>, std::int64_t> table_of(KernelContext& context, const std::vector<T>& pool,
                                                const NgramRules& rules) {
    std::map<std::vector<T>, std::int64_t> table;
    std::size_t number = 0;
    for (std::size_t i = 0; i < rules.starts.size(); ++i) {
        const auto begin = static_cast<std::size_t>(rules.starts[i]);
        const std::size_t end = i + 1 < rules.starts.size()
                                    ? static_cast<std::size_t>(rules.starts[i + 1])
                                    : pool.size(),
                          length = i + 1;
        if ((end - begin) % length != 0)
            context.fail("the pool's part for " + std::to_string(length) +
                         "-grams is no whole number of them");
        for (std::size_t at = begin; at < end; at += length, ++number) {
            if (number >= rules.columns.size())
                context.fail("ngram_indexes has fewer entries than the pool has n-grams");
            const auto size = static_cast<std::int64_t>(length);
            if (size < rules.shortest || size > rules.longest) continue;
            const auto first = pool.begin() + static_cast<std::ptrdiff_t>(at);
            table.emplace(std::vector<T>(first, first + static_cast<std::ptrdiff_t>(length)),
                          rules.columns[number]);
        }
    }
    return table;
}

// Adds the counts of one row of tokens. A single token has no gap, so it is counted with the first
// skip only.
template <typename T>
void count_row(KernelContext& context, const std::map<std::vector<T>, std::int64_t>& table,
               const NgramRules& rules, std::span<const T> row, std::span<float> counts) {
    const auto tokens = static_cast<std::int64_t>(row.size());
    std::vector<T> ngram;
    for (std::int64_t step = 1; step <= std::min(rules.skips, tokens) + 1; ++step) {
        context.cancel().throw_if_cancelled();
        const std::int64_t shortest =
            step == 1 ? rules.shortest : std::max<std::int64_t>(rules.shortest, 2);
        for (std::int64_t start = 0; start < tokens; ++start) {
            ngram.clear();
            for (std::int64_t at = start;
                 at < tokens && static_cast<std::int64_t>(ngram.size()) < rules.longest;
                 at += step) {
                ngram.push_back(row[static_cast<std::size_t>(at)]);
                if (static_cast<std::int64_t>(ngram.size()) < shortest) continue;
                if (const auto found = table.find(ngram); found != table.end())
                    counts[static_cast<std::size_t>(found->second)] += 1;
            }
        }
    }
}

// Weights go by output column, as the specification's reference implementation and ONNX Runtime
// read them.
void apply_mode(KernelContext& context, std::span<float> counts, std::size_t columns) {
    const std::string mode = context.node().string_attribute("mode", "");
    const std::vector<float> weights = context.node().floats_attribute("weights");
    if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
        context.fail("mode " + quote(mode) + " is none of TF, IDF, TFIDF");
    if (mode == "TF") return;
    if (context.node().has_attribute("weights") && weights.size() < columns) {
        context.fail("weights has " + std::to_string(weights.size()) + " entries for " +
                     std::to_string(columns) + " columns");
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const float weight = weights.empty() ? 1.0f : weights[i % columns];
        counts[i] = mode == "IDF" ? (counts[i] > 0 ? weight : 0.0f) : counts[i] * weight;
    }
}

template <typename T>
void vectorize(KernelContext& context, const std::vector<T>& pool, std::span<const T> tokens) {
    const NgramRules rules = rules_of(context, pool.size());
    const auto table = table_of(context, pool, rules);
    std::int64_t columns = 0;
    for (const std::int64_t column : rules.columns)
        columns = std::max(columns, column < INT64_MAX ? column + 1 : column);
    Shape shape = context.input(0).shape();
    if (shape.size() > 2)
        context.fail("expected [C] or [N,C], found " + describe(context.input(0)));
    const std::int64_t length = shape.empty() ? 1 : shape.back(),
                       rows = shape.size() == 2 ? shape[0] : 1;
    if (shape.empty()) shape.push_back(0);
    shape.back() = columns;
    auto out = context.output(0, DType::f32, shape).mutable_data<float>();
    std::ranges::fill(out, 0.0f);
    if (out.empty()) return;
    for (std::int64_t row = 0; row < rows && length > 0; ++row) {
        count_row<T>(context, table, rules,
                     tokens.subspan(static_cast<std::size_t>(row * length),
                                    static_cast<std::size_t>(length)),
                     out.subspan(static_cast<std::size_t>(row * columns),
                                 static_cast<std::size_t>(columns)));
    }
    apply_mode(context, out, static_cast<std::size_t>(columns));
}

}  // namespace

void tf_idf_vectorizer(KernelContext& context) {
    const Tensor& data = context.input(0);
    const bool strings = data.dtype() == DType::string;
    if (!context.node().has_attribute(strings ? "pool_strings" : "pool_int64s")) {
        context.fail("the input " + describe(data) + " needs attribute " +
                     (strings ? "\"pool_strings\"" : "\"pool_int64s\""));
    }
    if (strings) {
        vectorize<std::string>(context, context.node().strings_attribute("pool_strings"),
                               data.data<std::string>());
    } else {
        const std::vector<std::int64_t> tokens = to_int64s(data);
        vectorize<std::int64_t>(context, context.node().ints_attribute("pool_int64s"), tokens);
    }
}

}  // namespace lapidary::reference
