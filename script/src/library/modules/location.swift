// Locations, in camel and snake case.
type location { int rank; int strictness; int accuracy; }
global const int HARD = 0; global const int SOFT = 1; global const int RANK = 0; global const int NODE = 1;
(location o) locationFromRank(int rank) { o = location(rank, HARD, RANK); }
(location o) location_from_rank(int rank) { o = location(rank, HARD, RANK); }
(location o) randomWorker() { o = location(randomWorkerRank(), HARD, RANK); }
(location o) random_worker() { o = location(randomWorkerRank(), HARD, RANK); }
(location o) randomEngine() { o = location(randomWorkerRank(), HARD, RANK); }
(location o) random_engine() { o = location(randomWorkerRank(), HARD, RANK); }
(location o) hostmapOne(string host) { o = location(hostmapOneRank(host), HARD, NODE); }
(location o) hostmap_one(string host) { o = location(hostmapOneRank(host), HARD, NODE); }
(location o) hostmapOneWorker(string host) { o = location(hostmapOneRank(host), HARD, NODE); }
(location o) hostmap_one_worker(string host) { o = location(hostmapOneRank(host), HARD, NODE); }
(int o) random_worker_rank() { o = randomWorkerRank(); }
(int o) hostmap_one_rank(string host) { o = hostmapOneRank(host); }
(int o) hostmapOneWorkerRank(string host) { o = hostmapOneRank(host); }
(int o) hostmap_one_worker_rank(string host) { o = hostmapOneRank(host); }
(string o[]) hostmap_list() { o = hostmapList(); }
