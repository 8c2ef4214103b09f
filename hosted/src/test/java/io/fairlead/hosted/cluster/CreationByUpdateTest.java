package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiScope;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of what is missing. Expected answers are those of a kube-apiserver 1.36. */
class CreationByUpdateTest {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/x";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final HostedClusters clusters = new HostedClusters(
            new MemoryStore(),
            Fixture.settings(64, 64),
            HostedViews.factory(InstantSource.system()),
            List.of(),
            "CERTIFICATES",
            InstantSource.system(),
            scheduler);
    private final Api admin = new Api(clusters.open(Fixture.DEV));
    private final Api updater = admin.as(UserInfo.of("u", List.of(UserInfo.AUTHENTICATED)));

    @BeforeEach
    void allowUpdates() {
        admin.create(RBAC + "clusterroles", """
            metadata: {name: updater}
            rules: [{apiGroups: ["*"], resources: ["*"], verbs: [update, patch]}]
            """).expect(201);
        admin.create(RBAC + "clusterrolebindings", """
            metadata: {name: updater}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: updater}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: u}]
            """).expect(201);
    }

    @AfterEach
    void close() {
        clusters.close();
        scheduler.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "coordination.k8s.io | leases | '{metadata: {name: x}}'",
                "coordination.k8s.io | leases | '{metadata: {name: x, resourceVersion: \"5\"}}'",
                "'' | events | '{metadata: {name: x}, involvedObject: {namespace: default}}'",
                "rbac.authorization.k8s.io | roles | '{metadata: {name: x}}'",
                "rbac.authorization.k8s.io | rolebindings | '{metadata: {name: x}, roleRef: {apiGroup:"
                        + " rbac.authorization.k8s.io, kind: ClusterRole, name: updater}}'",
            })
    void replacement_ofWhatIsMissing_needsTheRightToCreate(String group, String resource, String object) {
        String path = (group.isEmpty() ? "/api" : "/apis/" + group) + "/v1/namespaces/default/" + resource + "/x";
        String qualified = group.isEmpty() ? resource : resource + "." + group;

        for (String dryRun : List.of("", "?dryRun=All")) {
            Answer refused = updater.replace(path + dryRun, object).expect(403);
            assertThat(refused.message())
                    .isEqualTo(qualified + " \"x\" is forbidden: User \"u\" cannot create resource \"" + resource
                            + "\" in API group \"" + group + "\" in the namespace \"default\"");
            assertThat(refused.at("/details/name")).isEqualTo("x");
        }
        admin.get(path).expect(404);
        admin.replace(path, object).expect(201);
        updater.merge(path, "{}").expect(200);
    }

    /** The rights of a user of another cluster are that cluster's. */
    @ParameterizedTest
    @ValueSource(strings = {"PUT application/json", "PATCH application/apply-patch+yaml"})
    void creation_byAUserOfAnotherCluster_isForThatClusterToAllow(String way) {
        List<RequestInfo> asked = new ArrayList<>();
        ApiRequest request = Api.request(
                way.substring(0, way.indexOf(' ')),
                LEASE + "?fieldManager=m",
                way.substring(way.indexOf(' ') + 1),
                "",
                """
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"}}
                """.getBytes(StandardCharsets.UTF_8));
        Consumer<RequestInfo> denies = creation -> {
            asked.add(creation);
            throw new StatusException(
                    Status.forbidden(UserInfo.of("u", List.of()), creation, "as the other cluster says"));
        };

        assertThat(status(request.ofOtherCluster(ApiScope.WHOLE, denies))).isEqualTo(403);
        admin.get(LEASE).expect(404);
        assertThat(asked).singleElement().satisfies(creation -> {
            assertThat(creation.verb()).isEqualTo("create");
            assertThat(creation.resource()).isEqualTo("leases");
            assertThat(creation.namespace()).isEqualTo("default");
        });
        assertThat(status(request.ofOtherCluster(ApiScope.WHOLE, asked::add))).isEqualTo(201);
        status(request.ofOtherCluster(ApiScope.WHOLE, denies));
        assertThat(asked).as("now there is nothing to create").hasSize(2);
    }

    private int status(ApiRequest request) {
        try {
            return ((ApiResponse.Whole) Routing.serve(clusters.open(Fixture.DEV), request)).status();
        } catch (StatusException refused) {
            return refused.status().code();
        }
    }

    @Test
    void replacement_thatIsInvalid_saysSoFirst() {
        updater.replace(LEASE, "{metadata: {name: x}, spec: {leaseDurationSeconds: -1}}")
                .expect(422);
        updater.replace(RBAC + "namespaces/nowhere/roles/x", "metadata: {name: x}")
                .expect(404);
    }

    @Test
    void replacement_ofAMissingIncarnation_isAConflict() {
        Answer refused = admin.replace(LEASE, "{metadata: {name: x, uid: z}}").expect(409);

        assertThat(refused.message()).contains("Precondition failed: UID in precondition: z, UID in object meta: ");
        admin.get(LEASE).expect(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "merge {}",
                "merge {\"spec\":{\"leaseDurationSeconds\":-1}}",
                "merge []",
                "merge {bad",
                "merge {\"a\":1,\"a\":2}",
                "merge {\"metadata\":{\"name\":\"y\"}}",
                "json []",
                "json [{\"op\":\"xx\"}]",
                "json {}",
                "strategic-merge {}",
                "strategic-merge []",
            })
    void patch_ofWhatIsMissing_isNotFound_whateverItSays(String patch) {
        String mediaType = "application/" + patch.substring(0, patch.indexOf(' ')) + "-patch+json";
        byte[] body = patch.substring(patch.indexOf(' ') + 1).getBytes(StandardCharsets.UTF_8);

        for (String path : List.of(
                LEASE,
                "/api/v1/namespaces/default/events/x",
                RBAC + "clusterroles/x",
                RBAC + "clusterrolebindings/x")) {
            admin.send("PATCH", path + "?fieldValidation=Strict", mediaType, body)
                    .expect(404);
            admin.get(path).expect(404);
        }
    }

    @Test
    void patch_ofWhatIsMissing_isRefusedForItsParametersFirst() {
        admin.merge(LEASE + "?dryRun=x", "{}").expect(422);
        admin.merge(LEASE + "?force=true", "{}").expect(422);
        admin.send("PATCH", LEASE, "text/plain", new byte[0]).expect(415);
    }
}
