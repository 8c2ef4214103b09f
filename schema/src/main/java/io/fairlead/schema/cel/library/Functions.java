package io.fairlead.schema.cel.library;

import java.util.Map;
import java.util.Optional;

/** All functions by name, those too that only some environments declare. */
public final class Functions {
    private static final Map<String, Function> BY_NAME = all();

    private Functions() {}

    /** The function of a name, its namespace included ({@code ip.isCanonical}). */
    public static Optional<Function> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private static Map<String, Function> all() {
        Registry registry = new Registry();
        Operators.addTo(registry);
        Conversions.addTo(registry);
        TimeFunctions.addTo(registry);
        TextFunctions.addTo(registry);
        RegexFunctions.addTo(registry);
        ListFunctions.addTo(registry);
        OptionalFunctions.addTo(registry);
        UrlFunctions.addTo(registry);
        NetworkFunctions.addTo(registry);
        QuantityFunctions.addTo(registry);
        SemverFunctions.addTo(registry);
        NamedFormat.addTo(registry);
        KeyFunctions.addTo(registry);
        return registry.functions();
    }
}
