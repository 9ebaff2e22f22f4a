#include "core/formats/pytorch/torchscript/script_parser.h"

#include "core/formats/pytorch/torchscript/script_tokens.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {
namespace {

using Token = ScriptToken::Kind;
using Expression = ScriptExpression;
using Statement = ScriptStatement;

constexpr int deepestNesting = 200; ///< nesting of expressions and of statements

class Parser {
public:
    Parser(std::string_view code, const std::string& file)
        : m_file(file)
        , m_tokens(scriptTokens(code, file))
    {
    }

    ScriptFile run()
    {
        ScriptFile file;
        while (peek().kind != Token::End) {
            if (takeName("class")) {
                ScriptClass parsed = classDefinition();
                const std::string name = parsed.name;
                file.classes.insert_or_assign(name, std::move(parsed));
            } else if (takeName("def")) {
                ScriptFunction parsed = function();
                const std::string name = parsed.name;
                file.functions.insert_or_assign(name, std::move(parsed));
            } else if (peek().kind == Token::Name && peek().text == "op_version_set") {
                statement(); // "op_version_set = 1" of old archives, which `version` repeats
            } else {
                fail("a class or a function is expected");
            }
        }
        return file;
    }

private:
    class Nesting {
    public:
        explicit Nesting(Parser& parser)
            : m_parser(parser)
        {
            if (++m_parser.m_depth > deepestNesting) {
                m_parser.fail("the code is nested too deeply");
            }
        }
        ~Nesting() { --m_parser.m_depth; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        Parser& m_parser;
    };

    const ScriptToken& peek(std::size_t ahead = 0) const
    {
        return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
    }

    [[noreturn]] void fail(std::string_view message) const { scriptError(m_file, peek().position, message); }

    bool isPunctuation(std::string_view text, std::size_t ahead = 0) const
    {
        return peek(ahead).kind == Token::Punctuation && peek(ahead).text == text;
    }

    bool take(std::string_view punctuation)
    {
        const bool found = isPunctuation(punctuation);
        m_at += found ? 1 : 0;
        return found;
    }

    bool takeName(std::string_view name)
    {
        const bool found = peek().kind == Token::Name && peek().text == name;
        m_at += found ? 1 : 0;
        return found;
    }

    void expect(std::string_view punctuation)
    {
        if (!take(punctuation)) {
            fail(fmt::format("{} is expected", punctuation));
        }
    }

    void expectKind(Token kind, std::string_view what)
    {
        if (peek().kind != kind) {
            fail(fmt::format("{} is expected", what));
        }
        ++m_at;
    }

    std::string identifier()
    {
        if (peek().kind != Token::Name) {
            fail("a name is expected");
        }
        return m_tokens[m_at++].text;
    }

    ScriptClass classDefinition()
    {
        ScriptClass parsed{.name = {}, .base = {}, .position = peek().position};
        parsed.name = identifier();
        if (take("(")) {
            while (!isPunctuation(")")) {
                parsed.base = identifier();
                while (take(".")) {
                    parsed.base = identifier();
                }
                if (!take(",")) {
                    break;
                }
            }
            expect(")");
        }
        expect(":");
        expectKind(Token::NewLine, "a new line");
        if (peek().kind != Token::Indent) {
            return parsed; // a class without members
        }
        ++m_at;
        while (peek().kind != Token::Dedent) {
            if (takeName("def")) {
                ScriptFunction method = function();
                const std::string name = method.name;
                parsed.methods.insert_or_assign(name, std::move(method));
            } else {
                parsed.fields.push_back(statement());
            }
        }
        ++m_at;
        return parsed;
    }

    ScriptFunction function()
    {
        ScriptFunction parsed{.name = {}, .position = peek().position};
        parsed.name = identifier();
        parsed.file = m_file;
        expect("(");
        while (!isPunctuation(")")) {
            if (take("*")) { // the following are keyword arguments
                expect(",");
                continue;
            }
            ScriptParameter parameter{.name = identifier()};
            if (take(":")) {
                parameter.type = expression();
            }
            if (take("=")) {
                parameter.fallback = expression();
            }
            parsed.parameters.push_back(std::move(parameter));
            if (!take(",")) {
                break;
            }
        }
        expect(")");
        if (take("->")) {
            parsed.result = expression();
        }
        expect(":");
        parsed.body = block();
        return parsed;
    }

    ScriptBlock block()
    {
        const Nesting nesting(*this);
        expectKind(Token::NewLine, "a new line");
        expectKind(Token::Indent, "an indented block");
        ScriptBlock statements;
        while (peek().kind != Token::Dedent) {
            statements.push_back(statement());
        }
        ++m_at;
        return statements;
    }

    Statement statement()
    {
        Statement parsed{.kind = Statement::Kind::Pass, .position = peek().position};
        if (takeName("pass")) {
            expectKind(Token::NewLine, "a new line");
        } else if (takeName("return")) {
            parsed.kind = Statement::Kind::Return;
            if (peek().kind != Token::NewLine) {
                parsed.values.push_back(sequence());
            }
            expectKind(Token::NewLine, "a new line");
        } else if (takeName("if")) {
            parsed.kind = Statement::Kind::If;
            parsed.values.push_back(expression());
            expect(":");
            parsed.body = block();
            if (takeName("else")) {
                expect(":");
                parsed.otherwise = block();
            }
        } else if (takeName("while")) {
            parsed.kind = Statement::Kind::While;
            parsed.values.push_back(expression());
            expect(":");
            parsed.body = block();
        } else if (takeName("for")) {
            parsed.kind = Statement::Kind::For;
            parsed.targets.push_back(primary());
            if (!takeName("in")) {
                fail("in is expected");
            }
            parsed.values.push_back(expression());
            expect(":");
            parsed.body = block();
        } else if (takeName("def")) {
            parsed.kind = Statement::Kind::Function;
            parsed.function = std::make_shared<const ScriptFunction>(function());
            if (!parsed.function->parameters.empty()) {
                fail("a function inside of another one has parameters");
            }
        } else if (takeName("with")) {
            parsed.kind = Statement::Kind::With;
            parsed.values.push_back(expression());
            if (takeName("as")) {
                parsed.targets.push_back(primary());
            }
            expect(":");
            parsed.body = block();
        } else {
            assignment(parsed);
            expectKind(Token::NewLine, "a new line");
        }
        return parsed;
    }

    void assignment(Statement& parsed)
    {
        bool hasComma = false;
        ScriptExpressions left = expressions(hasComma);
        if (take(":")) {
            parsed.kind = Statement::Kind::Assign;
            parsed.annotation = expression();
        }
        if (!take("=")) {
            if (!parsed.annotation && left.size() != 1) {
                fail("= is expected");
            }
            if (parsed.annotation) {
                parsed.targets = std::move(left);
            } else {
                parsed.kind = Statement::Kind::Expression;
                parsed.values = std::move(left);
            }
            return;
        }
        parsed.kind = Statement::Kind::Assign;
        bool hasValueComma = false;
        parsed.values = expressions(hasValueComma);
        parsed.targets = std::move(left);
        parsed.unpacks = hasComma && parsed.values.size() == 1;
        if (!parsed.unpacks && parsed.values.size() != parsed.targets.size()) {
            fail("the numbers of targets and values differ");
        }
    }

    ScriptExpressions expressions(bool& hasComma)
    {
        ScriptExpressions list{expression()};
        while (take(",")) {
            hasComma = true;
            if (peek().kind == Token::NewLine || isPunctuation("=")) {
                break;
            }
            list.push_back(expression());
        }
        return list;
    }

    /// An expression, or a tuple without parentheses.
    Expression sequence()
    {
        const ScriptPosition position = peek().position;
        bool hasComma = false;
        ScriptExpressions items = expressions(hasComma);
        if (!hasComma) {
            return std::move(items.front());
        }
        return {.kind = Expression::Kind::Tuple, .position = position, .items = std::move(items)};
    }

    Expression expression()
    {
        const Nesting nesting(*this);
        Expression value = postfix();
        if (peek().kind == Token::Name && peek().text == "if") {
            const ScriptPosition position = peek().position;
            ++m_at;
            Expression condition = expression();
            if (!takeName("else")) {
                fail("else is expected");
            }
            Expression other = expression();
            ScriptExpressions items;
            items.push_back(std::move(condition));
            items.push_back(std::move(value));
            items.push_back(std::move(other));
            value = {.kind = Expression::Kind::Conditional, .position = position, .items = std::move(items)};
        }
        return value;
    }

    Expression postfix()
    {
        Expression value = primary();
        for (int depth = 0;; ++depth) {
            if (depth > deepestNesting) {
                fail("the code is nested too deeply");
            }
            const ScriptPosition position = peek().position;
            if (take(".")) {
                Expression attribute{.kind = Expression::Kind::Attribute, .position = position, .text = identifier()};
                attribute.items.push_back(std::move(value));
                value = std::move(attribute);
            } else if (take("(")) {
                Expression call{.kind = Expression::Kind::Call, .position = position};
                call.items.push_back(std::move(value));
                arguments(call);
                value = std::move(call);
            } else if (take("[")) {
                Expression subscript{.kind = Expression::Kind::Subscript, .position = position};
                subscript.items.push_back(std::move(value));
                while (!isPunctuation("]")) {
                    subscript.items.push_back(expression());
                    if (!take(",")) {
                        break;
                    }
                }
                expect("]");
                value = std::move(subscript);
            } else {
                return value;
            }
        }
    }

    void arguments(Expression& call)
    {
        while (!isPunctuation(")")) {
            if (peek().kind == Token::Name && isPunctuation("=", 1)) {
                call.names.push_back(identifier());
                ++m_at;
            } else if (!call.names.empty()) {
                fail("a positional argument follows a keyword argument");
            }
            call.items.push_back(expression());
            if (!take(",")) {
                break;
            }
        }
        expect(")");
    }

    Expression primary()
    {
        const ScriptToken& token = peek();
        Expression value{.kind = Expression::Kind::None, .position = token.position};
        switch (token.kind) {
        case Token::Name:
            return named();
        case Token::Integer:
        case Token::Real:
            return number(false);
        case Token::Text:
            value.kind = Expression::Kind::Text;
            while (peek().kind == Token::Text) { // adjacent strings are one
                value.text += m_tokens[m_at++].text;
            }
            return value;
        default:
            break;
        }
        if (take("-")) {
            if (takeName("inf")) {
                value.kind = Expression::Kind::Real;
                value.real = -std::numeric_limits<double>::infinity();
                return value;
            }
            return number(true);
        }
        if (take("(")) {
            return parenthesised(value.position);
        }
        if (take("[")) {
            value.kind = Expression::Kind::List;
            items(value, "]");
            return value;
        }
        if (take("{")) {
            value.kind = Expression::Kind::Dictionary;
            while (!isPunctuation("}")) {
                value.items.push_back(expression());
                expect(":");
                value.items.push_back(expression());
                if (!take(",")) {
                    break;
                }
            }
            expect("}");
            return value;
        }
        fail("an expression is expected");
    }

    void items(Expression& value, std::string_view end)
    {
        while (!isPunctuation(end)) {
            value.items.push_back(expression());
            if (!take(",")) {
                break;
            }
        }
        expect(end);
    }

    Expression parenthesised(ScriptPosition position)
    {
        Expression value{.kind = Expression::Kind::Tuple, .position = position};
        if (take(")")) {
            return value;
        }
        value.items.push_back(expression());
        if (take(")")) {
            return std::move(value.items.front());
        }
        expect(",");
        items(value, ")");
        return value;
    }

    Expression named()
    {
        Expression value{.kind = Expression::Kind::Name, .position = peek().position, .text = identifier()};
        if (value.text == "None") {
            value.kind = Expression::Kind::None;
        } else if (value.text == "True" || value.text == "False") {
            value.kind = Expression::Kind::Boolean;
            value.integer = value.text == "True" ? 1 : 0;
        }
        return value;
    }

    Expression number(bool isNegative)
    {
        const ScriptToken& token = peek();
        if (token.kind != Token::Integer && token.kind != Token::Real) {
            fail("a number is expected");
        }
        ++m_at;
        const std::string text = (isNegative ? "-" : "") + token.text;
        Expression value{.kind = Expression::Kind::Integer, .position = token.position};
        const char* end = text.data() + text.size();
        std::from_chars_result read{};
        if (token.kind == Token::Integer) {
            read = std::from_chars(text.data(), end, value.integer);
        } else {
            value.kind = Expression::Kind::Real;
            read = std::from_chars(text.data(), end, value.real);
        }
        if (read.ec != std::errc() || read.ptr != end) {
            scriptError(m_file, token.position, fmt::format("the number {} is out of range", text));
        }
        return value;
    }

    const std::string& m_file;
    std::vector<ScriptToken> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

ScriptFile parseScript(std::string_view code, const std::string& file)
{
    return Parser(code, file).run();
}

} // namespace crosswalk::pytorch
