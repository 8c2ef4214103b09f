package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.NeverOpens;
import io.fairlead.fleet.informers.FakeServer;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules that deny in several clusters, of which some are attached or not known. */
final class ExclusiveKeyDenyClustersTest extends DenyFixture {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

    @Test
    void anAttachedCluster_onlyReports_butDeniesOthersWhatItHas() {
        FakeServer far = server("{\"metadata\": {\"namespace\": \"shop\", \"name\": \"old\", \"uid\": \"u\","
                + " \"resourceVersion\": \"5\"}, \"data\": {\"host\": \"a.example\"}}");
        others.put(FAR, far.entry(FAR, false));
        clusters.put(FAR, Map.of());
        create(EU, "none", "other: x");
        rule("hosts", DENY_MAPS + ", scope: Fleet, " + HOSTS);
        awaitEnforced("hosts", "True", "ReportedInAttachedClusters");
        eventually(
                "it is listed",
                () -> status("hosts").path("objects").asInt() >= 1
                        && create(EU, "probe?dryRun=All", "host: a.example").code() == 409);

        Answer denied = create(EU, "one", "host: a.example");

        assertThat(denied.code()).isEqualTo(409);
        assertThat(denied.message()).contains("is held elsewhere");
        assertThat(reservations()).isEmpty();
        assertThat(create(EU, "one", "host: b.example").code()).isEqualTo(201);
    }

    @Test
    void anAttachedClusterThatIsSilent_holdsUpNoWrite() {
        others.put(FAR, new FakeServer(_ -> {}).entry(FAR, false));
        clusters.put(FAR, Map.of());
        rule("hosts", DENY_MAPS + ", scope: Fleet, " + HOSTS);
        awaitEnforced("hosts", "True", "ReportedInAttachedClusters");

        assertThat(create(EU, "one", "host: a.example").code()).isEqualTo(201);
        assertThat(create(US, "two", "host: a.example").code()).isEqualTo(409);
    }

    @Test
    void aHostedClusterThatIsNotKnownYet_hasWritesWait_andRefused() {
        others.put(US, new ClusterEntry.Opening(US, new NeverOpens()));
        rule("hosts", DENY_MAPS + ", scope: Fleet, " + HOSTS);
        rule(
                "near",
                DENY_MAPS + ", scope: Cluster, key: '\"near\" in object.?data.orValue({}) ? object.data.near : null'");
        awaitEnforced("hosts", "Unknown", "NotKnownYet");

        Answer refused = create(EU, "one", "host: a.example");

        assertThat(refused.code()).isEqualTo(503);
        assertThat(refused.body().at("/details/retryAfterSeconds").asInt()).isEqualTo(1);
        assertThat(refused.body().at("/details/causes/0/reason").asString("")).isEqualTo("ExclusiveKeysNotKnown");
        others.remove(US);
        awaitEnforced("hosts", "True", "Enforced");
        assertThat(create(EU, "one", "host: a.example").code()).isEqualTo(201);
    }

    @Test
    void whatAnAuthorMayNotDelete_isNotDenied() {
        letWriteRules(AUTHOR);
        for (ClusterName name : List.of(EU, US)) {
            letDoWithMaps(name, "list, watch");
        }
        ruleBy(AUTHOR, "hosts", DENY_MAPS + ", scope: Fleet, " + HOSTS);
        awaitEnforced("hosts", "False", "AuthorForbidden");
        assertThat(condition("hosts", "Enforced").path("message").asString("")).contains("may not delete configmaps");

        assertThat(create(EU, "one", "host: a.example").code()).isEqualTo(201);
        assertThat(create(EU, "two", "host: a.example").code()).isEqualTo(201);
        assertThat(reservations()).isEmpty();

        for (ClusterName name : List.of(EU, US)) {
            RootCluster.send(cluster(name), "DELETE", ROLES + "/maps", "");
            letDoWithMaps(name, "list, watch, delete");
        }
        awaitEnforced("hosts", "True", "Enforced");
        assertThat(create(US, "three", "host: a.example").code()).isEqualTo(409);
    }

    private void letDoWithMaps(ClusterName cluster, String verbs) {
        RootCluster.send(
                cluster(cluster),
                "POST",
                ROLES,
                "{metadata: {name: maps}, rules: [{apiGroups: [''], resources: [configmaps], verbs: [" + verbs
                        + "]}]}");
        RootCluster.send(
                cluster(cluster),
                "POST",
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                "{metadata: {name: maps}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name:"
                        + " maps}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + AUTHOR.name()
                        + "}]}");
    }

    private static FakeServer server(String item) {
        return new FakeServer(answer -> {
            if (answer.target().contains("subjectaccessreviews")) {
                answer.of(201, "{\"kind\": \"SubjectAccessReview\", \"status\": {\"allowed\": true}}");
            } else if (!answer.target().contains("watch=1")) {
                answer.of(
                        200,
                        "{\"kind\": \"ConfigMapList\", \"metadata\": {\"resourceVersion\": \"5\"}, \"items\": [" + item
                                + "]}");
            } else {
                answer.of(200, "{\"type\": \"BOOKMARK\", \"object\": {\"metadata\": {\"resourceVersion\": \"6\"}}}\n");
            }
        });
    }
}
