package io.fairlead.hosted.rbac;

/** What RBAC says to a request. It only ever grants: not being granted is no opinion, which ends as a refusal. */
public sealed interface Verdict {
    /** Why, in Kubernetes' words; may be empty. */
    String reason();

    /** A rule allows it, or the caller is of {@code system:masters}. */
    record Allowed(String reason) implements Verdict {}

    /** No rule allows it; the reason names roles that bindings refer to and that do not exist. */
    record NoOpinion(String reason) implements Verdict {}
}
