package io.fairlead.hosted.rbac;

/** RBAC's answer to a request. RBAC only grants: no grant means no opinion, which ends as a refusal. */
public sealed interface Verdict {
    /** The reason, in Kubernetes' words; may be empty. */
    String reason();

    /** A rule allows it, or the user is in {@code system:masters}. */
    record Allowed(String reason) implements Verdict {}

    /** No rule allows it; the reason names missing roles that bindings refer to. */
    record NoOpinion(String reason) implements Verdict {}
}
