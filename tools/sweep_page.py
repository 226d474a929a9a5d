"""What report_test.py knows of pages: their structure, their numbers, their colours."""

import html.parser
import re

VOID = {"meta", "wbr"}

# Every element that shows text of its own, with the contrast of that text to what is behind it.
CONTRASTS = """(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).map((value) => {
      value /= 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    if ((channels(color)[3] ?? 1) > 0) return color;
    return element.parentElement ? behind(element.parentElement) : "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    found.push([element.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]);
  }
  return found;
})()"""


class Page(html.parser.HTMLParser):
    """What stands in a page. Complains of what is not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.targets, self.headings = [], [], [], []
        self.tags, self.unnamed = set(), []
        self.numbers = {}  # suite -> place in the JSON -> (value, as it is shown).
        self.suite, self.shown, self.place, self.text = "", "", None, ""
        self.feed(text)
        self.close()
        if self.open:
            raise ValueError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.targets += [attributes[name] for name in ("href", "src") if name in attributes]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.suite = attributes.get("data-suite", self.suite)
        if tag == "svg" and not (attributes.get("role") == "img" and attributes.get("aria-label")):
            self.unnamed.append(tag)
        if tag == "table":
            self.unnamed.append(tag)
        elif tag == "caption" and self.unnamed[-1:] == ["table"]:
            self.unnamed.pop()
        if tag == "data":
            self.place, self.shown = (attributes["data-json"], attributes["value"]), ""

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"</{tag}> closes what is not open, at {self.getpos()}")
        if tag == "data":
            place, value = self.place
            places = self.numbers.setdefault(self.suite if place != "schema" else "", {})
            if place in places:
                raise ValueError(f"{place} twice")
            places[place], self.place = (value, self.shown), None

    def handle_data(self, text):
        self.shown += text
        if "style" not in self.open:
            self.text += text


def numbers_of(value, place=""):
    """place -> number, of all that is below `value`."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {place: value}
    items = (value.items() if isinstance(value, dict) else
             enumerate(value) if isinstance(value, list) else ())
    return {inner: number for name, part in items
            for inner, number in numbers_of(part, f"{place}/{name}".lstrip("/")).items()}


def strings_of(value):
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in items for text in strings_of(part)]
