// Tests each of the three trees in which the command may lie, and the messages
// about plugins that are missing.
#include "backends/host/installation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class InstallationTest : public testing::Test {
 protected:
  InstallationTest() {
    std::string pattern =
        (fs::temp_directory_path() / "installation_test_XXXXXX").string();
    root_ = fs::path(mkdtemp(pattern.data()));
  }
  ~InstallationTest() override { fs::remove_all(root_); }

  fs::path Make(const std::string& folder) {
    fs::create_directories(root_ / folder);
    return root_ / folder;
  }

  fs::path root_;
};

TEST_F(InstallationTest, InstalledFilesAreThoseOfThePrefix) {
  Make("share/assay");
  // An installed tree is found even if a source tree is as near as it was to
  // the build tree.
  Make("cases/conformance");
  for (const char* folder : {"bin", "libexec/assay"}) {
    const Installation here = FindInstallation(Make(folder), "..");
    EXPECT_EQ(here.kind, Installation::Kind::kInstalled);
    EXPECT_EQ(here.suite, root_ / "share/assay/cases");
    EXPECT_EQ(here.python, root_ / "share/assay/python");
    EXPECT_EQ(here.plugins, root_ / "lib/assay/backends");
    EXPECT_EQ(here.worker, root_ / "libexec/assay/assay-worker");
    EXPECT_TRUE(here.source.empty());
  }
  EXPECT_EQ(FindInstallation(Make("build"), "..").kind,
            Installation::Kind::kInSourceTree);
}

TEST_F(InstallationTest, ABuildTreeUsesTheSourceTreeAroundIt) {
  Make("cases/conformance");
  const fs::path build = Make("build/release");
  const Installation here = FindInstallation(build, "../..");
  EXPECT_EQ(here.kind, Installation::Kind::kInSourceTree);
  EXPECT_TRUE(fs::equivalent(here.suite, root_ / "cases"));
  EXPECT_EQ(here.python, (root_ / "backends/python"));
  EXPECT_EQ(here.plugins, build / "backends");
  EXPECT_EQ(here.worker, build / "assay-worker");
}

TEST_F(InstallationTest, ABuildTreeThatWasCopiedAloneUsesItsOwn) {
  const fs::path build = Make("copied");
  const Installation here = FindInstallation(build, "../..");
  EXPECT_EQ(here.kind, Installation::Kind::kCopied);
  EXPECT_EQ(here.suite, build / "share/assay/cases");
  EXPECT_EQ(here.python, build / "share/assay/python");
  EXPECT_EQ(here.plugins, build / "backends");
  EXPECT_TRUE(here.source.empty());
}

TEST_F(InstallationTest, APluginOfOursThatIsNotBuiltNamesTheCommand) {
  Make("cases/conformance");
  const Installation here = FindInstallation(Make("build/x"), "../..");
  EXPECT_THAT(WhyMissing(here, "eigen"), StartsWith("not built: `cmake"));
  EXPECT_THAT(WhyMissing(here, "eigen"),
              HasSubstr("--target assay_backend_eigen` builds it"));
  EXPECT_THAT(WhyMissing(here, "mine"), StartsWith("not there; looked for"));
  EXPECT_THAT(WhyMissing(FindInstallation(Make("alone"), "../.."), "eigen"),
              StartsWith("not in this build"));
}

}  // namespace
}  // namespace assay
