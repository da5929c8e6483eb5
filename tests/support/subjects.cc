#include "support/subjects.h"

#include <ostream>

#include "biped/biped.h"
#include "sinew/import.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew::test {

std::vector<Subject> subjects() {
  std::vector<Subject> out{{"strip", strip},
                           {"tube", tube},
                           {"chain", [] { return chain(9); }},
                           {"morph", [] { return morph_triangle(3); }},
                           {"biped", make_biped}};
  for (const std::filesystem::path& file : gltf_assets()) {
    out.push_back({test_name(file), [file] { return must(import_file(file)); }});
  }
  return out;
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

}  // namespace sinew::test
