// What the cases share: vertices against expected places, and findings by code.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {

inline constexpr float kPlace = 1e-6f;  ///< of scenes about 2 units in size

/// `part` holds these vertices, in this order.
inline void expect_vertices(const PlacedVertices* part, const std::vector<Vec3>& wanted, double tolerance = kPlace) {
  ASSERT_NE(part, nullptr);
  ASSERT_EQ(part->positions.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const DVec3& p = part->positions[i];
    EXPECT_LE(distance(p, to_double(wanted[i])), tolerance)
        << "vertex " << i << " at " << p[0] << ", " << p[1] << ", " << p[2];
  }
}

/// The finding of that code, which must be there; an empty one if it is not.
inline Finding expect_finding(const Report& report, Severity severity, const std::string& code) {
  const Finding* found = find(report, code);
  EXPECT_NE(found, nullptr) << code << " is not among:\n" << lines(report);
  if (!found) return {};
  EXPECT_EQ(to_string(found->severity), std::string(to_string(severity))) << found->message();
  return *found;
}

/// Nothing worse than an info.
inline void expect_quiet(const Report& report) {
  for (const Finding& f : report) EXPECT_EQ(to_string(f.severity), std::string("info")) << f.message();
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" in: " << text;
}

/// The error of a file that must be refused, with its line holding the parts given.
inline void expect_refused(const RawGltf& raw, ErrorCode code, const std::vector<std::string>& parts) {
  const auto scene = import_gltf(raw.glb());
  ASSERT_FALSE(scene) << "was accepted, with findings:\n" << lines(scene->findings);
  EXPECT_EQ(to_string(scene.error().code), std::string(to_string(code))) << scene.error().message();
  EXPECT_FALSE(scene.error().what_to_do.empty());
  expect_contains(scene.error().message(), parts);
}

/// The strip's vertices at rest.
inline std::vector<Vec3> resting_strip() { return strip().meshes[0].primitives[0].positions; }

/// Each point taken by the matrix.
inline std::vector<Vec3> moved(const Affine& matrix, std::vector<Vec3> points) {
  for (Vec3& p : points) p = transform_point(matrix, p);
  return points;
}

}  // namespace sinew::test
