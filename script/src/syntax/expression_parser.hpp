#pragma once

#include "syntax/token_stream.hpp"
#include "syntax/tree.hpp"

namespace refrain::script {

/// Parses expressions by descent over the levels of precedence, loosest first:
/// || && (== !=) (< <= > >=) (+ -) (* / %/ %% %) ** (! -) postfix.
///
/// Errors: SyntaxError.
class ExpressionParser {
  public:
    explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

    Expression expression() { return binary(0); }
    /// Without comparisons: it stands between < and >.
    Expression sum() { return binary(4); }
    /// `a, b, c`: a tuple, if it is not one expression only.
    Expression one_or_several();
    /// What may stand without parentheses in the command of an app. It ends at a blank: `echo f (x)` has three words.
    Expression word();
    std::vector<Annotation> annotations();

  private:
    /// Whether brackets belong to what a blank parts them from.
    enum class Blanks : std::uint8_t { skipped, end_it };

    Expression binary(std::size_t level);
    Expression unary();
    Expression postfix(Blanks blanks = Blanks::skipped);
    Expression primary(Blanks blanks);
    Expression call(const Token& name, std::vector<Annotation> annotations);
    Expression bracketed();
    Expression dictionary();
    Expression parenthesised();
    Expression annotated_call();
    Annotation annotation(const Token& name);

    TokenStream& tokens_;
};

}  // namespace refrain::script
