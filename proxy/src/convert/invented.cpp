#include "convert/invented.hpp"

#include <algorithm>

namespace refrain::proxy {
namespace {

std::string list(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

std::vector<std::string> in_words(const TraceContent& content, const Invented& invented) {
    std::vector<std::string> words{
        "datatypes: all messages are counted in MPI_BYTE",
        "memory: each message and each operation has its own as long as it is under way",
        "matches: receives name their source and tag; the archive does not tell which took any"};
    std::size_t made = 0;
    std::set<Function> operations;
    for (std::size_t i = 0; i < content.trace.communicators.size(); ++i) made += content.is_made(i);
    for (const auto& calls : content.trace.ranks)
        for (const TraceCall& call : calls)
            for (const TraceRecord& record : call.records) operations.insert(record.operation);
    const auto any_of = [&](std::initializer_list<Function> all) {
        return std::any_of(all.begin(), all.end(),
                           [&](Function each) { return operations.contains(each); });
    };
    if (any_of({Function::Reduce_, Function::Allreduce_, Function::Scan_, Function::Exscan_,
                Function::Reduce_scatter_, Function::Reduce_scatter_block_}))
        words.emplace_back("operations: all reductions are MPI_BOR");
    if (any_of({Function::Alltoallv_, Function::Alltoallw_}))
        words.emplace_back(
            "amounts: which rank gets how much of MPI_Alltoallv and MPI_Alltoallw; what each gives "
            "and gets in all is kept, up to a byte per rank");
    if (made != 0)
        words.push_back("communicators: " + std::to_string(made) +
                        ", made by MPI_Comm_split behind MPI_Init and never freed");
    if (!invented.sends.empty())
        words.push_back("modes: sends are MPI_Send and MPI_Isend that were " +
                        list(invented.sends));
    if (!invented.exchanges.empty())
        words.push_back("exchanges: MPI_Sendrecv that were " + list(invented.exchanges));
    if (!invented.waits.empty())
        words.push_back("completion: what was completed is waited for, where it was asked for by " +
                        list(invented.waits));
    if (invented.cancelled != 0)
        words.push_back("left out: " + std::to_string(invented.cancelled) +
                        " requests that were cancelled");
    if (invented.unfinished != 0)
        words.push_back("requests: " + std::to_string(invented.unfinished) +
                        " are not seen to end; sends are waited for before MPI_Finalize, others "
                        "are left out");
    std::set<std::string> skipped;
    for (const auto& [name, times] : invented.skipped)
        skipped.insert(name + " (" + std::to_string(times) + ")");
    if (!skipped.empty())
        words.push_back("left out, since the archive has no record of them: " + list(skipped));
    for (const std::string& each : content.trace.skipped) words.push_back("left out: " + each);
    return words;
}

}  // namespace refrain::proxy
