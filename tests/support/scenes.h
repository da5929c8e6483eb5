// Scenes built in code: what tests of every stage start from.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sinew/scene.h"

namespace sinew::test {

inline constexpr float kPi = 3.14159265358979323846f;
constexpr float radians(float degrees) { return degrees * (kPi / 180); }
/// Turn about +Z, right-handed.
Quat about_z(float degrees);

/// Adds a node at the end and ties it to its parent; its index.
int add_node(Scene& scene, std::string name, int parent = kNone, const Transform& rest = {});
/// Adds a track with times of its own.
Scene::Track& add_track(Scene::Clip& clip, int node, Path path, Interpolation interpolation, std::vector<float> times,
                        std::vector<float> values);
/// Rotation keys of a track, as its values.
std::vector<float> values_of(const std::vector<Quat>& keys);
/// Linear rotation keys about Z, in degrees.
Scene::Track& add_turn(Scene::Clip& clip, int node, std::vector<float> times, const std::vector<float>& degrees);
/// A new clip of that name at the end.
Scene::Clip& add_clip(Scene& scene, std::string name);

/// One vertex's influences: entry of the skin, weight.
using Influences = std::vector<std::pair<int, float>>;
/// The sets of four that hold the given influences of each vertex, in the order given.
std::vector<Scene::InfluenceSet> influence_sets(const std::vector<Influences>& vertices);

/// Translation as a matrix.
Affine translation(Vec3 t);
/// Inverse binds of a skin's joints for a mesh made at rest.
std::vector<Affine> rest_inverse_binds(const Scene& scene, const std::vector<int>& joints);

/// A node with a skinned mesh of one primitive, at the end; its index.
int add_skinned(Scene& scene, std::string name, Scene::Primitive primitive, std::vector<int> joints,
                std::vector<Affine> inverse_binds);

/// Shoulder (node 0) at the origin, Elbow (node 1) its child at (1,0,0), bind without rotation. Node 2 holds a mesh of
/// points: 0: (1,0,0) of the Elbow; 1: (1.2,0,0) half and half; 2: (1.2,0,0) of the Shoulder; 3: (1.2,0,0) of the
/// Elbow; 4: (0,0,0) of the Shoulder. No clip.
Scene two_joints();

/// The strip: 10 vertices (x = -0.5 then 0.5, rows y = 0, 0.5, 1, 1.5, 2), 8 triangles, with normals +Z and tangents
/// +X. Joint 0 (node 0) at the origin, joint 1 (node 1) its child at (0,1,0); mesh at node 2. Clip 0, "bend": joint 1
/// turns 0 to 90 degrees about +Z in 1 s, linear.
Scene strip();
/// Where the strip's vertices are at 1 s of "bend", in the same order.
std::vector<Vec3> bent_strip();

/// The tube: 21 rings of 12 vertices along X from 0 to 2, radius 0.25; joint 1 at x = 1, its weight rising from x = 0.5
/// to 1.5. Clip 0, "twist": joint 1 turns 0 to 180 degrees about +X in 1 s.
Scene tube();

/// Joints in a row, one unit apart along +Y, nodes 0 to count - 1; the last node holds a strip of points at the joints'
/// places and half way between, each bound to the joint below it. Clip 0: all joints turn, differently, about Z and X
/// in 1 s.
Scene chain(int count);

/// A mesh of one triangle at node 0, without a skin, with `targets` morph targets that each move vertex 0 by 1 along
/// +X. Clip 0 drives the weights from 0 to 1, one after another.
Scene morph_triangle(int targets);

}  // namespace sinew::test
