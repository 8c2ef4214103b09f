package io.fairlead.schema.cel.cost;

import java.util.List;
import java.util.Optional;

/** CEL's own estimate of calls. */
final class StandardCalls {
    private static final double TRAVERSAL = LibraryCalls.TRAVERSAL;
    private static final double REGEX = LibraryCalls.REGEX;

    private StandardCalls() {}

    static CallEstimate estimate(String overload, Optional<Operand> target, List<Operand> arguments) {
        return switch (overload) {
            case "string_format" -> CallEstimate.of(target.orElseThrow().size().scaled(TRAVERSAL));
            case "string_to_bytes" -> {
                Estimate size = arguments.getFirst().size();
                yield CallEstimate.of(
                        size.scaled(TRAVERSAL), new Estimate(size.min(), Estimate.multiply(size.max(), 4)));
            }
            case "bytes_to_string" -> {
                Estimate size = arguments.getFirst().size();
                yield CallEstimate.of(size.scaled(TRAVERSAL), new Estimate(size.min() / 4, size.max()));
            }
            case "strings_quote" -> {
                Estimate size = arguments.getFirst().size();
                yield CallEstimate.of(size.scaled(TRAVERSAL), size.plus(size).plus(Estimate.exactly(2)));
            }
            case "starts_with_string", "ends_with_string" ->
                CallEstimate.of(arguments.getFirst().size().scaled(TRAVERSAL));
            case "in_list" -> CallEstimate.of(arguments.get(1).size());
            case "matches_string", "matches" -> matches(target, arguments);
            case "contains_string" ->
                CallEstimate.of(target.orElseThrow()
                        .size()
                        .scaled(TRAVERSAL)
                        .times(arguments.getFirst().size().scaled(TRAVERSAL)));
            case "add_string", "add_bytes" -> {
                Estimate both = arguments.get(0).size().plus(arguments.get(1).size());
                yield CallEstimate.of(both.scaled(TRAVERSAL), both);
            }
            case "add_list" ->
                CallEstimate.of(
                        Estimate.ONE,
                        arguments.get(0).size().plus(arguments.get(1).size()));
            case "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes",
                    "equals",
                    "not_equals" -> comparison(arguments);
            default -> CallEstimate.of(Estimate.ONE);
        };
    }

    /** Called as a function of two arguments, it costs one, as the estimate looks for a receiver. */
    private static CallEstimate matches(Optional<Operand> target, List<Operand> arguments) {
        return target.map(text -> CallEstimate.of(text.size()
                        .plus(Estimate.ONE)
                        .scaled(TRAVERSAL)
                        .times(arguments.getFirst().size().scaled(REGEX))))
                .orElse(CallEstimate.of(Estimate.ONE));
    }

    private static CallEstimate comparison(List<Operand> arguments) {
        long max =
                Math.min(arguments.get(0).size().max(), arguments.get(1).size().max());
        return CallEstimate.of(new Estimate(max > 0 ? 1 : 0, max).scaled(TRAVERSAL));
    }
}
