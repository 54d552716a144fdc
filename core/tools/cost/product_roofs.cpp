// SPDX-License-Identifier: Apache-2.0
#include <lapidary/cost/product_roofs.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/memory/page_memory.h"
#include "base/threads/session_threads.h"
#include "kernels/product/packed_product.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using Block = std::unique_ptr<void, decltype(&free_block)>;

/// Of a matrix of weights; many of them stand one behind the other.
constexpr std::int64_t side = 1024;
constexpr std::uint64_t matrix_bytes = side * side * sizeof(float);
constexpr std::uint64_t least_bytes = matrix_bytes, most_bytes = std::uint64_t{256} << 20;
/// Other programs can only slow a try down: the best one counts.
constexpr int tries = 3;
constexpr auto shortest_try = std::chrono::milliseconds(5);

class Measuring {
public:
    Measuring(SessionThreads& threads, std::uint64_t bytes, const CancelToken& cancel)
        : threads_(threads), cancel_(cancel),
          matrices_(static_cast<std::int64_t>(bytes / matrix_bytes)),
          weights_(allocate_block(bytes, Pages::large), &free_block),
          left_(static_cast<std::size_t>(most_rows * side), 1.0f),
          result_(static_cast<std::size_t>(most_rows * side)) {}

    bool has_memory() const { return weights_ != nullptr; }

    void fill(ProductRoofs& roofs) {
        // As 16-bit floats these are zeros and numbers of about one, which is as good.
        threads_.parallel_tasks(matrices_, [&](std::int64_t matrix, int) {
            std::fill_n(static_cast<float*>(weights_.get()) + matrix * side * side, side * side,
                        1.0f);
        });
        for (const Compute compute : {Compute::exact, Compute::fp16, Compute::bf16})
            for (std::size_t i = 0; i < ProductRoofs::rows.size(); ++i)
                roofs.gflops[static_cast<std::size_t>(compute)][i] =
                    rate(compute, ProductRoofs::rows[i]);
    }

private:
    static constexpr std::int64_t most_rows = ProductRoofs::rows.back();

    Product product(Compute compute, std::int64_t rows, std::int64_t matrix) {
        Product p;
        p.rows = rows;
        p.inner = p.columns = side;
        p.a = left_.data();
        p.a_stride = side;
        p.c = result_.data();
        p.c_stride = side;
        const std::int64_t first = matrix * side * side;
        if (compute == Compute::exact) {
            p.packed_b = static_cast<const float*>(weights_.get()) + first;
            return p;
        }
        p.packed_half_b = static_cast<const std::uint16_t*>(weights_.get()) + first;
        p.half_format = compute == Compute::fp16 ? HalfFormat::binary16 : HalfFormat::bfloat16;
        p.rounds_a = compute != Compute::exact;
        return p;
    }

    /// Of the best try. Each multiplies by all weights where rows are few, so that no more of them
    /// come from caches than in a run of a model.
    double rate(Compute compute, std::int64_t rows) {
        const std::size_t bytes = product_workspace(product(compute, rows, 0), threads_.threads());
        const Block workspace(allocate_block(std::max<std::size_t>(bytes, 64), Pages::usual),
                              &free_block);
        if (!workspace) return 0;
        const auto multiply_by = [&](std::int64_t matrix) {
            multiply(product(compute, rows, matrix), threads_, cancel_,
                     static_cast<std::byte*>(workspace.get()));
        };
        const std::int64_t least = rows <= 4 ? matrices_ : 1;
        std::int64_t next = 0;
        const auto multiply_next = [&] {
            multiply_by(next);
            next = (next + 1) % matrices_;
        };
        for (std::int64_t i = 0; i < least; ++i) multiply_next();
        double best = 0;
        for (int go = 0; go < tries; ++go) {
            const auto start = Clock::now();
            std::int64_t done = 0;
            do {
                multiply_next();
                ++done;
            } while (done < least || Clock::now() - start < shortest_try);
            const double ns =
                std::chrono::duration<double, std::nano>(Clock::now() - start).count();
            best = std::max(best, 2.0 * static_cast<double>(rows * side * side * done) / ns);
        }
        return best;
    }

    SessionThreads& threads_;
    const CancelToken& cancel_;
    std::int64_t matrices_;
    Block weights_;
    std::vector<float> left_, result_;
};

}  // namespace

double ProductRoofs::gain(Compute compute, std::int64_t of_rows) const {
    std::size_t at = 0;
    while (at + 1 < rows.size() && rows[at + 1] <= of_rows) ++at;
    const double exact = gflops[static_cast<std::size_t>(Compute::exact)][at],
                 other = gflops[static_cast<std::size_t>(compute)][at];
    return exact > 0 && other > 0 ? other / exact : 1;
}

ProductRoofs product_roofs(int threads, std::uint64_t weight_bytes, const CancelToken& cancel) {
    static std::mutex mutex;
    static std::map<std::pair<int, std::uint64_t>, ProductRoofs> known;
    const std::lock_guard lock(mutex);
    const auto pool = make_session_threads(threads);
    ProductRoofs roofs;
    roofs.threads = pool->threads();
    roofs.weight_bytes = std::bit_ceil(std::clamp(weight_bytes, least_bytes, most_bytes));
    const std::pair key{roofs.threads, roofs.weight_bytes};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    Measuring measuring(*pool, roofs.weight_bytes, cancel);
    if (!measuring.has_memory()) return roofs;
    pool->execute([&] { measuring.fill(roofs); });
    return known.emplace(key, roofs).first->second;
}

}  // namespace lapidary
