package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The messages were taken from a kube-apiserver 1.36. */
class ForbiddenStatusTest {
    private static final UserInfo JANE = UserInfo.of("jane", List.of());

    @Test
    void forbidden_inANamespace_namesIt() {
        Status status = Status.forbidden(JANE, resource("update", "apps", "deployments", "scale", "kube-system"), "");

        assertThat(status.message())
                .isEqualTo("deployments.apps \"a\" is forbidden: User \"jane\" cannot update resource"
                        + " \"deployments/scale\" in API group \"apps\" in the namespace \"kube-system\"");
        assertThat(status.code()).isEqualTo(403);
        assertThat(status.details()).isEqualTo(new Status.Details("a", "apps", "deployments", "", List.of(), 0));
    }

    @Test
    void forbidden_withAReason_endsWithIt() {
        assertThat(Status.forbidden(JANE, resource("get", "", "nodes", "", ""), "RBAC: why")
                        .message())
                .isEqualTo("nodes \"a\" is forbidden: User \"jane\" cannot get resource \"nodes\" in API group \"\""
                        + " at the cluster scope: RBAC: why");
    }

    @Test
    void forbidden_ofAPath_namesThePathWithoutMarkup() {
        assertThat(Status.forbidden(JANE, RequestInfo.nonResource("/<b>", "get"), "")
                        .message())
                .isEqualTo("forbidden: User \"jane\" cannot get path \"/&lt;b&gt;\"");
    }

    private static RequestInfo resource(
            String verb, String group, String resource, String subresource, String namespace) {
        return new RequestInfo(true, "/", verb, "apis", group, "v1", namespace, resource, subresource, "a", "");
    }
}
