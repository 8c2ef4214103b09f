package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * A credential that does not work must not replace one that does, and neither must one of another cluster. Only the
 * server can test it, since it may reach addresses that this machine does not. So the new kubeconfig is first
 * registered under a temporary name. Leftovers of an interrupted trial are found by their label and removed by the next
 * one. The new Secret exists beside the old one until the Cluster names it: a reader of both objects sees the old pair
 * or the new one.
 */
/** Replaces the location of an attached cluster and Fairlead's credential there. Blocks. */
final class CredentialReplacement {
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{8}");
    private static final String TRIAL_OF = "fairlead.io/trial-of";
    private static final String BY_RIGHTS =
            "be allowed to read namespace kube-system there (as you without system:masters, unless"
                + " spec.attached.impersonation.allowSystemMasters is true), or have --no-wait put it in place without"
                + " that proof";
    private static final int TRIAL_STEM_CHARS_MAX = 50;

    /** The source of the new credential, called once the present one is known, and how callers are presented by it. */
    interface Source {
        Target get(CallerIdentity presented) throws CommandFailure;
    }

    private final FairleadClient client;
    private final ClusterName name;
    private final boolean tries;
    private final Duration timeout;
    private final PrintWriter err;

    /**
     * Of a cluster.
     *
     * @param tries whether to try the new credential before it is used
     * @param timeout of the trial, and then of the wait until the credential is in use
     * @param err messages for people
     */
    CredentialReplacement(FairleadClient client, ClusterName name, boolean tries, Duration timeout, PrintWriter err) {
        this.client = client;
        this.name = name;
        this.tries = tries;
        this.timeout = timeout;
        this.err = err;
    }

    /**
     * Replaces them, and returns the {@code Cluster}.
     *
     * @param crdRuntime the CRD runtime; empty to keep the present one
     * @param renewsToken whether the credential is the token of a ServiceAccount created for it
     * @throws CommandFailure with the reason; nothing is changed then, unless the message says so
     */
    JsonNode put(Source source, Optional<CrdRuntimeOptions.CrdRuntime> crdRuntime, boolean renewsToken)
            throws CommandFailure, StatusFailure {
        JsonNode registration = registration();
        Target credentials = source.get(CallerIdentity.in(registration));
        if (tries) {
            tryOut(credentials, registration);
            registration = unchanged(registration);
        }
        List<String> before = Attachment.Names.own(name, registration);
        Attachment attachment = new Attachment(
                name, Attachment.Names.besides(name, registration), credentials, crdRuntime, renewsToken);
        JsonNode changed = attachment.putInPlaceOf(client, registration);
        JsonNode used = awaitUse(changed);
        List<String> after = Attachment.Names.own(name, changed);
        for (String secret : before) {
            if (!after.contains(secret)) {
                Attachment.removeUnlessShared(client, name, secret);
            }
        }
        return used;
    }

    private JsonNode registration() throws CommandFailure, StatusFailure {
        JsonNode registration;
        try {
            registration = client.get(Paths.cluster(name));
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
            throw CommandFailure.of("cluster \"" + name + "\" does not exist", "attach it without --replace");
        }
        if (!registration.path("spec").has("attached")) {
            throw CommandFailure.of(
                    "cluster \"" + name + "\" is hosted (expected an attached one, which has a credential)");
        }
        String file = Registrations.sourceFile(registration);
        if (!file.isEmpty()) {
            throw CommandFailure.of(
                    "cluster \"" + name + "\" is declared by " + file + ", which says what credential it has",
                    "change that file, or the Secret that it names");
        }
        return registration;
    }

    /** The registration after the trial, during which it may have been deleted or changed. */
    private JsonNode unchanged(JsonNode tried) throws CommandFailure, StatusFailure {
        JsonNode now = registration();
        if (!now.path("metadata").path("uid").equals(tried.path("metadata").path("uid"))
                || !now.path("spec").equals(tried.path("spec"))) {
            throw CommandFailure.of(
                    "cluster \"" + name + "\" was changed while the new credential was tried", "try again");
        }
        return now;
    }

    private void tryOut(Target credentials, JsonNode registration) throws CommandFailure, StatusFailure {
        removeFormerTrials();
        ClusterName trial = trialName();
        Attachment attachment =
                new Attachment(trial, Attachment.Names.first(trial), credentials, Optional.empty(), false);
        attachment.store(client, trial(trial, attachment, registration));
        try {
            awaitReady(trial);
            requireSameCluster(trial, registration);
        } finally {
            remove(trial);
        }
    }

    private void awaitReady(ClusterName trial) throws CommandFailure, StatusFailure {
        try {
            Readiness.await(client, trial, timeout, err, () -> {}); // The trial is removed in any case.
        } catch (CommandFailure failure) {
            throw CommandFailure.of(
                    "the new credential was not put in place: "
                            + withoutAdvice(
                                    failure.message().replace("cluster \"" + trial + "\"", "with it the cluster"),
                                    trial),
                    "cluster \"" + name + "\" has the one that it had; correct the kubeconfig and try again");
        }
    }

    /** What a message advises for the trial is of no use, since that is removed. */
    private static String withoutAdvice(String message, ClusterName trial) {
        int advice = message.indexOf(" (expected ");
        return advice > 0 && message.indexOf("\"" + trial + "\"", advice) > 0 ? message.substring(0, advice) : message;
    }

    /** Without proof the answer is no: a credential is only sent to its own cluster. */
    private void requireSameCluster(ClusterName trial, JsonNode registration) throws CommandFailure {
        ClusterUid theirs = ClusterUid.asked(client, trial, timeout);
        if (theirs.isUnknown()) {
            throw CommandFailure.of(
                    "the new credential was not put in place: whether the kubeconfig leads to cluster \"" + name
                            + "\" is not known, since with it " + theirs.why(),
                    "nothing was changed; " + BY_RIGHTS);
        }
        ClusterUid ours = ClusterUid.asked(client, name, timeout).orElse(ClusterUid.noted(registration));
        if (ours.isUnknown()) {
            throw CommandFailure.of(
                    "the new credential was not put in place: which cluster \"" + name + "\" is was never found out,"
                            + " and with the credential of before " + ours.why(),
                    "nothing was changed; --no-wait puts it in place without that proof");
        }
        if (!theirs.equals(ours)) {
            throw CommandFailure.of(
                    "the kubeconfig leads to another cluster than \"" + name + "\" is: namespace kube-system has uid "
                            + theirs.uid() + " there and " + ours.uid() + " in \"" + name + "\"",
                    "nothing was changed; attach it under an id of its own, without --replace");
        }
    }

    /** The conditions of a generation are written once the cluster is served by that generation. */
    private JsonNode awaitUse(JsonNode changed) throws CommandFailure, StatusFailure {
        long generation = changed.path("metadata").path("generation").asLong(0);
        Instant end = Instant.now().plus(timeout);
        JsonNode cluster = client.get(Paths.cluster(name));
        while (observed(cluster) < generation) {
            if (Instant.now().isAfter(end)) {
                throw CommandFailure.of(
                        "the new credential is in place, but cluster \"" + name + "\" does not use it yet",
                        "'kubectl --context root describe cluster " + name + "' says why; the old Secret was kept");
            }
            Readiness.pause();
            cluster = client.get(Paths.cluster(name));
        }
        return cluster;
    }

    private static long observed(JsonNode cluster) {
        return Readiness.condition(cluster, "Ready")
                .map(condition -> condition.path("observedGeneration").asLong(0))
                .orElse(0L);
    }

    private ObjectNode trial(ClusterName trial, Attachment attachment, JsonNode registration) {
        ObjectNode cluster = Json.object();
        cluster.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        ObjectNode metadata = cluster.putObject("metadata");
        metadata.put("name", trial.value());
        ObjectNode labels = metadata.putObject("labels");
        if (registration.path("metadata").path("labels") instanceof ObjectNode same) {
            labels.setAll(same); // Labels by which pins select it.
        }
        labels.put(TRIAL_OF, name.value());
        ObjectNode spec = cluster.putObject("spec");
        spec.put("displayName", "a trial of another credential for cluster " + name);
        spec.put("aliasOf", besideWhich(registration));
        ObjectNode attached = spec.putObject("attached");
        attachment.describe(attached);
        JsonNode present = registration.path("spec").path("attached");
        for (String field : List.of("identity", "tokenReview", "impersonation")) {
            if (present.has(field)) {
                attached.set(field, present.path(field).deepCopy());
            }
        }
        return cluster;
    }

    /**
     * Without being an alias the trial would be in conflict with the registration that it is for, or with the one beside which that
     * is wanted: of an alias that was never served it is not known that it leads to the same cluster.
     */
    private String besideWhich(JsonNode registration) {
        String aliasOf = registration.at("/spec/aliasOf").asString("");
        return aliasOf.isEmpty() || registration.at("/status/identity/holds").asBoolean(false) ? name.value() : aliasOf;
    }

    private ClusterName trialName() {
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        return new ClusterName(trialStem() + HexFormat.of().formatHex(random));
    }

    private String trialStem() {
        String stem = name.value();
        return stem.substring(0, Math.min(stem.length(), TRIAL_STEM_CHARS_MAX)) + "-";
    }

    /** The label alone proves nothing: it may be on any Cluster, set by a caller who may not delete it. */
    private boolean isTrial(JsonNode cluster) {
        String given = cluster.path("metadata").path("name").asString("");
        boolean isNamedSo = given.startsWith(trialStem())
                && RANDOM.matcher(given.substring(trialStem().length())).matches();
        return isNamedSo
                && cluster.at("/spec/attached/kubeconfigSecretRef/name")
                        .asString("")
                        .equals(Attachment.Names.first(new ClusterName(given)).kubeconfig());
    }

    private void removeFormerTrials() throws CommandFailure, StatusFailure {
        String selector = URLEncoder.encode(TRIAL_OF + "=" + name, UTF_8);
        for (JsonNode left : client.get(Paths.CLUSTERS + "?labelSelector=" + selector)
                .path("items")
                .values()) {
            if (isTrial(left)) {
                remove(new ClusterName(left.path("metadata").path("name").asString("")));
            }
        }
    }

    private void remove(ClusterName trial) throws CommandFailure {
        Attachment.removeQuietly(client, Paths.cluster(trial));
        Attachment.removeQuietly(
                client, Paths.secret(Attachment.Names.first(trial).kubeconfig()));
    }
}
