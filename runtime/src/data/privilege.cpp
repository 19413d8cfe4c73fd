#include "refrain/privilege.hpp"

#include <ostream>

namespace refrain {

const char* to_string(Privilege privilege) noexcept {
    switch (privilege) {
        case Privilege::read:
            return "read";
        case Privilege::write:
            return "write";
        case Privilege::read_write:
            return "read-write";
        case Privilege::reduce:
            return "reduce";
    }
    return "no privilege";
}

std::ostream& operator<<(std::ostream& out, Privilege privilege) {
    return out << to_string(privilege);
}

}  // namespace refrain
