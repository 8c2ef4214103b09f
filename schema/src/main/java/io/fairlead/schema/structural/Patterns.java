package io.fairlead.schema.structural;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The compiled expressions of all schemas, each once and only when it is needed, within a bound of bytes: what no value was
 * compared with for long is compiled again.
 *
 * <p>Threads: any.
 */
final class Patterns {
    /** Of compiled expressions, in the whole process, however many clusters define them. */
    private static final long BYTES_MAX = 16L * 1024 * 1024;

    /** About four seconds of a processor: more than any value that a person reads. */
    private static final long STEPS_MAX = 1_000_000_000;

    private static final LoadingCache<String, Compiled> COMPILED = Caffeine.newBuilder()
            .maximumWeight(BYTES_MAX)
            .weigher((String pattern, Compiled compiled) -> (int) compiled.cost.bytes())
            .executor(Runnable::run)
            .build(Patterns::compile);

    private Patterns() {}

    /** Why an expression cannot be used, empty if it can. */
    static String problem(String pattern) {
        PatternCost cost = PatternCost.of(pattern);
        return cost.problem().isEmpty() ? compiled(pattern).problem : cost.problem();
    }

    /** Whether a text has a part that matches; always so if the expression is none. */
    static boolean matches(String pattern, String text) {
        Pattern compiled = compiled(pattern).pattern;
        return compiled == null || compiled.matcher(text).find();
    }

    /** Whether looking for an expression in a text would take too long; such texts are refused unseen. */
    static boolean isTooLong(String pattern, String text) {
        return compiled(pattern).cost.isTooMuchFor(text.length(), STEPS_MAX);
    }

    private static Compiled compiled(String pattern) {
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
