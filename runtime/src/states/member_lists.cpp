#include "states/member_lists.hpp"

#include <utility>

namespace refrain::states {

Member MemberLists::merge(Member a, Member b) {
    if (!is_living(a.operation)) return b;
    if (!is_living(b.operation)) return a;
    Member merged;
    Member* end = &merged;
    while (true) {
        if (a.operation < b.operation) std::swap(a, b);
        end->operation = a.operation;
        const bool both = a.operation == b.operation;
        if (both && !drop_first(b)) {
            end->before = a.before;
            return merged;
        }
        if (!drop_first(a)) {
            end->before = arena_.make<Member>(newest_.value(), b);
            return merged;
        }
        Member* next = arena_.make<Member>(newest_.value());
        end->before = next;
        end = next;
    }
}

}  // namespace refrain::states
