#include "exported.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "cases.h"

namespace sinew::test {
namespace {

DVec3 morphed(const Case& data, std::size_t instance, std::size_t v, std::size_t part, DVec3 value) {
  const std::size_t floats = data.tangents ? 9 : 6;
  for (std::size_t target = 0; target < data.target_count; ++target) {
    const double weight = data.morph_weights[instance * data.target_count + target];
    const float* delta = &data.deltas[(target * data.vertices.size() + v) * floats + 3 * part];
    for (std::size_t axis = 0; axis < 3; ++axis) value[axis] += weight * double(delta[axis]);
  }
  return value;
}

/// Of vertex v: calls `each` with the weight and the place in the palette of each influence.
template <class Each>
void each_influence(const Case& data, std::size_t instance, std::size_t v, const Each& each) {
  for (std::size_t i = 0; i < data.influences; ++i) {
    const PackedVertex& vertex = data.vertices[v];
    const MoreInfluences& more = data.more[v];
    const std::size_t joint = i < 4 ? vertex.joints[i] : more.joints[i - 4];
    each(double(i < 4 ? vertex.weights[glm::length_t(i)] : more.weights[i - 4]),
         instance * data.palette_joints + joint);
  }
}

DAffine summed(const Case& data, std::span<const Affine> palette, std::size_t instance, std::size_t v) {
  DAffine sum;
  for (auto& row : sum.m) std::fill(std::begin(row), std::end(row), 0.0);
  each_influence(data, instance, v, [&](double weight, std::size_t entry) {
    const DAffine m = to_double(palette[entry]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) sum.m[r][c] += weight * m.m[r][c];
  });
  return sum;
}

/// The blend of the dual quaternions, by turning the axes and the origin with it.
DAffine turned(const Case& data, std::size_t instance, std::size_t v, bool signs) {
  double strongest = -1, r[4] = {}, e[4] = {};
  Quat pivot;
  each_influence(data, instance, v, [&](double weight, std::size_t entry) {
    if (weight > strongest) strongest = weight, pivot = data.rigid[entry].real;
  });
  each_influence(data, instance, v, [&](double weight, std::size_t entry) {
    const DVec4 q = to_double(data.rigid[entry].real), d = to_double(data.rigid[entry].dual), p = to_double(pivot);
    if (signs && q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3] < 0) weight = -weight;
    for (std::size_t c = 0; c < 4; ++c) r[c] += weight * q[c], e[c] += weight * d[c];
  });
  const double length = std::hypot(std::hypot(r[0], r[1]), std::hypot(r[2], r[3]));
  for (int c = 0; c < 4; ++c) r[c] /= length, e[c] /= length;
  const auto cross = [](const double* a, const double* b, int c) {
    return a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
  };
  DAffine out;
  for (int axis = 0; axis < 3; ++axis) {
    const double from[] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    double inner[3];
    for (int c = 0; c < 3; ++c) inner[c] = cross(r, from, c) + r[3] * from[c];
    for (int c = 0; c < 3; ++c) out.m[c][axis] = from[c] + 2 * cross(r, inner, c);
  }
  for (int c = 0; c < 3; ++c) out.m[c][3] = 2 * (r[3] * e[c] - e[3] * r[c] + cross(r, e, c));
  return out;
}

DAffine blended(const Case& data, std::size_t instance, std::size_t v, bool signs) {
  if (data.method == SkinMethod::linear) return summed(data, data.palette, instance, v);
  DAffine out = turned(data, instance, v, signs);
  if (!data.stretch.empty()) out = multiply(out, summed(data, data.stretch, instance, v));
  if (data.method != SkinMethod::mixed) return out;
  const DAffine linear = summed(data, data.palette, instance, v);
  const double share = data.vertices[v].position.w;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.m[r][c] = linear.m[r][c] + share * (out.m[r][c] - linear.m[r][c]);
  return out;
}

struct Differences {
  Limits limits;
  double positions = 0, normals = 0, tangents = 0;
  std::string worst;  ///< what is beyond a limit, the last one found
  void raise(double& maximum, double value, double limit, const std::string& what) {
    if (value <= maximum) return;
    maximum = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    if (maximum > limit) worst = what;
  }
  void raise_position(double value, const std::string& what) { raise(positions, value, limits.positions, what); }
  void merge(const Differences& other) {
    raise_position(other.positions, other.worst);
    raise(normals, other.normals, limits.directions, other.worst);
    raise(tangents, other.tangents, limits.directions, other.worst);
  }
  bool within() const {
    return positions <= limits.positions && normals <= limits.directions && tangents <= limits.directions;
  }
};

Differences differences(const Case& data, const Exact& expected, const Skinned& got, const std::string& what,
                        const Limits& limits) {
  Differences out{limits};
  const std::size_t count = expected.positions.size();
  if (got.vertices.size() != count || got.tangents.size() != expected.tangents.size()) {
    out.raise_position(std::numeric_limits<double>::infinity(), what + ": other counts");
    return out;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string where = what + ", vertex " + std::to_string(i);
    const DVec3& p = expected.positions[i];
    const PackedSkinned& vertex = got.vertices[i];
    out.raise_position(distance(p, to_double(Vec3(vertex.position))) / std::max(data.size, length(p)), where);
    if (!expected.normals.empty())
      out.raise(out.normals, distance(expected.normals[i], to_double(Vec3(vertex.normal))), limits.directions,
                where + ", normal");
    if (!expected.tangents.empty()) {
      const DVec4 &a = expected.tangents[i], b = to_double(got.tangents[i]);
      out.raise(out.tangents, std::hypot(std::hypot(a[0] - b[0], a[1] - b[1]), std::hypot(a[2] - b[2], a[3] - b[3])),
                limits.directions, where + ", tangent");
    }
    const Vec2 uv = data.vertices[i % data.vertices.size()].uv;  // copied, to the bit
    if (vertex.uv != uv) out.raise_position(std::numeric_limits<double>::infinity(), where + ", uv");
  }
  return out;
}

SkinKernel kernel_of(const Variant& variant) {
  return {.palette_4x4 = variant.palette_4x4, .method = variant.method, .stretch = variant.stretch};
}

/// The variants for a case: two settings, and each option that it needs.
std::vector<Variant> variants(const Abilities& abilities, const Case& data) {
  std::vector<Variant> out;
  if ((data.target_count && !abilities.morphs) || (data.instances > 1 && !abilities.instances) ||
      data.influences > abilities.influences || (data.tangents && !abilities.tangents))
    return out;
  const bool linear = data.method == SkinMethod::linear;
  if (!linear && !abilities.other_methods) return out;
  for (const bool second : {false, true}) {
    if (second && !linear) break;  // which has exact normals and one palette
    Variant variant{abilities.vertex_stage, data.influences, data.tangents};
    variant.morphs = data.target_count > 0;
    variant.instances = data.instances > 1;
    variant.fast = variant.palette_4x4 = second;
    variant.constants = abilities.constants;
    variant.method = data.method;
    variant.stretch = !data.stretch.empty();
    const std::size_t each = palette_entry_bytes(kernel_of(variant));
    const std::size_t joints = std::size_t(abilities.joints) * sizeof(Affine) / each;
    if (data.palette_joints * data.instances <= joints) out.push_back(variant);
  }
  return out;
}

/// The plainest of the cases made by chance, with matrices transposed and dual quaternions' w first.
const std::map<const Case*, Case>& transposed_cases() {
  static const std::map<const Case*, Case> all = [] {
    std::map<const Case*, Case> out;
    for (const Case& data : cases()) {
      if (!data.oracle.positions.empty() || data.instances > 1) continue;
      Case& wrong = out.emplace(&data, data).first->second;
      for (Affine& m : wrong.palette)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < r; ++c) std::swap(m.rows[r][c], m.rows[c][r]);
      for (DualQuaternion& q : wrong.rigid)
        for (Quat* part : {&q.real, &q.dual}) *part = quat_xyzw(part->w, part->x, part->y, part->z);
    }
    return out;
  }();
  return all;
}

constexpr const char* kHeading =
    "                               runs  vertices  positions   normals  tangents     limits     witnesses";

/// For the test that prints all rows as one table: they come from many processes.
void keep_row(const std::string& name, const std::string& row) {
  std::string file;
  for (const char c : name) file += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  std::filesystem::create_directories(SINEW_AGREEMENT_ROWS);
  std::ofstream(std::filesystem::path(SINEW_AGREEMENT_ROWS) / (file + ".txt")) << row << '\n';
}

const Exact& expectation(const Case& data, bool fast) {
  static std::map<std::pair<const Case*, bool>, Exact> kept;
  if (!fast && !data.oracle.positions.empty()) return data.oracle;
  const auto [found, added] = kept.try_emplace({&data, fast});
  if (added) found->second = skin_exactly(data, fast);
  return found->second;
}

}  // namespace

std::string Variant::name() const {
  return std::string(vertex_stage ? "skin_vertex_" : "skin_compute_") + std::to_string(influences) +
         (tangents ? "_tangents" : "") +
         (morphs      ? "_morphs"
          : instances ? "_instances"
                      : "") +
         (fast ? "_fast" : "_exact") +
         (method == SkinMethod::mixed             ? "_mixed"
          : method == SkinMethod::dual_quaternion ? "_dqs"
          : palette_4x4                           ? "_4x4"
                                                  : "_3x4") +
         (stretch ? "_stretch" : "") + (constants ? "_constants" : "");
}

Exact skin_exactly(const Case& data, bool fast, bool signs) {
  Exact out;
  for (std::size_t instance = 0; instance < data.instances; ++instance)
    for (std::size_t v = 0; v < data.vertices.size(); ++v) {
      const PackedVertex& vertex = data.vertices[v];
      const DAffine m = blended(data, instance, v, signs);
      out.positions.push_back(point(m, morphed(data, instance, v, 0, to_double(Vec3(vertex.position)))));
      if (data.normals) {
        const DVec3 n = morphed(data, instance, v, 1, to_double(Vec3(vertex.normal)));
        DVec3 turned = linear_part(fast ? m : cofactors(m), n);
        if (!fast && determinant(m) < 0)
          for (double& x : turned) x = -x;
        out.normals.push_back(unit(turned));
      }
      if (data.tangents) {
        const Vec4 tangent = data.tangent_stream[v];
        const DVec3 t = unit(linear_part(m, morphed(data, instance, v, 2, to_double(Vec3(tangent)))));
        out.tangents.push_back({t[0], t[1], t[2], tangent.w});
      }
    }
  return out;
}

std::vector<Run> runs(const Abilities& abilities) {
  std::vector<Run> out;
  for (const Case& data : cases())
    for (const Variant& variant : variants(abilities, data)) out.push_back({variant, &data, &data});
  for (const auto& [data, wrong] : transposed_cases())
    for (const Variant& variant : variants(abilities, *data)) out.push_back({variant, &wrong, data, true});
  return out;
}

void judge(const std::string& name, const std::vector<Run>& all, const std::vector<Skinned>& results,
           const Limits& limits) {
  ASSERT_EQ(results.size(), all.size());
  Differences worst{limits};
  std::size_t tried = 0, vertices = 0, witnesses = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Run& run = all[i];
    const std::string what = run.expected->name + ", " + run.variant.name();
    const Differences found =
        differences(*run.expected, expectation(*run.expected, run.variant.fast), results[i], what, limits);
    if (run.witness) {
      EXPECT_FALSE(found.within()) << "an order mixed up went unseen: " << what;
      ++witnesses;
    } else {
      worst.merge(found);
      ++tried, vertices += results[i].vertices.size();
    }
  }
  char row[200];
  std::snprintf(row, sizeof row, "%-30s %4zu %9zu   %7.1e   %7.1e   %7.1e   %7.0e %7.0e %6zu", name.c_str(), tried,
                vertices, worst.positions, worst.normals, worst.tangents, limits.positions, limits.directions,
                witnesses);
  std::printf("%s\n%s\n", kHeading, row);
  keep_row(name, row);
  EXPECT_GT(tried, 0u);
  EXPECT_GT(witnesses, 0u);
  EXPECT_TRUE(worst.within()) << "worst: " << worst.worst;
}

void expect_agreement(const std::string& name, const Abilities& abilities, const Backend& backend,
                      const Limits& limits) {
  const std::vector<Run> all = runs(abilities);
  std::vector<Skinned> results;
  for (const Run& run : all) results.push_back(backend(run.variant, *run.data));
  judge(name, all, results, limits);
}

std::vector<float> palette_floats(const Variant& variant, const Case& data) {
  const SkinKernel kernel = kernel_of(variant);
  std::vector<float> out(data.palette.size() * palette_entry_bytes(kernel) / sizeof(float));
  pack_palette(kernel, data.palette, data.rigid, data.stretch, std::as_writable_bytes(std::span(out)));
  return out;
}

// Turns y into x, z into y, x into z: exact in floats, and not its own transpose.
std::array<float, 16> view_matrix() { return {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}; }

void undo_view(Skinned& skinned) {
  const auto back = [](Vec4& v) { v = Vec4(v.z, v.x, v.y, v.w); };
  for (PackedSkinned& vertex : skinned.vertices) back(vertex.position), back(vertex.normal);
  for (Vec4& tangent : skinned.tangents) back(tangent);
}

std::vector<std::byte> vertex_uniforms(const Case& data) {
  const std::array<float, 16> view = view_matrix();
  std::vector<std::byte> out(176);
  std::memcpy(out.data(), view.data(), 64);
  for (std::size_t at : {64, 112}) std::memcpy(out.data() + at, view.data(), 48);  // columns of 16 bytes
  const std::uint32_t counts[] = {data.palette_joints, 0, data.vertex_count(), data.target_count};
  std::memcpy(out.data() + 160, counts, sizeof counts);
  return out;
}

std::vector<std::byte> compute_counts(const Case& data) {
  const std::uint32_t counts[] = {data.vertex_count(), data.palette_joints, data.target_count, 0};
  std::vector<std::byte> out(sizeof counts);
  std::memcpy(out.data(), counts, sizeof counts);
  return out;
}

}  // namespace sinew::test
