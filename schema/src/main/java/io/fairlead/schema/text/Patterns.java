package io.fairlead.schema.text;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The compiled expressions of all schemas, each once and only when it is needed, within a bound of bytes: what no value was
 * compared with for long is compiled again.
 *
 * <p>Threads: any.
 */
public final class Patterns {
    /** Of compiled expressions, in the whole process, however many clusters define them. */
    private static final long BYTES_MAX = 16L * 1024 * 1024;

    /** An instruction of a program takes about ten nanoseconds for each character, when all of them are alive. */
    private static final long INSTRUCTIONS_FOR_A_STEP = 10;

    /** What compiling takes grows with what comes of it. */
    private static final long COMPILED_BYTES_FOR_A_STEP = 64;

    private static final LoadingCache<String, Compiled> COMPILED = Caffeine.newBuilder()
            .maximumWeight(BYTES_MAX)
            .weigher((String pattern, Compiled compiled) -> (int) compiled.cost.bytes())
            .executor(Runnable::run)
            .build(Patterns::compile);

    private Patterns() {}

    /**
     * Why an expression cannot be used, empty if it can.
     *
     * @throws Effort.ExceededException if it takes too much to find out
     */
    public static String problem(String pattern, Effort effort) {
        PatternCost cost = PatternCost.of(pattern);
        effort.spend(stepsToCompile(cost));
        return cost.problem().isEmpty() ? COMPILED.get(pattern).problem : cost.problem();
    }

    /**
     * Whether a text has a part that matches; always so if the expression is none.
     *
     * @throws Effort.ExceededException if it takes too much to find out
     */
    public static boolean matches(String pattern, String text, Effort effort) {
        Compiled compiled = compiled(pattern, effort);
        effort.spend(steps(compiled, text));
        return compiled.pattern == null || compiled.pattern.matcher(text).find();
    }

    /**
     * A matcher of an expression for a text, which is about to be gone over once.
     *
     * @throws PatternSyntaxException if the expression is none
     * @throws Effort.ExceededException if it takes too much
     */
    public static Matcher matcher(String pattern, String text, Effort effort) {
        Compiled compiled = compiled(pattern, effort);
        if (compiled.pattern == null) {
            throw new PatternSyntaxException(compiled.problem);
        }
        effort.spend(steps(compiled, text));
        return compiled.pattern.matcher(text);
    }

    /**
     * A matcher of an expression is about to go over the rest of a text, for the next match.
     *
     * @throws Effort.ExceededException if it takes too much
     */
    public static void goOn(String pattern, int chars, Effort effort) {
        effort.spend(compiled(pattern, effort).cost.instructions() * (chars + 1L) / INSTRUCTIONS_FOR_A_STEP);
    }

    /** Whether looking for an expression in a text would take too long whatever else there is; such texts are refused unseen. */
    public static boolean isTooLong(String pattern, String text, Effort effort) {
        return steps(compiled(pattern, effort), text) > Effort.STEPS_MAX;
    }

    private static long steps(Compiled compiled, String text) {
        return (compiled.cost.instructions() * (text.length() + 1L)) / INSTRUCTIONS_FOR_A_STEP;
    }

    private static long stepsToCompile(PatternCost cost) {
        return cost.problem().isEmpty() ? cost.bytes() / COMPILED_BYTES_FOR_A_STEP : 0;
    }

    /** One that has to be compiled takes effort: more of them than are kept may be wanted in turn. */
    private static Compiled compiled(String pattern, Effort effort) {
        Compiled kept = COMPILED.getIfPresent(pattern);
        if (kept != null) {
            return kept;
        }
        effort.spend(stepsToCompile(PatternCost.of(pattern)));
        return COMPILED.get(pattern);
    }

    private static Compiled compile(String pattern) {
        PatternCost cost = PatternCost.of(pattern);
        if (!cost.problem().isEmpty()) {
            return new Compiled(null, cost.problem(), new PatternCost(0, pattern.length(), cost.problem()));
        }
        try {
            return new Compiled(Pattern.compile(pattern), "", cost);
        } catch (PatternSyntaxException e) {
            return new Compiled(null, String.valueOf(e.getMessage()), cost);
        }
    }

    /** An expression, or why it is none. */
    private record Compiled(@Nullable Pattern pattern, String problem, PatternCost cost) {}
}
