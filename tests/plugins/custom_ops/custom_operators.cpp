// SPDX-License-Identifier: Apache-2.0
// A library of custom operators. It declares the published layout of ONNX Runtime's C interface
// itself, so that the same binary runs in ONNX Runtime and in this program. Its operators have the
// domain test.lapidary; those that are wrong on purpose have test.lapidary.wrong.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t interface_version = 17;
constexpr int f32 = 1, i64 = 7, text = 8, any = 0;

struct ApiBase {
    const void* (*get_api)(std::uint32_t);
    const char* (*version)();
};
void* const* api = nullptr;

/// Calls the function of a slot; throws where it returns a status, as C++ wrappers of the interface
/// do.
template <typename... A>
void call(std::size_t slot, A... arguments) {
    void* const status = reinterpret_cast<void* (*)(A...)>(api[slot])(arguments...);
    if (!status) return;
    const std::string message = reinterpret_cast<const char* (*)(void*)>(api[2])(status);
    reinterpret_cast<void (*)(void*)>(api[93])(status);
    throw std::runtime_error(message);
}

template <typename... A>
bool succeeds(std::size_t slot, A... arguments) {
    void* const status = reinterpret_cast<void* (*)(A...)>(api[slot])(arguments...);
    if (status) reinterpret_cast<void (*)(void*)>(api[93])(status);
    return !status;
}

struct Operator {
    std::uint32_t version;
    void* (*create)(const Operator*, const void* api, const void* info);
    const char* (*name)(const Operator*);
    const char* (*provider)(const Operator*);
    int (*input_type)(const Operator*, std::size_t);
    std::size_t (*input_count)(const Operator*);
    int (*output_type)(const Operator*, std::size_t);
    std::size_t (*output_count)(const Operator*);
    void (*compute)(void*, void*);
    void (*destroy)(void*);
    int (*input_character)(const Operator*, std::size_t);
    int (*output_character)(const Operator*, std::size_t);
    int (*input_memory)(const Operator*, std::size_t);
    int (*variadic_input_minimum)(const Operator*);
    int (*variadic_input_same)(const Operator*);
    int (*variadic_output_minimum)(const Operator*);
    int (*variadic_output_same)(const Operator*);
    void* (*create_v2)(const Operator*, const void* api, const void* info, void** kernel);
    void* (*compute_v2)(void*, void*);
    void* (*infer)(const Operator*, void*);
    int (*first_version)(const Operator*);
    int (*last_version)(const Operator*);
    // of this library
    const char* called;
    const char* runs_on;
    std::vector<int> inputs, outputs, characters;
};

/// A tensor of a kernel's context.
struct Tensor {
    void* value = nullptr;
    std::vector<std::int64_t> dims;
    std::size_t size = 1;
    template <typename T>
    T* data() const {
        void* at = nullptr;
        call(51, value, &at);
        return static_cast<T*>(at);
    }
};

std::size_t input_count(void* context) {
    std::size_t count = 0;
    call(88, static_cast<const void*>(context), &count);
    return count;
}

/// Without a value where the input is omitted.
Tensor input(void* context, std::size_t index) {
    Tensor tensor;
    call(90, static_cast<const void*>(context), index, &tensor.value);
    if (!tensor.value) return tensor;
    void* shape = nullptr;
    std::size_t rank = 0;
    call(65, static_cast<const void*>(tensor.value), &shape);
    call(61, static_cast<const void*>(shape), &rank);
    tensor.dims.resize(rank);
    call(62, static_cast<const void*>(shape), tensor.dims.data(), rank);
    call(64, static_cast<const void*>(shape), &tensor.size);
    reinterpret_cast<void (*)(void*)>(api[99])(shape);
    return tensor;
}

Tensor output(void* context, std::size_t index, const std::vector<std::int64_t>& dims) {
    Tensor tensor;
    tensor.dims = dims;
    for (const std::int64_t dim : dims) tensor.size *= static_cast<std::size_t>(dim);
    call(91, context, index, static_cast<const std::int64_t*>(dims.data()), dims.size(),
         &tensor.value);
    return tensor;
}

Operator make(const char* name, std::vector<int> inputs, std::vector<int> outputs,
              void (*compute)(void*, void*)) {
    Operator op{};
    op.version = interface_version;
    op.called = name;
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    op.compute = compute;
    op.create = [](const Operator*, const void*, const void*) -> void* {
        return std::calloc(1, 64);
    };
    op.destroy = [](void* kernel) { std::free(kernel); };
    op.name = [](const Operator* o) { return o->called; };
    op.provider = [](const Operator* o) { return o->runs_on; };
    op.input_type = [](const Operator* o, std::size_t i) { return o->inputs[i]; };
    op.input_count = [](const Operator* o) { return o->inputs.size(); };
    op.output_type = [](const Operator* o, std::size_t i) { return o->outputs[i]; };
    op.output_count = [](const Operator* o) { return o->outputs.size(); };
    op.input_character = [](const Operator* o, std::size_t i) {
        return i < o->characters.size() ? o->characters[i] : 0;
    };
    op.output_character = [](const Operator*, std::size_t) { return 0; };
    op.input_memory = [](const Operator*, std::size_t) { return 0; };
    const auto one = [](const Operator*) { return 1; };
    op.variadic_input_minimum = op.variadic_input_same = op.variadic_output_minimum =
        op.variadic_output_same = one;
    op.first_version = one;
    op.last_version = [](const Operator*) { return INT32_MAX; };
    return op;
}

// ---- y = factor * x + offset[0]: a number and a list as attributes

struct ScaleKernel {
    float factor, offset;
};

Operator scale() {
    Operator op = make("Scale", {f32}, {f32}, [](void* kernel, void* context) {
        const Tensor x = input(context, 0), y = output(context, 0, x.dims);
        const auto& of = *static_cast<const ScaleKernel*>(kernel);
        for (std::size_t i = 0; i < x.size; ++i)
            y.data<float>()[i] = of.factor * x.data<float>()[i] + of.offset;
    });
    op.create = [](const Operator*, const void*, const void* info) -> void* {
        auto* kernel = static_cast<ScaleKernel*>(std::calloc(1, sizeof(ScaleKernel)));
        if (!succeeds(85, info, "factor", &kernel->factor)) kernel->factor = 2;
        std::size_t count = 0;
        if (succeeds(162, info, "offset", static_cast<float*>(nullptr), &count) && count > 0) {
            std::vector<float> list(count);
            call(162, info, "offset", list.data(), &count);
            kernel->offset = list[0];
        }
        return kernel;
    };
    return op;
}

// ---- the sum of any number of inputs; a text attribute names what is applied to it

Operator sum() {
    Operator op = make("Sum", {f32}, {f32}, [](void* kernel, void* context) {
        const std::size_t count = input_count(context);
        const Tensor first = input(context, 0), y = output(context, 0, first.dims);
        for (std::size_t i = 0; i < y.size; ++i) y.data<float>()[i] = 0;
        for (std::size_t n = 0; n < count; ++n) {
            const Tensor x = input(context, n);
            for (std::size_t i = 0; i < y.size; ++i) y.data<float>()[i] += x.data<float>()[i];
        }
        if (*static_cast<char*>(kernel) == 'm')
            for (std::size_t i = 0; i < y.size; ++i)
                y.data<float>()[i] /= static_cast<float>(count);
    });
    op.characters = {2};
    op.create = [](const Operator*, const void*, const void* info) -> void* {
        char* const kernel = static_cast<char*>(std::calloc(1, 64));
        std::size_t room = 0;
        if (succeeds(87, info, "reduce", static_cast<char*>(nullptr), &room) && room < 64)
            call(87, info, "reduce", kernel, &room);
        return kernel;
    };
    return op;
}

// ---- elements of x at the indices of the optional second input, or its first element; any type

Operator pick() {
    Operator op = make("Pick", {i64, i64}, {i64}, [](void*, void* context) {
        const Tensor x = input(context, 0), places = input(context, 1);
        const std::size_t count = places.value ? places.size : 1;
        const Tensor y = output(context, 0, {static_cast<std::int64_t>(count)});
        for (std::size_t i = 0; i < count; ++i)
            y.data<std::int64_t>()[i] =
                x.data<std::int64_t>()[places.value ? places.data<std::int64_t>()[i] : 0];
    });
    op.characters = {0, 1};
    return op;
}

// ---- twice the rows; one variant for each element type; the shape is inferred

template <typename T>
Operator repeat(int type) {
    Operator op = make("Repeat", {type}, {type}, [](void*, void* context) {
        const Tensor x = input(context, 0);
        std::vector<std::int64_t> dims = x.dims;
        dims.at(0) *= 2;
        const Tensor y = output(context, 0, dims);
        for (std::size_t i = 0; i < y.size; ++i) y.data<T>()[i] = x.data<T>()[i % x.size];
    });
    // ONNX Runtime asks the first variant for all of them: the type is that of the input.
    op.infer = [](const Operator*, void* context) -> void* {
        void *shape = nullptr, *reported = nullptr;
        std::size_t rank = 0;
        int element = 0;
        call(268, context, std::size_t{0}, &shape);
        call(60, static_cast<const void*>(shape), &element);
        call(61, static_cast<const void*>(shape), &rank);
        std::vector<std::int64_t> dims(rank);
        call(62, static_cast<const void*>(shape), dims.data(), rank);
        if (!dims.empty() && dims[0] > 0) dims[0] *= 2;
        call(57, &reported);
        call(58, reported, element);
        call(59, reported, static_cast<const std::int64_t*>(dims.data()), rank);
        call(270, context, std::size_t{0}, static_cast<const void*>(reported));
        reinterpret_cast<void (*)(void*)>(api[99])(reported);
        return nullptr;
    };
    return op;
}

// ---- texts in capital letters

Operator upper() {
    return make("Upper", {text}, {text}, [](void*, void* context) {
        const Tensor x = input(context, 0), y = output(context, 0, x.dims);
        std::size_t bytes = 0;
        call(53, static_cast<const void*>(x.value), &bytes);
        std::string all(bytes, '\0');
        std::vector<std::size_t> offsets(x.size + 1, bytes);
        call(54, static_cast<const void*>(x.value), static_cast<void*>(all.data()), bytes,
             offsets.data(), x.size);
        std::vector<std::string> texts;
        std::vector<const char*> pointers;
        for (std::size_t i = 0; i < x.size; ++i)
            texts.push_back(all.substr(offsets[i], offsets[i + 1] - offsets[i]));
        for (std::string& one : texts)
            for (char& c : one) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        for (const std::string& one : texts) pointers.push_back(one.c_str());
        call(52, y.value, static_cast<const char* const*>(pointers.data()), pointers.size());
    });
}

// ---- wrong on purpose

void copy_input(void* context) {
    const Tensor x = input(context, 0), y = output(context, 0, x.dims);
    for (std::size_t i = 0; i < x.size; ++i) y.data<float>()[i] = x.data<float>()[i];
}

std::vector<Operator> wrong_operators() {
    std::vector<Operator> list;
    list.push_back(make("Throws", {f32}, {f32},
                        [](void*, void*) { throw std::runtime_error("no kernel on Tuesdays"); }));
    list.push_back(make("Crashes", {f32}, {f32},
                        [](void*, void*) { *reinterpret_cast<volatile int*>(8) = 1; }));
    list.push_back(make("Aborts", {f32}, {f32}, [](void*, void*) { std::abort(); }));
    list.push_back(make("GivesNothing", {f32}, {f32}, [](void*, void*) {}));
    list.push_back(make("Asks", {f32}, {f32}, [](void*, void* context) {
        void* ignored = nullptr;
        // KernelContext_GetResource
        succeeds(265, static_cast<const void*>(context), 1, 1, &ignored);
        copy_input(context);
    }));
    Operator refuses = make("Refuses", {f32}, {f32}, nullptr);
    refuses.create_v2 = [](const Operator*, const void*, const void*, void** kernel) -> void* {
        *kernel = nullptr;
        return nullptr;
    };
    refuses.compute_v2 = [](void*, void*) -> void* {
        return reinterpret_cast<void* (*)(int, const char*)>(api[0])(2, "it wants a better input");
    };
    list.push_back(refuses);
    return list;
}

std::vector<Operator>& operators() {
    static std::vector<Operator> list{
        scale(), sum(), pick(), repeat<float>(f32), repeat<std::int64_t>(i64), upper()};
    return list;
}

std::vector<Operator>& wrong() {
    static std::vector<Operator> list = wrong_operators();
    return list;
}

std::vector<Operator>& elsewhere() {
    static std::vector<Operator> list = [] {
        Operator op = make("OnCuda", {any}, {any}, [](void*, void*) {});
        op.runs_on = "CUDAExecutionProvider";
        return std::vector<Operator>{op};
    }();
    return list;
}

void add_domain(void* options, const char* name, std::vector<Operator>& list) {
    void* domain = nullptr;
    call(26, name, &domain);
    for (Operator& op : list) call(27, domain, static_cast<const void*>(&op));
    call(28, options, domain);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* RegisterCustomOps(void* options,
                                                                          const ApiBase* base) {
    api = static_cast<void* const*>(base->get_api(interface_version));
    if (!api) return nullptr;
    add_domain(options, "test.lapidary", operators());
    add_domain(options, "test.lapidary.wrong", wrong());
    if (std::getenv("LAPIDARY_TEST_CUDA_OPERATOR"))
        add_domain(options, "test.lapidary.elsewhere", elsewhere());
    return nullptr;
}
