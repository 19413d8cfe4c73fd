#pragma once

#include "page/json.hpp"
#include "page/run_data.hpp"

namespace refrain::page {

// Each writes one member of the page's data: its key and its value.
void write_site_times(JsonWriter& json, const RunData& run);
void write_sampling(JsonWriter& json, const RunData& run);
void write_interest(JsonWriter& json, const RunData& run);
void write_stretches(JsonWriter& json, const RunData& run);
void write_failures(JsonWriter& json, const RunData& run);
void write_memory(JsonWriter& json, const RunData& run);

}  // namespace refrain::page
