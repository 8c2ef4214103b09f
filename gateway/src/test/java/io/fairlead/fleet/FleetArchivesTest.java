package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveReader;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Archives are for those who may read all that is in them, and imports make clusters of names that are free. */
final class FleetArchivesTest extends FleetFixture {
    private static final String EXPORT = "/fairlead/v1/clusters/dev/export";
    private static final String BACKUP = "/fairlead/v1/store/backup";
    private static final String IMPORTS = "/apis/fairlead.io/v1alpha1/clusterimports";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    @Test
    void archive_isForThoseWithTheRight_andNotForAllWhoMayEnter() throws Exception {
        assertThat(refusal(JANE, "GET", EXPORT).message()).doesNotContain("export");
        allow("enter", "access", "clusters", "fairlead.io");
        eventually(
                "jane may enter", () -> refusal(JANE, "GET", EXPORT).message().contains("clusters/export"));
        assertThat(refusal(JANE, "GET", EXPORT).code()).isEqualTo(403);

        allow("export", "get", "clusters/export", "fairlead.io");

        eventually("jane may export", () -> isServed(JANE, EXPORT));
        assertThat(refusal(JANE, "GET", BACKUP).code()).isEqualTo(403);
        assertThat(entries(ROOT, BACKUP, ArchiveHeader.Content.STORE)).anyMatch(key -> key.startsWith("/clusters/"));
        assertThat(entries(JANE, EXPORT, ArchiveHeader.Content.CLUSTER)).contains("core/namespaces/default");
    }

    @Test
    void callersOfAClusterAndOfAPublication_getNone() {
        for (Identity caller : List.of(
                new Identity.OfCluster(DEV, "voucher", UserInfo.of("masters", List.of(UserInfo.MASTERS))),
                new Identity.OfCluster(
                        ClusterName.ROOT, "voucher", UserInfo.of("masters", List.of(UserInfo.MASTERS))))) {
            assertThat(refusal(caller, "GET", EXPORT).code()).isEqualTo(403);
            assertThat(refusal(caller, "GET", BACKUP).code()).isEqualTo(403);
        }
    }

    @Test
    void whatHasNoData_isNotFound_andNothingElseThanGetIsServed() {
        assertThat(refusal(ROOT, "GET", "/fairlead/v1/clusters/none/export").code())
                .isEqualTo(404);
        assertThat(refusal(ROOT, "POST", EXPORT).code()).isEqualTo(405);
        assertThat(refusal(ROOT, "HEAD", EXPORT).code()).isEqualTo(405);
        assertThat(refusal(ROOT, "DELETE", BACKUP).code()).isEqualTo(405);
    }

    @Test
    void fewArchivesAreWrittenAtOnce_andOneThatEndsMakesRoom() {
        List<ApiResponse> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(api.serve(request(admin(i / 2), "GET", EXPORT)));
        }

        assertThat(refusal(admin(0), "GET", BACKUP).message()).contains("2 for a caller");
        assertThat(refusal(admin(2), "GET", EXPORT).code()).isEqualTo(429);
        open.add(api.serve(request(admin(2), "GET", BACKUP)));
        open.getFirst().discard();
        open.getFirst().discard();
        open.add(api.serve(request(admin(2), "GET", EXPORT)));
        assertThat(refusal(admin(3), "GET", EXPORT).code()).isEqualTo(429);
        open.forEach(ApiResponse::discard);
        assertThat(isServed(admin(3), EXPORT)).isTrue();
    }

    @Test
    void registeredName_isRefused_andADryRunStoresNothing() throws Exception {
        byte[] archive = archive();

        assertThat(root.send(ADMIN, "POST", IMPORTS, part("dev", archive)).code())
                .isEqualTo(409);
        assertThat(root.send(ADMIN, "POST", IMPORTS, part("root", archive)).code())
                .isEqualTo(422);
        root.send(ADMIN, "POST", IMPORTS + "?dryRun=All", part("copy", archive));
        assertThat(root.hosted.stored()).doesNotContain(new ClusterName("copy"));

        assertThat(root.send(ADMIN, "POST", IMPORTS, part("copy", archive)).code())
                .isEqualTo(201);
        assertThat(root.hosted.stored()).contains(new ClusterName("copy"));
        register("copy", "{hosted: {}}");
        awaitReady("copy", "True", "Ready");
    }

    private static Identity admin(int number) {
        return new Identity.OfGateway(UserInfo.of("admin-" + number, List.of(UserInfo.MASTERS)));
    }

    private boolean isServed(Identity caller, String path) {
        try {
            api.serve(request(caller, "GET", path)).discard();
            return true;
        } catch (StatusException refused) {
            return false;
        }
    }

    private List<String> entries(Identity caller, String path, ArchiveHeader.Content content) throws Exception {
        List<String> keys = new ArrayList<>();
        ArchiveReader reader = new ArchiveReader(content, (entry, _) -> keys.add(entry.key()));
        byte[] archive = ((ApiResponse.Pieces) api.serve(request(caller, "GET", path))).join();
        reader.accept(archive, 0, archive.length);
        reader.end();
        return keys;
    }

    private byte[] archive() throws Exception {
        return ((ApiResponse.Pieces) api.serve(request(ROOT, "GET", EXPORT))).join();
    }

    private static String part(String name, byte[] archive) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: ClusterImport, metadata: {name: " + name
                + "}, spec: {offset: 0, last: true, data: "
                + Base64.getEncoder().encodeToString(archive) + "}}";
    }

    private void allow(String name, String verb, String resource, String group) {
        root.create(
                RBAC + "clusterroles",
                "{metadata: {name: " + name + "}, rules: [{apiGroups: [" + group + "], resources: [" + resource
                        + "], resourceNames: [dev], verbs: [" + verb + "]}]}");
        root.create(
                RBAC + "clusterrolebindings",
                "{metadata: {name: " + name
                        + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + name
                        + "}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
    }
}
