package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a cluster id from the command line. */
final class ClusterId implements ITypeConverter<ClusterName> {
    @Override
    public ClusterName convert(String text) {
        try {
            return new ClusterName(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(String.valueOf(invalid.getMessage()));
        }
    }
}
