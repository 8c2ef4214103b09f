package io.fairlead.schema.cel.library;

import java.util.Map;
import java.util.Optional;

/** The identifiers of types ({@code type(self) == string}). */
public final class TypeNames {
    private static final Map<String, String> BY_IDENTIFIER = Map.ofEntries(
            Map.entry("bool", "bool"),
            Map.entry("bytes", "bytes"),
            Map.entry("double", "double"),
            Map.entry("int", "int"),
            Map.entry("list", "list"),
            Map.entry("map", "map"),
            Map.entry("null_type", "null_type"),
            Map.entry("string", "string"),
            Map.entry("type", "type"),
            Map.entry("uint", "uint"),
            Map.entry("optional_type", "optional_type"),
            Map.entry("google.protobuf.Duration", "google.protobuf.Duration"),
            Map.entry("google.protobuf.Timestamp", "google.protobuf.Timestamp"),
            Map.entry("net.IP", "net.IP"),
            Map.entry("net.CIDR", "net.CIDR"));

    private TypeNames() {}

    /** The type that an identifier names. */
    public static Optional<String> ofIdentifier(String identifier) {
        return Optional.ofNullable(BY_IDENTIFIER.get(identifier));
    }
}
