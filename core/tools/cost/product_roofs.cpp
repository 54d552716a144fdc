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
#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/product/packed_product.h"
#include "kernels/vector/integer/byte_elements.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using Block = std::unique_ptr<void, decltype(&free_block)>;

/// Of a matrix of weights; many of them stand one behind the other.
constexpr std::int64_t side = 1024;
constexpr std::uint64_t matrix_bytes = side * side * sizeof(float);
constexpr std::uint64_t least_bytes = matrix_bytes, most_bytes = std::uint64_t{256} << 20;
/// Of all operands. Tile registers multiply numbers of few digits faster, so it has all that a
/// float32 holds.
constexpr float operand = 1.2345678f;
/// Other programs can only slow a try down: the best one counts.
constexpr int tries = 3;
constexpr auto shortest_try = std::chrono::milliseconds(5);

class Measuring {
public:
    Measuring(SessionThreads& threads, std::uint64_t bytes, const CancelToken& cancel)
        : threads_(threads), cancel_(cancel),
          matrices_(static_cast<std::int64_t>(bytes / matrix_bytes)),
          weights_(allocate_block(bytes, Pages::large), &free_block),
          left_(static_cast<std::size_t>(most_rows * side), operand),
          result_(static_cast<std::size_t>(most_rows * side)) {}

    bool has_memory() const { return weights_ != nullptr; }

    void fill(ProductRoofs& roofs) {
        // As 16-bit floats these are small numbers and such of about one, as bytes 82, 6, -98 and
        // 63: as good as any.
        threads_.parallel_tasks(matrices_, [&](std::int64_t matrix, int) {
            std::fill_n(static_cast<float*>(weights_.get()) + matrix * side * side, side * side,
                        operand);
        });
        for (const Compute compute : all_computes)
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

    /// Multiplies by matrices of bytes, and quantizes the left operand for each of them.
    class ByteMatrices {
    public:
        ByteMatrices(const Measuring& measuring, std::int64_t rows)
            : measuring_(measuring), rows_(rows), layout_(ByteLayout::of(1, side, side)),
              bytes_(static_cast<std::size_t>(rows * side)),
              prepared_(bytes_.size() * static_cast<std::size_t>(layout_.kernels->element_bytes)),
              zeros_(static_cast<std::size_t>(side + 64), 0),
              scales_(static_cast<std::size_t>(side + 64), 1.0f) {
            product_.rows = rows;
            product_.layout = layout_;
            product_.a = prepared_.data();
            product_.a_stride = side;
            product_.finish.to = ByteFinish::To::real;
            product_.finish.column_offset = zeros_.data();
            product_.finish.column_scale = scales_.data();
            product_.finish.out_stride = side;
        }

        std::size_t workspace() const {
            return byte_product_workspace(product_, measuring_.threads_.threads());
        }
        void multiply_by(std::int64_t matrix, float* result, std::byte* workspace) {
            const float* const left = measuring_.left_.data();
            const ByteScale q = dynamic_byte_scale(left, rows_ * side, measuring_.threads_);
            const bool widens = layout_.kernels->element_bytes != 1;
            void* const quantized = widens ? static_cast<void*>(bytes_.data()) : prepared_.data();
            byte_element_kernels().quantize(left, rows_ * side, q, false, quantized);
            if (widens)
                layout_.kernels->prepare(quantized, rows_, side, side, false, prepared_.data(),
                                         side);
            product_.packed_b =
                static_cast<const std::byte*>(measuring_.weights_.get()) +
                matrix * static_cast<std::int64_t>((layout_.bytes() + 63) / 64 * 64);
            product_.finish.out = result;
            multiply(product_, measuring_.threads_, measuring_.cancel_, workspace);
        }

    private:
        const Measuring& measuring_;
        const std::int64_t rows_;
        const ByteLayout layout_;
        std::vector<std::uint8_t> bytes_;
        std::vector<std::byte> prepared_;
        std::vector<std::int32_t> zeros_;
        std::vector<float> scales_;
        ByteProduct product_;
    };

    /// Of the best try. Each multiplies by all weights where rows are few, so that no more of them
    /// come from caches than in a run of a model.
    double rate(Compute compute, std::int64_t rows) {
        ByteMatrices as_bytes(*this, rows);
        const bool is_bytes = compute == Compute::int8;
        const std::size_t bytes =
            is_bytes ? as_bytes.workspace()
                     : product_workspace(product(compute, rows, 0), threads_.threads());
        const Block workspace(allocate_block(std::max<std::size_t>(bytes, 64), Pages::usual),
                              &free_block);
        if (!workspace) return 0;
        const auto multiply_by = [&](std::int64_t matrix) {
            auto* const memory = static_cast<std::byte*>(workspace.get());
            if (is_bytes) as_bytes.multiply_by(matrix, result_.data(), memory);
            else multiply(product(compute, rows, matrix), threads_, cancel_, memory);
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
