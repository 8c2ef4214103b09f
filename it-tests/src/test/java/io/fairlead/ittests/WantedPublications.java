package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which of the twelve groups are to be published, and whether the targets have exactly what that takes. */
final class WantedPublications {
    private final TwelveGroups clusters;
    private final Set<PublishedGroup> wanted = new LinkedHashSet<>();

    /** What each object looks like, by its key, as it was when all were published for the first time. */
    private final Map<String, JsonElement> shapes = new HashMap<>();

    /** The uids of the APIServices that nothing but Fairlead may have touched, by target and key. */
    private final Map<String, String> kept = new TreeMap<>();

    WantedPublications(TwelveGroups clusters) {
        this.clusters = clusters;
    }

    List<PublishedGroup> wanted() {
        return List.copyOf(wanted);
    }

    List<PublishedGroup> unwanted() {
        return PublishedGroup.ALL.stream()
                .filter(group -> !wanted.contains(group))
                .toList();
    }

    /** Publishes, without waiting for it. */
    void publish(Collection<PublishedGroup> groups) {
        if (!groups.isEmpty()) {
            clusters.publish(groups);
            wanted.addAll(groups);
        }
    }

    /** Takes back, without waiting for it. */
    void withdraw(Collection<PublishedGroup> groups) {
        clusters.withdraw(groups);
        wanted.removeAll(groups);
        groups.forEach(group -> forget(PublishedObjects.apiService(group)));
    }

    /** An APIService was deleted by other hands. */
    void forget(String apiService) {
        TwelveGroups.TARGETS.forEach(target -> kept.remove(target + "/" + apiService));
    }

    /** How many APIServices are the ones that they were, since they were seen first. */
    int keptCount() {
        return kept.size();
    }

    /** Returns when all is as it should be: publications, objects of the targets, and what they serve. */
    void await(String when, Duration timeout) {
        Await.untilNothing(when, timeout, this::wrong);
        checkUids();
    }

    /** Returns when the objects are as they should be, whether the targets have noticed that they are served or not. */
    void awaitObjects(String when, Duration timeout) {
        Await.untilNothing(when, timeout, () -> wrongObjects(clusters.publications(), false));
        checkUids();
    }

    /** What costs least is looked at first. */
    private String wrong() {
        Set<String> names = names(wanted);
        Map<String, String> current =
                names.stream().collect(Collectors.toMap(name -> name, _ -> DiscoveryNotes.CURRENT));
        for (String target : TwelveGroups.TARGETS) {
            Map<String, String> discovered = clusters.discovered(target);
            if (!discovered.equals(current)) {
                return target + " has in its discovery " + discovered + ", not " + names;
            }
        }
        SortedMap<String, JsonObject> publications = clusters.publications();
        if (!TwelveGroups.available(publications).equals(names)) {
            return "available are " + TwelveGroups.available(publications) + ", not " + names;
        }
        return wrongObjects(publications, true);
    }

    private String wrongObjects(SortedMap<String, JsonObject> publications, boolean areServed) {
        Set<String> names = names(wanted);
        if (!publications.keySet().equals(names)) {
            return "the publications are " + publications.keySet() + ", not " + names;
        }
        for (String target : TwelveGroups.TARGETS) {
            String difference = difference(target, publications, areServed);
            if (!difference.isEmpty()) {
                return target + " has " + difference;
            }
        }
        return "";
    }

    private String difference(String target, SortedMap<String, JsonObject> publications, boolean areServed) {
        PublishedObjects objects = clusters.objects(target, publications);
        Set<String> keys = keys();
        if (!objects.wanted().keySet().equals(keys)) {
            return objects.wanted().keySet() + ", not " + keys;
        }
        if (shapes.isEmpty() && wanted.size() == PublishedGroup.ALL.size()) {
            shapes.putAll(objects.wanted());
        }
        for (Map.Entry<String, JsonElement> object : objects.wanted().entrySet()) {
            if (!object.getValue().equals(shapes.get(object.getKey()))) {
                return object.getValue() + ", not " + shapes.get(object.getKey());
            }
        }
        Set<String> apiServices =
                wanted.stream().map(PublishedGroup::apiService).collect(Collectors.toSet());
        return !areServed || objects.available().equals(apiServices)
                ? ""
                : "available APIServices " + objects.available() + ", not " + apiServices;
    }

    /** An APIService of a group that was wanted all the time is still the same one. */
    private void checkUids() {
        SortedMap<String, JsonObject> publications = clusters.publications();
        for (String target : TwelveGroups.TARGETS) {
            Map<String, String> uids = clusters.objects(target, publications).uids();
            for (PublishedGroup group : wanted) {
                String key = PublishedObjects.apiService(group);
                String uid = String.valueOf(uids.get(key));
                assertThat(uid)
                        .as("the uid of %s in %s", key, target)
                        .isEqualTo(kept.computeIfAbsent(target + "/" + key, _ -> uid));
            }
        }
    }

    /** An APIService for each wanted group, and a Service with its slice for each source of one. */
    private Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        for (PublishedGroup group : wanted) {
            keys.add(PublishedObjects.apiService(group));
            keys.add(PublishedObjects.service(group.source()));
            keys.add(PublishedObjects.slice(group.source()));
        }
        return keys;
    }

    private static Set<String> names(Collection<PublishedGroup> groups) {
        return groups.stream().map(PublishedGroup::group).collect(Collectors.toCollection(TreeSet::new));
    }
}
