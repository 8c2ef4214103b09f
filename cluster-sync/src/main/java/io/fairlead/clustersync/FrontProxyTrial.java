package io.fairlead.clustersync;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toList;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Sender;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.schema.json.Json;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/*
 * kube-apiserver asks its authenticators one after the other, and one that fails does not end that: a certificate that is not of the CA
 * for front proxies, or has a name that is not allowed, is taken for a user's where another CA has signed it, and X-Remote- headers are
 * ignored. Every caller would then have the rights of the certificate's holder. The form of a certificate does not show that, only an
 * answer of the servers does: to a user with a name that exists nowhere, which the server can only know from the header.
 */
/** Asks API servers by a SelfSubjectReview whether they take Fairlead for a front proxy. */
final class FrontProxyTrial {
    static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    /** The reason for servers that do not. */
    static final String NOT_A_FRONT_PROXY = "NotAFrontProxy";

    /** What the name of the user begins with; 128 random bits follow. */
    static final String USER_PREFIX = "fairlead-probe-";

    private static final String REMOTE_USER = "X-Remote-User";
    private static final String JSON = "application/json";
    private static final int RANDOM_BYTES = 16;
    private static final int BODY_BYTES_MAX = 64 * 1024;
    private static final int NAME_CHARS_MAX = 256;

    /** Each in turn, as requests are spread. */
    private static final int ENDPOINTS_MAX = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final byte[] QUESTION = Json.write(
            Json.object().put("apiVersion", "authentication.k8s.io/v1").put("kind", "SelfSubjectReview"));

    private FrontProxyTrial() {}

    /**
     * Completes with what the servers say, never exceptionally, on an event loop: false if one of several does not, true if one does
     * and no other contradicts, unknown without an answer.
     */
    static CompletableFuture<Finding> ask(Upstream upstream, UpstreamSpec spec, Duration timeout) {
        List<CompletableFuture<Finding>> asked = Stream.generate(() -> askOne(upstream, timeout))
                .limit(Math.min(spec.endpoints().size(), ENDPOINTS_MAX))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(_ -> asked.stream()
                        .map(CompletableFuture::join)
                        .collect(collectingAndThen(toList(), FrontProxyTrial::verdict)));
    }

    private static Finding verdict(List<Finding> answers) {
        return with(Finding.Status.FALSE, answers)
                .or(() -> with(Finding.Status.TRUE, answers))
                .orElseGet(answers::getFirst);
    }

    private static Optional<Finding> with(Finding.Status status, List<Finding> answers) {
        return answers.stream().filter(answer -> answer.status() == status).findFirst();
    }

    private static CompletableFuture<Finding> askOne(Upstream upstream, Duration timeout) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        String user = USER_PREFIX + HexFormat.of().formatHex(random);
        MutableFields fields = new MutableFields()
                .set(FieldName.CONTENT_TYPE, JSON)
                .set(FieldName.ACCEPT, JSON)
                .add(REMOTE_USER, user);
        RequestHead head = new RequestHead(
                HttpMethod.POST, PATH, fields.toFields(), QUESTION.length, Sender.FRONT_PROXY_TRIAL, null);
        return DocumentRequest.send(upstream, head, QUESTION, timeout, BODY_BYTES_MAX)
                .thenApply(outcome -> judge(outcome, user));
    }

    private static Finding judge(DocumentRequest.Outcome outcome, String user) {
        return switch (outcome) {
            case DocumentRequest.Outcome.Failed failed ->
                unknown(Findings.of(failed.failure()).message());
            case DocumentRequest.Outcome.Answered(int status, JsonNode document) ->
                switch (status) {
                    case 200, 201 ->
                        judge(document.at("/status/userInfo/username").asString(""), user);
                    case 403 -> forbidden(document.path("message").asString(""), user);
                    case 404 ->
                        refuted("they have no SelfSubjectReview (404 for " + PATH + "), as Kubernetes has before 1.28");
                    default -> unknown("the server answers " + status + " for " + PATH);
                };
        };
    }

    private static Finding judge(String said, String user) {
        return said.equals(user)
                ? Finding.yes("FrontProxy", "the API servers take Fairlead for a front proxy")
                : refuted("they take a request that names another user for one of user \"" + shown(said) + "\"");
    }

    /** A server that lets no unknown user ask says at least which user it does not let. */
    private static Finding forbidden(String message, String user) {
        return message.contains("User \"" + user + "\"")
                ? judge(user, user)
                : refuted("their refusal of a request (403 for " + PATH + ") does not name the user whom that names: "
                        + shown(message));
    }

    private static Finding refuted(String why) {
        return Finding.no(
                NOT_A_FRONT_PROXY,
                "the API servers do not take Fairlead for a front proxy: " + why
                        + " (expected a client certificate that the CA of their --requestheader-client-ca-file has"
                        + " signed, with a common name among their --requestheader-allowed-names, and X-Remote-User"
                        + " among their --requestheader-username-headers); until they do, no request of a caller is"
                        + " sent to them");
    }

    private static Finding unknown(String why) {
        return Finding.unknown(
                "FrontProxyNotTried",
                "it is not known whether the API servers take Fairlead for a front proxy: " + why);
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), NAME_CHARS_MAX));
    }
}
