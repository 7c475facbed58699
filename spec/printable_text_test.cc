#include "spec/printable_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace assay {
namespace {

// These texts have everything that a terminal or a log could obey, or that
// hides text.
const std::vector<std::string> kHostile = {
    "\x1b[31mred",
    "a\rb",
    "\a",
    std::string("nul\0nul", 7),
    "tab\t",
    "del\x7f",
    "c1 \xc2\x9b"
    "31m",
    "raw c1 \x9b",
    "\xff\xfe",
    "overlong \xc0\x8a",
    "surrogate \xed\xa0\x80",
    "cut off \xe2\x82",
    "beyond \xf4\x90\x80\x80",
    "right to left \xe2\x80\xae",
    "isolate \xe2\x81\xa6",
    "line \xe2\x80\xa8 separator",
    "noncharacter \xef\xbf\xbf",
};

TEST(Text, EscapesWhatATerminalObeys) {
  EXPECT_EQ(EscapeLine("\x1b[1m a\r\n\x7f"), "\\x1b[1m a\\x0d\\x0a\\x7f");
  EXPECT_EQ(EscapeLine("\xc2\x9b \xe2\x80\xae"), "\\u{009b} \\u{202e}");
  EXPECT_EQ(EscapeLine("\xff \xc0\x8a \xed\xa0\x80"),
            "\\xff \\xc0\\x8a \\xed\\xa0\\x80");
  EXPECT_EQ(EscapeLines("a\nb\r"), "a\nb\\x0d");
  for (const std::string& text : kHostile) {
    for (const std::string& escaped :
         {EscapeLine(text), EscapeLines(text), TerminalText(text)}) {
      for (const char c : escaped) {
        EXPECT_GE(c, 0x20) << escaped;
        EXPECT_LT(c, 0x7f) << escaped;
      }
    }
  }
}

TEST(Text, KeepsWhatIsPrintable) {
  for (const std::string text :
       {"plain", "\xc3\xa4 \xe2\x80\xa6 \xf0\x9f\x98\x80", "a::b", "# title",
        "## two", "x: ##"}) {
    EXPECT_EQ(EscapeLine(text), text);
    EXPECT_EQ(TerminalText(text), text);
  }
}

TEST(Text, NoLineIsACommandOfACiJob) {
  EXPECT_EQ(TerminalText("::error::x\n  ::warning file=a::y\nz ::error::"),
            "\\x3a:error::x\n  \\x3a:warning file=a::y\nz ::error::");
  EXPECT_EQ(TerminalText("a ##[error]x ##vso[task.x]y ###[z]"),
            "a #\\x23[error]x #\\x23vso[task.x]y ##\\x23[z]");
}

TEST(Text, QuotesAtMostTwoHundredCharacters) {
  const std::string text(200, 'a');
  EXPECT_EQ(Cut(text), text);
  EXPECT_EQ(Cut(text + "b"), text + "… (201 characters)");
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "\xc3\xa4";
  EXPECT_EQ(Cut(wide), wide.substr(0, 400) + "… (300 characters)");
}

TEST(Text, IndentsWhatFollowsTheFirstLine) {
  EXPECT_EQ(IndentRest("a\nb\n  c\n d"), "a\n  b\n  c\n   d");
}

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"),
                                                   pclose);
  std::string output;
  std::array<char, 256> buffer;
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), n);
  return output;
}

// A shell passes the text to a command unchanged, and the word is printable: it
// survives TerminalText.
TEST(Text, AShellReadsAWordAsItWas) {
  std::vector<std::string> texts = {
      "",
      "plain.json",
      "a b",
      "it's",
      "\"$HOME\" `x` \\",
      "-x",
      "##[error]",
      "a\n",
      "\n::error::x",
      "a\nb\n\n",
      "*?[a]",
      "a\n:",
      "'\n'",
      "~",
      "a=b;c&d|e",
  };
  texts.insert(texts.end(), kHostile.begin(), kHostile.end());
  for (std::string text : texts) {
    std::erase(text, '\0');  // no argument holds it
    const std::string word = ShellWord(text);
    EXPECT_EQ(TerminalText("replay: " + word), "replay: " + word);
    EXPECT_EQ(OutputOf("printf %s " + word), text) << word;
  }
  EXPECT_EQ(ShellWord("cases/x-1.json"), "'cases/x-1.json'");
  EXPECT_EQ(ShellFlag("--cases", "a b"), "--cases 'a b'");
  EXPECT_EQ(ShellFlag("--cases", "-x"), "--cases='-x'");
  EXPECT_EQ(ShellPath("-x.json"), "'./-x.json'");
}

}  // namespace
}  // namespace assay
