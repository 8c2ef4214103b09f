package io.fairlead.hosted.controller;

import io.fairlead.hosted.kinds.data.ApiServicePriority;
import io.fairlead.hosted.kinds.data.LocalAvailability;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * What is done with the APIService of a name, by the label automanaged of the one that is there and of the one that is
 * wanted (kube-aggregator autoregister_controller.go, checkAPIService):
 *
 *                                     | none wanted   | wanted: onstart | wanted: true
 * ------------------------------------+---------------+-----------------+-------------
 * none there                          | -             | at the opening  | created
 * there, without the label            | -             | -               | -
 * there: onstart, made after opening  | -             | -               | -
 * there: onstart, at the opening      | deleted once  | spec set once   | spec set once
 * there: true                         | deleted       | spec set once   | spec set
 *
 * "Once" is for what was there at the opening and differed then. The opening itself creates those that are missing, by
 * objects(), so that what a client deletes or changes right after it is not undone. Unlike there, a built-in version
 * stays one if a definition adds a resource to it.
 */

/**
 * Keeps the APIServices of what a cluster serves itself: those of built-in versions are checked when the cluster is
 * opened, those of the versions of CustomResourceDefinitions always (kube-aggregator {@code controllers/autoregister},
 * kubernetes {@code controlplane/controller/crdregistration}). All that name no service are Available
 * (kube-aggregator {@code controllers/status/local}).
 *
 * <p>A definition counts from its creation until it is gone, whether it is established or not. An APIService without
 * the label {@code kube-aggregator.kubernetes.io/automanaged} keeps its spec.
 *
 * <p>Threads: what is known of definitions is the worker's, after construction.
 */
public final class LocalApiServices implements AutoCloseable {
    private static final String API_VERSION = "apiregistration.k8s.io/v1";
    private static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";

    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final Resources resources;
    private final Set<GroupVersion> builtIn;
    private final InstantSource clock;
    private final Caller caller = Caller.controller("autoregister");
    private final VersionsInDefinitions versions = new VersionsInDefinitions();
    /** The names whose APIService differed at the opening and is not settled yet. */
    private final Set<String> differing = new HashSet<>();

    private final KeyQueue queue;
    private final List<RevisionFeed.Following> following;

    /** Where the objects are stored. */
    public record Resources(ServedResource definitions, ServedResource apiServices) {}

    /** The values of the label that say what is managed here. */
    private enum Automanaged {
        ON_START("onstart"),
        CONTINUOUSLY("true");

        private final String text;

        Automanaged(String text) {
            this.text = text;
        }

        static @Nullable Automanaged of(ObjectNode apiService) {
            String text = Meta.labels(apiService).get(LABEL);
            for (Automanaged value : values()) {
                if (value.text.equals(text)) {
                    return value;
                }
            }
            return null;
        }
    }

    /**
     * Starts with the existing definitions and APIServices.
     *
     * @param builtIn the versions that the cluster serves without definitions
     */
    public LocalApiServices(
            RevisionedStore store,
            RevisionFeed log,
            ObjectWriter writer,
            Resources resources,
            Collection<GroupVersion> builtIn,
            InstantSource clock,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.writer = writer;
        this.resources = resources;
        this.builtIn = Set.copyOf(builtIn);
        this.clock = clock;
        this.queue = new KeyQueue("autoregister", this::reconcile, scheduler);
        this.following = List.of(
                log.follow(resources.definitions().prefix(), event -> queue.add(event.key()), revision -> {}),
                log.follow(resources.apiServices().prefix(), event -> queue.add(event.key()), revision -> {}));
        startWith(store.revision());
        queue.start();
    }

    /** What a cluster must have when it is opened, before this starts. */
    public static List<ObjectNode> objects(Collection<GroupVersion> builtIn) {
        return builtIn.stream()
                .distinct()
                .flatMap(version -> Stream.ofNullable(ofBuiltIn(version)))
                .toList();
    }

    @Override
    public void close() {
        following.forEach(RevisionFeed.Following::close);
        queue.close();
    }

    /** All definitions are known before any APIService is looked at: otherwise those of the rest would be deleted. */
    private void startWith(long revision) {
        ServedResource apiServices = resources.apiServices();
        store.forEach(resources.definitions().prefix(), revision, entry -> count(entry.key(), served(entry)));
        store.forEach(apiServices.prefix(), revision, entry -> {
            ObjectNode current = apiServices.read(entry);
            if (differs(current, wanted(Meta.name(current)))) {
                differing.add(Meta.name(current));
            }
            queue.add(entry.key());
        });
    }

    private boolean reconcile(String key) {
        if (key.startsWith(resources.definitions().prefix())) {
            Entry definition = store.get(key);
            count(key, definition == null ? Set.of() : served(definition));
            return true;
        }
        String name = key.substring(resources.apiServices().prefix().length());
        Entry entry = store.get(key);
        ObjectNode wanted = wanted(name);
        if (entry != null) {
            ObjectNode current = resources.apiServices().read(entry);
            settle(current, wanted, differing.contains(name));
            showAvailable(current);
        } else if (wanted != null && Automanaged.of(wanted) == Automanaged.CONTINUOUSLY) {
            create(wanted);
        }
        differing.remove(name);
        return true;
    }

    /** Queues the APIServices of what a definition began or ceased to serve. */
    private void count(String definition, Set<String> served) {
        versions.put(definition, served)
                .forEach(name -> queue.add(resources.apiServices().key("", name)));
    }

    private static boolean differs(ObjectNode current, @Nullable ObjectNode wanted) {
        boolean isSame = wanted != null && current.path("spec").equals(wanted.path("spec"));
        return Automanaged.of(current) != null && !isSame;
    }

    private void settle(ObjectNode current, @Nullable ObjectNode wanted, boolean differedAtStart) {
        boolean isOnlyAtStart = Automanaged.of(current) == Automanaged.ON_START
                || (wanted != null && Automanaged.of(wanted) == Automanaged.ON_START);
        if (!differs(current, wanted) || (isOnlyAtStart && !differedAtStart)) {
            return;
        }
        if (wanted == null) {
            delete(current);
        } else {
            update(current, "", object -> object.set("spec", wanted.path("spec")));
        }
    }

    private @Nullable ObjectNode wanted(String name) {
        int dot = name.indexOf('.');
        if (dot <= 0) {
            return null;
        }
        GroupVersion version = new GroupVersion(name.substring(dot + 1), name.substring(0, dot));
        if (builtIn.contains(version)) {
            return ofBuiltIn(version);
        }
        return versions.areServed(name)
                ? apiService(version, ApiServicePriority.OF_DEFINITIONS, Automanaged.CONTINUOUSLY)
                : null;
    }

    private void showAvailable(ObjectNode current) {
        if (current.path("spec").path("service").isObject()) {
            return;
        }
        update(current, "status", object -> LocalAvailability.show(object, clock.instant()));
    }

    private void create(ObjectNode wanted) {
        try {
            writer.create(caller, resources.apiServices(), "", wanted);
        } catch (StatusException e) {
            ignoreIfChanged(e);
        }
    }

    private void delete(ObjectNode current) {
        try {
            DeleteOptions options = new DeleteOptions(Meta.uid(current), null, Propagation.UNSET);
            writer.delete(caller, resources.apiServices(), "", Meta.name(current), options);
        } catch (StatusException e) {
            ignoreIfChanged(e);
        }
    }

    /** Changes an object unless it has changed since it was read. */
    private void update(ObjectNode current, String subresource, Consumer<ObjectNode> change) {
        ObjectNode wanted = current.deepCopy();
        change.accept(wanted);
        if (wanted.equals(current)) {
            return;
        }
        try {
            writer.update(
                    caller, resources.apiServices(), "", Meta.name(current), subresource, stored -> wanted.deepCopy());
        } catch (StatusException e) {
            ignoreIfChanged(e);
        }
    }

    /** An object that has changed, come or gone since it was read is looked at again: the log reports it. */
    private static void ignoreIfChanged(StatusException refusal) {
        if (!List.of(404, 409).contains(refusal.status().code())) {
            throw refusal;
        }
    }

    private static @Nullable ObjectNode ofBuiltIn(GroupVersion version) {
        ApiServicePriority priority = ApiServicePriority.ofBuiltIn(version);
        return priority == null ? null : apiService(version, priority, Automanaged.ON_START);
    }

    private static ObjectNode apiService(GroupVersion version, ApiServicePriority priority, Automanaged automanaged) {
        ObjectNode object = Json.object().put("kind", "APIService").put("apiVersion", API_VERSION);
        object.putObject("metadata")
                .put("name", version.version() + "." + version.group())
                .putObject("labels")
                .put(LABEL, automanaged.text);
        ObjectNode spec = object.putObject("spec");
        if (!version.group().isEmpty()) {
            spec.put("group", version.group());
        }
        spec.put("version", version.version())
                .put("groupPriorityMinimum", priority.groupPriorityMinimum())
                .put("versionPriority", priority.versionPriority());
        return object;
    }

    /** The names of the APIServices of a definition. */
    private static Set<String> served(Entry definition) {
        JsonNode spec = Json.read(definition.value()).path("spec");
        Set<String> names = new HashSet<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean(false)) {
                names.add(version.path("name").asString("") + "."
                        + spec.path("group").asString(""));
            }
        }
        return names;
    }

    /** Which versions definitions serve, by the names of their APIServices. */
    private static final class VersionsInDefinitions {
        private final Map<String, Set<String>> ofDefinitions = new HashMap<>();
        private final Map<String, Integer> definitionCounts = new HashMap<>();

        /** Replaces those of a definition; empty if it is gone. Returns those that it began or ceased to serve. */
        Set<String> put(String definition, Set<String> served) {
            Set<String> before = served.isEmpty()
                    ? ofDefinitions.remove(definition)
                    : ofDefinitions.put(definition, new HashSet<>(served));
            Set<String> changed = new HashSet<>(served);
            for (String name : before == null ? Set.<String>of() : before) {
                if (!changed.remove(name)) {
                    changed.add(name);
                }
            }
            for (String name : changed) {
                if (served.contains(name)) {
                    definitionCounts.merge(name, 1, Integer::sum);
                } else {
                    definitionCounts.computeIfPresent(name, (_, count) -> count == 1 ? null : count - 1);
                }
            }
            return changed;
        }

        boolean areServed(String name) {
            return definitionCounts.containsKey(name);
        }
    }
}
