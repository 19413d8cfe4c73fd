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
    /// What may stand without parentheses in the command of an app.
    Expression word();
    std::vector<Annotation> annotations();

  private:
    Expression binary(std::size_t level);
    Expression unary();
    Expression postfix();
    Expression primary();
    Expression call(const Token& name, std::vector<Annotation> annotations);
    Expression bracketed();
    Expression dictionary();
    Expression parenthesised();
    Expression annotated_call();
    Annotation annotation(const Token& name);

    TokenStream& tokens_;
};

}  // namespace refrain::script
