#include "suites/support/key_pool.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/base/check.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kHugeKeyBytesMax = 90'000;
constexpr uint32_t kHugeValueBytesMax = 100'000;

enum class KeyStyle : uint8_t { kPlain, kSharedPrefix, kNested, kBinary, kBorder };
constexpr uint64_t kStyleCount = 5;

std::string Digits(uint64_t number, size_t width) {
  std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

// About cache lines, inline separators (46), one and two bytes of a varint, and a byte of length.
size_t BorderBytes(sim::Rng& dice) {
  constexpr size_t kBorders[] = {1, 8, 16, 32, 46, 64, 128, 256};
  const size_t border = kBorders[dice.Below(std::size(kBorders))];
  return border - 1 + dice.Below(3);
}

std::string DrawKey(KeyStyle style, uint64_t index, sim::Rng& dice) {
  switch (style) {
    case KeyStyle::kPlain:
      return "k" + Digits(index, 2);
    case KeyStyle::kSharedPrefix: {
      const uint64_t tenant = dice.Below(2);
      return "tenant/" + Digits(tenant, 4) + "/account/" + Digits(index, 6);
    }
    case KeyStyle::kNested:
      return std::string(index % 8, 'k');  // The empty key among them.
    case KeyStyle::kBinary: {
      constexpr std::string_view kBytes("\x00\xff\x01\x7fk", 5);
      std::string key(1 + dice.Below(4), '\0');
      for (char& c : key) c = kBytes[dice.Below(kBytes.size())];
      return key;
    }
    case KeyStyle::kBorder: {
      std::string key(BorderBytes(dice), 'b');
      if (!key.empty()) key.back() = static_cast<char>('a' + index % 26);
      return key;
    }
  }
  CHECK(false);
}

}  // namespace

KeyPool::KeyPool(const sim::Rng& rng) {
  sim::Rng shape = rng.Stream("shape");
  const uint64_t count = shape.Between(6, 40);
  std::vector<KeyStyle> styles;  // Swarm: those that exist in this life.
  for (uint64_t i = 0; i < kStyleCount; ++i) {
    if (shape.Chance(1, 2)) styles.push_back(static_cast<KeyStyle>(i));
  }
  if (styles.empty()) styles.push_back(KeyStyle::kPlain);
  for (uint64_t& bytes : huge_bytes_) {
    bytes = shape.Chance(1, 4) ? kHugeKeyBytesMax : shape.Between(10'000, kHugeKeyBytesMax);
  }
  for (uint64_t i = 0; i < count; ++i) {
    sim::Rng dice = rng.Stream("key").Fork(i);
    const KeyStyle style = styles[dice.Below(styles.size())];
    std::string key = DrawKey(style, i, dice);
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(std::move(key));
  }
}

const std::string& KeyPool::Draw(sim::Rng& dice) const {
  const bool is_hot = dice.Chance(1, 2);
  return keys_[dice.Below(is_hot ? (keys_.size() + 3) / 4 : keys_.size())];
}

std::string KeyPool::DrawNear(sim::Rng& dice) const {
  std::string key = Draw(dice);
  switch (dice.Below(8)) {
    case 0:
      key += '\0';
      break;
    case 1:
      key += '\xff';
      break;
    case 2:
      if (!key.empty()) key.pop_back();
      break;
    case 3:
      if (!key.empty()) key.back() = static_cast<char>(key.back() + 1);
      break;
    default:
      break;
  }
  return key;
}

std::string KeyPool::DrawPrefix(sim::Rng& dice) const {
  const std::string& key = Draw(dice);
  return key.substr(0, dice.Below(key.size() + 1));
}

std::string KeyPool::DrawHuge(sim::Rng& dice) const {
  const uint64_t which = dice.Below(std::size(huge_bytes_));
  return std::string(huge_bytes_[which], which == 0 ? 'h' : 'i');
}

uint32_t DrawValueBytes(sim::Rng& dice) {
  const uint64_t kind = dice.Below(64);
  if (kind == 0) return static_cast<uint32_t>(dice.Between(4096 - 64, 4096 + 16));
  if (kind < 4) return static_cast<uint32_t>(dice.Between(512 - 48, 512 + 16));
  if (kind < 8) return static_cast<uint32_t>(dice.Below(4));
  return static_cast<uint32_t>(dice.Between(0, 200));
}

uint32_t DrawHugeValueBytes(sim::Rng& dice) {
  if (dice.Chance(1, 4)) return kHugeValueBytesMax;
  return static_cast<uint32_t>(dice.Between(10'000, kHugeValueBytesMax));
}

}  // namespace kiban::suites
