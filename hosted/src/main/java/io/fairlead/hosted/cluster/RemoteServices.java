package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.ApiService;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the APIServices in the store that name services into served versions in the registry. The others are the cluster's own,
 * which is served without them.
 *
 * <p>Threads: only its follower's, after construction.
 */
final class RemoteServices implements Follower.Target {
    static final String PLURAL = "apiservices";

    /** That are kept; writes are refused far below. */
    private static final int KNOWN_MAX = 128;

    private static final Set<String> OWN = Set.of("", "apiregistration.k8s.io");
    private static final int HTTPS_PORT = 443;

    private final TypeRegistry types;

    /** Those in the registry: the names by the keys. */
    private final Map<String, String> known = new HashMap<>();

    /** Subscribes to APIServices. */
    RemoteServices(Follower follower, ServedResource services, TypeRegistry types) {
        this.types = types;
        follower.follow(services.prefix(), this);
    }

    @Override
    public void start(List<Entry> entries, long revision) {
        List<ApiService> initial = new ArrayList<>();
        for (Entry entry : entries) {
            read(entry).ifPresent(service -> {
                known.put(entry.key(), service.name());
                initial.add(service);
            });
        }
        types.start(initial);
    }

    @Override
    public void put(Entry entry) {
        Optional<ApiService> service = read(entry);
        if (service.isEmpty()) {
            remove(entry.key(), entry.revision());
            return;
        }
        known.put(entry.key(), service.get().name());
        types.put(service.get(), entry.revision());
    }

    @Override
    public void remove(String key, long revision) {
        String name = known.remove(key);
        if (name != null) {
            types.removeService(name, revision);
        }
    }

    /** Empty for one that names no service, and for what no backend may take over: the core group, and APIServices themselves. */
    private Optional<ApiService> read(Entry entry) {
        ObjectNode object = (ObjectNode) Json.read(entry.value());
        JsonNode spec = object.path("spec");
        JsonNode service = spec.path("service");
        if (!service.isObject() || OWN.contains(spec.path("group").asString(""))) {
            return Optional.empty();
        }
        if (known.size() >= KNOWN_MAX && !known.containsKey(entry.key())) {
            return Optional.empty();
        }
        boolean isNamed = Names.dns1123Subdomain(spec.path("group").asString(""))
                        .isEmpty()
                && Names.dns1035Label(spec.path("version").asString("")).isEmpty()
                && Names.dns1123Label(service.path("namespace").asString("")).isEmpty()
                && Names.dns1123Label(service.path("name").asString("")).isEmpty();
        if (!isNamed) {
            return Optional.empty(); // From before names were judged.
        }
        String bundle = spec.path("caBundle").asString("");
        return Optional.of(new ApiService(
                Meta.name(object),
                Meta.uid(object),
                entry.revision(),
                new GroupVersion(
                        spec.path("group").asString(""), spec.path("version").asString("")),
                spec.path("groupPriorityMinimum").asInt(0),
                spec.path("versionPriority").asInt(0),
                service.path("namespace").asString(""),
                service.path("name").asString(""),
                service.path("port").asInt(HTTPS_PORT),
                bundle.isEmpty() ? null : new String(Base64.getDecoder().decode(bundle), UTF_8),
                !spec.path("insecureSkipTLSVerify").asBoolean(false)));
    }
}
