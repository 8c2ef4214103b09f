package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.credentials.kubeconfig.Target;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** How callers are presented to an attached cluster: {@code --identity}, and {@code spec.attached.identity}. */
enum CallerIdentity {
    IMPERSONATE("impersonate", "Impersonate", "fairlead"),
    PASSTHROUGH("passthrough", "Passthrough", "fairlead-passthrough"),
    REQUEST_HEADER("request-header", "RequestHeader", "fairlead-front-proxy");

    private final String option;
    private final String word;
    private final String account;

    CallerIdentity(String option, String word, String account) {
        this.option = option;
        this.word = word;
        this.account = account;
    }

    /** That of the option's value; empty if it is none of them. */
    static Optional<CallerIdentity> of(String option) {
        return Arrays.stream(values())
                .filter(identity -> identity.option.equals(option))
                .findFirst();
    }

    /** The option's values, for people. */
    static String options() {
        return UsageProblem.oneOf(
                Arrays.stream(values()).map(CallerIdentity::option).toList());
    }

    String option() {
        return option;
    }

    /**
     * The name of Fairlead's ServiceAccount in an attached cluster, and of its roles. Each way has its own: what one registration of a
     * cluster has applied there takes no right from another one, and gives it none.
     */
    String account() {
        return account;
    }

    /** That of a registration. */
    static CallerIdentity in(JsonNode registration) {
        String word = registration.at("/spec/attached/identity").asString("");
        return Arrays.stream(values())
                .filter(identity -> identity.word.equals(word))
                .findFirst()
                .orElse(IMPERSONATE);
    }

    /**
     * Requires that a credential can present callers in this way.
     *
     * @param file where it was read
     * @param hint what makes another one
     */
    void requireFit(Target credential, Path file, String hint) throws CommandFailure {
        if (this == PASSTHROUGH && credential.clientCertificate() != null) {
            throw CommandFailure.of(
                    file
                            + ": the context has a client certificate (expected a token alone with identity"
                            + " Passthrough: API servers would take callers on its connections for the holder of the"
                            + " certificate)",
                    hint);
        }
        if (this == REQUEST_HEADER && credential.token() != null) {
            throw CommandFailure.of(
                    file + ": the context has a token (expected a client certificate alone with identity"
                            + " RequestHeader, one that the API servers take for that of a front proxy)");
        }
    }

    /** Requires that a token can present callers in this way. */
    void requireToken() throws CommandFailure {
        if (this == REQUEST_HEADER) {
            throw CommandFailure.of(
                    "a ServiceAccount has a token (expected the client certificate of a front proxy, since the"
                            + " cluster is attached with identity RequestHeader)");
        }
    }

    /** Writes it to {@code spec.attached}, with what the attaching administrator would expect of it. */
    void describe(ObjectNode attached) {
        attached.put("identity", word);
        switch (this) {
            case IMPERSONATE, REQUEST_HEADER ->
                attached.putObject("impersonation").put("allowSystemMasters", true);
            case PASSTHROUGH -> attached.put("tokenReview", true);
        }
    }

    /** What to say of a new cluster. */
    String told() {
        return switch (this) {
            case IMPERSONATE, REQUEST_HEADER ->
                "system:masters is passed on to it as such (spec.attached.impersonation.allowSystemMasters: true)";
            case PASSTHROUGH ->
                "it takes callers with tokens of its own alone, as of its ServiceAccounts (spec.attached.identity:"
                        + " Passthrough)";
        };
    }
}
