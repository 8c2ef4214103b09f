package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;

/** Quantities (apiserver {@code cel/library/quantity.go}, since 1.28). */
final class QuantityFunctions {
    static final String MALFORMED =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private QuantityFunctions() {}

    static void addTo(Registry registry) {
        Class<Quantity> quantity = Quantity.class;
        registry.unary(
                        "isQuantity",
                        String.class,
                        (text, _) -> Quantity.parse(text).isPresent())
                .unary(
                        "quantity",
                        String.class,
                        (text, _) ->
                                Quantity.parse(text).<Object>map(value -> value).orElse(new CelError(MALFORMED)))
                .unary("sign", quantity, (q, _) -> (long) q.value().signum())
                .unary("isInteger", quantity, (q, _) -> q.isInteger())
                .unary(
                        "asInteger",
                        quantity,
                        (q, _) -> q.isInteger()
                                ? (Object) q.value().longValueExact()
                                : new CelError("cannot convert value to integer"))
                .unary("asApproximateFloat", quantity, (q, _) -> q.value().doubleValue())
                .binary(
                        "isGreaterThan",
                        quantity,
                        quantity,
                        (a, b, _) -> a.value().compareTo(b.value()) > 0)
                .binary("isLessThan", quantity, quantity, (a, b, _) -> a.value().compareTo(b.value()) < 0)
                .binary("compareTo", quantity, quantity, (a, b, _) ->
                        (long) a.value().compareTo(b.value()))
                .binary(
                        "add",
                        quantity,
                        quantity,
                        (a, b, _) -> new Quantity(a.value().add(b.value())))
                .binary(
                        "add",
                        quantity,
                        Long.class,
                        (a, b, _) -> new Quantity(a.value().add(Quantity.of(b).value())))
                .binary(
                        "sub",
                        quantity,
                        quantity,
                        (a, b, _) -> new Quantity(a.value().subtract(b.value())))
                .binary(
                        "sub",
                        quantity,
                        Long.class,
                        (a, b, _) ->
                                new Quantity(a.value().subtract(Quantity.of(b).value())));
    }
}
