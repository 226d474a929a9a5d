// What a disk owes, as calls and cuts tell it, in the words of a person: files by their names, not
// by where they were made.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/told.h"

namespace kiban::suites {

class OwedText {
 public:
  // To be told of every call and every cut.
  void Add(const sim::Told& told);

  // "page 0, page 0 v2, size 72 of db/000001.wal; add db/000001.wal", in the order of their files.
  std::string Words(const std::vector<std::string>& operations) const;

  // Of what is owed: what a sync of this file, or of this directory, would make safe. The file by
  // its label: another one may have its name by now.
  std::vector<std::string> OwedByFile(std::string_view label) const;
  std::vector<std::string> OwedByDirectory(std::string_view path) const;

 private:
  void Learn(std::string_view operation);
  void Unlearn(std::string_view operation);
  std::string NameOf(std::string_view label) const;

  std::vector<std::string> owed_;
  std::map<std::string, std::string, std::less<>> names_;  // The present one of each label.
};

}  // namespace kiban::suites
