package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.ObjectListener;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The APIServices of a cluster that it requires, as they are now; others are not kept.
 *
 * <p>Threads: one of the informers tells; any reads.
 */
final class ServiceStates implements ObjectListener {
    /** A version as Kubernetes' own are named; others are possible, but most often a part is missing. */
    private static final Pattern VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");

    private final Set<String> names;
    private final Runnable changed;

    /** Guarded by itself. */
    private final Map<String, Finding> available = new HashMap<>();

    /** Those that the list which runs has shown; guarded by {@link #available}. */
    private final Set<String> listed = new HashSet<>();

    /** @param changed called after a change of one; must not block */
    ServiceStates(Set<String> names, Runnable changed) {
        this.names = names;
        this.changed = changed;
    }

    /** Whether one is available. */
    Finding of(String name) {
        synchronized (available) {
            Finding known = available.get(name);
            return known == null ? absent(name) : known;
        }
    }

    private static Finding absent(String name) {
        String version = name.substring(0, name.indexOf('.'));
        return Finding.no(
                "APIServiceNotFound",
                VERSION.matcher(version).matches()
                        ? "it is not there"
                        : "it is not there (expected VERSION.GROUP, for example v1.example.com)");
    }

    @Override
    public void listing() {
        synchronized (available) {
            listed.clear();
        }
    }

    @Override
    public void seen(JsonNode object) {
        String name = name(object);
        if (names.contains(name)) {
            Finding now = ApiServiceCondition.available(object);
            boolean isNews;
            synchronized (available) {
                isNews = !now.equals(available.put(name, now));
                listed.add(name);
            }
            tellIf(isNews);
        }
    }

    @Override
    public void removed(JsonNode object) {
        boolean isNews;
        synchronized (available) {
            isNews = available.remove(name(object)) != null;
        }
        tellIf(isNews);
    }

    @Override
    public void listed(String resourceVersion) {
        synchronized (available) {
            available.keySet().retainAll(listed);
        }
        changed.run();
    }

    private void tellIf(boolean isNews) {
        if (isNews) {
            changed.run();
        }
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asString("");
    }
}
