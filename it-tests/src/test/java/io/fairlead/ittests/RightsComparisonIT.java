package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.TwinClusters.Answers;
import io.fairlead.ittests.TwinClusters.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What hosted clusters allow, deny and have no path for is what kube-apiserver does: for every kind of discovery, every shape
 * of a path, every method and subresource, and for random rights. No write is made: all are dry runs.
 */
final class RightsComparisonIT {
    private static final long SEED = 20261122;
    private static final int SAMPLE = 3_000;

    /** Rights follow a change in kube-apiserver a moment later. */
    private static final long FOLLOWS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WATCH");
    private static final KubeCluster.User NAMESPACE_ADMIN = user("nsadmin");
    private static final KubeCluster.User READER = user("reader");
    private static final KubeCluster.User OF_ONE_OBJECT = user("gus");
    private static final List<KubeCluster.User> SIX = Stream.of("ann", "bob", "cid", "dan", "eve", "fay")
            .map(RightsComparisonIT::user)
            .toList();
    private static final Pattern RESOURCE = Pattern.compile(
            "\\{\"name\":\"([a-z]+)(?:/([a-z]+))?\",\"singularName\":\"[^\"]*\",\"namespaced\":(?:true|false),"
                    + "(?:\"group\":\"[^\"]*\",\"version\":\"[^\"]*\",)?\"kind\":\"(\\w+)\"");
    private static final Pattern GROUP_VERSION = Pattern.compile("\"groupVersion\":\"([^\"]+)\"");
    private static final String OBJECTS = """
        {apiVersion: v1, kind: Namespace, metadata: {name: team}}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: other}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: present, namespace: team}}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: boats.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: boats, singular: boat, kind: Boat}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: docks.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {plural: docks, singular: dock, kind: Dock}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: all, namespace: team}
        rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: all, namespace: team}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: nsadmin}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: all}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: one, namespace: team}
        rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [present], verbs: [list, watch, deletecollection]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: one, namespace: team}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: gus}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: one}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: read}
        rules: [{apiGroups: ["*"], resources: ["*"], verbs: [get, list, watch]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: read}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: read}
        """;

    private static final TwinClusters TWINS = TwinClusters.start(
            "RightsComparisonIT",
            Stream.concat(Stream.of(TwinClusters.ADMIN, NAMESPACE_ADMIN, READER, OF_ONE_OBJECT), SIX.stream())
                    .toList());
    private static final List<DiscoveredKind> KINDS = new ArrayList<>();

    @BeforeAll
    static void define() throws Exception {
        TWINS.apply(OBJECTS);
        TWINS.kubectl("wait", "--for", "condition=Established", "crd", "--all");
        TreeSet<String> groupVersions = new TreeSet<>(List.of("v1"));
        GROUP_VERSION.matcher(hosted("/apis")).results().forEach(found -> groupVersions.add(found.group(1)));
        for (String groupVersion : groupVersions) {
            String base = (groupVersion.contains("/") ? "/apis/" : "/api/") + groupVersion;
            Map<String, DiscoveredKind> kinds = new TreeMap<>();
            for (MatchResult found : RESOURCE.matcher(hosted(base)).results().toList()) {
                if (found.group(2) == null) {
                    kinds.put(
                            found.group(1),
                            new DiscoveredKind(
                                    base,
                                    groupVersion,
                                    found.group(1),
                                    found.group(3),
                                    new ArrayList<>(List.of("status", "scale", "finalize", "bogus"))));
                }
            }
            KINDS.addAll(kinds.values());
        }
        assertThat(KINDS)
                .extracting(DiscoveredKind::plural)
                .contains("namespaces", "configmaps", "boats", "docks", "subjectaccessreviews");
    }

    @AfterAll
    static void stop() {
        TWINS.close();
    }

    @Test
    void everyPath_isAnsweredAsByKubeApiserver_inASample() throws Exception {
        List<Request> table = table();
        Collections.shuffle(table, new Random(SEED));
        assertAlike(table.subList(0, SAMPLE));
    }

    @Test
    @Tag("endurance")
    void everyPath_isAnsweredAsByKubeApiserver() throws Exception {
        assertAlike(table());
    }

    @Test
    void fieldSelector_namesTheObjectOfAListAndOfAWatch_andOfNoDeletion() throws Exception {
        List<String> allowed = new ArrayList<>();
        for (String method : List.of("GET", "WATCH", "DELETE")) {
            for (String selector : List.of("", "metadata.name%3Dpresent", "metadata.name%3Dmissing")) {
                Request request = new Request(
                        OF_ONE_OBJECT,
                        method.equals("WATCH") ? "GET" : method,
                        "/api/v1/namespaces/team/configmaps?fieldSelector=" + selector
                                + (method.equals("WATCH") ? "&watch=1&timeoutSeconds=5" : "&dryRun=All"),
                        "application/json",
                        "");
                Answers answers = askUntilAlike(request);
                assertThat(answers.hosted().status() == 403)
                        .as("%s: %s", request, answers)
                        .isEqualTo(answers.kube().status() == 403);
                if (answers.hosted().status() != 403) {
                    allowed.add(method + " " + selector);
                }
            }
        }
        assertThat(allowed).containsExactly("GET metadata.name%3Dpresent", "WATCH metadata.name%3Dpresent");
    }

    @Test
    void randomRequests_areAllowedAndDeniedAlike() throws Exception {
        compareRandomRights(200, 50);
    }

    @Test
    @Tag("endurance")
    void tenThousandRandomRequests_areAllowedAndDeniedAlike() throws Exception {
        compareRandomRights(10_000, 250);
    }

    private static void assertAlike(List<Request> requests) throws Exception {
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> differences = new ArrayList<>();
        for (Request request : requests) {
            Answers answers = askUntilReady(request);
            statuses.merge(answers.hosted().status(), 1, Integer::sum);
            if (answers.kube().status() != answers.hosted().status()) {
                differences.add(request + ": kube " + answers.kube() + ", hosted " + answers.hosted());
            }
        }
        assertThat(differences).as("of %s requests", requests.size()).isEmpty();
        assertThat(statuses).as("every kind of answer came").containsKeys(200, 201, 403, 404, 405);
    }

    /** kube-apiserver answers 429 while the storage of a new kind is being filled. */
    private static Answers askUntilReady(Request request) throws Exception {
        long endNanos = System.nanoTime() + FOLLOWS_WITHIN_NANOS;
        Answers answers = TWINS.ask(request);
        while (answers.kube().status() == 429 && System.nanoTime() - endNanos < 0) {
            pause();
            answers = TWINS.ask(request);
        }
        return answers;
    }

    private static List<Request> table() {
        List<Request> table = new ArrayList<>();
        for (DiscoveredKind kind : KINDS) {
            for (String path : paths(kind)) {
                for (String method : METHODS) {
                    for (KubeCluster.User user : List.of(TwinClusters.ADMIN, NAMESPACE_ADMIN, READER)) {
                        table.add(request(user, method, kind, path));
                    }
                }
            }
        }
        return table;
    }

    private static List<String> paths(DiscoveredKind kind) {
        List<String> paths = new ArrayList<>();
        for (String prefix : List.of("/", "/watch/", "/proxy/")) {
            for (String namespace : List.of("", "namespaces/team/")) {
                String collection = kind.base() + prefix + namespace + kind.plural();
                paths.add(collection);
                for (String name : List.of("/present", "/missing", "/team")) {
                    paths.add(collection + name);
                    kind.subresources().forEach(subresource -> paths.add(collection + name + "/" + subresource));
                    paths.add(collection + name + "/status/more");
                }
            }
        }
        return paths;
    }

    private static Request request(KubeCluster.User user, String method, DiscoveredKind kind, String path) {
        boolean watches = method.equals("WATCH") || path.contains("/watch/");
        String query = watches ? "?timeoutSeconds=5" + (method.equals("WATCH") ? "&watch=1" : "") : "?dryRun=All";
        String name = path.contains("/" + kind.plural() + "/missing")
                ? "missing"
                : path.endsWith("/team") ? "team" : "present";
        String body = switch (method) {
            case "POST", "PUT" -> kind.object(name);
            case "PATCH" -> "{}";
            default -> "";
        };
        return new Request(
                user,
                method.equals("WATCH") ? "GET" : method,
                path + (method.equals("GET") && !watches ? "" : query),
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json",
                body);
    }

    private static void compareRandomRights(int requests, int perRights) throws Exception {
        Random random = new Random(SEED);
        int denied = 0;
        for (int i = 0; i < requests; i++) {
            if (i % perRights == 0) {
                TWINS.apply(randomRights(random));
            }
            DiscoveredKind kind = pick(random, KINDS);
            Request request = request(pick(random, SIX), pick(random, METHODS), kind, pick(random, paths(kind)));
            Answers answers = askUntilAlike(request);
            boolean isDenied = answers.hosted().status() == 403;
            denied += isDenied ? 1 : 0;
            assertThat(isDenied)
                    .as("seed %s, request %s: %s: %s", SEED, i, request, answers)
                    .isEqualTo(answers.kube().status() == 403);
        }
        assertThat(denied).as("denied of %s", requests).isBetween(requests / 20, requests - requests / 20);
    }

    /** Both follow their rights a moment later; a difference that stays is one. */
    private static Answers askUntilAlike(Request request) throws Exception {
        long endNanos = System.nanoTime() + FOLLOWS_WITHIN_NANOS;
        Answers answers = askUntilReady(request);
        while ((answers.kube().status() == 403) != (answers.hosted().status() == 403)
                && System.nanoTime() - endNanos < 0) {
            pause();
            answers = askUntilReady(request);
        }
        return answers;
    }

    /** Three roles of each kind, each bound to a user or a group; later ones replace earlier ones of the same name. */
    private static String randomRights(Random random) {
        StringBuilder manifests = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            manifests.append(role(random, "ClusterRole", "random-" + i, ""));
            manifests.append(role(random, "Role", "random-" + i, ", namespace: team"));
        }
        for (int i = 0; i < 4; i++) {
            boolean wide = random.nextBoolean();
            // What a binding refers to cannot change, so that its name says it.
            String role = wide || random.nextBoolean() ? "ClusterRole" : "Role";
            int which = random.nextInt(3);
            String kind = wide ? "ClusterRoleBinding" : "RoleBinding";
            manifests.append("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %s
                metadata: {name: random-%s-%s%s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: %s}]
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: random-%s}
                ---
                """.formatted(
                    kind,
                    role.toLowerCase(Locale.ROOT),
                    which,
                    wide ? "" : ", namespace: " + pick(random, List.of("team", role.equals("Role") ? "team" : "other")),
                    random.nextBoolean()
                            ? "User, name: " + pick(random, SIX).name()
                            : "Group, name: "
                                    + pick(
                                            random,
                                            List.of("crew", pick(random, SIX).name() + "s")),
                    role,
                    which));
        }
        return manifests.toString();
    }

    private static String role(Random random, String kind, String name, String namespace) {
        List<String> rules = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            DiscoveredKind about = pick(random, KINDS);
            String subresource = pick(random, List.of("", "", "/status", "/*", "/scale"));
            String resource =
                    random.nextInt(3) == 0 ? "*" : about.plural() + (subresource.equals("/*") ? "" : subresource);
            String names = random.nextInt(4) == 0
                    ? ", resourceNames: [" + pick(random, List.of("present", "missing", "team")) + "]"
                    : "";
            rules.add("{apiGroups: [\"" + (random.nextInt(2) == 0 ? "*" : about.group()) + "\"], resources: [\""
                    + resource + "\"], verbs: [\"" + String.join("\", \"", verbs(random)) + "\"]" + names + "}");
        }
        return """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: %s
            metadata: {name: %s%s}
            rules: [%s]
            ---
            """.formatted(kind, name, namespace, String.join(", ", rules));
    }

    private static List<String> verbs(Random random) {
        if (random.nextInt(5) == 0) {
            return List.of("*");
        }
        List<String> verbs = new ArrayList<>();
        for (String verb : List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")) {
            if (random.nextBoolean()) {
                verbs.add(verb);
            }
        }
        return verbs.isEmpty() ? List.of("get") : verbs;
    }

    private static String hosted(String path) throws Exception {
        return TWINS.askHosted(new Request(TwinClusters.ADMIN, "GET", path, "application/json", ""))
                .body();
    }

    private static KubeCluster.User user(String name) {
        return new KubeCluster.User("token-of-" + name, name, "uid-of-" + name, name + "s", "crew");
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
}
