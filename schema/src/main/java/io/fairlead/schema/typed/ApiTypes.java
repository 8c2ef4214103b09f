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
 * from tables that {@code schema/src/types} generates from the Go types. The table of the kinds that only some clusters serve is
 * read when a kind is asked for that the first one has not.
 */
public final class ApiTypes {
    private static final TypeTable TABLE = read("api-types.txt", Map.of());

    private ApiTypes() {}

    /**
     * A type by its name in the tables ({@code meta/v1.ObjectMeta}).
     *
     * @throws NullPointerException if there is none
     */
    public static Struct named(String name) {
        Struct struct = TABLE.structs().get(name);
        return struct == null ? Objects.requireNonNull(Others.TABLE.structs().get(name), name) : struct;
    }

    /**
     * The type of a kind, lists included, or null if Go knows none. {@code DeleteOptions} belong to every group and version:
     * clients send them in that of the resource.
     */
    public static @Nullable Struct ofKind(String apiVersion, String kind) {
        String key = (kind.equals("DeleteOptions") ? "v1" : apiVersion) + " " + kind;
        Struct struct = TABLE.kinds().get(key);
        return struct == null && isOfKubernetes(apiVersion)
                ? Others.TABLE.kinds().get(key)
                : struct;
    }

    /** Whether a group can be one of Kubernetes' own: it has no domain, or one below {@code k8s.io}. */
    private static boolean isOfKubernetes(String apiVersion) {
        String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
        return !group.contains(".") || group.endsWith(".k8s.io");
    }

    static TypeTable read(String resource, Map<String, Struct> known) {
        try (InputStream in = Objects.requireNonNull(ApiTypes.class.getResourceAsStream(resource), resource)) {
            return TypeTable.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), known);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Others {
        static final TypeTable TABLE = read("other-api-types.txt", ApiTypes.TABLE.structs());
    }

    /**
     * A table of types.
     *
     * @param structs all of them by name
     * @param kinds those that are sent on their own, by apiVersion and kind
     */
    record TypeTable(Map<String, Struct> structs, Map<String, Struct> kinds) {
        static TypeTable parse(String text, Map<String, Struct> known) {
            return new TypeTableReader(text, known).table();
        }
    }
}
