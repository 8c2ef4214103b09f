package io.fairlead.cli.server;

import io.fairlead.model.ClusterName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a cluster id of the command line. */
public final class ClusterId implements ITypeConverter<ClusterName> {
    @Override
    public ClusterName convert(String text) {
        try {
            return new ClusterName(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(String.valueOf(invalid.getMessage()));
        }
    }
}
