#include <bit>
#include <sstream>

#include "property/program.hpp"
#include "property/random_task.hpp"

namespace refrain::property {
namespace {

const char* type_name(ElementType type) {
    switch (type) {
        case ElementType::integer:
            return "std::int64_t";
        case ElementType::real:
            return "double";
        case ElementType::pointer:
            return "Pointer";
        case ElementType::short_pointer:
            return "ShortPointer";
        case ElementType::block:
            return "Block";
    }
    return "";
}

const char* operator_name(Operator op) {
    constexpr const char* names[] = {"Sum", "Minimum", "Maximum", "BitXor", "Lanes"};
    return names[static_cast<int>(op)];
}

const char* projection_name(Projection projection) {
    constexpr const char* names[] = {"same", "next",  "mirror", "transpose",
                                     "half", "first", "lift"};
    return names[static_cast<int>(projection)];
}

const char* kind_name(PartitionKind kind) {
    constexpr const char* names[] = {"tiles", "tiles_of_extent", "rows",    "columns",
                                     "whole", "rectangles",      "subsets", "halo",
                                     "ghost", "image",           "preimage"};
    return names[static_cast<int>(kind)];
}

std::string text(const Coordinates& c, int rank) {
    std::string result = "{";
    for (int d = 0; d < rank; ++d)
        result += (d == 0 ? "" : ", ") + std::to_string(c[static_cast<std::size_t>(d)]);
    return result + "}";
}

class Printer {
  public:
    explicit Printer(const Program& program) : program_(program) {}

    std::string operator()(const CreateRegion& s) {
        out_ << "auto r" << s.region << " = rt.create_region<" << type_name(s.type) << ">("
             << space(s.space) << ");";
        if (has_pointers(s)) out_ << "  // points into " << space(s.pointee);
        return out_.str();
    }
    std::string operator()(const DestroyRegion& s) {
        out_ << "r" << s.region << ".reset();";
        return out_.str();
    }
    std::string operator()(const CreatePartition& s) {
        out_ << "auto p" << s.partition << " = " << kind_name(s.kind) << "(" << space(s.space);
        partition_arguments(s);
        out_ << ");";
        return out_.str();
    }
    std::string operator()(const DestroyPartition& s) {
        out_ << "p" << s.partition << ".reset();";
        return out_.str();
    }
    std::string operator()(const Launch& s) {
        if (s.result >= 0) out_ << "auto f" << s.result << " = ";
        out_ << "rt.launch(" << task_name(s.task);
        if (s.index) out_ << ", " << data::to_string(s.domain, s.domain_rank);
        for (const Requirement& r : s.requirements) out_ << ", " << requirement(s, r);
        for (const int future : s.futures) out_ << ", f" << future;
        out_ << ");  // line " << s.site;
        if (s.throws_at >= 0)
            out_ << ", point " << s.throws_at << " throws"
                 << (s.throws_in_fold ? " in a fold" : "");
        return out_.str();
    }
    std::string operator()(const Fill& s) {
        out_ << "rt.fill(r" << s.region;
        if (s.partition >= 0) out_ << ", p" << s.partition;
        out_ << ", " << s.value << ");";
        return out_.str();
    }
    std::string operator()(const HostRead& s) {
        out_ << "look(rt.read(r" << s.region << "));";
        return out_.str();
    }
    std::string operator()(const HostWrite& s) {
        out_ << (s.keeps_old ? "change(rt.read_write(r" : "set(rt.write(r") << s.region << "));";
        return out_.str();
    }
    std::string operator()(const OpenView& s) {
        out_ << "auto v" << s.region << " = rt.read(r" << s.region << ");";
        return out_.str();
    }
    std::string operator()(const CloseView& s) {
        out_ << "close(v" << s.region << ");";
        return out_.str();
    }
    std::string operator()(const GetFuture& s) {
        out_ << "f" << s.future << ".get(" << s.point << ");";
        return out_.str();
    }
    std::string operator()(const DropFuture& s) {
        out_ << "f" << s.future << " = {};";
        return out_.str();
    }
    std::string operator()(const Fence&) { return "rt.fence();"; }
    std::string operator()(const WaitAll&) { return "rt.wait_all();"; }
    std::string operator()(const BeginTrace& s) {
        out_ << "rt.begin_trace(" << s.id << ");";
        return out_.str();
    }
    std::string operator()(const EndTrace& s) {
        out_ << "rt.end_trace(" << s.id << ");";
        return out_.str();
    }

  private:
    [[nodiscard]] std::string space(int number) const {
        const Space& s = program_.spaces[static_cast<std::size_t>(number)];
        return "s" + std::to_string(number) + " " + data::to_string(s.bounds, s.rank);
    }
    static std::string requirement(const Launch& launch, const Requirement& r) {
        std::string result = to_string(r.privilege);
        if (r.privilege == Privilege::reduce)
            result += std::string("<") + operator_name(r.op) + ">";
        result += "(r" + std::to_string(r.region);
        if (r.partition >= 0) {
            result += ", p" + std::to_string(r.partition);
            if (!launch.index) result += ", colour " + text(r.colour, rank_max);
            if (launch.index && r.projection != Projection::same)
                result += std::string(", ") + projection_name(r.projection);
        }
        return result + ")";
    }
    void partition_arguments(const CreatePartition& s) {
        if (s.of >= 0) out_ << ", p" << s.of;
        if (s.pointers >= 0) out_ << ", r" << s.pointers;
        switch (s.kind) {
            case PartitionKind::tiles:
            case PartitionKind::tiles_of_extent:
            case PartitionKind::rows:
            case PartitionKind::columns:
                out_ << ", " << text(s.counts, rank_max);
                break;
            case PartitionKind::halo:
            case PartitionKind::ghost:
                out_ << ", " << text(s.low, rank_max) << ", " << text(s.high, rank_max)
                     << (s.periodic ? ", periodic" : "");
                break;
            case PartitionKind::rectangles:
                listed(s.colours, s.colour_rank, s.rectangles);
                break;
            case PartitionKind::subsets:
                out_ << ", colours " << data::to_string(s.colours, s.colour_rank) << std::hex;
                for (const Elements subset : s.subsets) out_ << " 0x" << subset;
                break;
            case PartitionKind::whole:
                out_ << ", colours " << data::to_string(s.colours, s.colour_rank);
                break;
            default:
                break;
        }
    }
    void listed(const Box& colours, int colour_rank, const std::vector<Box>& boxes) {
        out_ << ", colours " << data::to_string(colours, colour_rank);
        for (const Box& box : boxes) out_ << " " << data::to_string(box, rank_max);
    }

    const Program& program_;
    std::ostringstream out_;
};

}  // namespace

std::string print(const Program& program, const Statement& statement) {
    return std::visit(Printer(program), statement.what) +
           (statement.refused ? "  // must be refused" : "");
}

std::string print(const Program& program) {
    std::string result;
    int depth = 0;
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
        const Statement& statement = program.statements[i];
        if (std::holds_alternative<EndTrace>(statement.what)) --depth;
        result += "/* " + std::to_string(i) + " */ " +
                  std::string(static_cast<std::size_t>(4 * depth), ' ') +
                  print(program, statement) + "\n";
        if (std::holds_alternative<BeginTrace>(statement.what)) ++depth;
    }
    return result;
}

}  // namespace refrain::property
