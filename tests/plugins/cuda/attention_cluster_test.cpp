// SPDX-License-Identifier: Apache-2.0
// Attention of few queries whose keys are shared out among the blocks of a cluster, on the emulated
// device: it gives what the definition gives, writes the caches, and waits that are left out are
// found.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "kernels/hopper/attention_cluster.cuh"

namespace lapidary::cuda {
namespace {

struct NotBegun : AttentionClusterSync {
    void begun() const {}
};
struct NotCome : AttentionClusterSync {
    void begun() const {  // the first block is ready before the others
        AttentionClusterSync::begun();
        if (block_z() > 0 && thread_index() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    void came(barrier_t*) const {}
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<half_t> numbers(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1, 1);
    std::vector<half_t> values(at(count));
    for (half_t& v : values) v = to_half(in(random));
    return values;
}

/// Two batches of heads, of which two share keys, with new keys behind those of the past. A bias
/// hides every seventh key of the past, whose values are NaN, and from the last query of all every
/// key.
struct Problem {
    int past = 96, fresh = 1, queries = 1, size = 64, value_size = 64, parts = 3;
    bool has_bias = true;
    static constexpr int batch = 2, heads = 4, key_heads = 2;
    int keys = past + fresh;
    std::vector<half_t> q = numbers(batch * heads * queries * size, 1),
                        k = numbers(batch * key_heads * fresh * size, 2),
                        v = numbers(batch * key_heads * fresh * value_size, 3),
                        old_k = numbers(batch * key_heads * past * size, 4),
                        old_v = numbers(batch * key_heads * past * value_size, 5),
                        present_k = std::vector<half_t>(at(batch * key_heads * keys * size)),
                        present_v = std::vector<half_t>(at(batch * key_heads * keys * value_size)),
                        bias = numbers(batch * queries * keys, 6),
                        y = std::vector<half_t>(at(batch * heads * queries * value_size),
                                                to_half(NAN));

    bool is_hidden(int b, int query, int key) const {
        return has_bias &&
               ((key < past && key % 7 == 3) || (b == batch - 1 && query == queries - 1));
    }
    void hide() {
        for (int b = 0; b < batch; ++b)
            for (int query = 0; query < queries; ++query)
                for (int key = 0; key < keys; ++key)
                    if (is_hidden(b, query, key))
                        bias[at((b * queries + query) * keys + key)] = to_half(-INFINITY);
        for (int row = 0; row < batch * key_heads * past; ++row)
            for (int c = 0; has_bias && row % past % 7 == 3 && c < value_size; ++c)
                old_v[at(row * value_size + c)] = to_half(NAN);
    }
    AttentionArgs args() {
        AttentionArgs args;
        args.q = q.data(), args.k = k.data(), args.v = v.data(), args.y = y.data();
        args.type = 10;
        args.batch = batch, args.heads = heads, args.key_heads = key_heads;
        args.queries = queries, args.keys = keys, args.size = size, args.value_size = value_size;
        args.q_strides = {heads * queries * size, queries * size, size, 1};
        args.k_strides = {key_heads * fresh * size, fresh * size, size, 1};
        args.v_strides = {key_heads * fresh * value_size, fresh * value_size, value_size, 1};
        args.y_strides = {heads * queries * value_size, queries * value_size, value_size, 1};
        args.scale = 0.7f;
        args.blind = -5;
        if (has_bias) {
            args.bias = bias.data();
            args.bias_type = 10;
            args.bias_strides = {queries * keys, 0, keys, 1};
        }
        args.k_cache = {old_k.data(), present_k.data()};
        args.v_cache = {old_v.data(), present_v.data()};
        args.fresh_rows = fresh;
        args.past = args.old_rows = past;
        args.capacity = keys;
        args.part_keys = ((keys - 1) / parts / 8 + 1) * 8;
        args.parts = (keys - 1) / args.part_keys + 1;
        args.in_clusters = true;
        return args;
    }
    float row_element(const std::vector<half_t>& old, const std::vector<half_t>& now, int matrix,
                      int key, int columns, int c) const {
        return key < past ? old[at((matrix * past + key) * columns + c)]
                          : now[at((matrix * fresh + key - past) * columns + c)];
    }
    double expected(int b, int head, int query, int column) const {
        const int matrix = b * key_heads + head / (heads / key_heads);
        double sum = 0, total = 0;
        for (int key = 0; key < keys; ++key) {
            if (is_hidden(b, query, key)) continue;
            double score = 0;
            for (int c = 0; c < size; ++c)
                score += double{q[at(((b * heads + head) * queries + query) * size + c)]} *
                         double{row_element(old_k, k, matrix, key, size, c)};
            score *= double{0.7f};
            if (has_bias) score += double{bias[at((b * queries + query) * keys + key)]};
            total += std::exp(score);
            sum += std::exp(score) * double{row_element(old_v, v, matrix, key, value_size, column)};
        }
        return total == 0 ? -5 : sum / total;
    }
    double error() const {
        double worst = 0;
        const auto note = [&](double error) {
            if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
        };
        for (int i = 0; i < batch * heads * queries * value_size; ++i) {
            const int row = i / value_size, head = row / queries;
            note(std::abs(double{y[at(i)]} -
                          expected(head / heads, head % heads, row % queries, i % value_size)));
        }
        for (int i = 0; i < batch * key_heads * keys; ++i) {
            const int matrix = i / keys, key = i % keys;
            for (int c = 0; c < size; ++c)
                note(std::abs(double{present_k[at(i * size + c)]} -
                              double{row_element(old_k, k, matrix, key, size, c)}));
            for (int c = 0; c < value_size && !is_hidden(0, -1, key); ++c)
                note(std::abs(double{present_v[at(i * value_size + c)]} -
                              double{row_element(old_v, v, matrix, key, value_size, c)}));
        }
        return worst;
    }
};

template <bool in_pieces, int at_once, typename Sync = AttentionClusterSync>
double error_of(Problem p, unsigned order) {
    p.hide();
    const AttentionArgs args = p.args();
    const RowLanes lanes = row_lanes<half_t>(Queue(), args);
    const Grid grid{static_cast<unsigned>(Problem::batch * Problem::heads * p.queries), 1,
                    static_cast<unsigned>(args.parts)};
    emulated::run_clusters(grid, row_threads, order, [&] {
        GPU_SHARED_MEMORY(memory);
        attend_in_cluster<half_t, in_pieces, at_once>(args, lanes, memory, Sync());
    });
    return p.error();
}

constexpr unsigned orders[] = {0, 1, 2, 3};

// A last part of one key, more keys than are taken at once, several queries, sizes that are no
// multiples of a piece.
TEST(AttentionCluster, GivesWhatTheDefinitionGives) {
    for (unsigned order : orders) {
        SCOPED_TRACE(order);
        EXPECT_LT((error_of<true, 2>({}, order)), 2e-3);
        EXPECT_LT((error_of<true, 2>({.past = 128, .parts = 5}, order)), 2e-3);
        EXPECT_LT(
            (error_of<true, 8>({.past = 300, .size = 40, .value_size = 72, .parts = 2}, order)),
            2e-3);
        EXPECT_LT((error_of<true, 2>({.past = 200, .fresh = 3, .queries = 3, .parts = 8}, order)),
                  2e-3);
        EXPECT_LT(
            (error_of<false, 2>({.past = 70, .size = 20, .value_size = 12, .parts = 4}, order)),
            2e-3);
        EXPECT_LT((error_of<true, 2>({.past = 130, .parts = 4, .has_bias = false}, order)), 2e-3);
    }
}

template <typename Sync>
bool is_found() {
    for (unsigned order : orders) {
        try {
            if (!(error_of<true, 2, Sync>({}, order) < 2e-3)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}
TEST(AttentionCluster, AWaitThatIsForgottenIsFound) {
    EXPECT_TRUE(is_found<NotBegun>());
    EXPECT_TRUE(is_found<NotCome>());
}

}  // namespace
}  // namespace lapidary::cuda
