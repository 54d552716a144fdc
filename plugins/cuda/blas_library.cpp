// SPDX-License-Identifier: Apache-2.0
#include "blas_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "device_error.h"
#include "node_view.h"
#include "plugin_abi.h"
#include "runtime.h"

namespace lapidary::cuda {
namespace {

// Values from cublasLt.h, the same in CUDA 12 and 13.
using Handle = void*;
using Descriptor = void*;
constexpr int success = 0;
constexpr int real_16f = 2, real_16bf = 14, real_32f = 0;  // cudaDataType_t
// cublasComputeType_t
constexpr int compute_32f = 68, fast_16f = 74, fast_16bf = 75, fast_tf32 = 77;
// cublasLtMatmulDescAttributes_t
constexpr int transpose_a = 3, transpose_b = 4;
// cublasLtMatrixLayoutAttribute_t
constexpr int batch_count = 5, batch_offset = 6;
// cublasLtMatmulPreferenceAttributes_t
constexpr int most_workspace = 1;
constexpr std::size_t workspace_limit = std::size_t{32} << 20;
struct Algorithm {
    std::uint64_t data[8];
};
struct Found {
    Algorithm algorithm;
    std::size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

int data_type(std::int32_t type) {
    return type == f16 ? real_16f : type == bf16 ? real_16bf : real_32f;
}

int compute_type(std::int32_t type, Arithmetic arithmetic) {
    if (type != f32) return compute_32f;
    switch (arithmetic) {
    case Arithmetic::tf32: return fast_tf32;
    case Arithmetic::f16: return fast_16f;
    case Arithmetic::bf16: return fast_16bf;
    default: return compute_32f;
    }
}

/// A row-major operand as the column-major one that is its transpose.
struct Layout {
    std::int64_t rows = 0, columns = 0, leading = 0, batch_step = 0;
    bool is_transposed = false;
};

/// Finds the layout of a rows x columns operand with these strides. False where no leading
/// dimension describes it.
bool find_layout(std::int32_t rows, std::int32_t columns, std::int32_t row, std::int32_t column,
                 Layout& layout) {
    if (column == 1 && (row >= columns || rows == 1)) {
        layout = {columns, rows, row >= columns ? row : columns, 0, false};
        return true;
    }
    if (row == 1 && (column >= rows || columns == 1)) {
        layout = {rows, columns, column >= rows ? column : rows, 0, true};
        return true;
    }
    return false;
}

void check(int status, const char* what) {
    if (status != success) throw DeviceError(LP_INTERNAL, std::string("cuBLASLt: ") + what, status);
}

/// 130200 is 13.2.0; early versions have the form 110502
std::string version_text(std::size_t version) {
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

std::vector<std::string> usual_files() {
    std::vector<std::string> files;
    const char* const given = std::getenv("LAPIDARY_CUDA_LIBS");
    for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12"}) {
        if (given && *given) files.push_back(std::string(given) + "/" + name);
        files.emplace_back(name);
        files.push_back(std::string("/usr/local/cuda/lib64/") + name);
    }
    return files;
}

}  // namespace

struct BlasLibrary::Functions {
    int (*create)(Handle*);
    int (*destroy)(Handle);
    std::size_t (*version)();
    int (*multiply)(Handle, Descriptor, const void*, const void*, Descriptor, const void*,
                    Descriptor, const void*, const void*, Descriptor, void*, Descriptor,
                    const Algorithm*, void*, std::size_t, void*);
    int (*find_algorithms)(Handle, Descriptor, Descriptor, Descriptor, Descriptor, Descriptor,
                           Descriptor, int, Found*, int*);
    int (*make_operation)(Descriptor*, int, int);
    int (*set_operation)(Descriptor, int, const void*, std::size_t);
    int (*drop_operation)(Descriptor);
    int (*make_layout)(Descriptor*, int, std::uint64_t, std::uint64_t, std::int64_t);
    int (*set_layout)(Descriptor, int, const void*, std::size_t);
    int (*drop_layout)(Descriptor);
    int (*make_preference)(Descriptor*);
    int (*set_preference)(Descriptor, int, const void*, std::size_t);
    int (*drop_preference)(Descriptor);

    /// Empty, or the name of a function that the library lacks.
    std::string find_all(void* library) {
        std::string missing;
        const auto find = [&](auto& function, const char* name) {
            void* const at = ::dlsym(library, name);
            if (!at && missing.empty()) missing = name;
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(at);
        };
        find(create, "cublasLtCreate");
        find(destroy, "cublasLtDestroy");
        find(version, "cublasLtGetVersion");
        find(multiply, "cublasLtMatmul");
        find(find_algorithms, "cublasLtMatmulAlgoGetHeuristic");
        find(make_operation, "cublasLtMatmulDescCreate");
        find(set_operation, "cublasLtMatmulDescSetAttribute");
        find(drop_operation, "cublasLtMatmulDescDestroy");
        find(make_layout, "cublasLtMatrixLayoutCreate");
        find(set_layout, "cublasLtMatrixLayoutSetAttribute");
        find(drop_layout, "cublasLtMatrixLayoutDestroy");
        find(make_preference, "cublasLtMatmulPreferenceCreate");
        find(set_preference, "cublasLtMatmulPreferenceSetAttribute");
        find(drop_preference, "cublasLtMatmulPreferenceDestroy");
        return missing;
    }
};

struct BlasLibrary::Plan {
    const Functions& functions;
    std::string refusal;
    Descriptor operation = nullptr, a = nullptr, b = nullptr, y = nullptr;
    Algorithm algorithm{};
    std::size_t workspace = 0;

    explicit Plan(const Functions& of) : functions(of) {}
    ~Plan() {
        if (operation) functions.drop_operation(operation);
        for (Descriptor layout : {a, b, y})
            if (layout) functions.drop_layout(layout);
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    Descriptor layout_of(const Layout& layout, int type, std::int32_t batch) {
        Descriptor made = nullptr;
        check(functions.make_layout(&made, type, static_cast<std::uint64_t>(layout.rows),
                                    static_cast<std::uint64_t>(layout.columns), layout.leading),
              "cublasLtMatrixLayoutCreate");
        if (batch > 1) {
            check(functions.set_layout(made, batch_count, &batch, sizeof(batch)), "batch count");
            check(functions.set_layout(made, batch_offset, &layout.batch_step,
                                       sizeof(layout.batch_step)),
                  "batch offset");
        }
        return made;
    }

    /// y^T = b^T a^T in column-major order, which is y in row-major order.
    void make(Handle handle, const ProductArgs& args, Arithmetic arithmetic) {
        Layout of_a, of_b;
        if (args.k == 0) refusal = "it has no depth";
        else if (args.batch_rank > 1) refusal = "its batches lie along several axes";
        else if (!find_layout(args.m, args.k, args.a_row, args.a_column, of_a) ||
                 !find_layout(args.k, args.n, args.b_row, args.b_column, of_b))
            refusal = "an operand has two strides";
        if (!refusal.empty()) return;
        if (args.batch > 1) of_a.batch_step = args.a_batch[0], of_b.batch_step = args.b_batch[0];
        const int type = data_type(args.type);
        a = layout_of(of_a, type, args.batch);
        b = layout_of(of_b, type, args.batch);
        y = layout_of({args.n, args.m, args.n, static_cast<std::int64_t>(args.m) * args.n, false},
                      has_plain_epilogue(args) ? type : real_32f, args.batch);
        check(functions.make_operation(&operation, compute_type(args.type, arithmetic), real_32f),
              "cublasLtMatmulDescCreate");
        const std::int32_t first = of_b.is_transposed ? 1 : 0, second = of_a.is_transposed ? 1 : 0;
        check(functions.set_operation(operation, transpose_a, &first, sizeof(first)),
              "transposition");
        check(functions.set_operation(operation, transpose_b, &second, sizeof(second)),
              "transposition");
        choose(handle);
    }

    void choose(Handle handle) {
        Descriptor preference = nullptr;
        check(functions.make_preference(&preference), "cublasLtMatmulPreferenceCreate");
        Found found{};
        int count = 0;
        int status = functions.set_preference(preference, most_workspace, &workspace_limit,
                                              sizeof(workspace_limit));
        if (status == success)
            status = functions.find_algorithms(handle, operation, b, a, y, y, preference, 1, &found,
                                               &count);
        functions.drop_preference(preference);
        if (status != success || count == 0 || found.state != success) {
            refusal = "the library has no algorithm for it (status " + std::to_string(status) + ")";
            return;
        }
        algorithm = found.algorithm;
        workspace = found.workspace;
    }
};

std::shared_ptr<BlasLibrary> BlasLibrary::open(const std::string& path, std::string& reason) {
    static std::mutex mutex;
    // never closed, because CUDA's threads keep using the library
    static std::map<std::string, std::shared_ptr<BlasLibrary>> opened;
    const std::lock_guard lock(mutex);
    if (const auto found = opened.find(path); found != opened.end()) return found->second;
    void* library = nullptr;
    for (const std::string& file : path.empty() ? usual_files() : std::vector<std::string>{path}) {
        library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library) break;
        const char* const reported = ::dlerror();
        if (reason.empty() || !path.empty()) reason = reported ? reported : "it cannot be opened";
    }
    if (!library) return nullptr;
    auto functions = std::make_unique<Functions>();
    if (const std::string missing = functions->find_all(library); !missing.empty()) {
        reason = "it has no function " + missing;
        return nullptr;
    }
    reason.clear();
    runtime::prepare_library(library);
    const std::string name = "cuBLASLt " + version_text(functions->version());
    std::shared_ptr<BlasLibrary> made(new BlasLibrary(std::move(functions), name));
    if (const int status = made->functions_->create(&made->handle_); status != success) {
        reason = "cublasLtCreate gives status " + std::to_string(status);
        return nullptr;
    }
    return opened[path] = std::move(made);
}

BlasLibrary::BlasLibrary(std::unique_ptr<Functions> functions, std::string name)
    : functions_(std::move(functions)), name_(std::move(name)) {}

BlasLibrary::~BlasLibrary() {
    plans_.clear();
    if (handle_) functions_->destroy(handle_);
}

const BlasLibrary::Plan& BlasLibrary::plan_of(const ProductArgs& args, Arithmetic arithmetic) {
    const std::lock_guard lock(mutex_);
    auto& plan = plans_[key_of(args, arithmetic) + (has_plain_epilogue(args) ? "" : "_sums")];
    if (!plan) {
        auto made = std::make_unique<Plan>(*functions_);
        made->make(handle_, args, arithmetic);
        plan = std::move(made);
    }
    return *plan;
}

std::string BlasLibrary::refusal(const ProductArgs& args, Arithmetic arithmetic) {
    return plan_of(args, arithmetic).refusal;
}

std::int64_t BlasLibrary::workspace_bytes(const ProductArgs& args, Arithmetic arithmetic) {
    return static_cast<std::int64_t>(plan_of(args, arithmetic).workspace);
}

void BlasLibrary::multiply(Queue& queue, const ProductArgs& args, Arithmetic arithmetic,
                           float* sums, void* workspace) {
    const Plan& plan = plan_of(args, arithmetic);
    if (!plan.refusal.empty())
        throw DeviceError(LP_INTERNAL, "cuBLASLt does not take a product: " + plan.refusal);
    const float one = 1, zero = 0;
    void* const to = has_plain_epilogue(args) ? args.y : sums;
    check(functions_->multiply(handle_, plan.operation, &one, args.b, plan.b, args.a, plan.a, &zero,
                               to, plan.y, to, plan.y, &plan.algorithm, workspace, plan.workspace,
                               queue.stream),
          "cublasLtMatmul");
}

bool has_plain_epilogue(const ProductArgs& args) {
    const Epilogue& e = args.epilogue;
    return e.alpha == 1 && !e.bias && !e.residual && e.activation == Op::identity;
}

std::string key_of(const ProductArgs& args, Arithmetic arithmetic) {
    std::string key = type_name(args.type) + "_" + std::to_string(static_cast<int>(arithmetic));
    const auto add = [&](std::int64_t number) { key += "_" + std::to_string(number); };
    for (std::int32_t of :
         {args.batch, args.m, args.n, args.k, args.a_row, args.a_column, args.b_row, args.b_column})
        add(of);
    for (int axis = 0; axis < args.batch_rank; ++axis) {
        add(args.batch_dims[axis]);
        add(args.a_batch[axis]);
        add(args.b_batch[axis]);
    }
    return key;
}

}  // namespace lapidary::cuda
