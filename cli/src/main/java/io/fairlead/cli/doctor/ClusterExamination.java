package io.fairlead.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.cluster.Readiness;
import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Examines one cluster through the server: reachability, certificates, credential, rights, clock and version. */
final class ClusterExamination {
    private static final String REFUSED = "CredentialRefused";

    private final Examination examination;
    private final FairleadClient client;
    private final String name;
    private final String subject;
    private final String renew;
    private final Duration serverAhead;
    private boolean renewsToken;
    private boolean isCredentialRefused;

    /** Callers with other credentials, as that of this command, have no rights there, and cannot ask for them. */
    private boolean takesOwnTokensAlone;

    ClusterExamination(Examination examination, FairleadClient client, String name, Duration serverAhead) {
        this.examination = examination;
        this.client = client;
        this.name = name;
        this.subject = "cluster " + name;
        this.renew = "give Fairlead a new one: 'fairlead cluster attach " + name + " --replace --from-kubeconfig NEW'";
        this.serverAhead = serverAhead;
    }

    void examine(JsonNode summary) throws CommandFailure {
        if (summary.path("retained").asBoolean(false)) {
            examination.ok(subject, "is retained: not registered, its data is kept");
            return;
        }
        if (isReady(summary)) {
            available(summary);
            version(summary.path("version").asString(""));
            reachability();
            rights();
        } else {
            String reason = summary.path("reason").asString("");
            isCredentialRefused = reason.equals(REFUSED);
            examination.error(
                    subject,
                    "is not Ready: " + reason + ": " + summary.path("message").asString(""),
                    isCredentialRefused
                            ? newCredential()
                            : reason.equals("AddressDenied")
                                    ? "permit the address by the setting that the message names, or correct the"
                                            + " endpoint"
                                    : "'kubectl --context root describe cluster " + name
                                            + "' tells more; it is tried again by itself");
        }
        registration(summary);
    }

    private static boolean isReady(JsonNode summary) {
        return summary.path("ready").asString("").equals("True");
    }

    private void available(JsonNode summary) {
        if (!summary.path("available").asString("True").equals("True")) {
            examination.warning(
                    subject,
                    "is Ready, but not Available: "
                            + summary.path("reason").asString("") + ": "
                            + summary.path("message").asString(""),
                    "see to what is missing, or take it out of spec.requiredAPIServices");
        } else {
            examination.ok(subject, "is Ready");
        }
    }

    private void version(String version) {
        if (version.isEmpty()) {
            examination.warning(subject + ": version", "is not known", "look again when it was reached");
        } else {
            examination.ok(subject + ": version", "is Kubernetes " + version);
        }
    }

    /** Sends a harmless request to the cluster itself. */
    private void reachability() throws CommandFailure {
        HttpResponse<byte[]> response = client.fetch("/clusters/" + name + "/version");
        if (StatusFailure.isOfPassthrough(response)) {
            examination.ok(subject + ": reachability", "is sent no credential but tokens of its own users");
            takesOwnTokensAlone = true;
            return;
        }
        if (response.statusCode() != 200) {
            JsonNode answer = status(response);
            isCredentialRefused =
                    answer.at("/details/causes/0/reason").asString("").equals(REFUSED);
            examination.error(
                    subject + ": reachability",
                    "answers " + response.statusCode() + ": "
                            + answer.path("message").asString(""),
                    isCredentialRefused ? newCredential() : "its own rights or its front end refuse it; see its log");
            return;
        }
        examination.ok(subject + ": reachability", "answers");
        response.headers().firstValue("date").ifPresent(this::clock);
    }

    private String newCredential() {
        return "give Fairlead a credential that the cluster accepts: 'fairlead cluster attach " + name
                + " --replace --from-kubeconfig NEW'; open watches go on";
    }

    private void clock(String date) {
        try {
            Instant theirs = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            examination.clock(
                    subject + ": clock", Duration.between(Instant.now().plus(serverAhead), theirs));
        } catch (DateTimeException odd) {
            examination.warning(subject + ": clock", "is told as \"" + date + "\"", "expected an HTTP date");
        }
    }

    private void rights() throws CommandFailure {
        if (isCredentialRefused || takesOwnTokensAlone) {
            return; // Every further answer would repeat this.
        }
        try {
            boolean all = ServerExamination.allowed(client, "/clusters/" + name, "*", "*", "*", "");
            examination.ok(subject + ": rights", all ? "you have every right in it" : "it decides for each request");
        } catch (StatusFailure refused) {
            examination.error(subject + ": rights", String.valueOf(refused.getMessage()), missingRights());
        }
    }

    /** What Fairlead may do in the cluster depends on how callers are presented there. */
    private String missingRights() throws CommandFailure {
        String identity;
        try {
            identity = client.get(Paths.CLUSTERS + "/" + name)
                    .at("/spec/attached/identity")
                    .asString("");
        } catch (StatusFailure refused) {
            identity = "";
        }
        String print = "apply what 'fairlead cluster attach " + name + " --print-rbac";
        return switch (identity) {
            case "RequestHeader" ->
                "Fairlead's own requests may lack a right: " + print + " --identity request-header' prints";
            case "Passthrough" ->
                "Fairlead's own requests may lack a right: " + print + " --identity passthrough' prints";
            default -> "Fairlead's credential may lack the right to impersonate: " + print + "' prints";
        };
    }

    /** Examines the Secrets of an attached cluster, if the caller may read them. */
    private void registration(JsonNode summary) throws CommandFailure {
        try {
            JsonNode cluster = client.get(Paths.CLUSTERS + "/" + name);
            JsonNode attached = cluster.path("spec").path("attached");
            renewsToken = attached.path("renewToken").asBoolean(false);
            if (renewsToken) {
                renewal(cluster);
            }
            if (isReady(summary)) {
                identity(cluster);
            }
            endpoints(cluster.path("status").path("endpoints"));
            JsonNode crdRuntime = attached.path("crdRuntime");
            if (crdRuntime.isObject()) {
                crdRuntime(cluster);
            }
            for (String reference : List.of("kubeconfigSecretRef", "credentialSecretRef", "caSecretRef")) {
                String secret = attached.path(reference).path("name").asString("");
                if (!secret.isEmpty()) {
                    secret(secret);
                }
            }
            certificates("CA", decoded(attached, "caBundle"));
            String ofCrdRuntime =
                    crdRuntime.path("credentialSecretRef").path("name").asString("");
            if (!ofCrdRuntime.isEmpty()) {
                secret(ofCrdRuntime);
            }
            certificates("CA of the CRD runtime", decoded(crdRuntime, "caBundle"));
        } catch (StatusFailure refused) {
            if (summary.path("type").asString("").equals("Hosted")) {
                return; // Its registration names no credential.
            }
            examination.warning(
                    subject + ": credential",
                    "was not looked at: " + refused.getMessage(),
                    "ask an administrator to run this command");
        }
    }

    /** Whether it can be read which cluster it is: an API server without its store still tells its version. */
    private void identity(JsonNode cluster) {
        JsonNode condition = Readiness.condition(cluster, "IdentityVerified").orElseGet(Json::object);
        if (condition.path("status").asString("").equals("Unknown")) {
            examination.warning(
                    subject + ": identity",
                    condition.path("reason").asString("") + ": "
                            + condition.path("message").asString(""),
                    "see whether that API server reads its store, and whether Fairlead's credential may read namespace"
                            + " kube-system");
        }
    }

    /** Which of several API servers get requests; a single one gets all, and is what reachability is about. */
    private void endpoints(JsonNode endpoints) {
        if (endpoints.size() < 2) {
            return;
        }
        for (JsonNode endpoint : endpoints.values()) {
            String what = subject + ": " + endpoint.path("url").asString("");
            if (endpoint.path("ready").asString("").equals("False")) {
                examination.warning(
                        what,
                        "gets no requests: " + endpoint.path("reason").asString("") + ": "
                                + endpoint.path("message").asString(""),
                        "see to that API server, or take it out of spec.attached.endpoints");
            } else {
                examination.ok(what, "gets requests");
            }
        }
    }

    /** Whether the CRD runtime works, by the cluster's condition. */
    private void crdRuntime(JsonNode cluster) {
        String what = subject + ": CRD runtime";
        JsonNode condition = Readiness.condition(cluster, "CRDRuntimeReachable").orElseGet(Json::object);
        String message = condition.path("message").asString("it was not asked yet");
        switch (condition.path("status").asString("")) {
            case "True" -> examination.ok(what, "answers, and is of this cluster");
            case "False" ->
                examination.error(
                        what,
                        "cannot be used: " + condition.path("reason").asString("") + ": " + message,
                        "correct spec.attached.crdRuntime or its servers; what CRDs serve is answered 503 until then");
            default -> examination.warning(what, "is not known: " + message, "look again in a moment");
        }
    }

    /** Whether the token is renewed, by the cluster's condition. */
    private void renewal(JsonNode cluster) {
        JsonNode condition = Readiness.condition(cluster, "TokenRenewed").orElseGet(Json::object);
        if (condition.path("status").asString("").equals("False")) {
            examination.error(
                    subject + ": renewal of its token",
                    condition.path("reason").asString("") + ": "
                            + condition.path("message").asString(""),
                    "give Fairlead another credential with 'fairlead cluster attach " + name
                            + " --replace' before the token ends, or give its ServiceAccount the right to create tokens"
                            + " of its own");
        }
    }

    private void secret(String secret) throws CommandFailure, StatusFailure {
        try {
            secret(client.get(Paths.secret(secret)).path("data"), secret);
        } catch (StatusFailure refused) {
            if (refused.code() != 404) {
                throw refused;
            }
            examination.error(
                    subject + ": credential",
                    "is missing: there is no Secret \"" + secret + "\" in namespace fairlead-system of cluster root",
                    "make that Secret, or give Fairlead another credential, without a proof that it leads to the same"
                            + " cluster: 'fairlead cluster attach " + name
                            + " --replace --no-wait --from-kubeconfig NEW'");
        }
    }

    private void secret(JsonNode data, String secret) {
        certificates("CA of Secret " + secret, decoded(data, "ca.crt"));
        certificates("certificate of Secret " + secret, decoded(data, "tls.crt"));
        token("token of Secret " + secret, decoded(data, "token"));
        String kubeconfig = decoded(data, "kubeconfig");
        if (kubeconfig == null) {
            return;
        }
        try {
            Target target = Target.of(Kubeconfig.parse(kubeconfig, secret), null, null);
            certificates("CA of Secret " + secret, target.caCertificates());
            certificates("certificate of Secret " + secret, target.clientCertificate());
            token("token of Secret " + secret, target.token());
        } catch (KubeconfigException unusable) {
            examination.error(subject + ": credential", String.valueOf(unusable.getMessage()), renew);
        }
    }

    private void certificates(String what, @Nullable String pem) {
        if (pem == null) {
            return;
        }
        try {
            examination.certificates(subject + ": " + what, ClientTls.x509(pem), renew);
        } catch (GeneralSecurityException unreadable) {
            examination.error(subject + ": " + what, "holds no certificate that can be read", renew);
        }
    }

    /** Tokens of Kubernetes contain their expiry (RFC 7519 section 4.1.4); for others it is unknown. */
    private void token(String what, @Nullable String token) {
        if (token == null) {
            return;
        }
        String[] parts = token.strip().split("\\.", -1);
        try {
            JsonNode expiry = parts.length == 3
                    ? Json.read(Base64.getUrlDecoder().decode(parts[1])).path("exp")
                    : Json.object().path("exp");
            if (expiry.isIntegralNumber()) {
                tokenThatEnds(subject + ": " + what, Instant.ofEpochSecond(expiry.longValue()));
                return;
            }
        } catch (IllegalArgumentException | UnreadableDocumentException opaque) {
            // Not every token with two dots is a JWT.
        }
        if (!isCredentialRefused) {
            examination.ok(subject + ": " + what, "does not say that it expires");
        }
    }

    private void tokenThatEnds(String token, Instant end) {
        boolean isOver = !examination.now().isBefore(end);
        if (isCredentialRefused && !isOver) {
            return; // Revoked or expired, whatever its own claims.
        }
        if (renewsToken && !isOver) {
            examination.ok(token, "is valid until " + end + ", and renewed before");
        } else {
            examination.expiry(token, Instant.MIN, end, renew);
        }
    }

    private static @Nullable String decoded(JsonNode data, String field) {
        String text = data.path(field).asString("");
        try {
            return text.isEmpty() ? null : new String(Base64.getDecoder().decode(text), UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private static JsonNode status(HttpResponse<byte[]> response) {
        try {
            return Json.read(response.body());
        } catch (UnreadableDocumentException notJson) {
            return Json.object().put("message", "not a Status");
        }
    }
}
