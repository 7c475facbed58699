// The journal of a campaign is DIR/campaign.jsonl. It has a header that says
// which campaign it is, a line for every finding when it is made, and lines
// that say how far the campaign is; each with the sum of the lines up to it
// (LineSum). An interrupted campaign goes on from it.
#ifndef ASSAY_FUZZ_CAMPAIGN_JOURNAL_H_
#define ASSAY_FUZZ_CAMPAIGN_JOURNAL_H_

#include <fstream>
#include <string>

#include "cases/read/line_reader.h"
#include "fuzz/campaign/campaign.h"

namespace assay {

// Throws InputError if the folder does not exist and cannot be made.
void MakeFindingsFolder(const std::string& folder);

class CampaignJournal {
 public:
  // Makes the folder if there is none, and begins the journal; with `resumes`,
  // goes on with the existing one, which must be of the same campaign, and puts
  // its content into `*state`. `cases` is DigestOfCases, so that an index is
  // the same case. Throws InputError if the folder cannot be written, holds
  // another campaign, holds one and is not to go on, has a line whose sum is
  // wrong, or is being written by another process.
  CampaignJournal(const std::string& folder, const CampaignOptions& options,
                  const std::vector<std::string>& ops, const std::string& cases,
                  bool resumes, CampaignState* state);
  ~CampaignJournal();
  CampaignJournal(const CampaignJournal&) = delete;
  CampaignJournal& operator=(const CampaignJournal&) = delete;

  void Write(const Finding& finding);
  void Write(const CampaignState& state);
  // Throws InputError if something could not be written, as on a full disk.
  void Close();

 private:
  void WriteLine(const Json& json);
  // Returns whether there was a whole line. There is none if the campaign was
  // killed at once.
  bool Read(const Json& header, CampaignState* state);

  std::string path_;
  int lock_ = -1;  // held for as long as the journal is written
  LineSum sum_;    // of the lines that are there
  std::ofstream stream_;
  uint64_t written_next_ = 0;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_JOURNAL_H_
