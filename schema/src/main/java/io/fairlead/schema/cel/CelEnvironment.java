package io.fairlead.schema.cel;

import dev.cel.checker.CelChecker;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.CelVarDecl;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import io.fairlead.schema.cel.library.KeyFunctions;
import io.fairlead.schema.cel.library.Macros;
import io.fairlead.schema.cel.library.Signatures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/*
 * Problem: cel-java's own evaluation counts no cost, makes texts and lists of any size, and says other words than cel-go.
 * Kubernetes' limits, and its messages in objects' errors, are those of cel-go.
 *
 * So only the parser and the type checker are cel-java's. The program is made by Planner and evaluated by its steps.
 */

/** Variables with types, among which expressions are compiled. */
public final class CelEnvironment {
    /** The longest text of an expression, in code points. */
    public static final int CODE_POINTS_MAX = 100_000;

    /** Its successor for literals of one type, a validator, comes with all of cel-java's evaluation. */
    @SuppressWarnings("deprecation")
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableHiddenAccumulatorVar(true)
            .enableHomogeneousLiterals(true)
            .enableHeterogeneousNumericComparisons(true)
            .maxExpressionCodePointSize(CODE_POINTS_MAX)
            .maxParseRecursionDepth(SyntaxLimits.DEPTH_MAX)
            .build();

    private static final CelParser PARSER = CelParserFactory.standardCelParserBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addMacros(Macros.all())
            .build();

    private static final List<CelFunctionDecl> FUNCTIONS = Signatures.all();
    private static final List<CelFunctionDecl> KEY_FUNCTIONS = Signatures.ofKeys();

    private final Map<String, DeclaredType> variables;
    private final CelChecker checker;

    private CelEnvironment(Builder builder) {
        this.variables = Map.copyOf(builder.variables);
        this.checker = checker(builder.variables, builder.ownFunctions);
    }

    /** Without variables; see {@link Builder#variable}. */
    public static Builder builder() {
        return new Builder();
    }

    /** The variables of an environment, one after the other, and the functions that it has beside Kubernetes'. */
    public static final class Builder {
        private final Map<String, DeclaredType> variables = new LinkedHashMap<>();

        private List<CelFunctionDecl> ownFunctions = List.of();

        private Builder() {}

        /**
         * A variable, which each evaluation that uses it must be given.
         *
         * @throws IllegalArgumentException if CEL has reserved the name ({@code namespace}), so that no expression could use it
         */
        public Builder variable(String name, DeclaredType type) {
            if (Identifiers.isReserved(name)) {
                throw new IllegalArgumentException(
                        "variable \"" + name + "\" (expected a word that CEL has not reserved)");
            }
            variables.put(name, type);
            return this;
        }

        /** With {@code selectorOf}, {@code hostOf} and {@code quantityOf}; see {@link KeyFunctions}. Kubernetes has them not. */
        public Builder keyFunctions() {
            ownFunctions = KEY_FUNCTIONS;
            return this;
        }

        /** The environment. */
        public CelEnvironment build() {
            return new CelEnvironment(this);
        }
    }

    /** An expression that can be evaluated, or why a text is none. */
    public sealed interface Compilation {
        /**
         * A compiled expression.
         *
         * @param expression the expression
         */
        record Compiled(CompiledExpression expression) implements Compilation {}

        /**
         * A text that does not parse, or whose types do not fit.
         *
         * @param issues as cel-go prints them
         */
        record Refused(String issues) implements Compilation {}
    }

    /** Compiles a text. */
    public Compilation compile(String text) {
        Optional<String> beyond = SyntaxLimits.problem(text);
        if (beyond.isPresent()) {
            return new Compilation.Refused(beyond.get());
        }
        try {
            return compiled(text);
        } catch (StackOverflowError e) {
            return new Compilation.Refused(SyntaxLimits.TOO_DEEP);
        }
    }

    private Compilation compiled(String text) {
        CelValidationResult parsed = PARSER.parse(text, "<input>");
        if (parsed.hasError()) {
            return new Compilation.Refused(Issues.ofParser(text, parsed));
        }
        try {
            CelAbstractSyntaxTree syntax = parsed.getAst();
            if (SyntaxLimits.isTooDeep(syntax.getExpr())) {
                return new Compilation.Refused(SyntaxLimits.TOO_DEEP);
            }
            CelValidationResult checked = checker.check(syntax);
            if (checked.hasError()) {
                return new Compilation.Refused(Issues.ofChecker(text, checked));
            }
            CelAbstractSyntaxTree ast = checked.getAst();
            String literals = Literals.issues(text, ast);
            return literals.isEmpty()
                    ? new Compilation.Compiled(CompiledExpression.of(ast, variables))
                    : new Compilation.Refused(literals);
        } catch (CelValidationException e) {
            return new Compilation.Refused(String.valueOf(e.getMessage()));
        }
    }

    private static CelChecker checker(Map<String, DeclaredType> variables, List<CelFunctionDecl> ownFunctions) {
        CelCheckerBuilder builder = CelCompilerFactory.standardCelCheckerBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(CelStandardDeclarations.newBuilder().build())
                .setTypeProvider(new ObjectTypes(variables))
                .addFunctionDeclarations(FUNCTIONS)
                .addFunctionDeclarations(ownFunctions);
        opaque("net.IP", builder);
        opaque("net.CIDR", builder);
        builder.addVarDeclarations(
                CelVarDecl.newVarDeclaration("optional_type", TypeType.create(OptionalType.create(SimpleType.DYN))));
        variables.forEach((name, type) -> builder.addVarDeclarations(CelVarDecl.newVarDeclaration(name, type.type())));
        return builder.build();
    }

    private static void opaque(String name, CelCheckerBuilder builder) {
        builder.addVarDeclarations(CelVarDecl.newVarDeclaration(name, TypeType.create(OpaqueType.create(name))));
    }
}
