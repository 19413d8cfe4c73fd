#include "page/page_parts.hpp"

namespace refrain::page {

const std::string_view page_body = R"html(<main>
<header>
  <span class="mark">Refrain</span><h1 id="title"></h1>
  <button id="theme" class="push" title="Light or dark">Dark</button>
</header>
<div class="tiles" id="tiles"></div>
<section id="summary"><h2>What happened</h2><div id="words"></div></section>
<section id="share">
  <div class="bar-row"><h2>What was replayed</h2>
    <span class="push"></span><button id="by-operations" class="on">by operations</button><button id="by-time">by time</button></div>
  <p class="note">How the operations were served as the run went on: the filled areas are shares of the
    operations around each place, the line is the share replayed since the beginning.</p>
  <div id="share-chart"></div><div class="legend" id="share-legend"></div>
</section>
<section id="stages">
  <h2>Where the time went</h2>
  <p class="note">Per thread, estimated from operations that were timed: all at the beginning of the run, a sample later.</p>
  <div id="stage-chart"></div><div class="legend" id="stage-legend"></div>
</section>
<section id="loops">
  <h2>Loops</h2>
  <p class="note">Operations are replayed with what was found for their precedents, earlier operations in the same context. Those with
    equally many operations in between belong to one loop; what replayed most comes first. A row opens one iteration, inner loops folded.</p>
  <div class="scroll" id="loop-table"></div>
</section>
<section id="traces">
  <h2>Traces</h2>
  <p class="note">Fragments that were recorded, those that replayed most first. A row opens what the trace consists of, loops folded.</p>
  <div class="scroll" id="trace-table"></div>
</section>
<section id="graph">
  <div class="bar-row"><h2>The task graph of <span id="graph-of">a trace</span></h2><span class="push"></span><select id="graph-choice" title="Which one"></select></div>
  <p class="note">Operations of <span id="graph-part">one execution</span>; whatever an operation waits for lies above it. Solid: data flow.
    Dashed: only the order matters. A coloured frame: it waits for something before it began, too. Pointing at an operation shows its neighbours.</p>
  <div class="graph" id="graph-chart"></div>
</section>
<section id="sites">
  <div class="bar-row"><h2>Launch sites</h2><span class="push"></span><input id="filter" type="search" placeholder="name or file" aria-label="Show sites with this text"></div>
  <p class="note">Each place in the program that launches. A row opens why its operations were not replayed.</p>
  <div class="scroll" id="site-table"></div>
</section>
<section id="memory">
  <h2>Memory</h2>
  <p class="note">Of the whole process as the system counts it, and of the parts that the runtime knows.</p>
  <div id="memory-chart"></div><div class="legend" id="memory-legend"></div>
</section>
<footer>An operation is a launch, a fill or a fence; each is replayed (from a trace, or from a precedent), recorded (analysed,
  and what was found written down), or analysed. <span id="held-note">One held back was launched and waited to be handed on while it
  could still become part of a trace.</span></footer>
</main>
<div id="tip" role="status"></div>
)html";

}  // namespace refrain::page
