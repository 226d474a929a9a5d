// What a disk owed, in the words of a person: files by their names, not by where they were made.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::suites {

// Learns the names of files from the micro-operations that it hears of (Disk::Describe()).
class OwedText {
 public:
  void Learn(std::string_view operation);
  // A cut has lost it: its file has the name that it had before.
  void Unlearn(std::string_view operation);

  // "page 0, page 0 v2, size 72 of db/000001.wal; add db/000001.wal", in the order of their files.
  std::string Words(const std::vector<std::string>& operations) const;

 private:
  std::map<std::string, std::string, std::less<>> names_;  // By label.
};

}  // namespace kiban::suites
