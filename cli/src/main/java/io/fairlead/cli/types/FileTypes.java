package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.schema.digest.DefinitionDigests;
import java.nio.file.Path;
import java.util.List;

/** The types of a file. */
record FileTypes(Path file) implements TypeSource {
    @Override
    public List<DefinitionDigests> types() throws CommandFailure {
        return DefinitionFile.read(file);
    }
}
