// SPDX-License-Identifier: Apache-2.0
// The dimensions of a tensor: a vector of int64 that needs no heap up to rank 6, so that running a
// compiled model allocates nothing per tensor.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lapidary {

/// Behaves like std::vector<std::int64_t> and converts from and to it.
class Shape {
public:
    /// Member types of a standard container.
    using value_type = std::int64_t;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = value_type&;
    using const_reference = const value_type&;
    using iterator = value_type*;
    using const_iterator = const value_type*;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    static constexpr size_type inline_rank = 6;  // dimensions that need no heap

    Shape() noexcept = default;
    /// As std::vector's constructors and assignments. A shape that was moved from has rank 0.
    explicit Shape(size_type rank, value_type value = 0) { assign(rank, value); }
    Shape(std::initializer_list<value_type> values) { assign(values.begin(), values.end()); }
    template <std::input_iterator I, std::sentinel_for<I> S>
    Shape(I first, S last) {
        assign(first, last);
    }
    Shape(const std::vector<value_type>& values) { assign(values.begin(), values.end()); }
    Shape(const Shape& other) { assign(other.begin(), other.end()); }
    Shape(Shape&& other) noexcept { take(other); }
    Shape& operator=(const Shape& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    Shape& operator=(Shape&& other) noexcept {
        if (this != &other) {
            release();
            take(other);
        }
        return *this;
    }
    Shape& operator=(std::initializer_list<value_type> values) {
        assign(values.begin(), values.end());
        return *this;
    }
    ~Shape() { release(); }
    operator std::vector<value_type>() const { return {begin(), end()}; }

    /// Rank, dimensions and iterators over them. at() throws std::out_of_range, the others do not
    /// check.
    size_type size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    size_type capacity() const noexcept { return capacity_; }
    value_type* data() noexcept { return values_; }
    const value_type* data() const noexcept { return values_; }
    iterator begin() noexcept { return values_; }
    iterator end() noexcept { return values_ + size_; }
    const_iterator begin() const noexcept { return values_; }
    const_iterator end() const noexcept { return values_ + size_; }
    const_iterator cbegin() const noexcept { return begin(); }
    const_iterator cend() const noexcept { return end(); }
    reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
    reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
    reference operator[](size_type i) noexcept { return values_[i]; }
    const_reference operator[](size_type i) const noexcept { return values_[i]; }
    reference at(size_type i) {
        if (i >= size_) throw std::out_of_range("Shape::at");
        return values_[i];
    }
    const_reference at(size_type i) const { return const_cast<Shape*>(this)->at(i); }
    reference front() noexcept { return values_[0]; }
    reference back() noexcept { return values_[size_ - 1]; }
    const_reference front() const noexcept { return values_[0]; }
    const_reference back() const noexcept { return values_[size_ - 1]; }

    /// As std::vector's members of these names; whatever changes the rank invalidates iterators.
    void reserve(size_type capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    void clear() noexcept { size_ = 0; }
    void resize(size_type rank, value_type value = 0) {
        reserve(rank);
        if (rank > size_) std::fill(values_ + size_, values_ + rank, value);
        size_ = rank;
    }
    void push_back(value_type value) {
        if (size_ == capacity_) grow(2 * capacity_);
        values_[size_++] = value;
    }
    reference emplace_back(value_type value) {
        push_back(value);
        return back();
    }
    void pop_back() noexcept { --size_; }
    void assign(size_type rank, value_type value) {
        clear();
        resize(rank, value);
    }
    template <std::input_iterator I, std::sentinel_for<I> S>
    void assign(I first, S last) {
        clear();
        for (; first != last; ++first) push_back(static_cast<value_type>(*first));
    }
    iterator insert(const_iterator at, value_type value) { return insert(at, size_type{1}, value); }
    iterator insert(const_iterator at, size_type count, value_type value) {
        const iterator to = open(at, count);
        std::fill_n(to, count, value);
        return to;
    }
    template <std::forward_iterator I>
    iterator insert(const_iterator at, I first, I last) {
        const iterator to = open(at, static_cast<size_type>(std::distance(first, last)));
        std::copy(first, last, to);
        return to;
    }
    iterator insert(const_iterator at, std::initializer_list<value_type> values) {
        return insert(at, values.begin(), values.end());
    }
    iterator erase(const_iterator at) { return erase(at, at + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        const iterator to = values_ + (first - values_);
        std::copy(last, cend(), to);
        size_ -= static_cast<size_type>(last - first);
        return to;
    }

    friend bool operator==(const Shape& a, const Shape& b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend auto operator<=>(const Shape& a, const Shape& b) noexcept {
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    bool is_inline() const noexcept { return values_ == inline_; }
    void release() noexcept {
        if (!is_inline()) delete[] values_;
        values_ = inline_;
        capacity_ = inline_rank;
        size_ = 0;
    }
    void take(Shape& other) noexcept {
        if (other.is_inline()) {
            std::copy(other.begin(), other.end(), inline_);
            size_ = other.size_;
        } else {
            values_ = std::exchange(other.values_, other.inline_);
            capacity_ = std::exchange(other.capacity_, inline_rank);
            size_ = other.size_;
        }
        other.size_ = 0;
    }
    void grow(size_type capacity) {
        auto* values = new value_type[std::max(capacity, 2 * capacity_)];
        std::copy(begin(), end(), values);
        if (!is_inline()) delete[] values_;
        capacity_ = std::max(capacity, 2 * capacity_);
        values_ = values;
    }
    iterator open(const_iterator at, size_type count) {
        const auto offset = at - values_;
        const size_type old = size_;
        resize(size_ + count);
        std::copy_backward(values_ + offset, values_ + old, values_ + size_);
        return values_ + offset;
    }

    value_type* values_ = inline_;
    size_type size_ = 0, capacity_ = inline_rank;
    value_type inline_[inline_rank] = {};
};

}  // namespace lapidary
