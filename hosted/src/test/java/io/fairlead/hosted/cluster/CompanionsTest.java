package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes along with a deleted Service. Expected answers are those of a kube-apiserver 1.36 without controllers. */
class CompanionsTest extends EveryKindFixture {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints";

    @BeforeEach
    void createBoth() {
        api.create(SERVICES, "{metadata: {name: s}, spec: {ports: [{port: 80}]}}")
                .expect(201);
        api.create(ENDPOINTS, "{metadata: {name: s}}").expect(201);
        api.create(ENDPOINTS, "{metadata: {name: other}}").expect(201);
    }

    private void finalizers(String path, String finalizers) {
        api.merge(path, "{\"metadata\": {\"finalizers\": " + finalizers + "}}").expect(200);
    }

    @Test
    void endpointsOfADeletedService_areDeleted_andNoOthers() {
        api.delete(SERVICES + "/s").expect(200);

        assertThat(api.get(ENDPOINTS + "/s").code()).isEqualTo(404);
        assertThat(api.get(ENDPOINTS + "/other").code()).isEqualTo(200);
    }

    @Test
    void dryRun_deletesNeither() {
        api.delete(SERVICES + "/s?dryRun=All").expect(200);

        assertThat(api.get(SERVICES + "/s").code()).isEqualTo(200);
        assertThat(api.get(ENDPOINTS + "/s").code()).isEqualTo(200);
    }

    @Test
    void serviceWithAFinalizer_takesItsEndpointsAlong_onceItIsGone() {
        finalizers(SERVICES + "/s", "[\"example.com/f\"]");
        api.delete(SERVICES + "/s").expect(200);
        assertThat(api.get(ENDPOINTS + "/s").code()).isEqualTo(200);

        finalizers(SERVICES + "/s", "null");

        assertThat(api.get(SERVICES + "/s").code()).isEqualTo(404);
        assertThat(api.get(ENDPOINTS + "/s").code()).isEqualTo(404);
    }

    @Test
    void endpointsWithAFinalizer_areTerminating() {
        finalizers(ENDPOINTS + "/s", "[\"example.com/f\"]");

        api.delete(SERVICES + "/s").expect(200);

        assertThat(api.get(ENDPOINTS + "/s").expect(200).body().path("metadata").has("deletionTimestamp"))
                .isTrue();
    }

    @Test
    void serviceWithoutEndpoints_isDeleted() {
        api.delete(ENDPOINTS + "/s").expect(200);

        api.delete(SERVICES + "/s").expect(200);
    }
}
