// SPDX-License-Identifier: Apache-2.0
// Stands in for cuBLASLt on the emulated device: the functions that the provider calls, by plain
// loops. With LAPIDARY_FAKE_CUBLASLT_DELAY_US in the environment each product takes so long at
// least.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <lapidary/tensor/float16.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Layout {
    int type = 0;
    std::uint64_t rows = 0, columns = 0;
    std::int64_t leading = 0, step = 0;
    std::int32_t batch = 1;
};
struct Operation {
    int compute = 0, scale = 0;
    std::int32_t transposes_a = 0, transposes_b = 0;
};
struct Product {
    Operation operation;
    Layout a, b, y;
    const void *from_a, *from_b;
    void* to;
    float alpha;
};
struct Preference {
    std::size_t workspace = 0;
};
struct Found {
    std::uint64_t algorithm[8];
    std::size_t workspace;
    int state;
    float waves;
    int reserved[4];
};
constexpr int success = 0, invalid = 7, not_supported = 15;
constexpr std::uint64_t own_algorithm = 0x1a91da27;

/// One matrix, `depth` elements side by side for each of `count` rows of a or columns of b.
std::vector<float> along_depth(const Layout& layout, const void* data, bool has_depth_first,
                               std::int64_t count, std::int64_t depth, std::int64_t batch) {
    std::vector<float> all(static_cast<std::size_t>(count * depth));
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t k = 0; k < depth; ++k) {
            const std::int64_t row = has_depth_first ? k : i, column = has_depth_first ? i : k;
            const std::int64_t at = batch * layout.step + column * layout.leading + row;
            all[static_cast<std::size_t>(i * depth + k)] =
                layout.type == 0 ? static_cast<const float*>(data)[at]
                : layout.type == 2
                    ? static_cast<float>(static_cast<const lapidary::Half*>(data)[at])
                    : static_cast<float>(static_cast<const lapidary::BFloat16*>(data)[at]);
        }
    return all;
}

void compute(void* argument) {
    const auto& p = *static_cast<const Product*>(argument);
    const auto depth = static_cast<std::int64_t>(p.operation.transposes_a ? p.a.rows : p.a.columns);
    const auto rows = static_cast<std::int64_t>(p.y.rows),
               columns = static_cast<std::int64_t>(p.y.columns);
    for (std::int64_t batch = 0; batch < p.y.batch; ++batch) {
        const auto a =
            along_depth(p.a, p.from_a, p.operation.transposes_a != 0, rows, depth, batch);
        const auto b =
            along_depth(p.b, p.from_b, p.operation.transposes_b == 0, columns, depth, batch);
        for (std::int64_t column = 0; column < columns; ++column)
            for (std::int64_t row = 0; row < rows; ++row) {
                float sum = 0;
                for (std::int64_t k = 0; k < depth; ++k)
                    sum += a[static_cast<std::size_t>(row * depth + k)] *
                           b[static_cast<std::size_t>(column * depth + k)];
                const std::int64_t at = batch * p.y.step + column * p.y.leading + row;
                if (p.y.type == 0) static_cast<float*>(p.to)[at] = p.alpha * sum;
                else if (p.y.type == 2)
                    static_cast<lapidary::Half*>(p.to)[at] = lapidary::Half(p.alpha * sum);
                else static_cast<lapidary::BFloat16*>(p.to)[at] = lapidary::BFloat16(p.alpha * sum);
            }
    }
    if (const char* const delay = std::getenv("LAPIDARY_FAKE_CUBLASLT_DELAY_US"))
        std::this_thread::sleep_for(std::chrono::microseconds(std::atol(delay)));
}

/// Kept until the process ends: recorded work is done again and again.
Product* kept(const Product& product) {
    static std::mutex mutex;
    static std::vector<std::unique_ptr<Product>> all;
    const std::lock_guard lock(mutex);
    return all.emplace_back(std::make_unique<Product>(product)).get();
}

template <typename T>
int set(T& to, const void* from, std::size_t bytes) {
    if (bytes != sizeof(to)) return invalid;
    std::memcpy(&to, from, bytes);
    return success;
}

}  // namespace

EXPORT void (*lapidary_emulated_push)(void* stream, void (*work)(void*), void* argument);
void (*lapidary_emulated_push)(void*, void (*)(void*), void*) = nullptr;
EXPORT int lapidary_fake_cublaslt_products;
int lapidary_fake_cublaslt_products = 0;
/// Where the first operands of products began: those that row-major products have as their second.
EXPORT std::set<const void*> lapidary_fake_cublaslt_operands;
std::set<const void*> lapidary_fake_cublaslt_operands;

EXPORT int cublasLtCreate(void** handle) {
    *handle = &lapidary_fake_cublaslt_products;
    return success;
}
EXPORT int cublasLtDestroy(void*) { return success; }
EXPORT std::size_t cublasLtGetVersion() { return 120304; }

EXPORT int cublasLtMatmulDescCreate(void** made, int compute, int scale) {
    *made = new Operation{compute, scale, 0, 0};
    return success;
}
EXPORT int cublasLtMatmulDescSetAttribute(void* of, int attribute, const void* from,
                                          std::size_t bytes) {
    auto& operation = *static_cast<Operation*>(of);
    if (attribute == 3) return set(operation.transposes_a, from, bytes);
    return attribute == 4 ? set(operation.transposes_b, from, bytes) : not_supported;
}
EXPORT int cublasLtMatmulDescDestroy(void* of) {
    delete static_cast<Operation*>(of);
    return success;
}

EXPORT int cublasLtMatrixLayoutCreate(void** made, int type, std::uint64_t rows,
                                      std::uint64_t columns, std::int64_t leading) {
    if (leading < static_cast<std::int64_t>(rows)) return invalid;
    *made = new Layout{type, rows, columns, leading, 0, 1};
    return success;
}
EXPORT int cublasLtMatrixLayoutSetAttribute(void* of, int attribute, const void* from,
                                            std::size_t bytes) {
    auto& layout = *static_cast<Layout*>(of);
    if (attribute == 5) return set(layout.batch, from, bytes);
    return attribute == 6 ? set(layout.step, from, bytes) : not_supported;
}
EXPORT int cublasLtMatrixLayoutDestroy(void* of) {
    delete static_cast<Layout*>(of);
    return success;
}

EXPORT int cublasLtMatmulPreferenceCreate(void** made) {
    *made = new Preference();
    return success;
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(void* of, int attribute, const void* from,
                                                std::size_t bytes) {
    return attribute == 1 ? set(static_cast<Preference*>(of)->workspace, from, bytes)
                          : not_supported;
}
EXPORT int cublasLtMatmulPreferenceDestroy(void* of) {
    delete static_cast<Preference*>(of);
    return success;
}

/// None for products of 13 columns, as the library has none for some.
EXPORT int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void* y,
                                          void* preference, int wanted, Found* found, int* count) {
    *count = 0;
    if (wanted < 1 || static_cast<Preference*>(preference)->workspace < 1000) return invalid;
    if (static_cast<Layout*>(y)->rows == 13) return not_supported;
    *found = Found{{own_algorithm}, 1000, success, 1, {}};
    *count = 1;
    return success;
}

EXPORT int cublasLtMatmul(void*, void* operation, const void* alpha, const void* a, void* of_a,
                          const void* b, void* of_b, const void* beta, const void* c, void*,
                          void* y, void* of_y, const std::uint64_t* algorithm, void* workspace,
                          std::size_t bytes, void* stream) {
    float factor = 0, of_c = 1;
    std::memcpy(&factor, alpha, 4);
    std::memcpy(&of_c, beta, 4);
    if (*algorithm != own_algorithm || bytes < 1000 || !workspace || c != y || of_c != 0)
        return invalid;
    ++lapidary_fake_cublaslt_products;
    lapidary_fake_cublaslt_operands.insert(a);
    lapidary_emulated_push(
        stream, compute,
        kept({*static_cast<Operation*>(operation), *static_cast<Layout*>(of_a),
              *static_cast<Layout*>(of_b), *static_cast<Layout*>(of_y), a, b, y, factor}));
    return success;
}
