package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** An attached and a hosted cluster that define the same boats, behind an edge where pins can be put in force. */
final class BoatFleet implements AutoCloseable {
    static final ClusterName PROD = new ClusterName("prod");
    static final ClusterName DEV = new ClusterName("dev");
    static final TypeDigest API = digest("api");
    static final TypeDigest OTHER_API = digest("another api");
    static final TypeDigest SCHEMA = digest("schema of v1");
    static final String BOATS = "/clusters/prod/apis/example.com/v1/namespaces/default/boats";
    static final String IN_DEV = BOATS.replace("prod", "dev");
    private static final String NO_BODY = "Content-Length: 0";

    final TestEdge edge = new TestEdge();
    final RawUpstream prod = edge.attach("prod");
    final FakeHosted dev = edge.host("dev");
    private final Map<ClusterName, ClusterLedger> ledgers = new HashMap<>();

    BoatFleet() throws Exception {
        define(PROD, type(API), "");
        define(DEV, type(API), "");
    }

    @Override
    public void close() throws IOException {
        edge.close();
    }

    RawAnswer post(String path, String... lines) throws Exception {
        return exchange("POST", path, Stream.concat(Stream.of(NO_BODY), Stream.of(lines)));
    }

    RawAnswer get(String path, String... lines) throws Exception {
        return exchange("GET", path, Stream.of(lines));
    }

    RawAnswer exchange(String method, String path) throws Exception {
        return exchange(method, path, Stream.of(NO_BODY));
    }

    private RawAnswer exchange(String method, String path, Stream<String> lines) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(
                    method, path, Stream.concat(Stream.of(TestEdge.JANE), lines).toArray(String[]::new));
        }
    }

    /** The methods of all requests that prod received. */
    List<String> requests() {
        return prod.received()
                .lines()
                .filter(line -> line.endsWith(" HTTP/1.1"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    void define(ClusterName cluster, DefinedType type, String implementation) {
        Holder crd = new Holder(
                HolderType.CRD,
                "boats.example.com",
                "uid",
                "",
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("boats"))),
                type,
                implementation);
        ledger(cluster).relist(EnumSet.of(HolderType.CRD, HolderType.API_SERVICE), List.of(crd), "");
    }

    void aggregate(String version, String group) {
        ledger(PROD)
                .upsert(new Holder(
                        HolderType.API_SERVICE,
                        version + "." + group,
                        "uid-of-service",
                        "",
                        List.of(Contribution.unlisted(new GroupVersion(group, version))),
                        null,
                        ""));
    }

    ClusterLedger ledger(ClusterName cluster) {
        return ledgers.computeIfAbsent(
                cluster, name -> edge.index.open(name, EnumSet.of(HolderType.CRD, HolderType.API_SERVICE)));
    }

    DefinedType type(TypeDigest api) {
        return new DefinedType(
                "example.com",
                "Boat",
                edge.index.types().keep(api, () -> api.text().getBytes(UTF_8)),
                digest("full"),
                List.of(new DefinedVersion("v1", SCHEMA), new DefinedVersion("v2", digest("schema of v2"))),
                true);
    }

    static String header(TypeDigest digest) {
        return "Fairlead-Type-Digest: " + digest;
    }

    private static TypeDigest digest(String of) {
        return TypeDigest.of(of.getBytes(UTF_8));
    }
}
