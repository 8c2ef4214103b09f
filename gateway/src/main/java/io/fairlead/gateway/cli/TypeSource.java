package io.fairlead.gateway.cli;

import io.fairlead.schema.digest.DefinitionDigests;
import java.util.List;

/** Something that has definitions of types: a file, a folder, a cluster. */
interface TypeSource {
    /** Reads them, in an order that does not change; at least one. */
    List<DefinitionDigests> types() throws CommandFailure;
}
