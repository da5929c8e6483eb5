#include "interchange/decode.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "interchange/text.h"

namespace sinew::gltf {

namespace {

template <class T>
T load(const std::byte* from) {
  T out;
  std::memcpy(&out, from, sizeof out);  // nothing in a file need be aligned
  return out;
}

/// One number as it is meant: normalized integers stand for -1 to 1 or 0 to 1 (glTF 2.0, 3.6.2.2).
template <class T, bool kNormalized>
float number(const std::byte* from) {
  const T stored = load<T>(from);
  if constexpr (!kNormalized || std::is_floating_point_v<T>)
    return float(stored);
  else
    return std::max(float(stored) / float(std::numeric_limits<T>::max()), -1.0f);
}

template <class T, bool kNormalized, int N>
struct LoadVector {
  glm::vec<N, float> operator()(const std::byte* from) const {
    glm::vec<N, float> out;
    for (int i = 0; i < N; ++i) out[i] = number<T, kNormalized>(from + std::size_t(i) * sizeof(T));
    return out;
  }
};
template <class T, bool kNormalized>
struct LoadScalar {
  float operator()(const std::byte* from) const { return number<T, kNormalized>(from); }
};
template <class T>
struct LoadJoints {
  std::array<std::uint16_t, 4> operator()(const std::byte* from) const {
    std::array<std::uint16_t, 4> out;
    for (std::size_t i = 0; i < 4; ++i) out[i] = std::uint16_t(load<T>(from + i * sizeof(T)));
    return out;
  }
};
template <class T>
struct LoadIndex {
  std::uint32_t operator()(const std::byte* from) const { return load<T>(from); }
};

/// Values on the way into a vector: assigning from iterators fills fresh memory once instead of clearing it first.
template <class Load>
struct Values {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::invoke_result_t<Load, const std::byte*>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;
  const std::byte* at;
  std::ptrdiff_t stride;
  reference operator*() const { return Load{}(at); }
  Values& operator++() {
    at += stride;
    return *this;
  }
  Values& operator--() {
    at -= stride;
    return *this;
  }
  Values operator++(int) {
    Values old = *this;
    at += stride;
    return old;
  }
  Values& operator+=(difference_type n) {
    at += n * stride;
    return *this;
  }
  friend difference_type operator-(const Values& a, const Values& b) { return (a.at - b.at) / a.stride; }
  friend bool operator==(const Values& a, const Values& b) { return a.at == b.at; }
};

template <class Load, class Out>
void fill(const std::byte* data, std::size_t count, std::size_t stride, std::vector<Out>& out) {
  if (!data) {
    out.assign(count, Out{});
  } else if (stride == sizeof(Out)) {
    // The compiler must know the distance to make wide loads of it.
    constexpr std::ptrdiff_t kTight = sizeof(Out);
    out.assign(Values<Load>{data, kTight}, Values<Load>{data + count * sizeof(Out), kTight});
  } else {
    out.assign(Values<Load>{data, std::ptrdiff_t(stride)}, Values<Load>{data + count * stride, std::ptrdiff_t(stride)});
  }
}

std::uint64_t sparse_index(const Elements& e, std::size_t i) {
  if (e.sparse_component == Component::u8) return load<std::uint8_t>(e.sparse_indices + i);
  if (e.sparse_component == Component::u16) return load<std::uint16_t>(e.sparse_indices + 2 * i);
  return load<std::uint32_t>(e.sparse_indices + 4 * i);
}

/// Calls `replace(element, bytes of its value)` for each.
template <class Replace>
bool apply_sparse(Reader& reader, const Elements& e, Replace replace) {
  const std::size_t bytes = e.element_bytes();
  for (std::size_t i = 0; i < e.sparse_count; ++i) {
    const std::uint64_t index = sparse_index(e, i);
    if (index >= e.count || (i > 0 && index <= sparse_index(e, i - 1))) {
      return reader.fail(
          index >= e.count ? ErrorCode::out_of_range : ErrorCode::bad_value, e.where + ".sparse.indices",
          text("entry ", i, " is ", index, "; entries must increase and be below the count of ", e.count),
          "write the file again");
    }
    replace(std::size_t(index), e.sparse_values + i * bytes);
  }
  return true;
}

/// Asks for the memory of all elements, once decoded.
bool take_elements(Reader& reader, const Elements& e, std::uint64_t bytes_each) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t bytes = e.count > kMost / bytes_each ? kMost : e.count * bytes_each;
  return reader.take(bytes, e.where, e.count, "elements");
}

template <class Load, class Out>
bool decode(Reader& reader, const Elements& e, std::vector<Out>& out) {
  if (!take_elements(reader, e, sizeof(Out))) return false;
  fill<Load>(e.data, std::size_t(e.count), e.stride, out);
  return apply_sparse(reader, e, [&](std::size_t i, const std::byte* from) { out[i] = Load{}(from); });
}

bool wrong_type(Reader& reader, const Elements& e, Json where, int components, const char* expected) {
  return reader.fail(ErrorCode::bad_type, where.path(),
                     text(e.where, " has ", e.components, " numbers an element of type ", to_string(e.component),
                          e.normalized ? " (normalized)" : "", "; required are ", components, " of type ", expected),
                     "write the file again by a program that follows glTF 2.0");
}

bool check_type(Reader& reader, const Elements& e, Allowed allowed, int components, Json where) {
  const bool small = e.component != Component::f32 && e.component != Component::u32;
  const bool right = e.component == Component::f32 || (small && allowed == Allowed::quantized) ||
                     (small && allowed == Allowed::normalized && e.normalized);
  if (right && e.components == components) return true;
  return wrong_type(reader, e, where, components,
                    allowed == Allowed::floats       ? "FLOAT"
                    : allowed == Allowed::normalized ? "FLOAT or normalized integers"
                                                     : "FLOAT or 8 or 16 bit integers");
}

/// No number of the row is infinite or NaN. Looks at the exponents alone, which compilers turn into wide integer code.
bool check_finite(Reader& reader, const Elements& e, Json where, const float* values, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7F800000u;
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i)
    bad |= std::uint32_t((std::bit_cast<std::uint32_t>(values[i]) & kExponent) == kExponent);
  if (!bad) return true;
  std::size_t first = 0;
  while ((std::bit_cast<std::uint32_t>(values[first]) & kExponent) != kExponent) ++first;
  return reader.fail(
      ErrorCode::bad_value, where.path(),
      text("element ", first / std::size_t(e.components), " of ", e.where, " is not finite (", values[first], ")"),
      "mend the value in the program that wrote it");
}

/// Calls `call` with the loader's component type and whether it is normalized.
template <class Call>
bool with_component(const Elements& e, Call call) {
  const auto integer = [&](auto zero) {
    return e.normalized ? call(zero, std::bool_constant<true>()) : call(zero, std::bool_constant<false>());
  };
  switch (e.component) {
    case Component::i8:
      return integer(std::int8_t());
    case Component::u8:
      return integer(std::uint8_t());
    case Component::i16:
      return integer(std::int16_t());
    case Component::u16:
      return integer(std::uint16_t());
    case Component::u32:
      return call(std::uint32_t(), std::bool_constant<false>());
    case Component::f32:
      return call(float(), std::bool_constant<false>());
  }
  return false;
}

template <int N>
bool read_vectors(Reader& reader, const Elements& e, Allowed allowed, Json where,
                  std::vector<glm::vec<N, float>>& out) {
  if (!check_type(reader, e, allowed, N, where)) return false;
  const bool decoded = with_component(e, [&]<class T, bool kNormalized>(T, std::bool_constant<kNormalized>) {
    return decode<LoadVector<T, kNormalized, N>>(reader, e, out);
  });
  return decoded &&
         (e.component != Component::f32 || out.empty() || check_finite(reader, e, where, &out[0][0], out.size() * N));
}

}  // namespace

bool read(Reader& reader, const Elements& e, Allowed allowed, Json where, std::vector<Vec2>& out) {
  return read_vectors<2>(reader, e, allowed, where, out);
}
bool read(Reader& reader, const Elements& e, Allowed allowed, Json where, std::vector<Vec3>& out) {
  return read_vectors<3>(reader, e, allowed, where, out);
}
bool read(Reader& reader, const Elements& e, Allowed allowed, Json where, std::vector<Vec4>& out) {
  return read_vectors<4>(reader, e, allowed, where, out);
}

bool read(Reader& reader, const Elements& e, Allowed allowed, int components, Json where, std::vector<float>& out) {
  if (!check_type(reader, e, allowed, components, where)) return false;
  const std::size_t n = std::size_t(components), bytes = bytes_of(e.component);
  if (!take_elements(reader, e, n * sizeof(float))) return false;
  const std::size_t count = std::size_t(e.count);
  const bool decoded = with_component(e, [&]<class T, bool kNormalized>(T, std::bool_constant<kNormalized>) {
    using Load = LoadScalar<T, kNormalized>;
    const auto copy = [&](std::size_t i, const std::byte* from) {
      for (std::size_t c = 0; c < n; ++c) out[i * n + c] = Load{}(from + c * bytes);
    };
    if (!e.data || e.stride == n * bytes) {
      fill<Load>(e.data, count * n, bytes, out);
    } else {
      out.resize(count * n);
      for (std::size_t i = 0; i < count; ++i) copy(i, e.data + i * e.stride);
    }
    return apply_sparse(reader, e, copy);
  });
  return decoded && (e.component != Component::f32 || check_finite(reader, e, where, out.data(), out.size()));
}

bool read_joints(Reader& reader, const Elements& e, Json where, std::vector<std::array<std::uint16_t, 4>>& out) {
  if (e.components == 4 && e.component == Component::u8) return decode<LoadJoints<std::uint8_t>>(reader, e, out);
  if (e.components == 4 && e.component == Component::u16) return decode<LoadJoints<std::uint16_t>>(reader, e, out);
  return wrong_type(reader, e, where, 4, "UNSIGNED_BYTE or UNSIGNED_SHORT");
}

bool read_indices(Reader& reader, const Elements& e, Json where, std::vector<std::uint32_t>& out) {
  if (e.components == 1 && e.component == Component::u8) return decode<LoadIndex<std::uint8_t>>(reader, e, out);
  if (e.components == 1 && e.component == Component::u16) return decode<LoadIndex<std::uint16_t>>(reader, e, out);
  if (e.components == 1 && e.component == Component::u32) return decode<LoadIndex<std::uint32_t>>(reader, e, out);
  return wrong_type(reader, e, where, 1, "UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT");
}

}  // namespace sinew::gltf
