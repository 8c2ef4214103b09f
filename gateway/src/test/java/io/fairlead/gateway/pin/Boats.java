package io.fairlead.gateway.pin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.TypeReader;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import java.util.Objects;

/** Definitions of {@code Boat.example.com} that differ in one bound. */
public final class Boats {
    private Boats() {}

    /** Boats that are at most so long; kept by the index. */
    public static DefinedType upTo(int length, FleetIndex index) {
        return with("\"maximum\": " + length, index);
    }

    /** Boats whose length has these keywords; kept by the index. */
    public static DefinedType with(String keywords, FleetIndex index) {
        String spec = """
            {"group": "example.com", "scope": "Namespaced",
             "names": {"plural": "boats", "singular": "boat", "kind": "Boat", "listKind": "BoatList"},
             "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
               "type": "object", "properties": {"length": {"type": "integer", %s}}}}}]}
            """.formatted(keywords);
        return Objects.requireNonNull(new TypeReader(index.types()).read(spec.getBytes(UTF_8)));
    }
}
