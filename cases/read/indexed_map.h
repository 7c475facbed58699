// An IndexedMap is an object of Json: its members keep the order of the file
// and are found by hash.
//
// nlohmann's ordered_map compares a key with all others whenever a member is
// looked up or added, so an object of 30,000 members took seconds.
#ifndef ASSAY_CASES_READ_INDEXED_MAP_H_
#define ASSAY_CASES_READ_INDEXED_MAP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

template <class Key, class T, class IgnoredLess = std::less<Key>,
          class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap
    : public nlohmann::ordered_map<Key, T, IgnoredLess, Allocator> {
  using Base = nlohmann::ordered_map<Key, T, IgnoredLess, Allocator>;

 public:
  using typename Base::const_iterator;
  using typename Base::iterator;

  using Base::Base;

  template <class K>
  std::pair<iterator, bool> emplace(K&& key, T&& value) {
    Index();
    const size_t position = Position(key);
    if (position < this->size()) return {At(position), false};
    Base::Container::emplace_back(std::forward<K>(key), std::forward<T>(value));
    Index();
    return {At(position), true};
  }
  template <class K>
  T& operator[](K&& key) {
    return emplace(std::forward<K>(key), T{}).first->second;
  }
  template <class K>
  const T& operator[](const K& key) const {
    return at(key);
  }
  template <class K>
  const T& at(const K& key) const {
    const size_t position = Position(key);
    if (position == this->size()) throw std::out_of_range("key not found");
    return (this->begin() + Distance(position))->second;
  }
  template <class K>
  T& at(const K& key) {
    return const_cast<T&>(std::as_const(*this).at(key));
  }
  template <class K>
  size_t count(const K& key) const {
    return Position(key) < this->size() ? 1 : 0;
  }
  template <class K>
  iterator find(const K& key) {
    return At(Position(key));
  }
  template <class K>
  const_iterator find(const K& key) const {
    return this->begin() + Distance(Position(key));
  }
  // Positions change, so the index is made anew when it is needed.
  template <class... Arguments>
  auto erase(Arguments&&... arguments) {
    slots_.clear();
    indexed_ = 0;
    return Base::erase(std::forward<Arguments>(arguments)...);
  }
  template <class Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace(first->first, T(first->second));
  }
  std::pair<iterator, bool> insert(const typename Base::value_type& value) {
    return emplace(value.first, T(value.second));
  }
  void clear() {
    slots_.clear();
    indexed_ = 0;
    Base::Container::clear();
  }

 private:
  // Below so many members a linear search is as fast.
  static constexpr size_t kFew = 16;

  static std::ptrdiff_t Distance(size_t position) {
    return static_cast<std::ptrdiff_t>(position);
  }
  iterator At(size_t position) { return this->begin() + Distance(position); }
  static size_t Hash(std::string_view key) {
    return std::hash<std::string_view>()(key);
  }

  // Returns the position of the member with that key, or size().
  size_t Position(std::string_view key) const {
    const auto member = [&](size_t i) -> std::string_view {
      return Base::Container::operator[](i).first;
    };
    if (indexed_ != this->size() || slots_.empty()) {
      size_t i = 0;
      while (i < this->size() && member(i) != key) ++i;
      return i;
    }
    const size_t mask = slots_.size() - 1;
    for (size_t slot = Hash(key) & mask; slots_[slot] != 0;
         slot = (slot + 1) & mask) {
      if (member(slots_[slot] - 1) == key) return slots_[slot] - 1;
    }
    return this->size();
  }

  // Brings the index up to date, if there are enough members for one.
  void Index() {
    if (this->size() < kFew || indexed_ == this->size()) return;
    if (this->size() * 2 > slots_.size()) {
      size_t slots = 4 * kFew;
      while (slots < this->size() * 4) slots *= 2;
      slots_.assign(slots, 0);
      indexed_ = 0;
    }
    const size_t mask = slots_.size() - 1;
    for (; indexed_ < this->size(); ++indexed_) {
      size_t slot = Hash(Base::Container::operator[](indexed_).first) & mask;
      while (slots_[slot] != 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<uint32_t>(indexed_ + 1);
    }
  }

  // A slot has the position of a member plus one, or 0 for none. The number of
  // slots is a power of two.
  std::vector<uint32_t> slots_;
  size_t indexed_ = 0;  // members that have a slot
};

}  // namespace assay

#endif  // ASSAY_CASES_READ_INDEXED_MAP_H_
