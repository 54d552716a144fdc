// SPDX-License-Identifier: Apache-2.0
#include "ops/schemas/added_operators.h"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <shared_mutex>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr std::array<std::string_view, 6> own_domains{
    "", "ai.onnx", "ai.onnx.ml", "com.microsoft", "lapidary", "ai.onnx.preview.training"};

struct AddedTable {
    std::shared_mutex mutex;
    std::deque<AddedOperator> operators;  // addresses stay
};

AddedTable& added_table() {
    static AddedTable made;
    return made;
}

const AddedOperator* newest_of(std::string_view domain, std::string_view op_type,
                               std::int64_t version) {
    AddedTable& added = added_table();
    const std::shared_lock lock(added.mutex);
    const AddedOperator* best = nullptr;
    for (const AddedOperator& candidate : added.operators) {
        const OpSchema& schema = candidate.schema;
        if (schema.domain != domain || schema.name != op_type || schema.since_version > version)
            continue;
        if (!best || schema.since_version > best->schema.since_version) best = &candidate;
    }
    return best;
}

std::string full_name(const OpSchema& schema) { return schema.domain + "::" + schema.name; }

void check_domain(const AddedOperator& added) {
    const OpSchema& schema = added.schema;
    if (std::ranges::find(own_domains, schema.domain) != own_domains.end())
        fail_input(added.source + " defines operator " + quote(full_name(schema)) + " in domain " +
                   quote(schema.domain) +
                   ", which is not open to others; expected a domain of its own");
}

void check_new(const AddedOperator& added, const AddedOperator& other) {
    const OpSchema& schema = added.schema;
    if (other.schema.domain == schema.domain && other.schema.name == schema.name &&
        other.schema.since_version == schema.since_version)
        fail_input(added.source + " defines operator " + quote(full_name(schema)) + " of version " +
                   std::to_string(schema.since_version) + ", which " + other.source +
                   " has defined before");
}

}  // namespace

void add_operators(std::vector<AddedOperator> added) {
    AddedTable& all = added_table();
    const std::unique_lock lock(all.mutex);
    const std::size_t before = all.operators.size();
    try {
        for (AddedOperator& one : added) {
            check_domain(one);
            for (const AddedOperator& other : all.operators) check_new(one, other);
            all.operators.push_back(std::move(one));
        }
    } catch (...) {
        all.operators.resize(before);
        throw;
    }
}

const AddedOperator* find_added_operator(std::string_view domain, std::string_view op_type,
                                         std::int64_t version) {
    return newest_of(domain, op_type, version);
}

const AddedOperator* find_added_operator(std::string_view domain, std::string_view op_type) {
    return newest_of(domain, op_type, INT64_MAX);
}

std::int64_t newest_added_version(std::string_view domain) {
    AddedTable& added = added_table();
    const std::shared_lock lock(added.mutex);
    std::int64_t newest = 0;
    for (const AddedOperator& one : added.operators)
        if (one.schema.domain == domain) newest = std::max(newest, one.schema.since_version);
    return newest;
}

}  // namespace lapidary
