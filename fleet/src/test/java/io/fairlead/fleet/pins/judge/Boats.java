package io.fairlead.fleet.pins.judge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Definitions of {@code Boat.example.com} that differ in one bound. */
public final class Boats {
    private Boats() {}

    /** Boats that are at most so long; kept by the index. */
    public static DefinedType upTo(int length, FleetIndex index) {
        return with("\"maximum\": " + length, index);
    }

    /** Boats whose length has these keywords; kept by the index. */
    public static DefinedType with(String keywords, FleetIndex index) {
        return define("boats", keywords, index);
    }

    /** Boats under another name in paths; kept by the index. */
    public static DefinedType called(String plural, FleetIndex index) {
        return define(plural, "\"maximum\": 8", index);
    }

    /** The definition as a cluster holds it. */
    public static Holder crd(String plural, @Nullable DefinedType type) {
        return new Holder(
                HolderType.CRD,
                plural + ".example.com",
                "uid",
                "",
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural))),
                type,
                "");
    }

    private static DefinedType define(String plural, String keywords, FleetIndex index) {
        String spec = """
            {"group": "example.com", "scope": "Namespaced",
             "names": {"plural": "%s", "singular": "boat", "kind": "Boat", "listKind": "BoatList"},
             "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
               "type": "object", "properties": {"length": {"type": "integer", %s}}}}}]}
            """.formatted(plural, keywords);
        return Objects.requireNonNull(new TypeReader(index.types()).read(spec.getBytes(UTF_8)));
    }
}
