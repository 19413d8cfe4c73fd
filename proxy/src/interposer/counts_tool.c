/* refraincounts, a tool for Valgrind: counts what each thread of a program does, and tells the program.
 *
 *     instructions, loads, stores, conditional branches and floating-point operations are exact;
 *     mispredicted branches, misses of the first cache and of the TLB are those of the models below.
 *
 * Licence: GPL, version 2 or later, like Valgrind's core, which it is linked with. It is a program of its own: nothing else
 * of Refrain is linked with it. */
#include "interposer/counts_requests.h"

#include <pub_tool_basics.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_options.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_tooliface.h>

/* In the order of metric_names in events/metrics.hpp. */
enum {
    INSTRUCTIONS,
    LOADS,
    STORES,
    BRANCHES,
    MISPREDICTED,
    L1_MISSES,
    TLB_MISSES,
    FLOPS,
    COUNTERS,
    RESTS = COUNTERS, /* the thread is in MPI, which the models do not follow */
    SLOTS
};

/* ---- models: 32 KiB of lines of 64 bytes and 64 pages of 4 KiB, each in sets with the least recently used
 * last; 4,096 two-bit counters, chosen by address and the latest 12 branches.
 *
 * Each thread has its own, as if it had a processor: what it counts does not depend on which others Valgrind lets run in
 * between. What a thread does in MPI leaves them alone: how often a rank asks there whether a message has come is chance, and
 * so is what that takes from caches. */

enum {
    L1_SETS = 64,
    L1_WAYS = 8,
    LINE_BITS = 6,
    TLB_SETS = 16,
    TLB_WAYS = 4,
    PAGE_BITS = 12,
    PREDICTORS = 4096
};
struct Thread {
    ULong counters[SLOTS];
    UWord l1[L1_SETS][L1_WAYS], tlb[TLB_SETS][TLB_WAYS], history;
    UChar predictor[PREDICTORS];
};
static struct Thread now; /* the one that runs */

/* ---- threads: those that wait */

static struct Thread** saved; /* each made when it is first asked for */
static ThreadId running;

static struct Thread* thread_of(ThreadId tid) {
    if (saved[tid] == NULL) saved[tid] = VG_(calloc)("refrain.thread", 1, sizeof now);
    return saved[tid];
}

static void start_client_code(ThreadId tid, ULong blocks) {
    (void)blocks;
    if (tid == running) return;
    VG_(memcpy)(thread_of(running), &now, sizeof now);
    VG_(memcpy)(&now, thread_of(tid), sizeof now);
    running = tid;
}

/* A thread that is made in MPI is MPI's own: the models never follow it. */
static void thread_created(ThreadId tid, ThreadId child) {
    const ULong rests = tid == running ? now.counters[RESTS] : thread_of(tid)->counters[RESTS];
    VG_(memset)(thread_of(child), 0, sizeof now);
    thread_of(child)->counters[RESTS] = rests;
}

static inline Bool missed(UWord* set, Int ways, UWord tag) {
    Int way;
    if (LIKELY(set[0] == tag)) return False;
    for (way = 1; way < ways - 1 && set[way] != tag; way++) {
    }
    Bool miss = set[way] != tag;
    for (; way > 0; way--) set[way] = set[way - 1];
    set[0] = tag;
    return miss;
}

static inline void touch(Addr address, UWord size) {
    UWord first = address >> LINE_BITS, last = (address + size - 1) >> LINE_BITS,
          page = address >> PAGE_BITS;
    if (now.counters[RESTS]) return;
    Bool miss = missed(now.l1[first % L1_SETS], L1_WAYS, first + 1);
    if (UNLIKELY(last != first)) miss |= missed(now.l1[last % L1_SETS], L1_WAYS, last + 1);
    now.counters[L1_MISSES] += miss;
    now.counters[TLB_MISSES] += missed(now.tlb[page % TLB_SETS], TLB_WAYS, page + 1);
}

static VG_REGPARM(2) void note_load(Addr address, UWord size) {
    now.counters[LOADS]++;
    touch(address, size);
}

static VG_REGPARM(2) void note_store(Addr address, UWord size) {
    now.counters[STORES]++;
    touch(address, size);
}

static VG_REGPARM(2) void note_branch(Addr address, UWord taken) {
    UChar* state = &now.predictor[(address ^ now.history) % PREDICTORS];
    now.counters[BRANCHES]++;
    if (now.counters[RESTS]) return;
    now.counters[MISPREDICTED] += (*state >= 2) != (taken != 0);
    if (taken)
        *state += *state < 3;
    else
        *state -= *state > 0;
    now.history = now.history << 1 | (taken != 0);
}

/* ---- instrumentation */

static UWord lanes(IROp op) {
    switch (op) {
        case Iop_AddF64:
        case Iop_SubF64:
        case Iop_MulF64:
        case Iop_DivF64:
        case Iop_SqrtF64:
        case Iop_AddF32:
        case Iop_SubF32:
        case Iop_MulF32:
        case Iop_DivF32:
        case Iop_SqrtF32:
        case Iop_Add64F0x2:
        case Iop_Sub64F0x2:
        case Iop_Mul64F0x2:
        case Iop_Div64F0x2:
        case Iop_Sqrt64F0x2:
        case Iop_Add32F0x4:
        case Iop_Sub32F0x4:
        case Iop_Mul32F0x4:
        case Iop_Div32F0x4:
        case Iop_Sqrt32F0x4:
            return 1;
        case Iop_Add64Fx2:
        case Iop_Sub64Fx2:
        case Iop_Mul64Fx2:
        case Iop_Div64Fx2:
        case Iop_Sqrt64Fx2:
        case Iop_MAddF64:
        case Iop_MSubF64:
        case Iop_MAddF32:
        case Iop_MSubF32:
            return 2;
        case Iop_Add32Fx4:
        case Iop_Sub32Fx4:
        case Iop_Mul32Fx4:
        case Iop_Div32Fx4:
        case Iop_Sqrt32Fx4:
        case Iop_Add64Fx4:
        case Iop_Sub64Fx4:
        case Iop_Mul64Fx4:
        case Iop_Div64Fx4:
        case Iop_Sqrt64Fx4:
            return 4;
        case Iop_Add32Fx8:
        case Iop_Sub32Fx8:
        case Iop_Mul32Fx8:
        case Iop_Div32Fx8:
        case Iop_Sqrt32Fx8:
            return 8;
        default:
            return 0;
    }
}

static UWord flops(const IRExpr* data) {
    switch (data->tag) {
        case Iex_Unop:
            return lanes(data->Iex.Unop.op);
        case Iex_Binop:
            return lanes(data->Iex.Binop.op);
        case Iex_Triop:
            return lanes(data->Iex.Triop.details->op);
        case Iex_Qop:
            return lanes(data->Iex.Qop.details->op);
        default:
            return 0;
    }
}

static void add_constant(IRSB* out, Int counter, UWord* pending) {
    IRTemp old, sum;
    IRExpr* address;
    if (*pending == 0) return;
    old = newIRTemp(out->tyenv, Ity_I64);
    sum = newIRTemp(out->tyenv, Ity_I64);
    address = mkIRExpr_HWord((HWord)&now.counters[counter]);
    addStmtToIRSB(out, IRStmt_WrTmp(old, IRExpr_Load(Iend_LE, Ity_I64, address)));
    addStmtToIRSB(out, IRStmt_WrTmp(sum, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(old),
                                                      IRExpr_Const(IRConst_U64(*pending)))));
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, address, IRExpr_RdTmp(sum)));
    *pending = 0;
}

static void add_access(IRSB* out, Bool store, IRExpr* address, Int size, IRExpr* guard) {
    IRDirty* call = store ? unsafeIRDirty_0_N(2, "note_store", VG_(fnptr_to_fnentry)(note_store),
                                              mkIRExprVec_2(address, mkIRExpr_HWord(size)))
                          : unsafeIRDirty_0_N(2, "note_load", VG_(fnptr_to_fnentry)(note_load),
                                              mkIRExprVec_2(address, mkIRExpr_HWord(size)));
    if (guard != NULL) call->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(call));
}

static void add_branch(IRSB* out, Addr address, IRExpr* guard) {
    IRTemp wide = newIRTemp(out->tyenv, Ity_I64);
    addStmtToIRSB(out, IRStmt_WrTmp(wide, IRExpr_Unop(Iop_1Uto64, guard)));
    addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(
                           2, "note_branch", VG_(fnptr_to_fnentry)(note_branch),
                           mkIRExprVec_2(mkIRExpr_HWord(address), IRExpr_RdTmp(wide)))));
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* archinfo,
                        IRType guest_word, IRType host_word) {
    IRSB* out = deepCopyIRSBExceptStmts(in);
    UWord instructions = 0, operations = 0;
    Addr address = 0;
    Int i = 0;
    (void)closure, (void)layout, (void)extents, (void)archinfo, (void)guest_word, (void)host_word;
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        addStmtToIRSB(out, in->stmts[i]);
    for (; i < in->stmts_used; i++) {
        IRStmt* st = in->stmts[i];
        IRType type;
        switch (st->tag) {
            case Ist_IMark:
                instructions++;
                address = st->Ist.IMark.addr;
                break;
            case Ist_WrTmp:
                operations += flops(st->Ist.WrTmp.data);
                if (st->Ist.WrTmp.data->tag == Iex_Load)
                    add_access(out, False, st->Ist.WrTmp.data->Iex.Load.addr,
                               sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty), NULL);
                break;
            case Ist_Store:
                add_access(out, True, st->Ist.Store.addr,
                           sizeofIRType(typeOfIRExpr(in->tyenv, st->Ist.Store.data)), NULL);
                break;
            case Ist_StoreG:
                add_access(out, True, st->Ist.StoreG.details->addr,
                           sizeofIRType(typeOfIRExpr(in->tyenv, st->Ist.StoreG.details->data)),
                           st->Ist.StoreG.details->guard);
                break;
            case Ist_LoadG: {
                IRType wide;
                typeOfIRLoadGOp(st->Ist.LoadG.details->cvt, &wide, &type);
                add_access(out, False, st->Ist.LoadG.details->addr, sizeofIRType(type),
                           st->Ist.LoadG.details->guard);
                break;
            }
            case Ist_CAS:
                type = typeOfIRExpr(in->tyenv, st->Ist.CAS.details->dataLo);
                add_access(out, False, st->Ist.CAS.details->addr, sizeofIRType(type), NULL);
                add_access(out, True, st->Ist.CAS.details->addr, sizeofIRType(type), NULL);
                break;
            case Ist_Dirty:
                if (st->Ist.Dirty.details->mFx == Ifx_Read ||
                    st->Ist.Dirty.details->mFx == Ifx_Modify)
                    add_access(out, False, st->Ist.Dirty.details->mAddr,
                               st->Ist.Dirty.details->mSize, st->Ist.Dirty.details->guard);
                if (st->Ist.Dirty.details->mFx == Ifx_Write ||
                    st->Ist.Dirty.details->mFx == Ifx_Modify)
                    add_access(out, True, st->Ist.Dirty.details->mAddr,
                               st->Ist.Dirty.details->mSize, st->Ist.Dirty.details->guard);
                break;
            case Ist_Exit:
                /* What has been executed so far, before the block is left. */
                add_constant(out, INSTRUCTIONS, &instructions);
                add_constant(out, FLOPS, &operations);
                if (st->Ist.Exit.jk == Ijk_Boring) add_branch(out, address, st->Ist.Exit.guard);
                break;
            default:
                break;
        }
        addStmtToIRSB(out, st);
    }
    add_constant(out, INSTRUCTIONS, &instructions);
    add_constant(out, FLOPS, &operations);
    return out;
}

/* ---- requests, beginning, end */

static Bool handle_request(ThreadId tid, UWord* words, UWord* result) {
    (void)tid;
    if (words[0] == REFRAIN_MODELS_REST)
        now.counters[RESTS] = words[1];
    else if (words[0] == REFRAIN_COUNTS_READ)
        VG_(memcpy)((void*)words[1], now.counters, COUNTERS * sizeof now.counters[0]);
    else
        return False;
    *result = 1;
    return True;
}

static void begin(void) {
    saved = VG_(calloc)("refrain.threads", VG_N_THREADS, sizeof *saved);
    running = 1;
}

static void end(Int status) {
    Int i;
    (void)status;
    if (VG_(clo_verbosity) < 1) return;
    for (i = 0; i < COUNTERS; i++)
        VG_(umsg)("%llu%s", now.counters[i], i + 1 < COUNTERS ? " " : "\n");
}

static void describe(void) {
    VG_(details_name)("refraincounts");
    VG_(details_version)(NULL);
    VG_(details_description)("counts of each thread, for refrain proxy");
    VG_(details_copyright_author)("Refrain; GPL, version 2 or later.");
    VG_(details_bug_reports_to)("the authors of Refrain");
    VG_(basic_tool_funcs)(begin, instrument, end);
    VG_(needs_client_requests)(handle_request);
    VG_(track_start_client_code)(start_client_code);
    VG_(track_pre_thread_ll_create)(thread_created);
}

VG_DETERMINE_INTERFACE_VERSION(describe)
