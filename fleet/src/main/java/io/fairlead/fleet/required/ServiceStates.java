package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.ObjectListener;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The APIServices of a cluster that it requires, as they are now; others are not kept.
 *
 * <p>Threads: one of the informers tells; any reads.
 */
final class ServiceStates implements ObjectListener {
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

    /** Whether one is available; empty if there is none of that name. */
    Optional<Finding> of(String name) {
        synchronized (available) {
            return Optional.ofNullable(available.get(name));
        }
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
