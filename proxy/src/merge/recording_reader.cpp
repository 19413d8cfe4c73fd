#include "merge/recording.hpp"
#include "refrain/error.hpp"
#include "refrain/proxy/recording_file.hpp"

namespace refrain::proxy {

struct RecordingFile::Content {
    Recording recording;

    void check(std::uint32_t rank) const {
        if (rank >= recording.size())
            throw UsageError("rank " + std::to_string(rank) + ": the recording has " +
                             std::to_string(recording.size()) + " ranks");
    }
};

RecordingFile::RecordingFile(const std::string& file)
    : content_(new Content{read_recording(read_whole_file(file), file)}) {}
RecordingFile::RecordingFile(RecordingFile&&) noexcept = default;
RecordingFile& RecordingFile::operator=(RecordingFile&&) noexcept = default;
RecordingFile::~RecordingFile() = default;

std::uint32_t RecordingFile::ranks() const {
    return content_->recording.size();
}

bool RecordingFile::complete() const {
    return content_->recording.complete();
}

std::uint64_t RecordingFile::calls(std::uint32_t rank) const {
    content_->check(rank);
    return content_->recording.ranks[rank].events;
}

void RecordingFile::for_each_call(
    std::uint32_t rank, const std::function<bool(std::string_view, std::uint64_t)>& use) const {
    content_->check(rank);
    const Recording& recording = content_->recording;
    for (std::uint32_t thread = 0; thread <= recording.threads.size(); ++thread) {
        const strings::Grammar grammar = recording.grammar_of(rank, thread);
        CommunicatorBook book = communicators_before(recording, rank, thread);
        for (strings::GrammarCursor at(grammar); !at.done(); at.next())
            if (!use(
                    describe(book.resolve(recording.events[at.terminal()]), recording.texts, false),
                    at.count()))
                return;
    }
}

}  // namespace refrain::proxy
