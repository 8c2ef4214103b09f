package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.packages.oci.CrossplanePackage;
import io.fairlead.packages.oci.CrossplanePackage.Undetermined;
import io.fairlead.schema.digest.DefinitionDigests;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The types in a Crossplane package. */
final class PackageTypes implements TypeSource {

    private final PackageSource source;
    private final Map<String, String> undetermined = new TreeMap<>();

    PackageTypes(PackageSource source) {
        this.source = source;
    }

    @Override
    public List<DefinitionDigests> types() throws CommandFailure {
        CrossplanePackage read = source.read();
        for (Undetermined type : read.undetermined()) {
            undetermined.put(type.groupKind(), type.why());
        }
        if (read.types().isEmpty() && undetermined.isEmpty()) {
            throw CommandFailure.of(source + ": the package brings no types (expected at least one)")
                    .withExitCode(ExitCodes.FAILED);
        }
        return read.types();
    }

    @Override
    public Map<String, String> undetermined() {
        return undetermined;
    }
}
