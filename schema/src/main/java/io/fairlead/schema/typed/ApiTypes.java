package io.fairlead.schema.typed;

import io.fairlead.schema.typed.GoType.Struct;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The types of Kubernetes' API that are served as structs: their fields with their numbers in protobuf and their merge keys,
 * from a table that {@code schema/src/types} generates from the Go types.
 */
public final class ApiTypes {
    private static final String RESOURCE = "api-types.txt";
    private static final TypeTable TABLE = read();

    private ApiTypes() {}

    /**
     * A type by its name in the table ({@code meta/v1.ObjectMeta}).
     *
     * @throws NullPointerException if there is none
     */
    public static Struct named(String name) {
        return Objects.requireNonNull(TABLE.structs().get(name), name);
    }

    /**
     * The type of a kind, lists included, or null if Go knows none. {@code DeleteOptions} belong to every group and version:
     * clients send them in that of the resource.
     */
    public static @Nullable Struct ofKind(String apiVersion, String kind) {
        String inVersion = kind.equals("DeleteOptions") ? "v1" : apiVersion;
        return TABLE.kinds().get(inVersion + " " + kind);
    }

    private static TypeTable read() {
        try (InputStream in = Objects.requireNonNull(ApiTypes.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return TypeTable.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A table of types.
     *
     * @param structs all of them by name
     * @param kinds those that are sent on their own, by apiVersion and kind
     */
    record TypeTable(Map<String, Struct> structs, Map<String, Struct> kinds) {
        static TypeTable parse(String text) {
            return new TypeTableReader(text).table();
        }
    }
}
