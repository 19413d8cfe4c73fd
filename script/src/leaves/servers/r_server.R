# Gives two texts: "1" and the value, or "0" and what went wrong.
.refrain <- function(code, expression) tryCatch({
    run <- function(text) eval(parse(text = text, encoding = "UTF-8"), globalenv())
    if (nzchar(code)) run(code)
    value <- if (nzchar(expression)) run(expression) else ""
    c("1", enc2utf8(toString(value)))
}, error = function(e) {
    call <- conditionCall(e)
    where <- if (is.null(call)) "" else paste0(" (in ", toString(deparse(call)[1]), ")")
    c("0", enc2utf8(paste0(trimws(conditionMessage(e)), where)))
})
