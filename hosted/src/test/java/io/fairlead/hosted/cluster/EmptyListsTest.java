package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Empty lists, which protobuf cannot tell from none. Expected answers are those of a kube-apiserver 1.36. */
class EmptyListsTest extends EveryKindFixture {
    private static final String LIMITS = "/api/v1/namespaces/default/limitranges";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    private static final String SLICE = """
        {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: x}, addressType: IPv4%s}\
        """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                LIMITS + " | v1 | LimitRange | spec: {limits: []} | /spec/limits",
                "/apis/storage.k8s.io/v1/csinodes | storage.k8s.io/v1 | CSINode | spec: {drivers: []} | /spec/drivers",
                SLICES
                        + " | discovery.k8s.io/v1 | EndpointSlice | addressType: IPv4, endpoints: [], ports: [] |"
                        + " /endpoints",
                SLICES
                        + " | discovery.k8s.io/v1 | EndpointSlice | addressType: IPv4, endpoints: [], ports: [] |"
                        + " /ports",
                "/apis/rbac.authorization.k8s.io/v1/clusterroles | rbac.authorization.k8s.io/v1 | ClusterRole | rules:"
                        + " [] | /rules",
                "/api/v1/namespaces/default/pods | v1 | Pod | spec: {containers: [{name: c, image: i}],"
                        + " volumes: [{name: v, projected: {sources: []}}]} | /spec/volumes/0/projected/sources",
            })
    void emptyList_isShownAsNull_whereGoWritesTheFieldAlways(
            String path, String version, String kind, String fields, String pointer) {
        String object = "{apiVersion: %s, kind: %s, metadata: {name: x}, %s}".formatted(version, kind, fields);

        assertThat(api.create(path + "?dryRun=All", object)
                        .expect(201)
                        .body()
                        .at(pointer)
                        .isNull())
                .isTrue();
        assertThat(api.create(path, object).expect(201).body().at(pointer).isNull())
                .isTrue();
        assertThat(api.get(path + "/x").expect(200).body().at(pointer).isNull()).isTrue();
        assertThat(apply(path + "/z", object.replace("name: x", "name: z"))
                        .at(pointer)
                        .isNull())
                .isTrue();
    }

    @Test
    void emptyListInsteadOfNone_changesNothing() {
        String revision = api.create(SLICES, SLICE.formatted("")).expect(201).at("/metadata/resourceVersion");

        ObjectNode replaced = api.replace(SLICES + "/x", SLICE.formatted(", endpoints: [], ports: []"))
                .expect(200)
                .body();

        assertThat(replaced.at("/metadata/generation").intValue()).isEqualTo(1);
        assertThat(replaced.at("/endpoints").isNull()).isTrue();
        assertThat(api.replace(SLICES + "/x", SLICE.formatted(", endpoints: [], ports: []"))
                        .expect(200)
                        .at("/metadata/resourceVersion"))
                .as("no write, except of who manages the lists")
                .isEqualTo(replaced.at("/metadata/resourceVersion").stringValue())
                .isNotEqualTo(revision);
    }

    @Test
    void emptyListInsteadOfNone_isNoChangeOfWhatMayNotChange() {
        String claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
        String claim = "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c%s}, spec: {devices:"
                + " {requests: []}}}";
        api.create(claims, claim.formatted("")).expect(201);

        api.replace(claims + "/c", claim.formatted(", labels: {a: b}")).expect(200);
    }

    private ObjectNode apply(String path, String configuration) {
        return api.send(
                        "PATCH",
                        path + "?fieldManager=ann",
                        "application/apply-patch+yaml",
                        configuration.getBytes(StandardCharsets.UTF_8))
                .expect(201)
                .body();
    }
}
