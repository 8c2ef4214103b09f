package io.fairlead.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.config.Configuration;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.FairleadVersion;
import io.fairlead.schema.json.Json;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Examines a running server: its certificate, the caller's credential and rights, its clock, version and readiness. */
final class ServerExamination {
    /** The text of the store check for a full disk. */
    private static final String SHORT_OF_ROOM = "[+]store ok: ";

    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    private final Examination examination;
    private final FairleadClient client;

    ServerExamination(Examination examination, FairleadClient client) {
        this.examination = examination;
        this.client = client;
    }

    /** Examines everything, and returns how far the server's clock is ahead of the local one. */
    Duration examine() throws CommandFailure, StatusFailure {
        HttpResponse<byte[]> response = client.fetch(Paths.VERSION);
        Instant heard = Instant.now();
        JsonNode version = Json.read(response.body());
        examination.ok("server", "answers at " + client.origin());
        servingCertificate(response);
        Duration ahead = clock(version, heard);
        version(version.path("version").asString(""));
        defaultCluster(version.path("defaultCluster").asString(""));
        readiness();
        rights();
        secretsNamespace();
        return ahead;
    }

    private void servingCertificate(HttpResponse<byte[]> response) {
        List<X509Certificate> chain =
                response.sslSession().stream().flatMap(ServerExamination::peer).toList();
        examination.certificates(
                "server: certificate",
                chain,
                "replace the files of --tls-cert-file; the server renews one that it made itself");
    }

    private static Stream<X509Certificate> peer(SSLSession session) {
        try {
            return Stream.of(session.getPeerCertificates())
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast);
        } catch (SSLPeerUnverifiedException none) {
            return Stream.empty();
        }
    }

    /** Examines the caller's own credential without a request. */
    static void credential(Examination examination, Target target) {
        if (target.clientCertificate() == null) {
            examination.ok("kubeconfig: credential", "is a token");
            return;
        }
        try {
            examination.certificates(
                    "kubeconfig: certificate",
                    ClientTls.x509(target.clientCertificate()),
                    "restart the server if it is the admin.kubeconfig of its data directory, which a start renews;"
                            + " else get a new certificate");
        } catch (GeneralSecurityException unreadable) {
            examination.error("kubeconfig: certificate", "cannot be read", "get a new kubeconfig");
        }
    }

    private Duration clock(JsonNode version, Instant heard) {
        try {
            Duration ahead =
                    Duration.between(heard, Instant.parse(version.path("time").asString("")));
            examination.clock("server: clock", ahead);
            return ahead;
        } catch (DateTimeParseException untold) {
            examination.warning("server: clock", "is not told", "the server is older than this command");
            return Duration.ZERO;
        }
    }

    private void version(String version) {
        if (version.equals(FairleadVersion.NUMBER)) {
            examination.ok("server: version", "is " + version);
        } else {
            examination.warning(
                    "server: version",
                    "is " + version + ", this command is " + FairleadVersion.NUMBER,
                    "use commands and server of one version");
        }
    }

    private void defaultCluster(String cluster) {
        if (cluster.equals(Configuration.Selection.NO_CLUSTER)) {
            examination.ok("server: default cluster", "is none: a request that names no cluster is refused");
        } else if (!cluster.isEmpty()) {
            examination.ok(
                    "server: default cluster",
                    "is \"" + cluster
                            + "\", also for clients that drop the path of a server's URL (kubectl proxy, and kubectl"
                            + " before 1.34 with --raw); --selection-default-cluster none refuses them");
        }
    }

    private void readiness() throws CommandFailure {
        HttpResponse<byte[]> response = client.fetch("/readyz?verbose");
        List<String> lines = new String(response.body(), UTF_8).lines().toList();
        boolean told = false;
        for (String line : lines) {
            if (line.startsWith(SHORT_OF_ROOM)) {
                examination.error(
                        "server: disk",
                        line.substring(SHORT_OF_ROOM.length()),
                        "make room on the disk that holds its data directory; nothing has to be restarted");
            } else if (line.startsWith("[-]")) {
                examination.error("server: readiness", line.substring(3), "the server's log says why");
                told = true;
            } else if (line.startsWith("[+]") && line.contains(" ok: ")) {
                examination.warning("server: readiness", line.substring(3), "the server's log says which");
                told = true;
            }
        }
        if (!told) {
            examination.ok("server: readiness", "is ready");
        }
    }

    private void rights() throws CommandFailure, StatusFailure {
        if (mayCreate("fairlead.io", "clusters", "") && mayCreate("", "secrets", "fairlead-system")) {
            examination.ok("server: rights", "allow you to register clusters");
        } else {
            examination.warning(
                    "server: rights",
                    "do not allow you to register clusters",
                    "fine for a user of clusters; an administrator needs create on clusters.fairlead.io, and on secrets"
                            + " in namespace fairlead-system, in cluster root");
        }
    }

    /** Without this right, credentials cannot be read or clusters attached. */
    private void secretsNamespace() throws CommandFailure {
        if (client.fetch("/clusters/root/api/v1/namespaces/fairlead-system").statusCode() == 404) {
            examination.error(
                    "server: credentials",
                    "of attached clusters are gone: cluster root has no namespace fairlead-system",
                    "restart the server, which makes it again; then give each attached cluster its credential with"
                            + " 'fairlead cluster attach NAME --replace --from-kubeconfig FILE'");
        }
    }

    private boolean mayCreate(String group, String resource, String namespace) throws CommandFailure, StatusFailure {
        try {
            return allowed(client, "/clusters/root", "create", group, resource, namespace);
        } catch (StatusFailure refused) {
            if (refused.code() == 403) {
                return false;
            }
            throw refused;
        }
    }

    /** Whether the caller has a right in a cluster. */
    static boolean allowed(
            FairleadClient client, String cluster, String verb, String group, String resource, String namespace)
            throws CommandFailure, StatusFailure {
        ObjectNode review = Json.object();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
        review.putObject("spec")
                .putObject("resourceAttributes")
                .put("verb", verb)
                .put("group", group)
                .put("resource", resource)
                .put("namespace", namespace);
        return client.post(cluster + REVIEWS, review)
                .path("status")
                .path("allowed")
                .asBoolean(false);
    }
}
