package io.fairlead.ittests;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.yaml.snakeyaml.Yaml;

/** The kinds of which requests are generated, each with objects that are valid or nearly so. */
final class GeneratedKinds {
    private static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .serializeNulls()
            .create();
    /** Kinds that kube-apiserver itself acts on, or that change what it serves: nothing of them is stored. */
    private static final Set<String> NEVER_STORED = Set.of(
            "APIService",
            "CustomResourceDefinition",
            "FlowSchema",
            "PriorityLevelConfiguration",
            "ServiceCIDR",
            "IPAddress",
            "Namespace");
    /** Kinds whose names say something. */
    private static final Set<String> OWN_NAMES = Set.of("APIService", "CustomResourceDefinition", "IPAddress");

    private final List<Kind> kinds;

    private GeneratedKinds(List<Kind> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** A kind with its objects. */
    record Kind(ServedResources.Served resource, String kind, List<JsonObject> samples) {
        boolean isStored() {
            return !NEVER_STORED.contains(kind);
        }

        boolean isCustom() {
            return resource.apiVersion().startsWith("generated.example.com/");
        }

        /** The names of objects; few, so that requests meet. */
        List<String> names() {
            return OWN_NAMES.contains(kind)
                    ? List.of(samples.getFirst()
                            .getAsJsonObject("metadata")
                            .get("name")
                            .getAsString())
                    : List.of("x", "y");
        }
    }

    static GeneratedKinds of(TwinClusters twins) throws Exception {
        ServedResources resources = ServedResources.of(twins);
        Map<String, Kind> kinds = new LinkedHashMap<>();
        for (String file : List.of("data-objects.yaml", "generated-objects.yaml")) {
            for (Object read : new Yaml().loadAll(text(file))) {
                JsonObject object = GSON.toJsonTree(read).getAsJsonObject();
                String name = object.getAsJsonObject("metadata").get("name").getAsString();
                if (name.toLowerCase(Locale.ROOT).startsWith("bad")) {
                    continue;
                }
                String kind = object.get("kind").getAsString();
                kinds.computeIfAbsent(
                                object.get("apiVersion").getAsString() + " " + kind,
                                key -> new Kind(resources.of(object), kind, new ArrayList<>()))
                        .samples()
                        .add(object);
            }
        }
        return new GeneratedKinds(List.copyOf(kinds.values()));
    }

    /** A resource of this test as it is. */
    static String text(String file) {
        try (InputStream in = Objects.requireNonNull(GeneratedKinds.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    List<Kind> all() {
        return kinds;
    }

    List<Kind> custom() {
        return kinds.stream().filter(Kind::isCustom).toList();
    }
}
