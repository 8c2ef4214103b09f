package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.schema.digest.DefinitionDigests;
import java.util.List;
import java.util.Map;

/** Something that has definitions of types: a file, a folder, a cluster, a package. */
interface TypeSource {
    /** Reads them, in an order that does not change; at least one, or one of {@link #undetermined}. */
    List<DefinitionDigests> types() throws CommandFailure;

    /** Why nobody can say what further types are, by their names ({@code Widget.example.com}); known after {@link #types}. */
    default Map<String, String> undetermined() {
        return Map.of();
    }
}
