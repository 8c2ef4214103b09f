package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Rules that deny ConfigMaps in the namespace {@code shop}. */
abstract class DenyFixture extends ExclusiveFixture {
    static final String RESERVATIONS = "/apis/fairlead.io/v1alpha1/keyreservations";
    static final ClusterName FAR = new ClusterName("far");
    static final String DENY_MAPS = ABOUT_MAPS + ", enforcement: Deny";

    /** Clusters that are no hosted ones which are open. */
    final Map<ClusterName, ClusterEntry> others = new ConcurrentHashMap<>();

    /** How many the thread that compares reservations still meets. */
    final AtomicInteger errorsOfSweep = new AtomicInteger();

    void end() {
        keys.close();
        informers.close();
    }

    @Override
    ClusterEntry lookup(ClusterName name) {
        if (Thread.currentThread().getName().equals("exclusive-reservations")) {
            fail(errorsOfSweep);
        }
        ClusterEntry other = others.get(name);
        return other == null ? super.lookup(name) : other;
    }

    static UserInfo user(String name) {
        return UserInfo.of(name, List.of(UserInfo.AUTHENTICATED));
    }

    /** One that is enforced. */
    void denying(String name, String rest) {
        rule(name, DENY_MAPS + ", " + rest);
        awaitEnforced(name, "True", "Enforced");
    }

    static String path(String name) {
        return "/api/v1/namespaces/shop/configmaps/" + name;
    }

    Answer create(ClusterName cluster, String name, String data) {
        return create(ADMIN, cluster, name, data);
    }

    Answer createBy(String user, ClusterName cluster, String name, String data) {
        return create(user(user), cluster, name, data);
    }

    Answer create(UserInfo user, ClusterName cluster, String name, String data) {
        int mark = name.indexOf('?');
        String query = mark < 0 ? "" : name.substring(mark);
        return RootCluster.send(
                cluster(cluster),
                user,
                "POST",
                "/api/v1/namespaces/shop/configmaps" + query,
                map(mark < 0 ? name : name.substring(0, mark), data));
    }

    /** By a user whom other clusters do not know. */
    Answer createInOneCluster(UserInfo user, ClusterName cluster, String name, String data) {
        return RootCluster.sendInOneCluster(
                cluster(cluster), user, "POST", "/api/v1/namespaces/shop/configmaps", map(name, data));
    }

    private static String map(String name, String data) {
        return "{metadata: {name: " + name + "}, data: {" + data + "}}";
    }

    Answer update(ClusterName cluster, String name, String data) {
        return RootCluster.send(
                cluster(cluster), "PUT", path(name), "{metadata: {name: " + name + "}, data: {" + data + "}}");
    }

    void delete(ClusterName cluster, String name) {
        RootCluster.send(cluster(cluster), "DELETE", path(name), "");
    }

    void awaitEnforced(String name, String status, String reason) {
        awaitCondition(name, "Enforced", status, reason);
    }

    JsonNode reservation(String holder) {
        return root.send(ADMIN, "GET", RESERVATIONS, "").body().path("items").values().stream()
                .filter(each -> each.at("/spec/holder/name").asString("").equals(holder))
                .findFirst()
                .orElseThrow();
    }

    /** The holders, in order. */
    List<String> reservations() {
        return root.send(ADMIN, "GET", RESERVATIONS, "").body().path("items").values().stream()
                .map(each -> each.at("/spec/holder/cluster").asString("") + "/"
                        + each.at("/spec/holder/name").asString(""))
                .sorted()
                .toList();
    }

    void awaitReservations(String... holders) {
        try {
            eventually(
                    "reservations of " + List.of(holders), () -> reservations().equals(List.of(holders)));
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + " but of " + reservations(), late);
        }
    }
}
