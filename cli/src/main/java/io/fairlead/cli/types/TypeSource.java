package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.schema.digest.DefinitionDigests;
import java.util.List;
import java.util.Map;

/** A source of type definitions: a file, a folder, a cluster, a package. */
interface TypeSource {
    /** Reads them, in a stable order; at least one, or one of {@link #undetermined}. */
    List<DefinitionDigests> types() throws CommandFailure;

    /** Why further types are unknown, by their names ({@code Widget.example.com}); available after {@link #types}. */
    default Map<String, String> undetermined() {
        return Map.of();
    }
}
