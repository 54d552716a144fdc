// SPDX-License-Identifier: Apache-2.0
// .npy and .npz files: what NumPy writes must load with the right values, forged files must be
// refused with the reason before anything large is allocated.
#include <cstring>
#include <filesystem>
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <zip.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string npy(const std::string& header, const std::string& payload, int version = 1) {
    std::string file("\x93NUMPY", 6);
    file += static_cast<char>(version);
    file += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        file += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return file + header + payload;
}

template <typename T>
std::string raw(const std::vector<T>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::string header_of(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }\n";
}

/// The error of reading `file`, which must be refused.
Error refused(const std::string& file, const Limits& limits = {}) {
    try {
        parse_npy(bytes_of(file), limits);
    } catch (const Error& error) { return error; }
    ADD_FAILURE() << "the file was accepted";
    return Error(ErrorCode::internal, "accepted");
}

#define EXPECT_REFUSED(file, expected_code, text)                                           \
    do {                                                                                    \
        const Error error = refused(file);                                                  \
        EXPECT_EQ(error.code(), ErrorCode::expected_code) << error.what();                  \
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what(); \
    } while (false)

class TensorFile : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& contents) const {
        std::ofstream(folder_ / name, std::ios::binary) << contents;
        return folder_ / name;
    }
    TemporaryFolder folder_;
};

TEST(Npy, ReadsEveryNumericType) {
    const auto t =
        parse_npy(bytes_of(npy(header_of("<f4", "(2, 2)"), raw<float>({1, -2, 3.5f, 4}))));
    EXPECT_EQ(t.dtype(), DType::f32);
    EXPECT_EQ(t.shape(), (Shape{2, 2}));
    EXPECT_EQ(t.data<float>()[2], 3.5f);
    EXPECT_EQ(parse_npy(bytes_of(npy(header_of("<i8", "(1,)"), raw<std::int64_t>({-7}))))
                  .data<std::int64_t>()[0],
              -7);
    EXPECT_EQ(parse_npy(bytes_of(npy(header_of("|u1", "()"), "\xff"))).data<std::uint8_t>()[0],
              255);
    EXPECT_EQ(parse_npy(bytes_of(npy(header_of("<f2", "(1,)"), raw<std::uint16_t>({0x3c00}))))
                  .data<Half>()[0],
              1.0f);
    EXPECT_EQ(parse_npy(bytes_of(npy(header_of("<V2", "(1,)"), raw<std::uint16_t>({0x3f80}))))
                  .data<BFloat16>()[0],
              1.0f);
    EXPECT_EQ(parse_npy(bytes_of(npy(header_of("<c8", "(1,)"), raw<float>({1, 2}))))
                  .data<std::complex<float>>()[0],
              std::complex<float>(1, 2));
}

TEST(Npy, NormalisesBooleans) {
    const auto t = parse_npy(bytes_of(npy(header_of("|b1", "(3,)"), std::string("\0\1\2", 3))));
    const auto* stored = static_cast<const std::uint8_t*>(t.raw());
    EXPECT_EQ((std::vector<int>{stored[0], stored[1], stored[2]}), (std::vector<int>{0, 1, 1}));
}

TEST(Npy, ReadsBigEndianFortranOrder) {
    std::string payload;
    for (const float value : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}) {
        std::string bytes = raw<float>({value});
        std::reverse(bytes.begin(), bytes.end());
        payload += bytes;
    }
    const auto t = parse_npy(bytes_of(npy(header_of(">f4", "(2, 3)", true), payload)));
    const auto values = t.data<float>();  // stored column by column
    EXPECT_EQ(std::vector<float>(values.begin(), values.end()),
              (std::vector<float>{1, 3, 5, 2, 4, 6}));
}

TEST(Npy, ReadsStrings) {
    const auto bytes =
        parse_npy(bytes_of(npy(header_of("|S3", "(2,)"), std::string("ab\0xyz", 6))));
    EXPECT_EQ(bytes.data<std::string>()[0], "ab");
    EXPECT_EQ(bytes.data<std::string>()[1], "xyz");
    const auto text = parse_npy(
        bytes_of(npy(header_of("<U2", "(2,)"), raw<std::uint32_t>({0x4f60, 0x1f600, 'a', 0}))));
    EXPECT_EQ(text.data<std::string>()[0], "\xe4\xbd\xa0\xf0\x9f\x98\x80");
    EXPECT_EQ(text.data<std::string>()[1], "a");
    const auto big =
        parse_npy(bytes_of(npy(header_of(">U1", "(1,)"), std::string("\0\0\0\xe9", 4))));
    EXPECT_EQ(big.data<std::string>()[0], "\xc3\xa9");
    EXPECT_REFUSED(npy(header_of("<U1", "(1,)"), raw<std::uint32_t>({0x110000})), invalid_input,
                   "no character");
}

TEST(Npy, ReadsVersionsTwoAndThree) {
    EXPECT_EQ(
        parse_npy(bytes_of(npy(header_of("<f4", "(1,)"), raw<float>({9}), 2))).data<float>()[0], 9);
    EXPECT_EQ(
        parse_npy(bytes_of(npy(header_of("<f4", "(1,)"), raw<float>({9}), 3))).data<float>()[0], 9);
    EXPECT_REFUSED(npy(header_of("<f4", "(1,)"), raw<float>({9}), 4), not_supported,
                   "version is 4");
}

TEST(Npy, ReadsArraysWithoutElements) {
    const auto t = parse_npy(bytes_of(npy(header_of("<f4", "(0, 4611686018427387904, 4)"), "")));
    EXPECT_EQ(t.size(), 0);
    EXPECT_EQ(t.shape()[2], 4);
}

TEST(Npy, RefusesForgedSizes) {
    EXPECT_REFUSED(npy(header_of("<f4", "(2, 2)"), std::string(5, '\0')), invalid_input,
                   "needs 16 bytes of elements, found 5");
    EXPECT_REFUSED(npy(header_of("<f4", "(2,)"), std::string(9, '\0')), invalid_input,
                   "needs 8 bytes of elements, found 9");
    EXPECT_REFUSED(npy(header_of("<f8", "(65536, 65536)"), ""), limit_exceeded, "limit of");
    EXPECT_REFUSED(npy(header_of("<f4", "(4611686018427387904, 4)"), std::string(16, '\0')),
                   limit_exceeded, "overflows");
    EXPECT_REFUSED(npy(header_of("<f4", "(99999999999999999999,)"), ""), invalid_input, "64 bits");
    EXPECT_REFUSED(npy(header_of("<f4", "(-1, 4)"), std::string(16, '\0')), invalid_input,
                   "negative dimension -1");
    EXPECT_REFUSED(npy(header_of("<U0", "(1000000000000,)"), ""), limit_exceeded, "limit of");
    EXPECT_REFUSED(npy(header_of("<U0", "(1000,)"), ""), invalid_input, "width 0");
    std::string huge("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13);
    EXPECT_REFUSED(huge, limit_exceeded, "4294967295");
    EXPECT_REFUSED(npy(std::string(60000, '(') + std::string(5535, ')'), "", 2), invalid_input,
                   "character 0");
    std::string many_dimensions = "(";
    for (int i = 0; i < 65; ++i) many_dimensions += "1,";
    EXPECT_REFUSED(npy(header_of("<f4", many_dimensions + ")"), std::string(4, '\0')),
                   limit_exceeded, "64 dimensions");
}

TEST(Npy, RefusesWhatIsNoTensor) {
    EXPECT_REFUSED(npy(header_of("|O", "(1,)"), "cos\nsystem"), not_supported, "object arrays");
    EXPECT_REFUSED(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", ""),
                   not_supported, "structured");
    EXPECT_REFUSED(npy(header_of("<M8[ns]", "(1,)"), std::string(8, '\0')), invalid_input,
                   "element type");
    EXPECT_REFUSED(npy(header_of("<f16", "(1,)"), std::string(16, '\0')), not_supported, "<f16");
    EXPECT_REFUSED("", invalid_input, "empty");
    EXPECT_REFUSED("hello", invalid_input, "not a .npy file");
    EXPECT_REFUSED(std::string("\x93NUMPY\x01\x00\x46", 9), invalid_input,
                   "ends inside its header");
    EXPECT_REFUSED(npy("{'descr': '<f4', 'fortran_order': False}", ""), invalid_input, "lacks");
    EXPECT_REFUSED(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                       raw<float>({1})),
                   invalid_input, "repeated key");
    EXPECT_REFUSED(npy(header_of("<f4", "(1,)") + "x", raw<float>({1})), invalid_input,
                   "after the dictionary");
}

TEST(Npy, EveryPrefixIsRefused) {
    const std::string file = npy(header_of("<i4", "(2, 2)"), raw<std::int32_t>({1, 2, 3, 4}));
    for (std::size_t length = 0; length < file.size(); ++length)
        EXPECT_THROW(parse_npy(bytes_of(file.substr(0, length))), Error) << length;
}

TEST(Npy, WritesWhatItReads) {
    for (const Tensor& t : {Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                            Tensor::scalar<std::int64_t>(-5), Tensor::of<bool>({2}, {true, false}),
                            Tensor::of<std::string>({2, 1}, {"", "gr\xc3\xbc\xc3\x9f"}),
                            Tensor::of<std::string>({1}, {"\xff\xfe"}),
                            Tensor::of<Half>({1}, {Half(0.5f)}), Tensor(DType::f64, {0, 4})}) {
        const std::string file = format_npy(t);
        EXPECT_TRUE(same_contents(parse_npy(bytes_of(file)), t)) << file.substr(0, 80);
        const std::size_t header =
            static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
        EXPECT_EQ((10 + header) % 64, 0u);
    }
    EXPECT_THROW(format_npy(Tensor::of<std::string>({1}, {std::string("a\0", 2)})), Error);
}

TEST(Npy, WidensTypesThatNumpyLacks) {
    EXPECT_EQ(parse_npy(bytes_of(format_npy(Tensor::of<BFloat16>({1}, {BFloat16(1.5f)}))))
                  .data<float>()[0],
              1.5f);
    Tensor packed(DType::i4, {3});
    const std::uint8_t stored[] = {0x7f, 0x08};  // -1, 7, -8
    std::memcpy(packed.mutable_raw(), stored, 2);
    const Tensor wide = parse_npy(bytes_of(format_npy(packed)));
    EXPECT_EQ(to_int64s(wide), (std::vector<std::int64_t>{-1, 7, -8}));
    EXPECT_EQ(wide.dtype(), DType::i8);
}

TEST_F(TensorFile, NpzRoundTrip) {
    const NamedValues values = {{"/layer/Add_output_0", Tensor::of<float>({2}, {1, 2})},
                                {"x:0", Tensor::of<std::string>({1}, {"cat"})},
                                {"n", Tensor::scalar<std::int32_t>(3)}};
    save_npz(folder_ / "a.npz", values);
    const NamedValues back = load_npz(folder_ / "a.npz");
    ASSERT_EQ(back.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(back[i].first, values[i].first);
        EXPECT_TRUE(same_contents(back[i].second.tensor(), values[i].second.tensor()));
    }
    save_npz(folder_ / "b.npz", values);
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.npz"),
              std::filesystem::file_size(folder_ / "b.npz"));
    save_npz(folder_ / "empty.npz", {});
    EXPECT_TRUE(load_npz(folder_ / "empty.npz").empty());
    EXPECT_THROW(save_npz(folder_ / "twice.npz", {values[2], values[2]}), Error);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "twice.npz"));
}

/// An archive made with libzip, so that its flaws are only the wanted ones.
std::filesystem::path make_zip(const std::filesystem::path& path,
                               const std::vector<std::pair<std::string, std::string>>& members,
                               bool encrypted = false) {
    zip_t* archive = zip_open(path.string().c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, contents] : members) {
        const zip_int64_t i = zip_file_add(
            archive, name.c_str(), zip_source_buffer(archive, contents.data(), contents.size(), 0),
            ZIP_FL_ENC_UTF_8);
        if (encrypted)
            zip_file_set_encryption(archive, static_cast<zip_uint64_t>(i), ZIP_EM_TRAD_PKWARE,
                                    "secret");
    }
    EXPECT_EQ(zip_close(archive), 0);
    return path;
}

Error refused_npz(const std::filesystem::path& path, const Limits& limits = {}) {
    try {
        load_npz(path, limits);
    } catch (const Error& error) {
        EXPECT_EQ(error.where().empty() ? "" : error.where()[0], path.string());
        return error;
    }
    ADD_FAILURE() << path << " was accepted";
    return Error(ErrorCode::internal, "accepted");
}

TEST_F(TensorFile, NpzRefusesBombs) {
    const std::string zeros = npy(header_of("|u1", "(30000000,)"), std::string(30000000, '\0'));
    const auto path = make_zip(folder_ / "bomb.npz", {{"x.npy", zeros}});
    EXPECT_EQ(load_npz(path).size(), 1u);  // 1030 : 1, as numpy.savez_compressed makes of zeros
    Limits limits;
    limits.archive_bytes = zeros.size();
    EXPECT_EQ(load_npz(path, limits).size(), 1u);
    limits.archive_bytes = zeros.size() - 1;
    EXPECT_EQ(refused_npz(path, limits).code(), ErrorCode::limit_exceeded);
}

TEST_F(TensorFile, NpzChecksLimitsBeforeItUnpacks) {
    const std::string zeros = npy(header_of("<f4", "(5000000,)"), std::string(20'000'000, '\0'));
    const std::string small = npy(header_of("<f4", "(1,)"), raw<float>({3}));
    const auto path = make_zip(folder_ / "both.npz", {{"large.npy", zeros}, {"small.npy", small}});
    const std::vector<ArrayHeader> headers = npz_headers(path);
    ASSERT_EQ(headers.size(), 2u);
    EXPECT_EQ(headers[0].name, "large");
    EXPECT_EQ(headers[0].dtype, DType::f32);
    EXPECT_EQ(headers[0].shape, Shape{5'000'000});
    Limits limits;
    limits.archive_bytes = 1000;  // which the large one exceeds, but it is not requested
    const NamedValues values = load_npz(
        path, {limits, {}, [](const ArrayHeader& header) { return header.name == "small"; }});
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(values[0].second.tensor().data<float>()[0], 3);
    try {
        load_npz(path, {{}, {}, [](const ArrayHeader& header) -> bool {
                            fail_input("no " + header.name);
                        }});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("no large"), std::string::npos) << error.what();
        EXPECT_EQ(error.where()[0], path.string());
    }
    const ArrayReading reading{{}, {}, [&](const ArrayHeader&) {
                                   reading.cancel.cancel();
                                   return true;
                               }};
    try {
        load_npz(path, reading);
        ADD_FAILURE() << "a cancel ends it";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
}

TEST_F(TensorFile, CharactersCountInTheLimitOfATensor) {
    const std::string file = npy(header_of("|S1000", "(3,)"), std::string(3000, 'x'));
    Limits limits;
    limits.tensor_bytes = 3000 + 3 * sizeof(std::string);
    EXPECT_EQ(parse_npy(bytes_of(file), limits).size(), 3);
    --limits.tensor_bytes;
    EXPECT_THROW(parse_npy(bytes_of(file), limits), Error);
}

TEST_F(TensorFile, NpzRefusesForgedNames) {
    const std::string good = npy(header_of("<f4", "(1,)"), raw<float>({1}));
    EXPECT_NE(
        std::string(refused_npz(make_zip(folder_ / "a.npz", {{"../../evil.npy", good}})).what())
            .find("leaves the archive"),
        std::string::npos);
    EXPECT_NE(std::string(refused_npz(make_zip(folder_ / "b.npz", {{"readme.txt", good}})).what())
                  .find("not a .npy"),
              std::string::npos);
    EXPECT_EQ(refused_npz(make_zip(folder_ / "c.npz", {{"x.npy", good}}, true)).code(),
              ErrorCode::not_supported);
    // two dots are no folder
    EXPECT_EQ(load_npz(make_zip(folder_ / "d.npz", {{"..x.npy", good}})).size(), 1u);
    const Error inner =
        refused_npz(make_zip(folder_ / "e.npz", {{"x.npy", good.substr(0, good.size() - 1)}}));
    EXPECT_NE(std::string(inner.what()).find("array \"x\""), std::string::npos) << inner.what();
}

TEST_F(TensorFile, NpzRefusesDamage) {
    const std::string good = npy(header_of("<f4", "(64,)"), std::string(256, 'x'));
    save_npz(folder_ / "good.npz", {{"x", Tensor::of<float>({4}, {1, 2, 3, 4})}});
    std::ifstream in(folder_ / "good.npz", std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t length = 0; length < file.size(); ++length)
        EXPECT_THROW(load_npz(write("cut.npz", file.substr(0, length))), Error) << length;
    std::string damaged = file;
    // inside the elements: only the checksum shows it
    damaged[150] = static_cast<char>(damaged[150] ^ 1);
    const Error error = refused_npz(write("crc.npz", damaged));
    EXPECT_NE(std::string(error.what()).find("CRC"), std::string::npos) << error.what();
}

TEST_F(TensorFile, SavingToAMissingFolderSaysSo) {
    try {
        save_npz(folder_ / "no" / "such" / "x.npz", {{"x", Tensor::scalar<float>(1)}});
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::io_failure); }
}

}  // namespace
}  // namespace lapidary
