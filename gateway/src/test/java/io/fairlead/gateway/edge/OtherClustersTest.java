package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant who may enter two clusters tries to get into others, in hundreds of ways: none succeeds, and neither the answers nor the
 * times that they take tell whether there is a cluster of a name.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherClustersTest {
    private static final int WAYS_MIN = 200;

    /** What those who get in are shown. */
    private static final String VICTIMS = "shown-by-the-victim";

    /** A hosted cluster, an attached one, and none; names of one length, so that answers have one length. */
    private static final List<String> NAMES = List.of("hst1", "att1", "gone");

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final long SEED = 20_261_128;

    @SuppressWarnings("NullAway.Init") // set before the tests
    private WholeGateway gateway;

    @SuppressWarnings("NullAway.Init") // set before the tests
    private RawUpstream victim;

    @SuppressWarnings("NullAway.Init") // set before the tests
    private RawUpstream tenants;

    private final TestPki frontProxies = new TestPki();
    private String robot = "";

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        gateway = new WholeGateway(
                new TestPki(),
                folder,
                """
                token-of-mallory,mallory,2,"tenants"
                token-of-owner,owner,3,"owners"
                token-of-registrar,registrar,4,"registrars"
                """,
                Map.of(
                        "baseDomain",
                        "fleet.test",
                        "requestheader.clientCaFile",
                        Files.writeString(folder.resolve("front-proxy-ca"), frontProxies.caPem())));
        gateway.host("hst1");
        gateway.host("mine");
        gateway.create("/clusters/hst1" + MAPS, map("secret-of-the-victim", VICTIMS));
        victim = attached(
                "att1",
                "uid-of-att1",
                "token-for-att1",
                "",
                (_, out) ->
                        RawUpstream.respond(out, 200, "{\"kind\":\"ConfigMapList\",\"items\":[\"" + VICTIMS + "\"]}"));
        tenants = attached("mean", "uid-of-mean", "token-for-mean", ",\"tokenReview\":true", OtherClustersTest::vouch);
        for (String own : List.of("mine", "mean")) {
            gateway.admit("mallory", own);
        }
        gateway.bind("mallory", "mine", "cluster-admin");
        for (String cluster : List.of("hst1", "att1")) {
            gateway.admit("owner", cluster);
        }
        gateway.bind("owner", "hst1", "cluster-admin");
        String accounts = "/clusters/mine/api/v1/namespaces/default/serviceaccounts";
        gateway.bind("system:serviceaccount:default:robot", "mine", "cluster-admin");
        gateway.create(accounts, "{\"metadata\":{\"name\":\"robot\"}}");
        robot = Json.read(gateway.create(accounts + "/robot/token", "{\"spec\":{}}")
                        .body())
                .at("/status/token")
                .asString();
    }

    private RawUpstream attached(
            String name, String uid, String token, String more, PlayedApiServer.Answering answering) throws Exception {
        PlayedApiServer played = new PlayedApiServer(uid);
        played.answerOthers(answering);
        RawUpstream server = gateway.server(played);
        gateway.attach(name, server, token, more);
        gateway.awaitReady(name);
        return server;
    }

    /** The tenant's own cluster says of a token what the tenant likes. */
    private static void vouch(String request, OutputStream out) throws IOException {
        var token = Pattern.compile("\"reviewed-as-([^\"]*)\"").matcher(request);
        RawUpstream.respond(
                out,
                201,
                token.find()
                        ? "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"" + token.group(1)
                                + "\",\"groups\":[\"" + token.group(1) + "\"]}}}"
                        : "{\"status\":{\"allowed\":true}}");
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    @Test
    void noWay_leadsIntoAClusterOfOthers_orTellsWhetherItIsThere() throws Exception {
        Map<String, Ways.Way> ways = Ways.all();
        assertThat(ways).hasSizeGreaterThan(WAYS_MIN);
        Attacker mallory = new Attacker(gateway, "Authorization: Bearer token-of-mallory", robot);
        String before = state();

        List<String> failures = new ArrayList<>();
        for (Map.Entry<String, Ways.Way> way : ways.entrySet()) {
            failures.addAll(attempt(way.getKey(), way.getValue(), mallory));
        }

        assertThat(failures).isEmpty();
        assertThat(victim.received().toLowerCase(Locale.ROOT))
                .doesNotContain(Attacker.MARK, "impersonate-user", "mallory", "planted");
        assertThat(state()).isEqualTo(before);
    }

    /** The same ways are open to one who may enter: so the comparison can fail. */
    @Test
    void wayOfOneWhoMayEnter_isNoticed_byWhatIsShown_andByTheAnswerForANameThatIsNotThere() throws Exception {
        Attacker owner = new Attacker(gateway, "Authorization: Bearer token-of-owner", robot);

        for (String way : List.of("list by path", "list by header", "list by host", "HTTP/2: list by path")) {
            assertThat(attempt(way, Objects.requireNonNull(Ways.all().get(way)), owner))
                    .as(way)
                    .contains(way + ": hst1 is shown", way + ": att1 is shown")
                    .anyMatch(failure -> failure.startsWith(way + ": the answers differ"));
        }
        victim.forget();
    }

    private List<String> attempt(String name, Ways.Way way, Attacker attacker) throws Exception {
        List<String> failures = new ArrayList<>();
        Map<String, String> answers = new LinkedHashMap<>();
        for (String cluster : NAMES) {
            String answer = way.attempt(attacker, cluster);
            if (answer.contains(VICTIMS)) {
                failures.add(name + ": " + cluster + " is shown");
            }
            if (answer.equals("it stays open")) {
                failures.add(name + ": " + cluster + " keeps the connection");
            }
            answers.put(
                    cluster,
                    answer.replaceAll("(?i)" + cluster, "NAME").replace(Attacker.percentEncoded(cluster), "ENCODED"));
        }
        if (new TreeSet<>(answers.values()).size() > 1) {
            failures.add(name + ": the answers differ: " + answers);
        }
        return failures;
    }

    /** All that the hosted victim has. */
    private String state() throws IOException {
        StringBuilder state = new StringBuilder();
        for (String resource : List.of(
                MAPS,
                "/api/v1/namespaces",
                "/api/v1/secrets",
                "/api/v1/serviceaccounts",
                "/api/v1/events",
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings")) {
            Json.read(gateway.get("/clusters/hst1" + resource).body())
                    .path("items")
                    .forEach(item -> state.append(item.at("/metadata/uid").asString())
                            .append(' ')
                            .append(item.at("/metadata/resourceVersion").asString())
                            .append('\n'));
        }
        return state.toString();
    }

    /** One who may write registrations, and read no Secret, has none of another's credential sent to a server of their own. */
    @Test
    void registrar_pointsNoSecretOfOthers_atAServerOfTheirOwn() throws Exception {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/";
        gateway.create(rbac + "clusterroles", """
            {"metadata":{"name":"registrars"},"rules":[{"apiGroups":["fairlead.io"],"resources":["clusters","clusters/status"],
            "verbs":["create","update","patch","get","list","delete"]},{"apiGroups":[""],"resources":["secrets"],
            "resourceNames":["own"],"verbs":["get","create","update"]}]}
            """);
        gateway.create(rbac + "clusterrolebindings", """
            {"metadata":{"name":"registrars"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"registrar"}],
            "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"registrars"}}
            """);
        gateway.secret("own", Map.of("token", "token-of-the-thief"));
        gateway.create(
                WholeGateway.CLUSTERS, WholeGateway.cluster("thief", gateway.attached(tenants.url(), "own", "")));

        List<String> failures = new ArrayList<>();
        for (Map.Entry<String, String[]> way : waysOfARegistrar().entrySet()) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (String secret : List.of("att1", "gone")) {
                String[] request = Arrays.stream(way.getValue())
                        .map(line -> line.replace("{S}", secret))
                        .toArray(String[]::new);
                String[] lines = Arrays.copyOfRange(request, 3, request.length);
                RawAnswer answer = gateway.send(request[0], request[1], request[2], lines);
                if (answer.status() != 403) {
                    failures.add(way.getKey() + " " + secret + ": " + answer);
                }
                answers.put(secret, answer.status() + answer.body().replace(secret, "NAME"));
            }
            if (new TreeSet<>(answers.values()).size() > 1) {
                failures.add(way.getKey() + ": the answers differ: " + answers);
            }
        }
        assertThat(failures).isEmpty();
        assertThat(tenants.received()).contains("token-of-the-thief").doesNotContain("token-for-att1");
    }

    private Map<String, String[]> waysOfARegistrar() {
        String token = "Authorization: Bearer token-of-registrar";
        String own = WholeGateway.CLUSTERS + "/thief";
        String merge = "Content-Type: application/merge-patch+json";
        Map<String, String[]> ways = new LinkedHashMap<>();
        String created = WholeGateway.cluster("stolen", gateway.attached(tenants.url(), "{S}", ""));
        ways.put("create", new String[] {"POST", WholeGateway.CLUSTERS, created, token});
        ways.put("dry run", new String[] {"POST", WholeGateway.CLUSTERS + "?dryRun=All", created, token});
        ways.put("apply", new String[] {
            "PATCH",
            WholeGateway.CLUSTERS + "/stolen?fieldManager=m",
            created,
            token,
            "Content-Type: application/apply-patch+yaml"
        });
        ways.put("update that creates", new String[] {"PUT", WholeGateway.CLUSTERS + "/stolen", created, token});
        ways.put("update", new String[] {
            "PUT", own, WholeGateway.cluster("thief", gateway.attached(tenants.url(), "{S}", "")), token
        });
        for (String field : List.of("credentialSecretRef", "kubeconfigSecretRef", "caSecretRef")) {
            ways.put("patch of " + field, new String[] {
                "PATCH", own, "{\"spec\":{\"attached\":{\"" + field + "\":{\"name\":\"{S}\"}}}}", token, merge
            });
            ways.put("create with " + field, new String[] {
                "POST",
                WholeGateway.CLUSTERS,
                WholeGateway.cluster(
                        "stolen", gateway.attached(tenants.url(), "own", ",\"" + field + "\":{\"name\":\"{S}\"}")),
                token
            });
        }
        ways.put("JSON patch", new String[] {
            "PATCH",
            own,
            "[{\"op\":\"replace\",\"path\":\"/spec/attached/credentialSecretRef/name\",\"value\":\"{S}\"}]",
            token,
            "Content-Type: application/json-patch+json"
        });
        ways.put("CRD runtime", new String[] {
            "PATCH",
            own,
            "{\"spec\":{\"attached\":{\"crdRuntime\":{\"endpoints\":[\"" + tenants.url()
                    + "/x\"],\"credentialSecretRef\":{\"name\":\"{S}\"}}}}}",
            token,
            merge
        });
        ways.put("reading the Secret", new String[] {"GET", WholeGateway.SECRETS + "/{S}", "", token});
        ways.put("patching the Secret", new String[] {"PATCH", WholeGateway.SECRETS + "/{S}", "{}", token, merge});
        ways.put("replacing the Secret", new String[] {
            "PUT", WholeGateway.SECRETS + "/{S}", "{\"metadata\":{\"name\":\"{S}\"},\"data\":{}}", token
        });
        ways.put(
                "watching Secrets",
                new String[] {"GET", WholeGateway.SECRETS + "?watch=1&fieldSelector=metadata.name%3D{S}", "", token});
        return ways;
    }

    /** How often a refusal for one name is quicker than one for another: half of the times, as if by chance. */
    @Test
    void timesOfRefusals_doNotTellWhetherThereIsACluster() throws Exception {
        try (RawClient client = gateway.client()) {
            for (String request : List.of(
                    "GET /clusters/{N}" + MAPS + " HTTP/1.1|",
                    "GET " + MAPS + " HTTP/1.1|X-Kubernetes-Cluster: {N}|",
                    "DELETE /clusters/{N}" + MAPS + "/x HTTP/1.1|",
                    "GET /fairlead/v1/clusters/{N} HTTP/1.1|")) {
                Refusals times = Refusals.of(
                        client,
                        NAMES,
                        SEED,
                        name -> request.replace("{N}", name).replace("|", "\r\n")
                                + "Host: localhost\r\nAuthorization: Bearer token-of-mallory\r\n\r\n");

                assertThat(times.quicker("hst1", "gone")).as(request).isBetween(0.35, 0.65);
                assertThat(times.quicker("att1", "gone")).as(request).isBetween(0.35, 0.65);
            }
        }
    }

    /** The first request of a caller, of whom nothing is remembered: a front proxy names another one each time. */
    @Test
    void timesOfTheFirstRefusals_doNotTellWhetherThereIsACluster() throws Exception {
        AtomicInteger callers = new AtomicInteger();
        try (RawClient proxy = gateway.client(frontProxies.client("CN=front-proxy"), null)) {
            Refusals times = Refusals.of(
                    proxy,
                    NAMES,
                    SEED,
                    name -> "GET /clusters/" + name + MAPS + " HTTP/1.1\r\nHost: localhost\r\nX-Remote-User: stranger-"
                            + callers.incrementAndGet() + "\r\n\r\n");

            assertThat(times.quicker("hst1", "gone")).isBetween(0.35, 0.65);
            assertThat(times.quicker("att1", "gone")).isBetween(0.35, 0.65);
        }
    }

    /** An answer that comes a stage earlier is told from the others, by as many requests; a busy machine may hide it at times. */
    @Test
    void timeOfAnEarlierAnswer_isToldApart() throws Exception {
        List<Double> shares = new ArrayList<>();
        try (RawClient client = gateway.client()) {
            while (shares.size() < 4 && shares.stream().noneMatch(share -> share > 0.65)) {
                Refusals times = Refusals.of(
                        client,
                        List.of("entering", "malformed"),
                        SEED,
                        name -> "GET /clusters/" + (name.equals("entering") ? "gone" : "Gone") + MAPS
                                + " HTTP/1.1\r\nHost: localhost\r\n"
                                + "Authorization: Bearer token-of-mallory\r\n\r\n");
                shares.add(times.quicker("malformed", "entering"));
            }
        }

        assertThat(shares).anyMatch(share -> share > 0.65);
    }

    private static String map(String name, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\"},\"data\":{\"a\":\"" + value + "\"}}";
    }
}
